// Databases of ROCm: rocpd, whose tables end with the id of a process (rocpd_region_00005e40_...), and rpd of rocmProfileData.
// Views of the file are never run; this reads the tables that they join.
#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/sort.h"
#include "formats/common/near_search.h"
#include "formats/rocm/recording.h"
#include "formats/tables/database.h"
#include "formats/tables/text_table.h"

namespace sightline::formats::rocm {

using namespace trace_events;

namespace {

using DatabaseRow = Database::Row;

template <typename Value>
using ById = std::unordered_map<std::int64_t, Value>;

template <typename Value>
Value value_or(const ById<Value>& table, std::int64_t id, Value otherwise) {
  const auto found = table.find(id);
  return found == table.end() ? otherwise : found->second;
}

void read_texts(Database& database, const std::string& table, TextTable& texts) {
  database.each(table, {"id", "string"}, [&](const DatabaseRow& row) { texts.add(row.integer(0), row.text(1)); });
}

// The member "message" of an object of JSON.
std::string message_of(std::string_view json);

// ---- rocpd ----

// One process of a rocpd database: tables with one suffix.
class ProcessReader {
 public:
  ProcessReader(Database& database, Recording& out, std::string suffix, std::int64_t space)
      : db_(database), out_(out), suffix_(std::move(suffix)), space_(space) {}

  void run() {
    read_texts(db_, table("string"), texts_);
    read_about();
    read_tracks();
    db_.each(table("timestamp"), {"id", "value"}, [&](const DatabaseRow& row) { times_[row.integer(0)] = row.integer(1); });
    read_events();
    read_regions();
    read_counters();
    read_kernels();
    read_copies();
    read_allocations();
    read_samples();
  }

 private:
  struct Place {
    std::int64_t pid = kUnknown, tid = kUnknown, agent = kUnknown, queue = kUnknown, stream = kUnknown;
  };
  struct Event {
    std::int64_t call;
    StringId category;
    StringId message;
  };
  struct Kernel {
    StringId name;
    std::int64_t registers;
  };

  std::string table(std::string_view name) const { return fmt::format("rocpd_{}{}", name, suffix_); }

  void read_about() {
    db_.each(table("metadata"), {"tag", "value"}, [&](const DatabaseRow& row) {
      if (row.text(0) == "schema_version") out_.metadata.emplace_back("schema_version", row.text(1));
    });
    db_.each(table("info_node"), {"hostname"}, [&](const DatabaseRow& row) { out_.host = row.text(0); });
    db_.each(table("info_process"), {"id", "pid", "command|name"}, [&](const DatabaseRow& row) {
      pids_[row.integer(0)] = row.integer(1);
      out_.name_process(row.integer(1), row.text(2));
    });
    db_.each(table("info_thread"), {"id", "pid", "tid", "name"}, [&](const DatabaseRow& row) {
      tids_[row.integer(0)] = row.integer(2);
      out_.name_thread({pid_of(row.integer(1)), row.integer(2)}, row.text(3));
    });
    read_agents();
    db_.each(table("info_stream"), {"id", "name"},
             [&](const DatabaseRow& row) { stream_names_.try_emplace(row.integer(0), row.text(1)); });
  }

  void read_agents() {
    std::int64_t gpus = 0;
    db_.each(table("info_agent"), {"id", "type", "type_index", "product_name", "model_name", "name", "extdata"},
             [&](const DatabaseRow& row) {
               Agent agent;
               agent.is_gpu = row.text(1) == "GPU";
               agent.ordinal = row.integer(2) == kUnknown ? gpus : row.integer(2);
               gpus += agent.is_gpu;
               for (int column = 3; column <= 5 && agent.name.empty(); ++column) agent.name = row.text(column);
               take_properties(row.text(6), agent);
               out_.add_agent(agent_id(row.integer(0)), agent);
             });
  }

  // Several processes of one file number their agents alike.
  std::int64_t agent_id(std::int64_t id) const { return id == kUnknown ? kUnknown : (id & 0xffffffff) + (space_ << 32); }
  std::int64_t pid_of(std::int64_t process) const { return value_or(pids_, process, process); }

