// Rows of tables as raw events. Layers, categories and links are those of the trace (trace_view.cc), so the same code builds
// the tables of both exports.
#include "formats/ascend/database_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "formats/ascend/csv_table.h"
#include "formats/ascend/memory_files.h"
#include "formats/ascend/trace_view.h"
#include "formats/common/decimal.h"

namespace sightline::formats::ascend {

using namespace trace_events;

namespace {

constexpr std::int64_t kOperator = 50001, kQueue = 50002, kFrame = 50003;  // PYTORCH_API.type
constexpr std::int64_t kFirstCause = std::int64_t{1} << 40;                // external ids that are not connections
constexpr std::size_t kBatchSlices = std::size_t{1} << 16;

// What tracks are called, with their number.
constexpr const char *kThread = "Thread {}", *kStream = "Stream {}", *kPlane = "Plane {}", *kGroup = "Group {} Communication";
constexpr std::int64_t kFirstPlane = 1000;  // beyond the numbers of groups, which are in the same process

// The order of layers, as the trace sorts them.
constexpr int kDriver = 7, kHardware = 13, kFrequency = 14, kCommunication = 15, kMemoryBandwidth = 17, kCache = 18;

bool usable(std::int64_t start, std::int64_t end) { return ascend::usable(start) && ascend::usable(end); }

std::int64_t time_of(const Database::Row& row, int column) { return usable_or_unknown(row.integer(column)); }

// The prefix of a driver call's name in the trace, by CANN_API.type.
std::string_view driver_level(std::int64_t type) {
  switch (type) {
    case 20000: return "AscendCL@";
    case 15000: return "Model@";
    case 10000: return "Node@";
    case 5500: return "HCCL@";
    case 5000: return "Runtime@";
    default: return "";
  }
}

// Whether a text is shapes: numbers and separators. Names of element types have letters.
bool is_shapes(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789,;\r\n ") == std::string_view::npos;
}

// The result of operand_list for the same cell with the other `quote`.
std::string turn_operands(std::string_view list, bool quote) {
  std::string turned(list);
  bool open = false;
  for (std::size_t i = 1; i + 1 < turned.size(); ++i) {
    char& c = turned[i];
    if (quote && (c == '[' || c == ']')) {
      c = '"';
    } else if (!quote && c == '"') {
      c = open ? ']' : '[';
      open = !open;
    }
  }
  return turned;
}

bool has_equal(std::vector<std::int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
}

}  // namespace

void DatabaseEvents::name_process(StringId pid, std::string_view layer, int place, bool device) {
  if (!named_.emplace(strings_->view(pid)).second) return;
  const auto add = [&](std::string_view what, std::string_view text, std::int64_t sort_key) {
    batch_.names.push_back(
        {strings_->intern(what), pid, StringId::none, text.empty() ? StringId::none : strings_->intern(text), sort_key});
  };
  add("process_name", layer, kUnknown);
  add("process_labels", device ? "NPU" : "CPU", kUnknown);
  add("process_sort_index", "", place);
}

std::uint32_t DatabaseEvents::track(std::int64_t process, std::int64_t thread, int place, std::string_view layer,
                                    const char* kind, bool device) {
  const std::pair key{process, thread};
  if (last_track_.first == key) return last_track_.second;  // rows of one track are mostly consecutive
  const auto [at, is_new] = tracks_.try_emplace(key, static_cast<std::uint32_t>(parsed_.tracks[0].size()));
  if (is_new) {
    const StringId pid = strings_->intern(std::to_string(process)), tid = strings_->intern(std::to_string(thread));
    const std::string_view format = kind;
    parsed_.tracks[0].push_back({pid, tid, device, false});
    name_process(pid, layer, place, device);
    const std::int64_t number = format == kPlane ? thread - kFirstPlane : thread;
    batch_.names.push_back(
        {strings_->intern("thread_name"), pid, tid, strings_->intern(fmt::format(fmt::runtime(format), number)), kUnknown});
    batch_.names.push_back({strings_->intern("thread_sort_index"), pid, tid, StringId::none, thread});
  }
  last_track_ = {key, at->second};
  return at->second;
}

std::uint32_t DatabaseEvents::counter(std::int64_t device, int place, std::string_view layer, const std::string& name) {
  const std::int64_t process = process_of(place, device_of(device));
  const auto [at, is_new] = counters_.try_emplace({process, name}, static_cast<std::uint32_t>(parsed_.tracks[0].size()));
  if (is_new) {
    const StringId pid = strings_->intern(std::to_string(process));
    parsed_.tracks[0].push_back({pid, strings_->intern(name), false, true});
    name_process(pid, layer, place, true);
  }
  return at->second;
}

// As the trace numbers the layers of a device; see device_of in trace_view.cc.
std::int64_t DatabaseEvents::process_of(int place, std::int64_t device) const {
  const std::int64_t layer = (process_ << 10) | (place << 5);
  return device == kUnknown ? -layer : layer | (device & 31);
}

void DatabaseEvents::find_only_device(const std::set<std::int64_t>& of_tasks) {
  std::set<std::int64_t> mapped;
  db_.each("RANK_DEVICE_MAP", {"deviceId"}, [&](const auto& row) { mapped.insert(std::max<std::int64_t>(0, row.integer(0))); });
  const std::set<std::int64_t>& named = mapped.empty() ? of_tasks : mapped;
  if (named.size() == 1) only_device_ = *named.begin();
}

std::uint32_t DatabaseEvents::add_slice(std::int64_t start, std::int64_t end, StringId name, std::uint32_t on,
                                        Category category) {
  if (batch_.slices.size() == kBatchSlices) next_batch();
  const auto slice = static_cast<std::uint32_t>(batch_.slices.size());
  if (end < start) batch_.problems[EventProblem::negative_duration].add(kUnknown);
  batch_.slices.start.push_back(start);
  batch_.slices.duration.push_back(std::max<std::int64_t>(0, end - start));
  batch_.slices.name.push_back(name);
  batch_.slices.track.push_back(on);
  batch_.slices.category.push_back(category);
  ++batch_.events;
  return slice;
}

// Many small batches: long lists would be copied as they grow, and a batch is freed when its slices have their places.
void DatabaseEvents::next_batch() {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  fit(batch_.hosts, batch_.launches, batch_.device_work);
  parsed_.batches.push_back(std::exchange(batch_, EventBatch{}));
  const auto make_room = [](auto&... lists) { (lists.reserve(kBatchSlices), ...); };
  RawSlices& slices = batch_.slices;
  make_room(slices.start, slices.duration, slices.name, slices.track, slices.category);
}

std::int64_t DatabaseEvents::cause_of(std::int64_t connection) {
  const std::int64_t* cause = causes_.first(connection, cause_);
  return cause == nullptr ? kUnknown : *cause;
}

void DatabaseEvents::add_work(std::uint32_t slice, std::int64_t connection, std::int64_t device, StringId core) {
  batch_.device_work.push_back({slice, cause_of(connection), connection, device, kUnknown, kUnknown, StringId::none,
                                StringId::none, core, -1, kUnknownReal, kUnknownReal});
}

// Some releases of the writer swap the columns of shapes and types, for a whole file.
void DatabaseEvents::swap_shapes_and_types() {
  using Spelled = std::unordered_map<StringId, StringId>;
  Spelled shapes, types;
  const auto turned = [&](Spelled& known, StringId id, bool quote) {
    if (id == StringId::none) return id;
    const auto [at, is_new] = known.try_emplace(id, StringId::none);
    if (is_new) at->second = strings_->intern(turn_operands(strings_->view(id), quote));
    return at->second;
  };
  const auto turn = [&](EventBatch& batch) {
    for (RawHost& host : batch.hosts) {
      const StringId shape = turned(shapes, host.types, false);
      host.types = turned(types, host.shapes, true);
      host.shapes = shape;
    }
  };
  for (EventBatch& batch : parsed_.batches) turn(batch);
  turn(batch_);
}

void DatabaseEvents::read_host() {
  IdTable<std::int64_t> connections;  // key of CONNECTION_IDS -> connections
  IdTable<std::int64_t>::Place connection;
  db_.each("CONNECTION_IDS", {"id", "connectionId"}, [&](const auto& row) { connections.add(row.integer(0), row.integer(1)); });
  connections.settle();
  std::unordered_map<std::int64_t, std::string> stacks;
  SpelledStrings shapes(texts_), types(texts_);
  bool swapped = false;
  std::int64_t hosts = 0;
  db_.each("PYTORCH_CALLCHAINS", {"id", "stack"}, [&](const auto& row) {  // a row per frame, the innermost first
    std::string& stack = stacks[row.integer(0)];
    stack.append(stack.empty() ? "" : ";").append(string_of(row, 1));
  });
  db_.each("PYTORCH_API",
           {"startNs", "endNs", "globalTid", "connectionId", "name", "inputShapes", "inputDtypes", "callchainId", "type"},
           [&](const Database::Row& row) {
             const std::int64_t start = row.integer(0), end = row.integer(1), thread = row.integer(2), type = row.integer(8);
             if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
             const bool known = thread != kUnknown;
             process_ = known ? thread >> 32 : process_;
             const std::int64_t tid = known ? thread & 0xffffffff : 0;
             const Category category = type == kOperator ? Category::op
                                       : type == kFrame  ? Category::python_function
                                       : type == kQueue  ? Category::unknown
                                                         : Category::annotation;
             const StringId name = this->name(row, 4);
             const std::uint32_t slice = add_slice(start, end, name, track(process_, tid, 0, "Python", kThread, false), category);
             constexpr std::string_view kModule = "nn.Module: ";
             if (type == kFrame && strings_->view(name).starts_with(kModule)) {
               const std::string_view module = strings_->view(name);
               const std::size_t cut = module.rfind('_');
               const auto instance = cut == std::string_view::npos ? std::nullopt : parse_integer(module.substr(cut + 1));
               batch_.modules.push_back({slice, instance.value_or(kUnknown)});
             }
             if (category != Category::op && category != Category::annotation) return;
             RawHost host(slice, kFirstCause + hosts++, category);
             host.shapes = shapes.of(row, 5, *strings_, [](std::string_view text) { return operand_list(text, false); });
             host.types = types.of(row, 6, *strings_, [&](std::string_view text) {
               swapped |= is_shapes(text);
               return operand_list(text, true);
             });
             const auto stack = stacks.find(row.integer(7));
             if (stack != stacks.end()) host.stack = strings_->intern(stack->second);
             batch_.hosts.push_back(host);
             const std::int64_t key = category == Category::op ? row.integer(3) : kUnknown;
             if (key == kUnknown) return;
             for (const auto& entry : connections.all(key, connection)) causes_.add(entry.value, host.external_id);
           });
  causes_.settle();
  if (swapped) swap_shapes_and_types();
}

void DatabaseEvents::read_driver() {
  std::map<std::int64_t, SpelledStrings> names;  // by level
  db_.each("CANN_API", {"startNs", "endNs", "type", "globalTid", "connectionId", "name"}, [&](const Database::Row& row) {
    const std::int64_t start = row.integer(0), end = row.integer(1), thread = row.integer(3),
                       connection = known_number(row.integer(4));
    if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
    const std::int64_t tid = thread == kUnknown ? 0 : thread & 0xffffffff;
    if (process_ == 0 && thread != kUnknown) process_ = thread >> 32;
    const std::int64_t level = row.integer(2);
    const StringId name = names.try_emplace(level, texts_).first->second.name(row, 5, *strings_, [&](std::string_view call) {
      return fmt::format("{}{}", driver_level(level), call);
    });
    const std::int64_t process = (process_ << 10) | (kDriver << 5);
    const std::uint32_t slice =
        add_slice(start, end, name, track(process, tid, kDriver, "CANN", kThread, false), Category::runtime);
    batch_.launches.push_back({slice, StringId::none, cause_of(connection), connection});
  });
  for (const auto& [level, spelled] : names) unnamed_calls_ += spelled.unknown();
}

void DatabaseEvents::read_tasks() {
  struct Part {
    std::string name;
    std::int64_t plane;
  };
  std::unordered_map<std::int64_t, Part> parts;
  db_.each("COMMUNICATION_TASK_INFO", {"globalTaskId", "taskType", "planeId"}, [&](const Database::Row& row) {
    parts[row.integer(0)] = {std::string(string_of(row, 1)), row.integer(2) & 0xffff};
  });
  std::set<std::pair<std::int64_t, std::int64_t>> divided;  // (stream, task) that has parts
  std::set<std::int64_t> devices;
  std::vector<std::int64_t> tasks;
  db_.each("TASK", {"streamId", "taskId", "contextId", "deviceId", "globalTaskId"}, [&](const Database::Row& row) {
    if (row.integer(3) != kUnknown) devices.insert(row.integer(3));
    tasks.push_back(row.integer(4));
    if (known_number(row.integer(2)) != kUnknown) divided.emplace(row.integer(0), row.integer(1));
  });
  find_only_device(devices);
  kernels_->wait();
  const std::vector<StringId> ours = strings_->merge(kernels_->names());
  const auto text = [&](StringId id) { return ours[static_cast<std::size_t>(id)]; };
  IdTable<Row>::Place place_of_kernel;
  const bool repeated = has_equal(std::move(tasks));  // as a merge of databases may leave behind
  std::set<std::array<std::int64_t, 5>> known;        // only where some task has several rows
  std::vector<bool> ran(kernels_->size(), false);
  db_.each("TASK",
           {"startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType", "streamId", "taskId",
            "contextId"},
           [&](const Database::Row& row) {
             const std::int64_t start = row.integer(0), end = row.integer(1), device = device_of(row.integer(2)),
                                key = row.integer(4);
             if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
             if (process_ == 0 && row.integer(5) != kUnknown) process_ = row.integer(5);
             const std::int64_t stream = row.integer(7);
             if (repeated && !known.insert({key, start, end, stream, row.integer(9)}).second) {
               ++repeated_;
               return;
             }
             const auto place = [&](int layer) { return process_of(layer, device); };
             const std::uint32_t on = track(place(kHardware), stream, kHardware, "Ascend Hardware", kStream, true);
             const auto part = parts.find(key);
             const Row found = kernels_->find(key, place_of_kernel);
             const DatabaseKernels::Kernel* kernel = found == kNoRow ? nullptr : &(*kernels_)[found];
             const std::string_view type = string_of(row, 6);
             Category category = kernel != nullptr ? Category::engine_task
                                 : type.empty()    ? Category::unknown
                                                   : task_category(type, type);
             // A collective replaces its parts, and the parts of a task replace the task.
             const bool whole = known_number(row.integer(9)) == kUnknown;
             if (part != parts.end() && category != Category::sync) category = Category::unknown;
             if (kernel == nullptr && whole && divided.contains({stream, row.integer(8)})) category = Category::unknown;
             if (category == Category::engine_task && kernel == nullptr) ++kernels_without_about_;
             const StringId name = kernel != nullptr ? text(kernel->name) : this->name(row, 6);
             const std::uint32_t slice = add_slice(start, end, name, on, category);
             if (on_device(category) && category != Category::sync) {
               add_work(slice, known_number(row.integer(3)), device, kernel != nullptr ? text(kernel->core) : intern(row, 6));
             }
             if (kernel != nullptr) tasks_.push_back({start, found});
             if (kernel != nullptr) ran[found] = true;
             if (part != parts.end()) {
               add_slice(start, end, strings_->intern(part->second.name),
                         track(place(kCommunication), kFirstPlane + part->second.plane, kCommunication, "HCCL", kPlane, true),
                         Category::unknown);
             }
           });
  kernels_without_task_ = kernels_->tasks() - std::count(ran.begin(), ran.end(), true);
}

void DatabaseEvents::read_collectives() {
  std::unordered_map<std::int64_t, std::string> types;
  db_.each("ENUM_HCCL_DATA_TYPE", {"id", "name"}, [&](const auto& row) { types.emplace(row.integer(0), row.text(1)); });
  std::unordered_map<std::string, std::int64_t> groups;
  std::set<std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::int64_t>> known;
  db_.each("COMMUNICATION_OP", {"opName", "startNs", "endNs", "connectionId", "groupName", "dataType", "count", "deviceId"},
           [&](const Database::Row& row) {
             const std::int64_t start = row.integer(1), end = row.integer(2);
             if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
             const std::int64_t device = device_of(row.integer(7));  // not stated in older files
             const std::string group(string_of(row, 4));
             if (!known.emplace(std::string(string_of(row, 0)), group, start, end, device).second) {
               ++repeated_;
               return;
             }
             const std::int64_t number = groups.try_emplace(group, static_cast<std::int64_t>(groups.size())).first->second;
             const std::uint32_t on = track(process_of(kCommunication, device), number, kCommunication, "HCCL", kGroup, true);
             const std::uint32_t slice = add_slice(start, end, name(row, 0), on, Category::collective);
             add_work(slice, known_number(row.integer(3)), device, strings_->intern("HCCL"));
             const auto type = types.find(row.integer(5));
             batch_.collectives.push_back({slice, StringId::none, strings_->intern(group), StringId::none, StringId::none,
                                           type == types.end() ? StringId::none : strings_->intern(type->second), kUnknown,
                                           row.integer(6), kUnknown, kUnknown});
           });
}

void DatabaseEvents::read_counters() {
  const auto add = [&](std::int64_t time, std::uint32_t on, double value) {
    if (usable(time) && std::isfinite(value)) batch_.counters.push_back({time, on, value});
  };
  db_.each("AICORE_FREQ", {"deviceId", "timestampNs", "freq"}, [&](const Database::Row& row) {
    add(row.integer(1), counter(row.integer(0), kFrequency, "AI Core Freq", "AI Core Freq MHz"), row.real(2));
  });
  db_.each("HBM", {"deviceId", "timestampNs", "bandwidth", "hbmId", "type"}, [&](const Database::Row& row) {
    const std::string name = fmt::format("HBM {}/{} B/s", row.integer(3), string_of(row, 4));
    add(row.integer(1), counter(row.integer(0), kMemoryBandwidth, "HBM", name), row.real(2));
  });
  db_.each("LLC", {"deviceId", "timestampNs", "throughput", "hitRate", "llcId", "mode"}, [&](const Database::Row& row) {
    const std::string name = fmt::format("LLC {} {}", row.integer(4), string_of(row, 5));
    add(row.integer(1), counter(row.integer(0), kCache, "LLC", name + " B/s"), row.real(2));
    add(row.integer(1), counter(row.integer(0), kCache, "LLC", name + " hit rate %"), row.real(3));
  });
}

ParsedEvents DatabaseEvents::read() {
  parsed_.tracks.emplace_back();
  strings_ = &parsed_.strings.emplace_back();
  texts_.read(db_);
  kernels_.emplace(db_.path(), texts_, options_);
  read_host();
  read_driver();
  read_tasks();
  read_collectives();
  read_counters();
  strings_ = nullptr;
  causes_ = {};
  next_batch();
  return std::move(parsed_);
}

void DatabaseEvents::add_kernel_facts(KernelFacts& facts, const Assembled& assembled) {
  strings_ = &assembled.profile->strings;
  const std::vector<StringId> ours = strings_->merge(kernels_->names());
  const auto text = [&](StringId id) { return ours[static_cast<std::size_t>(id)]; };
  std::unordered_map<std::int64_t, StringId> blocks;  // as texts
  std::vector<Row> slices(kernels_->size(), kNoRow);
  for (const Task& task : tasks_) {
    const DatabaseKernels::Kernel& kernel = (*kernels_)[task.kernel];
    const Row row = facts.find(text(kernel.name), task.start - assembled.origin);
    if (row == kNoRow) continue;
    const bool counted = kernel.blocks != kUnknown && kernel.blocks != 0;
    StringId& count = blocks[kernel.blocks];
    if (counted && count == StringId::none) count = strings_->intern(std::to_string(kernel.blocks));
    facts.describe(row, text(kernel.core), text(kernel.type), count);
    if (slices[task.kernel] == kNoRow) slices[task.kernel] = assembled.profile->device_work.slice[row];
  }
  tasks_ = {};
  kernels_->add_facts(slices, facts, *strings_);
}

void DatabaseEvents::add_steps(std::int64_t origin, Profile& profile) {
  if (profile.steps.rows() != 0) return;
  std::vector<std::array<std::int64_t, 3>> steps;  // start, end, number
  db_.each("STEP_TIME", {"startNs", "endNs", "id"}, [&](const Database::Row& row) {
    const std::int64_t start = row.integer(0), end = row.integer(1), number = row.integer(2);
    if (usable(start, end) && start <= end && number != kUnknown) steps.push_back({start, end, number});
  });
  std::sort(steps.begin(), steps.end());
  for (const auto& [start, end, number] : steps) {
    profile.steps.number.push_back(number);
    profile.steps.start.push_back(start - origin);
    profile.steps.duration.push_back(end - start);
    profile.steps.slice.push_back(kNoRow);
  }
}

void DatabaseEvents::report_lacks(Profile& profile) const {
  const auto add = [&](std::string_view code, std::int64_t rows, const Message& message) {
    if (rows > 0) profile.add_problem(Severity::error, code, message, rows, kUnknown);
  };
  const auto lacking = [&](std::string_view table, const char* what) {
    return db_.has(table) ? say("{} lacks rows: {}", table, what) : say("{} is not in the database: {}", table, what);
  };
  add("missing_rows", plain_.unknown() + unnamed_calls_ + kernels_->unnamed(),
      lacking("STRING_IDS", "names of events are not known, and their numbers are shown instead"));
  add("missing_rows", kernels_without_task_,
      lacking("TASK", "when kernels of COMPUTE_TASK_INFO ran is not known, and they are not shown"));
  if (!db_.has("COMPUTE_TASK_INFO")) {
    add("missing_rows", kernels_without_about_, lacking("COMPUTE_TASK_INFO", "kernels have no names, cores and shapes"));
  }
  if (repeated_ > 0) {
    profile.add_problem(Severity::warning, "repeated_rows",
                        "a row of TASK or COMMUNICATION_OP repeats another row: it is counted once", repeated_, kUnknown);
  }
}

void DatabaseEvents::report(Profile& profile) const {
  if (db_.is_damaged()) return db_.report(profile);
  report_lacks(profile);
  kernels_->report(profile);  // the same file: reported once
}

void DatabaseEvents::add_memory(std::int64_t origin, Profile& profile) {
  const auto device = [&](const Database::Row& row, int column) {
    return profile.strings.intern(row.integer(column) == kUnknown ? "NPU" : fmt::format("NPU{}", row.integer(column)));
  };
  std::vector<Block> blocks;
  bool any_stream = false;  // if streams are stated at all, a block without one belongs to the graph engine
  db_.each("OP_MEMORY",
           {"name", "size", "allocationTime", "releaseTime", "allocationTotalAllocated", "allocationTotalReserved",
            "releaseTotalAllocated", "releaseTotalReserved", "deviceId", "streamPtr"},
           [&](const Database::Row& row) {
             const std::int64_t size = row.integer(1);
             const std::int64_t begin = time_of(row, 2), end = time_of(row, 3);
             if (size == kUnknown || (begin == kUnknown && end == kUnknown)) return;
             blocks.push_back({profile.strings.intern(string_of(row, 0)), device(row, 8), size < 0 ? -size : size, begin, end,
                               row.integer(4), row.integer(5), row.integer(6), row.integer(7), row.text(9).empty()});
             any_stream |= !blocks.back().graph_engine;
           });
  for (Block& block : blocks) block.graph_engine &= any_stream;
  add_blocks(std::move(blocks), origin, profile);
  MemoryUsage& usage = profile.memory_usage;
  const auto add = [&](std::int64_t time, StringId on, std::string_view component, std::int64_t allocated, std::int64_t reserved,
                       std::int64_t active) {
    if (!usable(time)) return;
    usage.time.push_back(time);
    usage.device_name.push_back(on);
    usage.component.push_back(profile.strings.intern(component));
    usage.allocated.push_back(allocated);
    usage.reserved.push_back(reserved);
    usage.active.push_back(active);
  };
  db_.each("MEMORY_RECORD", {"component", "timestamp", "totalAllocated", "totalReserved", "totalActive", "deviceId"},
           [&](const Database::Row& row) {
             add(row.integer(1), device(row, 5), string_of(row, 0), row.integer(2), row.integer(3), row.integer(4));
           });
  db_.each("NPU_MEM", {"type", "hbm", "timestampNs", "deviceId"}, [&](const Database::Row& row) {
    if (string_of(row, 0) == "app") add(row.integer(2), device(row, 3), "APP", kUnknown, row.integer(1), kUnknown);
  });
  std::unordered_map<std::int64_t, std::string> modules;
  db_.each("ENUM_MODULE", {"id", "name"}, [&](const auto& row) { modules.emplace(row.integer(0), row.text(1)); });
  db_.each("NPU_MODULE_MEM", {"moduleId", "timestampNs", "totalReserved", "deviceId"}, [&](const Database::Row& row) {
    const auto module = modules.find(row.integer(0));
    const std::int64_t reserved = row.integer(2);
    add(row.integer(1), device(row, 3),
        driver_component(module == modules.end() ? std::to_string(row.integer(0)) : module->second), kUnknown,
        reserved < 0 ? kUnknown : reserved, kUnknown);
  });
}

void DatabaseEvents::add_about(Profile& profile) {
  db_.each("RANK_DEVICE_MAP", {"rankId"}, [&](const Database::Row& row) {
    if (row.integer(0) >= 0) profile.rank = row.integer(0);
  });
  db_.each("HOST_INFO", {"hostName"}, [&](const Database::Row& row) { profile.host = row.text(0); });
  db_.each("NPU_INFO", {"id", "name"}, [&](const Database::Row& row) {
    add_unknown_row(profile.devices);
    profile.devices.ordinal.back() = row.integer(0);
    profile.devices.name.back() = profile.strings.intern(row.text(1));
  });
  db_.each("META_DATA", {"name", "value"}, [&](const Database::Row& row) {
    profile.metadata.key.push_back(profile.strings.intern(row.text(0)));
    profile.metadata.value.push_back(profile.strings.intern(row.text(1)));
  });
}

}  // namespace sightline::formats::ascend
