// Devices of an export: products, and which of them a process calls by which number.
#include <fmt/core.h>
#include <algorithm>

#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

namespace {

std::int64_t positive(std::int64_t value) { return value > 0 ? value : kUnknown; }

std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  return a == kUnknown || b == kUnknown || __builtin_mul_overflow(a, b, &all) ? kUnknown : all;
}

}  // namespace

void Gpus::read(TableSource& tables) {
  tables.each("TARGET_INFO_GPU",
              {"id", "name", "totalMemory", "memoryBandwidth", "clockRate", "smCount", "maxWarpsPerSm", "threadsPerWarp",
               "maxRegistersPerSm", "maxShmemPerSm", "maxShmemPerBlock", "computeMajor", "computeMinor"},
              [&](const TableRow& row) {
                const auto number = [&](int column) { return positive(row.integer(column)); };
                if (row.integer(0) == kUnknown) return;
                const std::int64_t minor = row.integer(12);
                products_.try_emplace(row.integer(0), Product{std::string(row.text(1)), number(2), number(3), number(4),
                                                              number(5), number(6), number(7), number(8), number(9), number(10),
                                                              number(11), minor >= 0 ? minor : kUnknown});
              });
  tables.each("TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"}, [&](const TableRow& row) {
    if (row.integer(2) != kUnknown) ordinal_[{row.integer(0), row.integer(1)}] = row.integer(2);
  });
}

std::int64_t Gpus::ordinal(std::int64_t pid, std::int64_t device) const {
  const auto found = ordinal_.find({pid, device});
  return found == ordinal_.end() ? device : found->second;
}

void Gpus::use(std::int64_t pid, std::int64_t device) {
  used_.insert(ordinal(pid, device));
  pids_[device].insert(pid);
}

std::string_view Gpus::name(std::int64_t ordinal) const {
  const auto found = products_.find(ordinal);
  return found == products_.end() ? std::string_view() : found->second.name;
}

void Gpus::describe(Profile& profile) const {
  std::set<std::int64_t> all = used_;
  if (all.empty()) {
    for (const auto& [ordinal, about] : products_) all.insert(ordinal);
  }
  for (const std::int64_t ordinal : all) {
    if (ordinal == kUnknown) continue;
    const Row row = add_unknown_row(profile.devices);
    Devices& devices = profile.devices;
    devices.ordinal[row] = ordinal;
    const auto found = products_.find(ordinal);
    if (found == products_.end()) continue;
    const Product& about = found->second;
    devices.name[row] = profile.strings.intern(about.name);
    devices.memory[row] = about.memory;
    devices.compute_major[row] = about.major;
    devices.compute_minor[row] = about.minor;
    devices.cores[row] = about.cores;
    devices.threads_per_core[row] = product(about.warps, about.warp_size);
    devices.registers_per_core[row] = about.registers;
    devices.shared_per_core[row] = about.shared;
    devices.shared_per_block[row] = about.shared_per_block;
    devices.warp_size[row] = about.warp_size;
    if (about.clock != kUnknown) devices.clock[row] = static_cast<double>(about.clock);
    if (about.bandwidth == kUnknown) continue;
    devices.peak_bandwidth[row] = static_cast<double>(about.bandwidth);
    devices.peak_source[row] = profile.strings.intern("the file");
  }
}

void Gpus::report(Profile& profile) const {
  const auto lacking =
      std::count_if(used_.begin(), used_.end(), [&](std::int64_t ordinal) { return !products_.contains(ordinal); });
  if (lacking > 0) {
    profile.add_problem(Severity::note, "undescribed_device",
                        "TARGET_INFO_GPU does not describe a device: its product and its peaks are unknown", lacking, kUnknown);
  }
  if (!ordinal_.empty()) return;
  const auto shared = std::count_if(pids_.begin(), pids_.end(), [](const auto& entry) { return entry.second.size() > 1; });
  if (shared == 0) return;
  profile.add_problem(Severity::warning, "device_numbers",
                      "several processes use a device of one number, and TARGET_INFO_CUDA_DEVICE does not state which device "
                      "each of them means: if they see different devices, these are shown as one",
                      shared, kUnknown);
}

}  // namespace sightline::formats::nsys
