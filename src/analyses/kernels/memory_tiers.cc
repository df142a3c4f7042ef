// Sums over executions, and the share of each memory's peak.
#include "analyses/kernels/memory_tiers.h"

#include <algorithm>
#include <cmath>

#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kTrafficSource = "bytes of an operator by memory, as the file states them, and its slices";

void add_to(double& sum, std::int64_t bytes) {
  if (bytes == kUnknown) return;
  sum = (std::isnan(sum) ? 0 : sum) + static_cast<double>(bytes);
}

std::string_view direction_words(Direction direction) {
  switch (direction) {
    case Direction::both: return "read and written";
    case Direction::read: return "read";
    case Direction::written: return "written";
  }
  return {};
}

std::string_view limit_words(const MemoryUse& use) {
  if (use.of_device) return "memory";
  switch (use.direction) {
    case Direction::both: return "memory on the chip";
    case Direction::read: return "reading memory on the chip";
    case Direction::written: return "writing memory on the chip";
  }
  return {};
}

}  // namespace

double MemoryUse::rate() const { return time > 0 ? bytes / time * 1e9 : static_cast<double>(kUnknownReal); }
double MemoryUse::of_peak() const { return peak > 0 ? rate() / peak : static_cast<double>(kUnknownReal); }

MemoryTiers::MemoryTiers(const Profile& profile, std::int64_t device) : p_(profile) {
  const DeviceMemories& memories = p_.device_memories;
  for (Row row = 0; row < memories.rows(); ++row) {
    if (p_.devices.ordinal[memories.device[row]] != device) continue;
    peaks_[memories.name[row]] = {memories.peak[row], memories.peak_read[row], memories.peak_written[row]};
  }
}

bool MemoryTiers::add(Row program_operator, Traffic& to) const {
  const ProgramTraffic& traffic = p_.program_traffic;
  const auto begin = traffic.program_operator.begin(), end = traffic.program_operator.end();
  const auto first = std::lower_bound(begin, end, program_operator);
  for (auto at = first; at != end && *at == program_operator; ++at) {
    const auto row = static_cast<Row>(at - begin);
    MovedBytes& moved = to[traffic.memory[row]];
    add_to(moved.any, traffic.bytes[row]);
    add_to(moved.read, traffic.bytes_read[row]);
    add_to(moved.written, traffic.bytes_written[row]);
  }
  return first != end && *first == program_operator;
}

std::vector<MemoryUse> MemoryTiers::uses(const Traffic& traffic) const {
  std::vector<MemoryUse> uses;
  for (const auto& [memory, moved] : traffic) {
    const auto known = peaks_.find(memory);
    const Peaks peaks = known == peaks_.end() ? Peaks{} : known->second;
    const bool apart = !std::isnan(peaks.read) || !std::isnan(peaks.written);
    const auto add = [&, name = p_.text(memory)](Direction direction, double bytes, double peak) {
      if (std::isnan(bytes)) return;
      MemoryUse use;
      use.memory = name;
      use.direction = direction;
      use.of_device = !std::isnan(peaks.any);
      use.bytes = bytes;
      use.peak = peak;
      uses.push_back(std::move(use));
    };
    if (!apart) add(Direction::both, moved.any, peaks.any);
    if (apart) add(Direction::read, moved.read, peaks.read);
    if (apart) add(Direction::written, moved.written, peaks.written);
  }
  return uses;
}

ClosestLimit closest_limit(double computing, std::vector<MemoryUse>& uses) {
  if (std::isnan(computing)) return {};
  ClosestLimit closest{"computing", computing};
  MemoryUse* closest_use = nullptr;
  for (MemoryUse& use : uses) {
    const double share = use.of_peak();
    if (use.of_device && std::isnan(share)) return {};
    if (!(share > closest.share)) continue;
    closest = {limit_words(use), share};
    closest_use = &use;
  }
  if (closest_use != nullptr) closest_use->closest = true;
  return closest;
}

ReportTable memories_table(const std::vector<MemoryUse>& rows) {
  TableOf<MemoryUse> table({.key = "memories", .title = "Bytes by memory", .sort_column = "time", .row_links = timeline_links()});
  table.add(label_column("name", "Name", "Kernel or operator"), even_empty(&MemoryUse::name));
  table.add(text_column("memory", "Memory", "Memory of the device, as the file names it"), &MemoryUse::memory);
  table.add(words_column("direction", "Direction", "Which of its bytes are in the row"),
            [](const MemoryUse& use) { return direction_words(use.direction); });
  table.add(integer_column("calls", "Calls", Unit::count, {"Work items of this name.", "number of slices", kTrafficSource}),
            &MemoryUse::calls);
  table.add(integer_column("time", "Time", Unit::ns,
                           {"Time with at least one of these running; overlaps are counted once.",
                            "length of the union of slices", kTrafficSource}),
            [](const MemoryUse& use) { return static_cast<std::int64_t>(std::llround(use.time)); });
  table.add(real_column("bytes", "Bytes", Unit::bytes, {"Moved to or from this memory.", "sum over executions", kTrafficSource}),
            &MemoryUse::bytes);
  table.add(real_column("rate", "Rate", Unit::bytes_per_second, {"How fast they moved.", "bytes / time", kTrafficSource})
                .with_unknown("it took no time"),
            &MemoryUse::rate);
  table.add(real_column("peak", "Peak", Unit::bytes_per_second,
                        {"Peak of this memory in this direction.", "as the file states it", "the device's memories"})
                .with_unknown("the file does not state the peak of this memory"),
            &MemoryUse::peak);
  table.add(real_column("of_peak", "Of peak", Unit::share, {"Share of that peak.", "rate / peak", kTrafficSource})
                .with_unknown("its rate or the memory's peak is not known"),
            &MemoryUse::of_peak);
  table.add(real_column("intensity", "Arithmetic intensity", Unit::flops_per_byte,
                        {"Operations per byte of this memory and direction.", "operations / bytes", kTrafficSource})
                .with_unknown("its operations are not known, or it moved no bytes"),
            [](const MemoryUse& use) { return use.bytes > 0 ? use.flops / use.bytes : static_cast<double>(kUnknownReal); });
  table.add(flag_column("closest", "Limit",
                        {"Whether this memory limits the work: of computing and all memories, it is the closest to its peak.",
                         "of peak > rate of operations / peak operations, and the largest of all memories", kTrafficSource}),
            &MemoryUse::closest);
  table.add(longest_slice_column("of them"), &MemoryUse::longest);
  return table.of(rows);
}

}  // namespace sightline::analyses