  // In newer files tracks say where an event happened; in older ones its own columns do.
  void read_tracks() {
    db_.each(table("track"), {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"},
             [&](const DatabaseRow& row) { tracks_[row.integer(0)] = place(row, 1); });
  }

  Place place(const DatabaseRow& row, int column) const {
    return {pid_of(row.integer(column)), value_or(tids_, row.integer(column + 1), row.integer(column + 1)),
            agent_id(row.integer(column + 2)), row.integer(column + 3), row.integer(column + 4)};
  }

  void read_events() {
    std::unordered_map<std::string, StringId> names;
    db_.each(table("event"), {"id", "category_id", "stack_id", "correlation_id", "extdata"}, [&](const DatabaseRow& row) {
      const std::int64_t id = row.integer(2) == kUnknown ? row.integer(3) : row.integer(2);
      const std::string_view extra = row.text(4);
      StringId message = StringId::none;
      if (extra.size() > 2 && extra.find("message") != std::string_view::npos) message = out_.text(message_of(extra));
      const std::string_view category = texts_.of(row.integer(1));
      events_[row.integer(0)] = {out_.call_id(space_, id), out_.text(category), message};
    });
  }

  // Columns of time and place that every table of events has, in both generations of the schema.
  static constexpr std::string_view kWhen[] = {"start", "end", "start_id", "end_id",   "event_id", "track_id",
                                               "pid",   "tid", "agent_id", "queue_id", "stream_id"};
  static constexpr int kOwn = std::size(kWhen);

  struct When {
    std::int64_t start, end;
    Place place;
    const Event* event;  // may be null
  };

  std::optional<When> when(const DatabaseRow& row) {
    When found{row.integer(0), row.integer(1), place(row, 6), nullptr};
    if (found.start == kUnknown) found.start = value_or(times_, row.integer(2), kUnknown);
    if (found.end == kUnknown) found.end = value_or(times_, row.integer(3), kUnknown);
    if (const auto track = tracks_.find(row.integer(5)); track != tracks_.end()) found.place = track->second;
    if (const auto event = events_.find(row.integer(4)); event != events_.end()) found.event = &event->second;
    if (is_time(found.start) && is_time(found.end)) return found;
    ++out_.lost_times;
    return std::nullopt;
  }

  template <typename Take>
  void each(std::string_view name, std::initializer_list<std::string_view> own, Take&& take) {
    std::vector<std::string_view> columns(std::begin(kWhen), std::end(kWhen));
    columns.insert(columns.end(), own.begin(), own.end());
    db_.each(table(name), columns, [&](const DatabaseRow& row) {
      if (const std::optional<When> at = when(row)) take(row, *at);
    });
  }

  StringId name_of(std::int64_t id) {
    const std::string_view name = texts_.of(id);
    out_.unnamed += name.empty();
    return out_.text(name.empty() ? numbered("name", id) : name);
  }

  void read_regions() {
    each("region", {"name_id"}, [&](const DatabaseRow& row, const When& at) {
      const Thread thread{at.place.pid, at.place.tid};
      const bool is_marker = at.event != nullptr && is_marker_category(at.event->category);
      if (!is_marker || at.event->message == StringId::none) {
        return out_.add_call(thread, at.start, at.end, name_of(row.integer(kOwn)),
                             at.event == nullptr ? kUnknown : at.event->call);
      }
      const std::string_view operation = texts_.of(row.integer(kOwn));
      const bool any_thread =
          operation.find("Process") != std::string_view::npos || operation.find("RangeStart") != std::string_view::npos;
      const std::string message(out_.events().strings().view(at.event->message));
      out_.add_range(thread, at.start, at.end, message, any_thread);
    });
  }

  bool is_marker_category(StringId category) {
    return out_.events().strings().view(category).find("MARKER") != std::string_view::npos;
  }

  // Values of hardware counters belong to the event of a kernel; those of several instances are added.
  void read_counters() {
    std::unordered_map<std::int64_t, std::string> names;
    db_.each(table("info_pmc"), {"id", "symbol", "name", "agent_id"}, [&](const DatabaseRow& row) {
      const std::string_view symbol = row.text(1);
      counter_names_[row.integer(0)] = out_.text(symbol.empty() ? row.text(2) : symbol);
      counter_agents_[row.integer(0)] = agent_id(row.integer(3));
    });
    db_.each(table("pmc_event"), {"event_id", "pmc_id", "value"}, [&](const DatabaseRow& row) {
      const auto named = counter_names_.find(row.integer(1));
      if (named != counter_names_.end() && std::isfinite(row.real(2))) {
        values_.push_back({row.integer(0), row.integer(1), named->second, row.real(2)});
      }
    });
    sort_up(values_, &Value::event);
  }

  struct Value {
    std::int64_t event, counter;
    StringId name;
    double number;
  };

  std::span<const Value> values_of(std::int64_t event) const {
    const auto [first, last] = std::equal_range(values_.begin(), values_.end(), Value{event, 0, StringId::none, 0},
                                                [](const Value& a, const Value& b) { return a.event < b.event; });
    return {first, last};
  }

  Counters counters_of(std::int64_t event) const {
    Counters found;
    for (const Value& value : values_of(event)) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const auto& entry) { return entry.first == value.name; });
      if (same == found.end()) {
        found.emplace_back(value.name, value.number);
      } else {
        same->second += value.number;
      }
    }
    return found;
  }

