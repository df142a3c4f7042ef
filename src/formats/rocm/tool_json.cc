// The JSON of rocprofv3: one object for each process, with lists of records that name kernels, operations and agents by number.
// The tables of names come first in the file, and a record is in memory one at a time.
#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "formats/rocm/recording.h"
#include "formats/tables/json_rows.h"

namespace sightline::formats::rocm {

using namespace json_rows;
using namespace trace_events;

namespace {

using Object = simdjson::dom::object;

constexpr std::string_view kRoot = "/rocprofiler-sdk-tool";

// Sections whose members are visited one by one.
bool is_section(std::string_view path) {
  return path.empty() || path == kRoot || path == "/rocprofiler-sdk-tool/strings" ||
         path == "/rocprofiler-sdk-tool/callback_records" || path == "/rocprofiler-sdk-tool/buffer_records";
}

// A whole number that may be beyond int64, as handles are: it wraps, so that equal handles stay equal.
std::int64_t whole(const simdjson::dom::element& value) {
  std::int64_t number = 0;
  std::uint64_t large = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  return value.get(large) == simdjson::SUCCESS ? static_cast<std::int64_t>(large) : kUnknown;
}

std::int64_t whole(const Object& row, std::string_view key) {
  simdjson::dom::element value;
  return row[key].get(value) == simdjson::SUCCESS ? whole(value) : kUnknown;
}

// {"handle": 7}
std::int64_t handle(const Object& row, std::string_view key) {
  Object found;
  return row[key].get(found) == simdjson::SUCCESS ? whole(found, "handle") : whole(row, key);
}

std::int64_t inner(const Object& row, std::string_view key, std::string_view within) {
  Object found;
  return row[key].get(found) == simdjson::SUCCESS ? whole(found, within) : kUnknown;
}

class ToolReader {
 public:
  explicit ToolReader(Recording& out) : out_(out) {}

  void take(std::string_view path, std::string& text, std::int64_t) {
    if (!path.starts_with(kRoot) || path.size() == kRoot.size()) return;
    path.remove_prefix(kRoot.size() + 1);
    simdjson::dom::element root;
    Object row;
    const auto failed = parser_.parse(text.data(), text.size(), false).get(root);
    if (failed != simdjson::SUCCESS || root.get(row) != simdjson::SUCCESS) {
      ++malformed_;
      return;
    }
    if (path == "metadata") take_metadata(row);
    if (path == "agents") take_agent(row, text);
    if (path == "counters") counters_[handle(row, "id")] = out_.text(json_rows::text(row, "name"));
    if (path == "kernel_symbols") take_kernel(row);
    if (path == "strings/buffer_records") take_operations(row);
    if (path == "strings/marker_api") messages_[whole(row, "key")] = json_rows::text(row, "value");
    if (path == "callback_records/counter_collection") take_counters(row);
    if (path.starts_with("buffer_records/")) take_record(path.substr(15), row);
  }

  std::int64_t malformed() const { return malformed_; }

  // Counters may come before or after the kernels that they belong to: kernels are added last.
  void finish() {
    for (const auto& [id, work] : kernels_) {
      const auto counters = values_.find(id);
      out_.add_work(work, counters == values_.end() ? nullptr : &counters->second);
    }
    for (const auto& [id, counted] : counted_) {  // counted, and not traced
      if (traced_.contains(id)) continue;
      out_.add_work(counted, &values_[id]);
    }
  }

 private:
  void take_metadata(const Object& row) {
    pid_ = whole(row, "pid");
    simdjson::dom::array command;
    std::string words;
    if (row["command"].get(command) == simdjson::SUCCESS) {
      for (const simdjson::dom::element word : command) words += (words.empty() ? "" : " ") + shown(word);
    }
    out_.name_process(pid_, words);
    out_.metadata.emplace_back("command", words);
    if (inner_text(row, "node", "hostname") != "") out_.host = inner_text(row, "node", "hostname");
    ++space_;
  }

  static std::string_view inner_text(const Object& row, std::string_view key, std::string_view within) {
    Object found;
    return row[key].get(found) == simdjson::SUCCESS ? json_rows::text(found, within) : std::string_view{};
  }

  void take_agent(const Object& row, std::string_view text) {
    constexpr std::int64_t kGpu = 2;
    Agent agent;
    agent.is_gpu = whole(row, "type") == kGpu;
    agent.ordinal = whole(row, "logical_node_type_id");
    if (agent.ordinal == kUnknown) agent.ordinal = gpus_;
    gpus_ += agent.is_gpu;
    for (const std::string_view key : {"product_name", "model_name", "name"}) {
      if (agent.name.empty()) agent.name = json_rows::text(row, key);
    }
    take_properties(std::string(text), agent);
    out_.add_agent(handle(row, "id"), agent);
  }

