// Rows of tables as raw events. Layers, categories and links are those of the trace (trace_view.cc), so that what follows is
// the same for both exports.
#include "readers/ascend/database_events.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <set>

#include "readers/ascend/figures.h"
#include "readers/ascend/layers.h"
#include "readers/ascend/memory_files.h"
#include "readers/ascend/trace_view.h"
#include "readers/trace_events/decimal.h"

namespace sightline::ascend {

using namespace trace_events;

namespace {

constexpr std::int64_t kOperator = 50001, kQueue = 50002, kFrame = 50003;  // PYTORCH_API.type
constexpr std::int64_t kFirstCause = std::int64_t{1} << 40;                // external ids that are nobody's connection

// What tracks are called, with their number.
constexpr const char *kThread = "Thread {}", *kStream = "Stream {}", *kPlane = "Plane {}", *kGroup = "Group {} Communication";
constexpr std::int64_t kFirstPlane = 1000;  // beyond the numbers of groups, which stand in the same process

// Columns of COMPUTE_TASK_INFO, and the titles that the text export gives them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTextFacts = {{{"hf32Eligible", "HF32 Eligible"},
                                                                                      {"opState", "OP State"},
                                                                                      {"inputShapes", "Input Shapes"},
                                                                                      {"inputDataTypes", "Input Data Types"},
                                                                                      {"inputFormats", "Input Formats"},
                                                                                      {"outputShapes", "Output Shapes"},
                                                                                      {"outputDataTypes", "Output Data Types"},
                                                                                      {"outputFormats", "Output Formats"}}};

// Places of layers, as the trace sorts them.
constexpr int kDriver = 7, kHardware = 13, kFrequency = 14, kCommunication = 15, kMemoryBandwidth = 17, kCache = 18;

bool usable(std::int64_t start, std::int64_t end) { return ascend::usable(start) && ascend::usable(end); }

std::int64_t time_of(const Database::Row& row, int column) { return usable_or_unknown(row.integer(column)); }

// What stands before the name of a driver call in the trace, by CANN_API.type.
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

// Whether a text is shapes: numbers and what stands between them. Names of element types have letters.
bool is_shapes(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789,;\r\n ") == std::string_view::npos;
}

}  // namespace

std::string_view DatabaseEvents::string_of(const Database::Row& row, int column) const {
  if (row.is_text(column)) return row.text(column);
  const auto found = texts_.find(row.integer(column));
  return found == texts_.end() ? std::string_view{} : std::string_view(found->second.text);
}

StringId DatabaseEvents::intern(const Database::Row& row, int column) {
  if (row.is_text(column)) return strings_->intern(row.text(column));
  const auto found = texts_.find(row.integer(column));
  if (found == texts_.end()) return strings_->intern("");
  Text& text = found->second;
  if (!text.id) text.id = strings_->intern(text.text);
  return *text.id;
}

template <typename Spell>
StringId DatabaseEvents::spelled(const Database::Row& row, int column, Spelled& known, Spell&& spell) {
  const std::int64_t id = row.is_text(column) ? kUnknown : row.integer(column);
  if (id != kUnknown) {
    if (const auto found = known.find(id); found != known.end()) return found->second;
  }
  const std::string_view text = string_of(row, column);
  const StringId made = text.empty() ? StringId::none : strings_->intern(spell(text));
  if (id != kUnknown) known.emplace(id, made);
  return made;
}

void DatabaseEvents::read_strings() {
  db_.each("STRING_IDS", {"id", "value"}, [&](const auto& row) {
    texts_.emplace(row.integer(0), Text{std::string(row.text(1)), {}});
  });
}

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
  if (last_track_.first == key) return last_track_.second;  // rows of one track mostly follow one another
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
  const auto slice = static_cast<std::uint32_t>(batch_.slices.size());
  if (end < start) batch_.problems[EventProblem::negative_duration].add(kUnknown);
  batch_.slices.start.push_back(start);
  batch_.slices.duration.push_back(std::max<std::int64_t>(0, end - start));
  batch_.slices.source.push_back(kUnknown);
  batch_.slices.name.push_back(name);
  batch_.slices.track.push_back(on);
  batch_.slices.category.push_back(category);
  ++batch_.events;
  return slice;
}