  Work work_at(const When& at, StringId name, Category category) {
    const std::int64_t queue = at.place.stream != kUnknown ? at.place.stream : at.place.queue;
    const auto stream = stream_names_.find(at.place.stream);
    return {.start = at.start,
            .end = at.end,
            .name = name,
            .category = category,
            .device = out_.ordinal_of(at.place.agent),
            .pid = at.place.pid,
            .queue = queue,
            .call = at.event == nullptr ? kUnknown : at.event->call,
            .queue_name = stream == stream_names_.end() ? std::string_view() : stream->second};
  }

  void read_kernels() {
    ById<Kernel> kernels;
    db_.each(table("info_kernel_symbol"), {"id", "display_name", "kernel_name", "arch_vgpr_count"}, [&](const DatabaseRow& row) {
      const std::string_view shown = row.text(1).empty() ? row.text(2) : row.text(1);
      kernels[row.integer(0)] = {out_.text(shown), row.integer(3)};
    });
    each("kernel_dispatch",
         {"kernel_id", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z",
          "group_segment_size"},
         [&](const DatabaseRow& row, const When& at) {
           const auto found = kernels.find(row.integer(kOwn));
           const bool named = found != kernels.end() && found->second.name != StringId::none;
           out_.unnamed += !named;
           const StringId name = named ? found->second.name : out_.text(numbered("kernel", row.integer(kOwn)));
           Work work = work_at(at, name, Category::kernel);
           for (int i = 0; i < 3; ++i) {
             work.block[static_cast<std::size_t>(i)] = row.integer(kOwn + 1 + i);
             work.grid[static_cast<std::size_t>(i)] = row.integer(kOwn + 4 + i);
           }
           work.shared = row.integer(kOwn + 7);
           work.registers = found == kernels.end() ? kUnknown : found->second.registers;
           const Counters counters = counters_of(row.integer(4));
           out_.add_work(work, &counters);
         });
  }

  void read_copies() {
    each("memory_copy", {"name_id", "size", "dst_agent_id", "src_agent_id"}, [&](const DatabaseRow& row, const When& at) {
      Work work = work_at(at, out_.text(copy_name(texts_.of(row.integer(kOwn)))), Category::memcpy);
      for (const int column : {kOwn + 2, kOwn + 3}) {  // the device of a copy is the one that is no host
        if (work.device == kUnknown) work.device = out_.ordinal_of(agent_id(row.integer(column)));
      }
      work.bytes = row.integer(kOwn + 1) >= 0 ? row.integer(kOwn + 1) : kUnknown;
      out_.add_work(work);
    });
  }