  void take_kernel(const Object& row) {
    std::string_view name;
    for (const std::string_view key :
         {"formatted_kernel_name", "demangled_kernel_name", "truncated_kernel_name", "kernel_name"}) {
      if (name.empty()) name = json_rows::text(row, key);
    }
    symbols_[whole(row, "kernel_id")] = {out_.text(name), whole(row, "arch_vgpr_count")};
  }

  void take_operations(const Object& row) {
    Kind kind{std::string(json_rows::text(row, "kind")), {}};
    simdjson::dom::array operations;
    if (row["operations"].get(operations) == simdjson::SUCCESS) {
      for (const simdjson::dom::element operation : operations) kind.operations.push_back(shown(operation));
    }
    kinds_.push_back(std::move(kind));
  }

  // The name of a record's operation; older files write it out.
  std::string operation_of(const Object& row) {
    const std::string_view written = json_rows::text(row, "operation");
    if (!written.empty()) return std::string(written);
    const auto kind = static_cast<std::size_t>(whole(row, "kind")), operation = static_cast<std::size_t>(whole(row, "operation"));
    if (kind < kinds_.size() && operation < kinds_[kind].operations.size()) return kinds_[kind].operations[operation];
    ++out_.unnamed;
    return numbered("operation", whole(row, "operation"));
  }

  std::int64_t call_of(const Object& row) const {
    const std::int64_t id = inner(row, "correlation_id", "internal");
    return out_.call_id(space_, id == kUnknown ? inner(row, "correlation_id", "id") : id);
  }

  Work work_of(const Object& row, const Object& dispatch, StringId name, Category category) const {
    const std::int64_t stream = handle(row, "stream_id"), queue = handle(dispatch, "queue_id");
    return {.start = whole(row, "start_timestamp"),
            .end = whole(row, "end_timestamp"),
            .name = name,
            .category = category,
            .device = out_.ordinal_of(handle(dispatch, "agent_id")),
            .pid = pid_,
            .queue = stream == kUnknown ? queue : stream,
            .call = call_of(row)};
  }

  Work kernel_of(const Object& row, const Object& dispatch) {
    const auto symbol = symbols_.find(handle(dispatch, "kernel_id"));
    const bool named = symbol != symbols_.end() && symbol->second.first != StringId::none;
    out_.unnamed += !named;
    const StringId name = named ? symbol->second.first : out_.text(numbered("kernel", handle(dispatch, "kernel_id")));
    Work work = work_of(row, dispatch, name, Category::kernel);
    constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};
    for (std::size_t i = 0; i < kAxes.size(); ++i) {
      work.grid[i] = inner(dispatch, "grid_size", kAxes[i]);
      work.block[i] = inner(dispatch, "workgroup_size", kAxes[i]);
    }
    work.shared = whole(dispatch, "group_segment_size");
    work.registers = named ? symbol->second.second : kUnknown;
    return work;
  }

  static std::int64_t dispatch_id(std::int64_t space, const Object& dispatch) {
    const std::int64_t id = whole(dispatch, "dispatch_id");
    return id == kUnknown ? kUnknown : (id & 0xffffffffff) + (space << 40);
  }

  void take_record(std::string_view list, const Object& row) {
    if (list == "kernel_dispatch") {
      Object dispatch;
      if (row["dispatch_info"].get(dispatch) != simdjson::SUCCESS) return;
      const std::int64_t id = dispatch_id(space_, dispatch);
      kernels_.emplace_back(id, kernel_of(row, dispatch));
      traced_.insert(id);
    } else if (list == "memory_copy") {
      Work work = work_of(row, row, out_.text(copy_name(operation_of(row))), Category::memcpy);
      for (const std::string_view key : {"dst_agent_id", "src_agent_id"}) {  // the device of a copy is the one that is no host
        if (work.device == kUnknown) work.device = out_.ordinal_of(handle(row, key));
      }
      work.bytes = whole(row, "bytes") >= 0 ? whole(row, "bytes") : kUnknown;
      out_.add_work(work);
    } else if (list == "memory_allocation") {
      take_allocation(row);
    } else if (list == "marker_api") {
      take_marker(row);
    } else if (list.ends_with("_api")) {
      out_.add_call({pid_, whole(row, "thread_id")}, whole(row, "start_timestamp"), whole(row, "end_timestamp"),
                    out_.text(operation_of(row)), call_of(row));
    }
  }