std::int64_t DatabaseEvents::cause_of(std::int64_t connection) const {
  const auto found = causes_.find(connection);
  return found == causes_.end() ? kUnknown : found->second;
}

void DatabaseEvents::add_work(std::uint32_t slice, std::int64_t connection, std::int64_t device, StringId core) {
  batch_.device_work.push_back({slice, cause_of(connection), connection, device, kUnknown, kUnknown, StringId::none,
                                StringId::none, core, -1, kUnknownReal, kUnknownReal});
}

// Some releases of the writer put shapes into the column of the types and types into that of the shapes: of a whole file.
bool DatabaseEvents::shapes_stand_with_types() {
  bool found = false;
  std::unordered_set<std::int64_t> seen;  // ids of texts
  db_.each("PYTORCH_API", {"inputDtypes"}, [&](const Database::Row& row) {
    if (found || (!row.is_text(0) && !seen.insert(row.integer(0)).second)) return;
    found = is_shapes(string_of(row, 0));
  });
  return found;
}

void DatabaseEvents::read_host() {
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> connections;  // key of CONNECTION_IDS -> connections
  db_.each("CONNECTION_IDS", {"id", "connectionId"},
           [&](const auto& row) { connections[row.integer(0)].push_back(row.integer(1)); });
  std::unordered_map<std::int64_t, std::string> stacks;
  Spelled shapes, types;
  const bool swapped = shapes_stand_with_types();
  const char *shapes_column = swapped ? "inputDtypes" : "inputShapes", *types_column = swapped ? "inputShapes" : "inputDtypes";
  db_.each("PYTORCH_CALLCHAINS", {"id", "stack"}, [&](const auto& row) {  // a row per frame, the innermost first
    std::string& stack = stacks[row.integer(0)];
    stack.append(stack.empty() ? "" : ";").append(string_of(row, 1));
  });
  db_.each("PYTORCH_API",
           {"startNs", "endNs", "globalTid", "connectionId", "name", shapes_column, types_column, "callchainId", "type"},
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
             const StringId name = intern(row, 4);
             const std::uint32_t slice = add_slice(start, end, name, track(process_, tid, 0, "Python", kThread, false), category);
             constexpr std::string_view kModule = "nn.Module: ";
             if (type == kFrame && strings_->view(name).starts_with(kModule)) {
               const std::string_view module = strings_->view(name);
               const std::size_t cut = module.rfind('_');
               const auto instance = cut == std::string_view::npos ? std::nullopt : parse_integer(module.substr(cut + 1));
               batch_.modules.push_back({slice, instance.value_or(kUnknown)});
             }
             if (category != Category::op && category != Category::annotation) return;
             RawHost host{slice, kFirstCause + slice, StringId::none, StringId::none, StringId::none, category == Category::op};
             host.shapes = spelled(row, 5, shapes, [](std::string_view text) { return operand_list(text, false); });
             host.types = spelled(row, 6, types, [](std::string_view text) { return operand_list(text, true); });
             const auto stack = stacks.find(row.integer(7));
             if (stack != stacks.end()) host.stack = strings_->intern(stack->second);
             batch_.hosts.push_back(host);
             const auto causes = connections.find(row.integer(3));
             if (category != Category::op || causes == connections.end() || row.integer(3) == kUnknown) return;
             for (const std::int64_t connection : causes->second) causes_.emplace(connection, host.external_id);
           });
}