  void read_allocations() {
    std::unordered_map<std::int64_t, std::int64_t> held;  // bytes by address
    each("memory_allocate", {"type", "level", "address", "size"}, [&](const DatabaseRow& row, const When& at) {
      if (row.text(kOwn + 1) == "SCRATCH") return;
      const std::int64_t device = out_.ordinal_of(at.place.agent), address = row.integer(kOwn + 2), size = row.integer(kOwn + 3);
      if (row.text(kOwn) == "ALLOC" && size >= 0) {
        held[address] = size;
        out_.add_memory(device, at.end, address, size);
      } else if (const auto found = held.find(address); row.text(kOwn) == "FREE" && found != held.end()) {
        out_.add_memory(device, at.end, address, -found->second);
        held.erase(found);
      }
    });
  }

  // Instants on a track: marks, and values of counters over time.
  void read_samples() {
    db_.each(table("sample"), {"timestamp", "timestamp_id", "track_id", "event_id"}, [&](const DatabaseRow& row) {
      const std::int64_t time = row.integer(0) != kUnknown ? row.integer(0) : value_or(times_, row.integer(1), kUnknown);
      if (!is_time(time)) {
        ++out_.lost_times;
        return;
      }
      const auto track = tracks_.find(row.integer(2));
      const Place place = track == tracks_.end() ? Place{} : track->second;
      const auto event = events_.find(row.integer(3));
      if (event != events_.end() && event->second.message != StringId::none) {
        const std::string message(out_.events().strings().view(event->second.message));
        out_.add_range({place.pid, place.tid}, time, time, message, false);
      }
      for (const Value& value : values_of(row.integer(3))) {
        const std::string name(out_.events().strings().view(value.name));
        out_.add_sample(out_.ordinal_of(value_or(counter_agents_, value.counter, kUnknown)), name, time, value.number);
      }
    });
  }

  Database& db_;
  Recording& out_;
  std::string suffix_;
  std::int64_t space_;
  TextTable texts_;
  ById<std::int64_t> pids_, tids_, times_, counter_agents_;
  ById<Place> tracks_;
  ById<Event> events_;
  ById<StringId> counter_names_;
  ById<std::string> stream_names_;
  std::vector<Value> values_;  // by event
};

// ---- rpd ----

class RpdReader {
 public:
  RpdReader(Database& database, Recording& out) : db_(database), out_(out) {}

  void run() {
    read_texts(db_, "rocpd_string", texts_);
    read_texts(db_, "rocpd_ustring", messages_);
    db_.each("rocpd_api_ops", {"api_id", "op_id"}, [&](const DatabaseRow& row) { call_of_[row.integer(1)] = row.integer(0); });
    read_calls();
    read_details();
    read_work();
    db_.each("rocpd_monitor", {"deviceId", "monitorType", "start", "value"}, [&](const DatabaseRow& row) {
      if (is_time(row.integer(2))) out_.add_sample(row.integer(0), row.text(1), row.integer(2), row.real(3));
    });
  }

 private:
  struct Launch {
    std::array<std::int64_t, 3> grid, block;
    std::int64_t shared;
  };

  void read_calls() {
    db_.each("rocpd_api", {"id", "pid", "tid", "start", "end", "apiName_id", "args_id"}, [&](const DatabaseRow& row) {
      const Thread thread{row.integer(1), row.integer(2)};
      const std::string_view name = texts_.of(row.integer(5));
      if (name == "UserMarker") {
        const std::string_view message = messages_.size() > 1 ? messages_.of(row.integer(6)) : texts_.of(row.integer(6));
        return out_.add_range(thread, row.integer(3), row.integer(4), message, false);
      }
      out_.unnamed += name.empty();
      out_.add_call(thread, row.integer(3), row.integer(4), out_.text(name.empty() ? "(unnamed)" : name),
                    out_.call_id(0, row.integer(0)));
    });
  }

  void read_details() {
    db_.each("rocpd_kernelapi",
             {"api_ptr_id", "gridX", "gridY", "gridZ|gridz", "workgroupX", "workgroupY", "workgroupZ", "groupSegmentSize"},
             [&](const DatabaseRow& row) {
               Launch launch{{row.integer(1), row.integer(2), row.integer(3)},
                             {row.integer(4), row.integer(5), row.integer(6)},
                             row.integer(7)};
               launches_[row.integer(0)] = launch;
             });
    db_.each("rocpd_copyapi", {"api_ptr_id", "size"}, [&](const DatabaseRow& row) { sizes_[row.integer(0)] = row.integer(1); });
    db_.each("rocpd_counter", {"op_id", "name_id", "value"}, [&](const DatabaseRow& row) {
      const std::string_view name = texts_.of(row.integer(1));
      if (!name.empty() && std::isfinite(row.real(2))) counters_[row.integer(0)].emplace_back(out_.text(name), row.real(2));
    });
  }

