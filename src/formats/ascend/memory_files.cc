// Memory: KB and MB of these files are 2^10 and 2^20 bytes.
#include "formats/ascend/memory_files.h"

#include <algorithm>
#include <unordered_map>

#include "base/sort.h"
#include "formats/ascend/csv_table.h"
#include "formats/common/decimal.h"

namespace sightline::formats::ascend {

namespace {

constexpr std::int64_t kDeviceType = 20;  // the framework's number for devices that it does not know

// Finds the thread on which an operator of a name is open.
class OpenOperators {
 public:
  explicit OpenOperators(const Profile& profile) : p_(profile) {
    for (const Row slice : p_.operators.slice) by_name_[p_.slices.name[slice]].push_back(slice);
    for (auto& [name, slices] : by_name_) {
      std::sort(slices.begin(), slices.end(), [&](Row a, Row b) { return p_.slices.start[a] < p_.slices.start[b]; });
    }
  }

  Row lane(StringId name, Time time) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return kNoRow;
    const auto& slices = found->second;
    auto at = std::upper_bound(slices.begin(), slices.end(), time, [&](Time t, Row slice) { return t < p_.slices.start[slice]; });
    for (int looked = 0; at != slices.begin() && looked < 8; ++looked) {  // calls of one name on several threads may be open
      const Row slice = *--at;
      if (time < p_.end_of(slice)) return p_.slices.lane[slice];
    }
    return kNoRow;
  }

 private:
  const Profile& p_;
  std::unordered_map<StringId, std::vector<Row>> by_name_;
};

// Two allocators share the device, each with separate totals: the framework's and the graph engine's. Their totals must not
// mix on one curve.
StringId allocator_of(const Block& block, Profile& profile) {
  if (!block.graph_engine && !profile.text(block.name).starts_with("cann::")) return block.device;
  return profile.strings.intern(std::string(profile.text(block.device)) + " (graph engine)");
}

bool open(const std::string& path, MemoryLimit* limit, Profile& profile, std::optional<CsvTable>& table) {
  Result<CsvTable> opened = CsvTable::open(path, limit);
  if (!opened) {
    profile.add_problem(Severity::error, "unreadable_file",
                        say("{}; its data about memory is missing", opened.error().to_string()), 1, 0);
    return false;
  }
  table = *std::move(opened);
  return true;
}

}  // namespace

std::int64_t device_number(std::string_view device) {
  const std::size_t last = device.find_last_not_of("0123456789");
  if (last != std::string_view::npos) device.remove_prefix(last + 1);
  return parse_integer(device).value_or(kUnknown);
}

std::string device_label(std::string_view device) {
  const std::int64_t number = device_number(device);
  return number == kUnknown ? std::string(device.empty() ? "NPU" : device) : "NPU" + std::to_string(number);
}

void add_blocks(std::vector<Block> blocks, std::int64_t origin, Profile& profile) {
  struct End {
    std::int64_t time;
    std::size_t block;
    bool allocates;
  };
  std::vector<End> ends;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].allocated != kUnknown) ends.push_back({blocks[i].allocated, i, true});
    if (blocks[i].released != kUnknown) ends.push_back({blocks[i].released, i, false});
  }
  sort_up(ends, &End::time);
  const OpenOperators operators(profile);
  MemoryEvents& events = profile.memory_events;
  for (const End& end : ends) {
    const Block& block = blocks[end.block];
    events.time.push_back(end.time);
    events.lane.push_back(operators.lane(block.name, end.time - origin));
    events.device_type.push_back(kDeviceType);
    events.device.push_back(device_number(profile.text(block.device)));
    events.device_name.push_back(allocator_of(block, profile));
    events.address.push_back(static_cast<std::int64_t>(end.block) + 1);
    events.bytes.push_back(end.allocates ? block.bytes : -block.bytes);
    events.total_allocated.push_back(end.allocates ? block.allocated_total : block.released_total);
    events.total_reserved.push_back(end.allocates ? block.allocated_reserved : block.released_reserved);
  }
  fill_unknown_columns(events);
}