void DatabaseEvents::read_driver() {
  std::unordered_map<std::int64_t, Spelled> names;  // by level
  db_.each("CANN_API", {"startNs", "endNs", "type", "globalTid", "connectionId", "name"}, [&](const Database::Row& row) {
    const std::int64_t start = row.integer(0), end = row.integer(1), thread = row.integer(3),
                       connection = known_number(row.integer(4));
    if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
    const std::int64_t tid = thread == kUnknown ? 0 : thread & 0xffffffff;
    if (process_ == 0 && thread != kUnknown) process_ = thread >> 32;
    const std::int64_t level = row.integer(2);
    const StringId name =
        spelled(row, 5, names[level], [&](std::string_view call) { return fmt::format("{}{}", driver_level(level), call); });
    const std::int64_t process = (process_ << 10) | (kDriver << 5);
    const std::uint32_t slice =
        add_slice(start, end, name, track(process, tid, kDriver, "CANN", kThread, false), Category::runtime);
    batch_.launches.push_back({slice, cause_of(connection), connection});
  });
}

void DatabaseEvents::read_tasks() {
  db_.each("COMPUTE_TASK_INFO", {"globalTaskId", "name", "opType", "taskType", "blockNum|blockDim"},
           [&](const Database::Row& row) {
             computed_[row.integer(0)] = {intern(row, 1), intern(row, 2), intern(row, 3), row.integer(4)};
           });
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
  db_.each("TASK", {"streamId", "taskId", "contextId", "deviceId"}, [&](const Database::Row& row) {
    if (row.integer(3) != kUnknown) devices.insert(row.integer(3));
    if (known_number(row.integer(2)) != kUnknown) divided.emplace(row.integer(0), row.integer(1));
  });
  find_only_device(devices);
  db_.each(
      "TASK",
      {"startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType", "streamId", "taskId",
       "contextId"},
      [&](const Database::Row& row) {
        const std::int64_t start = row.integer(0), end = row.integer(1), device = device_of(row.integer(2)), key = row.integer(4);
        if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
        if (process_ == 0 && row.integer(5) != kUnknown) process_ = row.integer(5);
        const std::int64_t stream = row.integer(7);
        const auto place = [&](int layer) { return process_of(layer, device); };
        const std::uint32_t on = track(place(kHardware), stream, kHardware, "Ascend Hardware", kStream, true);
        const auto part = parts.find(key);
        const auto kernel = computed_.find(key);
        const std::string_view type = string_of(row, 6);
        Category category = kernel != computed_.end() ? Category::engine_task : task_category(type, type);
        // A collective stands for its parts, and the parts of a task for the task.
        const bool whole = known_number(row.integer(9)) == kUnknown;
        if (part != parts.end() && category != Category::sync) category = Category::unknown;
        if (kernel == computed_.end() && whole && divided.contains({stream, row.integer(8)})) category = Category::unknown;
        const StringId name = kernel != computed_.end() ? kernel->second.name : intern(row, 6);
        const std::uint32_t slice = add_slice(start, end, name, on, category);
        if (on_device(category) && category != Category::sync) {
          add_work(slice, known_number(row.integer(3)), device, kernel != computed_.end() ? kernel->second.core : intern(row, 6));
        }
        if (kernel != computed_.end()) kernels_.push_back({start, key});
        if (part != parts.end()) {
          add_slice(start, end, strings_->intern(part->second.name),
                    track(place(kCommunication), kFirstPlane + part->second.plane, kCommunication, "HCCL", kPlane, true),
                    Category::unknown);
        }
      });
}