  void read_work() {
    db_.each("rocpd_op", {"id", "gpuId", "queueId", "start", "end", "description_id", "opType_id"}, [&](const DatabaseRow& row) {
      const std::string_view name = texts_.of(row.integer(5)), type = texts_.of(row.integer(6));
      const std::int64_t api = value_or(call_of_, row.integer(0), kUnknown);
      const Category category = category_of(type, name);
      const std::string shown = category == Category::memcpy   ? copy_name(type)
                                : category == Category::memset ? "Memset (Device)"
                                                               : std::string(name.empty() ? type : name);
      out_.unnamed += shown.empty();
      Work work{.start = row.integer(3),
                .end = row.integer(4),
                .name = out_.text(shown.empty() ? "(unnamed)" : shown),
                .category = category,
                .device = row.integer(1),
                .pid = kUnknown,
                .queue = row.integer(2),
                .call = out_.call_id(0, api)};
      if (const auto launch = launches_.find(api); category == Category::kernel && launch != launches_.end()) {
        work.block = launch->second.block;
        work.shared = launch->second.shared;
        for (std::size_t i = 0; i < 3; ++i) {  // a grid of blocks
          std::int64_t threads = 0;
          const bool fits = !__builtin_mul_overflow(launch->second.grid[i], work.block[i], &threads);
          work.grid[i] = fits && work.block[i] > 0 ? threads : kUnknown;
        }
      }
      if (const auto size = sizes_.find(api); category == Category::memcpy && size != sizes_.end() && size->second >= 0) {
        work.bytes = size->second;
      }
      const auto counters = counters_.find(row.integer(0));
      out_.add_work(work, counters == counters_.end() ? nullptr : &counters->second);
    });
  }

  static Category category_of(std::string_view type, std::string_view name) {
    if (type.starts_with("Copy")) return Category::memcpy;
    if (type.starts_with("Fill")) return Category::memset;
    if (type.starts_with("Barrier") || type == "Marker") return Category::sync;
    return name.empty() && type.empty() ? Category::unknown : Category::kernel;
  }

  Database& db_;
  Recording& out_;
  TextTable texts_, messages_;
  ById<std::int64_t> call_of_, sizes_;
  ById<Launch> launches_;
  ById<Counters> counters_;
};

std::string message_of(std::string_view json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view message;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return "";
  return root["message"].get(message) == simdjson::SUCCESS ? std::string(message) : "";
}

// The ends of the names of tables of processes: "_00005e40_2c4e_..." of "rocpd_event_00005e40_2c4e_...".
std::vector<std::string> suffixes_of(const std::vector<std::string>& tables) {
  std::vector<std::string> found;
  for (const std::string& table : tables) {
    constexpr std::string_view kBegin = "rocpd_info_agent";
    if (table.starts_with(kBegin)) found.push_back(table.substr(kBegin.size()));
  }
  return found;
}

}  // namespace

Result<std::unique_ptr<Profile>> read_rocpd(ReadContext& context) {
  Result<Database> database = Database::open(context.path(), context.progress());
  if (!database) return database.error();
  context.stage("reading the database");
  Recording recording;
  const std::vector<std::string> suffixes = suffixes_of(database->tables());
  if (database->has("rocpd_op")) {
    RpdReader(*database, recording).run();
  } else if (suffixes.empty()) {
    return Error{ErrorCode::malformed, "it has none of the tables of a ROCm profile", context.path() + ":0"};
  }
  std::int64_t space = 0;
  for (const std::string& suffix : suffixes) ProcessReader(*database, recording, suffix, space++).run();
  if (context.is_cancelled()) return Error{ErrorCode::cancelled, "cancelled", context.path()};
  std::unique_ptr<Profile> profile = recording.finish(context);
  database->report(*profile);
  return profile;
}

}  // namespace sightline::formats::rocm
