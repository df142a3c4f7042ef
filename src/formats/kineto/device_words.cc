// The family is in the labels of the devices' processes ("GPU 0", "XPU 0"), else in the devices of memory events; a device with
// a compute capability is a GPU. Of two vendors' GPUs, the names of the host calls tell which it is, else the width in which
// threads issue: 32 or 64.
#include "formats/kineto/device_words.h"

#include <algorithm>
#include <string>

namespace sightline::formats::kineto {

namespace {

// "GPU 0" -> "GPU".
std::string_view letters(std::string_view label) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return label.substr(0, static_cast<std::size_t>(std::find_if_not(label.begin(), label.end(), is_letter) - label.begin()));
}

std::string family(const Profile& p) {
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const bool of_device = p.lanes.kind[lane] == LaneKind::device_stream || p.lanes.kind[lane] == LaneKind::engine;
    if (!of_device || p.lanes.process[lane] == kNoRow) continue;
    const std::string_view word = letters(p.text(p.processes.label[p.lanes.process[lane]]));
    if (!word.empty() && word != "CPU") return std::string(word);
  }
  for (Row event = 0; event < p.memory_events.rows(); ++event) {
    if (p.memory_events.device[event] >= 0) return std::string(letters(p.text(p.memory_events.device_name[event])));
  }
  const auto& major = p.devices.compute_major;
  return std::any_of(major.begin(), major.end(), [](std::int64_t known) { return known != kUnknown; }) ? "GPU" : "";
}

enum class Vendor { unknown, nvidia, amd };

Vendor vendor(const Profile& p) {
  for (const Row slice : p.launches.slice) {
    const std::string_view name = p.text(p.slices.name[slice]);
    if (name.starts_with("cuda") || name.starts_with("cuLaunch")) return Vendor::nvidia;
    if (name.starts_with("hip")) return Vendor::amd;
  }
  for (const std::int64_t width : p.devices.warp_size) {
    if (width == 32) return Vendor::nvidia;
    if (width == 64) return Vendor::amd;
  }
  return Vendor::unknown;
}

}  // namespace

void name_device_parts(Profile& profile) {
  profile.device_word = family(profile);
  if (profile.device_word != "GPU") return;
  switch (vendor(profile)) {
    case Vendor::nvidia:
      profile.matrix_word = "tensor cores";
      profile.core_word = "SM";
      return;
    case Vendor::amd:
      profile.matrix_word = "matrix cores";
      profile.core_word = "CU";
      return;
    case Vendor::unknown: return;
  }
}

void forget_untold_cores(Profile& profile) {
  if (profile.device_word.empty() || profile.device_word == "GPU") return;
  for (CoreType& type : profile.device_work.core_type) {
    if (type == CoreType::general) type = CoreType::unknown;
  }
}

}  // namespace sightline::formats::kineto
