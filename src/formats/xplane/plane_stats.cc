// The names of stats and the numbers of fields that describe devices and recordings.
#include "formats/xplane/plane_stats.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "formats/binary/proto_message.h"

namespace sightline::formats::xplane {

// ---- devices ----
// add_device: capabilities by the names of stats. They do not include a GPU's peak of operations: it follows from the
// operations of a core's matrix units in a cycle, which depend on the generation.

namespace {

struct Capabilities {
  std::string vendor, name, type;
  std::int64_t major = kUnknown, minor = kUnknown, cores = kUnknown, memory = kUnknown;
  double clock_khz = kUnknownReal, bandwidth = kUnknownReal, peak_tera = kUnknownReal, peak_bandwidth_giga = kUnknownReal;
  struct OnChip {
    double read_giga = kUnknownReal, written_giga = kUnknownReal;  // peaks; 0: the device has no such memory
  } cmem, vmem;
};

Capabilities capabilities_of(const Plane& plane) {
  Capabilities stated;
  for (const std::string& message : plane.stats) {
    const Stat stat = stat_of(message);
    const auto at = plane.stat_names.find(stat.name);
    if (at == plane.stat_names.end()) continue;
    const std::string& name = at->second;
    const bool is_real = stat.kind == Stat::Kind::real;
    const double real = is_real ? std::bit_cast<double>(stat.number) : static_cast<double>(stat.number);
    const std::int64_t whole = is_real || stat.number >> 62 != 0 ? kUnknown : static_cast<std::int64_t>(stat.number);
    if (name == "device_vendor") stated.vendor = stat.text;
    if (name == "gpu_device_name") stated.name = stat.text;
    if (name == "device_type_string") stated.type = stat.text;
    if (name == "compute_cap_major") stated.major = whole;
    if (name == "compute_cap_minor") stated.minor = whole;
    if (name == "core_count") stated.cores = whole;
    if (name == "memory_size") stated.memory = whole;
    if (name == "clock_rate") stated.clock_khz = real;
    if (name == "memory_bandwidth") stated.bandwidth = real;
    if (name == "peak_teraflops_per_second") stated.peak_tera = real;
    if (name == "peak_hbm_bw_gigabytes_per_second") stated.peak_bandwidth_giga = real;
    if (name == "peak_cmem_rd_bw_gigabytes_per_second") stated.cmem.read_giga = real;
    if (name == "peak_cmem_wr_bw_gigabytes_per_second") stated.cmem.written_giga = real;
    if (name == "peak_vmem_rd_bw_gigabytes_per_second") stated.vmem.read_giga = real;
    if (name == "peak_vmem_wr_bw_gigabytes_per_second") stated.vmem.written_giga = real;
  }
  return stated;
}

// From the vendors' data sheets, by generation; docs/formats/xplane.md, "Peaks", names them.
struct Generation {
  std::string_view vendor;
  std::int64_t major, minor;
  double operations;      // of one core's matrix units in a cycle, for dense 16-bit numbers
  double bandwidth_part;  // the bandwidth that profiles state, as a part of the data sheet's
};
constexpr Generation kGenerations[] = {
    {"Nvidia", 7, 0, 1024, 1}, {"Nvidia", 7, 5, 1024, 1}, {"Nvidia", 8, 0, 2048, 1},  {"Nvidia", 8, 6, 1024, 1},
    {"Nvidia", 8, 9, 1024, 1}, {"Nvidia", 9, 0, 4096, 1}, {"Nvidia", 10, 0, 8192, 1}, {"AMD", 9, 0, 1024, 1},
    {"AMD", 9, 4, 2048, 0.5},  {"AMD", 9, 5, 4096, 0.5},
};

const Generation* generation_of(const Capabilities& stated) {
  const auto known = std::find_if(std::begin(kGenerations), std::end(kGenerations), [&](const Generation& each) {
    return stated.vendor == each.vendor && stated.major == each.major && stated.minor == each.minor;
  });
  return known == std::end(kGenerations) ? nullptr : known;
}

struct Peaks {
  double flops = kUnknownReal, bandwidth = kUnknownReal;
  std::string source;  // of both, for people
};

// A peak that the file states; else one computed from the file's figures and the generation.
Peaks peaks_of(const Capabilities& stated) {
  const Generation* generation = generation_of(stated);
  Peaks peaks;
  const auto add = [&](std::string_view of, std::string_view from) {
    peaks.source += fmt::format("{}{}: {}", peaks.source.empty() ? "" : "; ", of, from);
  };
  if (stated.peak_bandwidth_giga > 0) {
    peaks.bandwidth = stated.peak_bandwidth_giga * 1e9;
    add("bandwidth", "the file");
  } else if (stated.bandwidth > 0) {
    const double part = generation == nullptr ? 1 : generation->bandwidth_part;
    peaks.bandwidth = stated.bandwidth / part;
    add("bandwidth",
        part == 1 ? "the file" : "twice the value in the file, which counts two transfers per clock; this memory makes four");
  }
  if (stated.peak_tera > 0) {
    peaks.flops = stated.peak_tera * 1e12;
    add("operations", "the file");
  } else if (generation != nullptr && stated.cores > 0 && stated.clock_khz > 0) {
    peaks.flops = generation->operations * static_cast<double>(stated.cores) * stated.clock_khz * 1e3;
    add("operations", fmt::format("{} per cycle and core (16-bit matrix products, table of generations) x cores x clock",
                                  generation->operations));
  }
  return peaks;
}

// The memories of a device that executes operators with stated traffic; those of other devices have no use here.
void add_memories(const Capabilities& stated, double peak_bandwidth, Row device, Profile& p) {
  const auto add = [&](std::uint64_t memory, double peak, const Capabilities::OnChip& on_chip) {
    if (!(peak > 0) && !(on_chip.read_giga > 0) && !(on_chip.written_giga > 0)) return;
    DeviceMemories& memories = p.device_memories;
    const Row row = add_unknown_row(memories);
    memories.device[row] = device;
    memories.name[row] = p.strings.intern(memory_name(memory));
    memories.peak[row] = peak > 0 ? peak : kUnknownReal;
    memories.peak_read[row] = on_chip.read_giga > 0 ? on_chip.read_giga * 1e9 : kUnknownReal;
    memories.peak_written[row] = on_chip.written_giga > 0 ? on_chip.written_giga * 1e9 : kUnknownReal;
  };
  add(kDeviceMemory, peak_bandwidth, {});
  add(kCmem, kUnknownReal, stated.cmem);
  add(kVmem, kUnknownReal, stated.vmem);
}

std::string name_of(const Capabilities& stated) {
  if (!stated.name.empty()) return stated.name;
  if (!stated.type.empty()) return stated.type;
  if (stated.vendor == "AMD" && stated.major != kUnknown && stated.minor != kUnknown)
    return fmt::format("AMD GPU gfx{}{}x", stated.major, stated.minor);
  return stated.vendor;
}

void add_words(const Capabilities& stated, DeviceKind kind, Profile& p) {
  if (!p.device_word.empty()) return;
  p.device_word = kind == DeviceKind::tpu ? "TPU" : "GPU";
  if (kind == DeviceKind::tpu) p.matrix_word = "MXUs";
  if (stated.vendor == "AMD") p.matrix_word = "matrix cores";
  if (stated.vendor == "AMD") p.core_word = "CU";
  if (stated.vendor == "Nvidia") p.matrix_word = "tensor cores";
  if (stated.vendor == "Nvidia") p.core_word = "SM";
}

}  // namespace

void add_device(const Plane& plane, Profile& p) {
  const DevicePlane device = device_plane(plane.name);
  if (device.kind == DeviceKind::other || device.ordinal == kUnknown || !device.core.empty()) return;
  const Capabilities stated = capabilities_of(plane);
  if (plane.lines == 0 && stated.cores == kUnknown && stated.memory == kUnknown && stated.name.empty()) return;
  add_words(stated, device.kind, p);
  const Row row = add_unknown_row(p.devices);
  p.devices.ordinal[row] = device.ordinal;
  p.devices.name[row] = p.strings.intern(name_of(stated));
  p.devices.memory[row] = stated.memory;
  p.devices.compute_major[row] = stated.major;
  p.devices.compute_minor[row] = stated.minor;
  p.devices.cores[row] = stated.cores;
  p.devices.clock[row] = stated.clock_khz > 0 ? stated.clock_khz * 1e3 : kUnknownReal;
  const Peaks peaks = peaks_of(stated);
  p.devices.peak_bandwidth[row] = peaks.bandwidth;
  p.devices.peak_flops[row] = peaks.flops;
  p.devices.peak_source[row] = p.strings.intern(peaks.source);
  if (device.kind == DeviceKind::tpu) add_memories(stated, peaks.bandwidth, row, p);
}

// ---- options of the recording ----
// profile_options: a table of fields; docs/formats/xplane.md, "The wire format".

namespace {

enum class Kind { number, flag, text, device, trace_options, advanced };
struct Option {
  std::string_view name;
  Kind kind;
  bool always = false;
};

// By number of field. 5, the version of the message, is of no use to anyone.
const std::map<unsigned, Option>& options() {
  static const std::map<unsigned, Option> all{{1, {"include_dataset_ops", Kind::flag}},
                                              {2, {"host_tracer_level", Kind::number, true}},
                                              {3, {"device_tracer_level", Kind::number, true}},
                                              {4, {"python_tracer_level", Kind::number, true}},
                                              {6, {"device_type", Kind::device}},
                                              {7, {"enable_hlo_proto", Kind::flag, true}},
                                              {8, {"start_timestamp_ns", Kind::number}},
                                              {9, {"duration_ms", Kind::number}},
                                              {10, {"repository_path", Kind::text}},
                                              {11, {"trace_options", Kind::trace_options}},
                                              {12, {"advanced_configuration", Kind::advanced}},
                                              {13, {"raise_error_on_start_failure", Kind::flag}},
                                              {14, {"session_id", Kind::text}},
                                              {15, {"override_hostname", Kind::text}},
                                              {16, {"jax_version", Kind::text}},
                                              {17, {"jaxlib_version", Kind::text}}};
  return all;
}

std::string flag_text(bool flag) { return flag ? "true" : "false"; }

std::string device_text(std::uint64_t type) {
  constexpr std::string_view kDeviceTypes[] = {"unspecified", "CPU", "GPU", "TPU", "pluggable"};
  return type < std::size(kDeviceTypes) ? std::string(kDeviceTypes[type]) : fmt::format("{}", type);
}

// A map entry: its key, and a value that is a text, a flag or a number.
std::pair<std::string, std::string> advanced_option(ProtoSpan entry) {
  std::pair<std::string, std::string> option;
  while (entry.next()) {
    if (entry.field() == 1) option.first = to_utf8(entry.bytes());
    if (entry.field() != 2) continue;
    for (ProtoSpan value = entry.message(); value.next();) {
      if (value.field() == 1) option.second = to_utf8(value.bytes());
      if (value.field() == 2) option.second = flag_text(value.unsigned_integer() != 0);
      if (value.field() == 3) option.second = fmt::format("{}", value.integer());
    }
  }
  return option;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> profile_options(std::string_view message) {
  std::map<unsigned, std::string> stated;
  std::vector<std::pair<std::string, std::string>> advanced;
  for (ProtoSpan field(message); field.next();) {
    const auto option = options().find(field.field());
    if (option == options().end()) continue;
    std::string& value = stated[field.field()];
    switch (option->second.kind) {
      case Kind::number: value = fmt::format("{}", field.unsigned_integer()); break;
      case Kind::flag: value = flag_text(field.unsigned_integer() != 0); break;
      case Kind::text: value = to_utf8(field.bytes()); break;
      case Kind::device: value = device_text(field.unsigned_integer()); break;
      case Kind::trace_options:
        for (ProtoSpan of = field.message(); of.next();) {
          if (of.field() == 1) value = fmt::format("host_traceme_filter_mask={:#x}", of.unsigned_integer());
        }
        break;
      case Kind::advanced: advanced.push_back(advanced_option(field.message())); break;
    }
  }
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [number, option] : options()) {
    const auto value = stated.find(number);
    if (option.kind == Kind::advanced) {
      for (auto& [key, text] : advanced) all.emplace_back(fmt::format("{}.{}", option.name, key), std::move(text));
    } else if (value != stated.end()) {
      all.emplace_back(option.name, value->second);
    } else if (option.always) {
      all.emplace_back(option.name, option.kind == Kind::flag ? flag_text(false) : "0");
    }
  }
  return all;
}

}  // namespace sightline::formats::xplane