void add_operator_memory(const std::string& path, std::int64_t origin, MemoryLimit* limit, Profile& profile) {
  std::optional<CsvTable> table;
  if (!open(path, limit, profile, table)) return;
  const auto name = table->column({"Name"});
  const auto size = table->byte_column("Size");
  const auto allocated = table->column({"Allocation Time(us)"});
  const auto released = table->column({"Release Time(us)"});
  const auto device = table->column({"Device Type", "Device"});
  const auto allocated_total = table->byte_column("Allocation Total Allocated");
  const auto allocated_reserved = table->byte_column("Allocation Total Reserved");
  const auto released_total = table->byte_column("Release Total Allocated");
  const auto released_reserved = table->byte_column("Release Total Reserved");
  std::vector<Block> blocks;
  const bool placed = table->needs({"Size(KB)", "Size(MB)"}) && table->needs({"Allocation Time(us)", "Release Time(us)"});
  while (placed && table->next()) {
    Block block{profile.strings.intern(table->text(name)),
                profile.strings.intern(device_label(table->text(device))),
                table->bytes(size),
                table->moment(allocated),
                table->moment(released),
                table->bytes(allocated_total),
                table->bytes(allocated_reserved),
                table->bytes(released_total),
                table->bytes(released_reserved)};
    if (block.bytes == kUnknown || (block.allocated == kUnknown && block.released == kUnknown)) {
      table->skip_row();
      continue;
    }
    if (block.bytes < 0) block.bytes = -block.bytes;  // allocated before the recording
    blocks.push_back(block);
  }
  table->report(profile);
  add_blocks(std::move(blocks), origin, profile);
}

// One row for each record of a file. `values_of` returns component, allocated, reserved and active.
template <typename ValuesOf>
static void add_usage(CsvTable& table, CsvTable::Column device, Profile& profile, ValuesOf&& values_of) {
  const auto time = table.column({"Timestamp(us)"});
  MemoryUsage& usage = profile.memory_usage;
  const bool placed = table.needs({"Timestamp(us)"});
  while (placed && table.next()) {
    const std::int64_t at = table.moment(time);
    if (at == kUnknown) {
      table.skip_row();
      continue;
    }
    usage.time.push_back(at);
    usage.device_name.push_back(profile.strings.intern(device_label(table.text(device))));
    const auto [component, allocated, reserved, active] = values_of();
    usage.component.push_back(component);
    usage.allocated.push_back(allocated);
    usage.reserved.push_back(reserved);
    usage.active.push_back(active);
  }
  table.report(profile);
}

void add_memory_record(const std::string& path, Profile& profile) {
  std::optional<CsvTable> table;
  if (!open(path, nullptr, profile, table)) return;
  const auto component = table->column({"Component"});
  const auto allocated = table->byte_column("Total Allocated"), reserved = table->byte_column("Total Reserved"),
             active = table->byte_column("Total Active");
  add_usage(*table, table->column({"Device Type", "Device"}), profile, [&] {
    return std::tuple(profile.strings.intern(table->text(component)), table->bytes(allocated), table->bytes(reserved),
                      table->bytes(active));
  });
}

void add_module_memory(const std::string& path, Profile& profile) {
  std::optional<CsvTable> table;
  if (!open(path, nullptr, profile, table)) return;
  const auto component = table->column({"Component"});
  const auto held = table->byte_column("Total Reserved");
  add_usage(*table, table->column({"Device", "Device_id"}), profile, [&] {
    const std::int64_t reserved = table->bytes(held);
    return std::tuple(profile.strings.intern(driver_component(table->text(component))), kUnknown,
                      reserved < 0 ? kUnknown : reserved, kUnknown);  // -1: only releases were seen
  });
}

void sort_memory_usage(Profile& profile) {
  const MemoryUsage& usage = profile.memory_usage;
  const auto key = [&](Row row) {
    return std::tuple(profile.text(usage.device_name[row]), profile.text(usage.component[row]), usage.time[row]);
  };
  sort_rows(profile.memory_usage, [&](Row a, Row b) { return key(a) < key(b); });
}

}  // namespace sightline::formats::ascend
