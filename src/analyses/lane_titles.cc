// Titles of lanes and processes. Writers name the processes of devices in many ways: by label, by name, by number only.
#include "analyses/lane_titles.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analyses/words.h"
#include "base/fields.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_whole(std::string_view text) { return whole_number<std::int64_t>(text).has_value(); }

// The number of the device that the lanes of a process are on; kUnknown if it has none, or several.
std::int64_t only_device(const Profile& p, Row process) {
  std::int64_t device = kUnknown;
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const std::int64_t own = p.lanes.device[lane];
    if (p.lanes.process[lane] != process || !is_device_lane(p, lane) || own == kUnknown) continue;
    if (device != kUnknown && device != own) return kUnknown;
    device = own;
  }
  return device;
}

std::string_view product_of(const Profile& p, std::int64_t device) {
  const auto& ordinals = p.devices.ordinal;
  const auto at = std::find(ordinals.begin(), ordinals.end(), device);
  return at == ordinals.end() ? "" : p.text(p.devices.name[static_cast<Row>(at - ordinals.begin())]);
}

std::string_view label_of(const Profile& p, Row process) {
  const std::string_view label = p.text(p.processes.label[process]);
  return label == "CPU" ? "" : label;
}

}  // namespace

Message process_title(const Profile& p, Row process) {
  if (process == kNoRow) return "";
  const std::string_view pid = p.text(p.processes.pid[process]);
  const std::string_view name = p.text(p.processes.name[process]);
  const std::string_view label = label_of(p, process);
  const std::int64_t device = only_device(p, process);
  const bool known = device != kUnknown;
  const std::string word = p.device_word.empty() ? "device" : p.device_word;
  const std::string numbered = known ? word + " " + std::to_string(device) : std::string();
  std::string title(has_digit(label) || name.empty() ? label : name);
  if (title.empty()) title = numbered;
  if (title.empty() && pid.starts_with('-')) return "Unnamed process";  // what belongs to no process
  if (title.empty()) return is_whole(pid) ? say("process {}", std::string(pid)) : Message::verbatim(pid);
  if (!label.empty() && title != label) {
    title += " · " + (numbered.starts_with(label) ? numbered : std::string(label));
  } else if (known && title.find(numbered) != std::string::npos) {
    const std::string_view product = product_of(p, device);
    if (!product.empty()) title += " · " + std::string(product);
  } else if (label.empty() && title.find(pid) == std::string::npos) {
    const Message own = own_title(title);
    if (own.kind() != Message::Kind::verbatim) return say("{} ({pid})", own, pid);
    title += " (" + std::string(pid) + ")";
  }
  return own_title(title);
}

Message lane_title(const Profile& p, Row lane) {
  const std::string_view name = trimmed(p.text(p.lanes.name[lane]));
  if (!name.empty()) return own_title(name);
  const std::string track(p.text(p.lanes.track[lane]));
  if (!is_whole(track)) return Message::verbatim(track);
  if (p.lanes.kind[lane] == LaneKind::host_thread) return say("thread {}", track);
  if (p.lanes.kind[lane] == LaneKind::device_stream) return say("stream {}", track);
  return Message::verbatim(track);
}

bool is_unnamed_place(const Profile& p, Row process) {
  if (process == kNoRow || !p.text(p.processes.name[process]).empty() || !label_of(p, process).empty()) return false;
  const auto pid = whole_number<std::int64_t>(p.text(p.processes.pid[process]));
  return !pid || *pid < 0;
}

}  // namespace sightline::analyses