  void take_allocation(const Object& row) {
    const std::int64_t address = std::max(whole(row, "address"), inner(row, "address", "value"));
    const std::int64_t device = out_.ordinal_of(handle(row, "agent_id")), size = whole(row, "allocation_size");
    const bool is_free = operation_of(row).find("FREE") != std::string::npos;
    const auto held = held_.find(address);
    if (!is_free && size >= 0) {
      held_[address] = {device, size};
      out_.add_memory(device, whole(row, "end_timestamp"), address, size);
    } else if (is_free && held != held_.end()) {
      out_.add_memory(held->second.first, whole(row, "end_timestamp"), address, -held->second.second);
      held_.erase(held);
    }
  }

  void take_marker(const Object& row) {
    const std::string operation = operation_of(row);
    const auto message = messages_.find(inner(row, "correlation_id", "internal"));
    const Thread thread{pid_, whole(row, "thread_id")};
    const std::int64_t start = whole(row, "start_timestamp"), end = whole(row, "end_timestamp");
    if (message == messages_.end()) return out_.add_call(thread, start, end, out_.text(operation), kUnknown);
    const bool any_thread = operation.find("Process") != std::string::npos || operation.find("RangeStart") != std::string::npos;
    const bool is_mark = operation.find("Mark") != std::string::npos;
    out_.add_range(thread, start, is_mark ? start : end, message->second, any_thread);
  }

  // Values of hardware counters of one dispatch; those of several instances are added.
  void take_counters(const Object& row) {
    Object dispatch;
    if (row["dispatch_data"]["dispatch_info"].get(dispatch) != simdjson::SUCCESS) return;
    const std::int64_t id = dispatch_id(space_, dispatch);
    simdjson::dom::array records;
    if (row["records"].get(records) != simdjson::SUCCESS) return;
    Counters& values = values_[id];
    for (const simdjson::dom::element record : records) {
      Object value;
      if (record.get(value) != simdjson::SUCCESS) continue;
      const auto named = counters_.find(handle(value, "counter_id"));
      const double number = real(value, "value");
      if (named == counters_.end() || number != number) continue;
      const auto same =
          std::find_if(values.begin(), values.end(), [&](const auto& entry) { return entry.first == named->second; });
      if (same == values.end()) {
        values.emplace_back(named->second, number);
      } else {
        same->second += number;
      }
    }
    if (traced_.contains(id) || counted_.contains(id)) return;
    Object timed;
    if (row["dispatch_data"].get(timed) == simdjson::SUCCESS) counted_.emplace(id, kernel_of(timed, dispatch));
  }

  struct Kind {
    std::string name;
    std::vector<std::string> operations;
  };

  Recording& out_;
  simdjson::dom::parser parser_;
  std::int64_t pid_ = kUnknown, space_ = 0, gpus_ = 0, malformed_ = 0;
  std::vector<Kind> kinds_;
  std::unordered_map<std::int64_t, StringId> counters_;
  std::unordered_map<std::int64_t, std::pair<StringId, std::int64_t>> symbols_;
  std::unordered_map<std::int64_t, std::string> messages_;
  std::unordered_map<std::int64_t, std::pair<std::int64_t, std::int64_t>> held_;  // device and bytes, by address
  std::vector<std::pair<std::int64_t, Work>> kernels_;
  std::set<std::int64_t> traced_;
  std::map<std::int64_t, Work> counted_;
  std::map<std::int64_t, Counters> values_;
};

}  // namespace

Result<std::unique_ptr<Profile>> read_json(ReadContext& context) {
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  context.stage("reading records");
  Recording recording;
  ToolReader reader(recording);
  bool stopped = false;
  const bool whole_file = for_each_nested_row(**in, is_section, [&](const std::string& path, std::string& row, std::int64_t at) {
    stopped |= context.progress() != nullptr && context.progress()->memory.reached();
    if (!stopped) reader.take(path, row, at);
  });
  if (context.is_cancelled()) return Error{ErrorCode::cancelled, "cancelled", context.path()};
  reader.finish();
  std::unique_ptr<Profile> profile = recording.finish(context);
  if (reader.malformed() > 0) {
    profile->add_problem(Severity::error, "malformed_record", "a record is not valid JSON; it was skipped", reader.malformed(),
                         kUnknown);
  }
  if ((*in)->failed()) {
    profile->add_problem(Severity::error, "malformed_file",
                         say("{}; everything before that was read", (*in)->error().to_string()), 1, (*in)->position());
  } else if (!whole_file) {
    profile->add_problem(Severity::error, "truncated", "the file ends within its records; everything before that was read", 1,
                         (*in)->position());
  }
  context.note_damage(*profile);
  return profile;
}

}  // namespace sightline::formats::rocm
