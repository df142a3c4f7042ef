// add_device: capabilities by the names of stats. A GPU's peak of operations is not among them: it follows from how many a core's
// matrix units do in a cycle, which depends on the generation.
#include "formats/xplane/devices.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace sightline::formats::xplane {

namespace {

struct Capabilities {
  std::string vendor, name, type;
  std::int64_t major = kUnknown, minor = kUnknown, cores = kUnknown, memory = kUnknown;
  double clock_khz = kUnknownReal, bandwidth = kUnknownReal, peak_tera = kUnknownReal, peak_bandwidth_giga = kUnknownReal;
};

Capabilities capabilities_of(const Plane& plane) {
  Capabilities said;
  for (const std::string& message : plane.stats) {
    const Stat stat = stat_of(message);
    const auto at = plane.stat_names.find(stat.name);
    if (at == plane.stat_names.end()) continue;
    const std::string& name = at->second;
    const bool is_real = stat.kind == Stat::Kind::real;
    const double real = is_real ? std::bit_cast<double>(stat.number) : static_cast<double>(stat.number);
    const std::int64_t whole = is_real || stat.number >> 62 != 0 ? kUnknown : static_cast<std::int64_t>(stat.number);
    if (name == "device_vendor") said.vendor = stat.text;
    if (name == "gpu_device_name") said.name = stat.text;
    if (name == "device_type_string") said.type = stat.text;
    if (name == "compute_cap_major") said.major = whole;
    if (name == "compute_cap_minor") said.minor = whole;
    if (name == "core_count") said.cores = whole;
    if (name == "memory_size") said.memory = whole;
    if (name == "clock_rate") said.clock_khz = real;
    if (name == "memory_bandwidth") said.bandwidth = real;
    if (name == "peak_teraflops_per_second") said.peak_tera = real;
    if (name == "peak_hbm_bw_gigabytes_per_second") said.peak_bandwidth_giga = real;
  }
  return said;
}

// What the vendors' data sheets say of a generation; docs/formats/xplane.md, "Peaks", names them.
struct Generation {
  std::string_view vendor;
  std::int64_t major, minor;
  double operations;      // that the matrix units of one core do in a cycle, of dense 16-bit numbers
  double bandwidth_part;  // of the bandwidth that profiles state, as a part of the data sheet's
};
constexpr Generation kGenerations[] = {
    {"Nvidia", 7, 0, 1024, 1}, {"Nvidia", 7, 5, 1024, 1}, {"Nvidia", 8, 0, 2048, 1},  {"Nvidia", 8, 6, 1024, 1},
    {"Nvidia", 8, 9, 1024, 1}, {"Nvidia", 9, 0, 4096, 1}, {"Nvidia", 10, 0, 8192, 1}, {"AMD", 9, 0, 1024, 1},
    {"AMD", 9, 4, 2048, 0.5},  {"AMD", 9, 5, 4096, 0.5},
};

const Generation* generation_of(const Capabilities& said) {
  const auto known = std::find_if(std::begin(kGenerations), std::end(kGenerations), [&](const Generation& each) {
    return said.vendor == each.vendor && said.major == each.major && said.minor == each.minor;
  });
  return known == std::end(kGenerations) ? nullptr : known;
}

struct Peaks {
  double flops = kUnknownReal, bandwidth = kUnknownReal;
  std::string source;  // of both, for people
};

// What the file states as a peak counts; else what follows from what it states and the generation.
Peaks peaks_of(const Capabilities& said) {
  const Generation* generation = generation_of(said);
  Peaks peaks;
  const auto add = [&](std::string_view of, std::string_view from) {
    peaks.source += fmt::format("{}{}: {}", peaks.source.empty() ? "" : "; ", of, from);
  };
  if (said.peak_bandwidth_giga > 0) {
    peaks.bandwidth = said.peak_bandwidth_giga * 1e9;
    add("bandwidth", "the file");
  } else if (said.bandwidth > 0) {
    const double part = generation == nullptr ? 1 : generation->bandwidth_part;
    peaks.bandwidth = said.bandwidth / part;
    add("bandwidth",
        part == 1 ? "the file" : "twice the value in the file, which counts two transfers per clock; this memory makes four");
  }
  if (said.peak_tera > 0) {
    peaks.flops = said.peak_tera * 1e12;
    add("operations", "the file");
  } else if (generation != nullptr && said.cores > 0 && said.clock_khz > 0) {
    peaks.flops = generation->operations * static_cast<double>(said.cores) * said.clock_khz * 1e3;
    add("operations", fmt::format("{} per cycle and core (16-bit matrix products, table of generations) x cores x clock",
                                  generation->operations));
  }
  return peaks;
}

std::string name_of(const Capabilities& said) {
  if (!said.name.empty()) return said.name;
  if (!said.type.empty()) return said.type;
  if (said.vendor == "AMD" && said.major != kUnknown && said.minor != kUnknown)
    return fmt::format("AMD GPU gfx{}{}x", said.major, said.minor);
  return said.vendor;
}

void add_words(const Capabilities& said, DeviceKind kind, Profile& p) {
  if (!p.device_word.empty()) return;
  p.device_word = kind == DeviceKind::tpu ? "TPU" : "GPU";
  if (kind == DeviceKind::tpu) p.matrix_word = "MXUs";
  if (said.vendor == "AMD") p.matrix_word = "matrix cores";
  if (said.vendor == "AMD") p.core_word = "CU";
  if (said.vendor == "Nvidia") p.matrix_word = "tensor cores";
  if (said.vendor == "Nvidia") p.core_word = "SM";
}

}  // namespace

void add_device(const Plane& plane, Profile& p) {
  const DevicePlane device = device_plane(plane.name);
  if (device.kind == DeviceKind::other || device.ordinal == kUnknown || !device.core.empty()) return;
  const Capabilities said = capabilities_of(plane);
  if (plane.lines == 0 && said.cores == kUnknown && said.memory == kUnknown && said.name.empty()) return;
  add_words(said, device.kind, p);
  const Row row = add_unknown_row(p.devices);
  p.devices.ordinal[row] = device.ordinal;
  p.devices.name[row] = p.strings.intern(name_of(said));
  p.devices.memory[row] = said.memory;
  p.devices.compute_major[row] = said.major;
  p.devices.compute_minor[row] = said.minor;
  p.devices.cores[row] = said.cores;
  p.devices.clock[row] = said.clock_khz > 0 ? said.clock_khz * 1e3 : kUnknownReal;
  const Peaks peaks = peaks_of(said);
  p.devices.peak_bandwidth[row] = peaks.bandwidth;
  p.devices.peak_flops[row] = peaks.flops;
  p.devices.peak_source[row] = p.strings.intern(peaks.source);
}

}  // namespace sightline::formats::xplane