void DatabaseEvents::read_collectives() {
  std::unordered_map<std::int64_t, std::string> types;
  db_.each("ENUM_HCCL_DATA_TYPE", {"id", "name"}, [&](const auto& row) { types.emplace(row.integer(0), row.text(1)); });
  std::unordered_map<std::string, std::int64_t> groups;
  db_.each("COMMUNICATION_OP", {"opName", "startNs", "endNs", "connectionId", "groupName", "dataType", "count", "deviceId"},
           [&](const Database::Row& row) {
             const std::int64_t start = row.integer(1), end = row.integer(2);
             if (!usable(start, end)) return batch_.problems[EventProblem::missing_time].add(kUnknown);
             const std::int64_t device = device_of(row.integer(7));  // older files do not say
             const std::string group(string_of(row, 4));
             const std::int64_t number = groups.try_emplace(group, static_cast<std::int64_t>(groups.size())).first->second;
             const std::uint32_t on = track(process_of(kCommunication, device), number, kCommunication, "HCCL", kGroup, true);
             const std::uint32_t slice = add_slice(start, end, intern(row, 0), on, Category::collective);
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
  read_strings();
  read_host();
  read_driver();
  read_tasks();
  read_collectives();
  read_counters();
  strings_ = nullptr;
  causes_ = {};
  parsed_.batches.push_back(std::move(batch_));
  return std::move(parsed_);
}

void DatabaseEvents::add_kernel_facts(KernelFacts& facts, const Assembled& assembled) {
  strings_ = &assembled.profile->strings;
  std::unordered_map<std::int64_t, Row> slices;  // by task key
  for (const Task& task : kernels_) {
    const Computed& kernel = computed_[task.key];
    const Row row = facts.find(kernel.name, task.start - assembled.origin);
    if (row == kNoRow) continue;
    const bool counted = kernel.blocks != kUnknown && kernel.blocks != 0;
    facts.describe(row, kernel.core, kernel.type, counted ? strings_->intern(std::to_string(kernel.blocks)) : StringId::none);
    slices.emplace(task.key, assembled.profile->device_work.slice[row]);
  }
  std::vector<std::string_view> columns = {"globalTaskId", "mixBlockNum|mixBlockDim"};
  std::vector<StringId> titles;
  for (const auto& [column, title] : kTextFacts) {
    columns.push_back(column);
    titles.push_back(strings_->intern(title));
  }
  const StringId mixed = strings_->intern("Mix Block Dim");
  db_.each("COMPUTE_TASK_INFO", columns, [&](const Database::Row& row) {
    const auto slice = slices.find(row.integer(0));
    if (slice == slices.end()) return;
    if (row.integer(1) != kUnknown) facts.add(slice->second, mixed, static_cast<double>(row.integer(1)));
    for (std::size_t i = 0; i < kTextFacts.size(); ++i) {
      facts.add(slice->second, titles[i], string_of(row, static_cast<int>(i) + 2));
    }
  });
  // Times are ns, as all of a database; the text export says "(us)".
  Spelled counted;
  const auto titled = [](std::string_view name) { return std::string(name) + (name.ends_with("_time") ? "(ns)" : ""); };
  db_.each("TASK_PMU_INFO", {"globalTaskId", "name", "value"}, [&](const Database::Row& row) {
    const auto slice = slices.find(row.integer(0));
    const double value = row.real(2);
    if (slice == slices.end() || !std::isfinite(value)) return;
    facts.add(slice->second, spelled(row, 1, counted, titled), value);
  });
}

void DatabaseEvents::add_memory(std::int64_t origin, Profile& profile) {
  const auto device = [&](const Database::Row& row, int column) {
    return profile.strings.intern(row.integer(column) == kUnknown ? "NPU" : fmt::format("NPU{}", row.integer(column)));
  };
  std::vector<Block> blocks;
  bool any_stream = false;  // where streams are stated at all, a block without one is the graph engine's
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
    profile.devices.for_each_column([](const ColumnInfo&, auto& column) {
      using Value = typename std::decay_t<decltype(column)>::value_type;
      if constexpr (std::is_same_v<Value, std::int64_t>) {
        column.push_back(kUnknown);
      } else {
        column.push_back(Value{});
      }
    });
    profile.devices.ordinal.back() = row.integer(0);
    profile.devices.name.back() = profile.strings.intern(row.text(1));
  });
  db_.each("META_DATA", {"name", "value"}, [&](const Database::Row& row) {
    profile.metadata.key.push_back(profile.strings.intern(row.text(0)));
    profile.metadata.value.push_back(profile.strings.intern(row.text(1)));
  });
}

}  // namespace sightline::ascend
