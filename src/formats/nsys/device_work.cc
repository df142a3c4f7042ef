// Work of the devices. Names of copies, fills and synchronizations are spelled as in the traces of frameworks, so that the same
// rules find their kinds.
#include <fmt/core.h>

#include <algorithm>

#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

using namespace trace_events;

namespace {

constexpr std::array<const char*, 14> kCopies = {"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
                                                 "DtoA", "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
constexpr std::size_t kFirstUnified = 11;
constexpr std::array<const char*, 7> kMemories = {"Pageable", "Pinned",        "Device",        "Array",
                                                  "Managed",  "Device Static", "Managed Static"};
constexpr std::array<const char*, 5> kSyncs = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};

template <std::size_t N>
const char* named(const std::array<const char*, N>& names, std::int64_t value, const char* otherwise) {
  return value >= 0 && value < static_cast<std::int64_t>(N) ? names[static_cast<std::size_t>(value)] : otherwise;
}

// Where device work ran, in the order in which each of its tables is read.
constexpr std::string_view kWhere[] = {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId"};
constexpr int kFirstOwn = std::size(kWhere);

class DeviceReader {
 public:
  explicit DeviceReader(Report& report) : report_(report), events_(report.events()) {}

  void run() {
    read_kernels();
    read_copies();
    read_fills();
    read_graphs();
    read_syncs();
  }

 private:
  // Adds the slice and its row of device work; null if the row has no time.
  RawDeviceWork* add(const TableRow& row, StringId name, Category category) {
    const std::int64_t pid = report_.pid_of_work(row.integer(2)), device = row.integer(3);
    const auto slice =
        events_.add(row.integer(0), row.integer(1), name, report_.stream(pid, device, row.integer(4), row.integer(5)), category);
    if (!slice) return nullptr;
    RawDeviceWork work{*slice,
                       kUnknown,
                       report_.call_id(pid, row.integer(6)),
                       report_.gpus().ordinal(pid, device),
                       kUnknown,
                       kUnknown,
                       StringId::none,
                       StringId::none,
                       StringId::none,
                       -1,
                       kUnknownReal,
                       kUnknownReal};
    events_.batch().device_work.push_back(work);
    return &events_.batch().device_work.back();
  }

  template <typename Take>
  void each(std::string_view table, std::initializer_list<std::string_view> own, Take&& take) {
    std::vector<std::string_view> columns(std::begin(kWhere), std::end(kWhere));
    columns.insert(columns.end(), own.begin(), own.end());
    report_.tables().each(table, columns, take);
  }

  // "[4, 1, 2]"; none if a part is unknown.
  StringId sizes(const TableRow& row, int column) {
    const std::array parts{row.integer(column), row.integer(column + 1), row.integer(column + 2)};
    if (std::find(parts.begin(), parts.end(), kUnknown) != parts.end()) return StringId::none;
    const auto [at, is_new] = sizes_.try_emplace(parts, StringId::none);
    if (is_new) at->second = events_.text(fmt::format("[{}, {}, {}]", parts[0], parts[1], parts[2]));
    return at->second;
  }

  void note_graph(const RawDeviceWork& work, std::int64_t graph, std::int64_t node) {
    const bool in_graph = (graph != kUnknown && graph != 0) || (node != kUnknown && node != 0);
    if (!in_graph || work.correlation == kUnknown) return;
    const bool known = !report_.graphs.empty() && report_.graphs.back().correlation == work.correlation;
    if (!known) report_.graphs.push_back({work.correlation, graph == 0 ? kUnknown : graph});
  }

  void read_kernels() {
    SpelledTexts names(report_.texts(), events_.strings(), [](std::string_view text) { return text; });
    each("CUPTI_ACTIVITY_KIND_KERNEL",
         {"demangledName|shortName|mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
          "staticSharedMemory", "dynamicSharedMemory", "graphId", "graphNodeId"},
         [&](const TableRow& row) {
           RawDeviceWork* work = add(row, names(row.integer(kFirstOwn)), Category::kernel);
           if (work == nullptr) return;
           work->grid = sizes(row, kFirstOwn + 1);
           work->block = sizes(row, kFirstOwn + 4);
           const std::int64_t registers = row.integer(kFirstOwn + 7);
           if (registers >= 0 && registers <= 65536) work->registers = static_cast<std::int32_t>(registers);
           const std::int64_t fixed = row.integer(kFirstOwn + 8), chosen = row.integer(kFirstOwn + 9);
           const bool sane = fixed >= 0 && chosen >= 0 && fixed < kFarthestNs && chosen < kFarthestNs;
           if (sane) work->shared_bytes = fixed + chosen;
           note_graph(*work, row.integer(kFirstOwn + 10), row.integer(kFirstOwn + 11));
         });
    report_.unnamed += names.unknown();
  }

  void read_copies() {
    each("CUPTI_ACTIVITY_KIND_MEMCPY", {"bytes", "copyKind", "srcKind", "dstKind", "graphNodeId"}, [&](const TableRow& row) {
      const std::array kinds{row.integer(kFirstOwn + 1), row.integer(kFirstOwn + 2), row.integer(kFirstOwn + 3)};
      const auto [at, is_new] = copy_names_.try_emplace(kinds, StringId::none);
      if (is_new) at->second = events_.text(copy_name(kinds));
      RawDeviceWork* work = add(row, at->second, Category::memcpy);
      if (work == nullptr) return;
      work->bytes = known_bytes(row.integer(kFirstOwn));
      note_graph(*work, kUnknown, row.integer(kFirstOwn + 4));
    });
  }

  static std::string copy_name(const std::array<std::int64_t, 3>& kinds) {
    std::string name = "Memcpy";
    const std::string_view direction = named(kCopies, kinds[0], "");
    if (!direction.empty()) name.append(" ").append(direction);
    const char *from = named(kMemories, kinds[1], "Unknown"), *to = named(kMemories, kinds[2], "Unknown");
    const bool unified = kinds[0] >= static_cast<std::int64_t>(kFirstUnified);
    if (kinds[1] != kUnknown || kinds[2] != kUnknown) name += fmt::format(" ({} -> {})", from, to);
    return unified ? name + " unified memory" : name;
  }

  static std::int64_t known_bytes(std::int64_t bytes) { return bytes >= 0 ? bytes : kUnknown; }

  void read_fills() {
    each("CUPTI_ACTIVITY_KIND_MEMSET", {"bytes", "memKind", "graphNodeId"}, [&](const TableRow& row) {
      const StringId name = events_.text(fmt::format("Memset ({})", named(kMemories, row.integer(kFirstOwn + 1), "Unknown")));
      RawDeviceWork* work = add(row, name, Category::memset);
      if (work == nullptr) return;
      work->bytes = known_bytes(row.integer(kFirstOwn));
      note_graph(*work, kUnknown, row.integer(kFirstOwn + 2));
    });
  }

  // Graphs that the writer records as a whole, without their nodes.
  void read_graphs() {
    each("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", {"graphId"}, [&](const TableRow& row) {
      const std::int64_t graph = row.integer(kFirstOwn);
      RawDeviceWork* work = add(row, events_.text(numbered("CUDA graph", graph)), Category::kernel);
      if (work == nullptr) return;
      work->named_by_core = false;
      note_graph(*work, graph, 1);
    });
  }

  void read_syncs() {
    each("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {"syncType|deprecatedSyncType"}, [&](const TableRow& row) {
      const std::int64_t pid = report_.pid_of_work(row.integer(2)), context = row.integer(4);
      const std::int64_t device = report_.device_of_context(pid, context, row.integer(3));
      events_.add(row.integer(0), row.integer(1), events_.text(named(kSyncs, row.integer(kFirstOwn), kSyncs[0])),
                  report_.stream(pid, device, context, row.integer(5)), Category::sync);
    });
  }

  Report& report_;
  RowEvents& events_;
  std::map<std::array<std::int64_t, 3>, StringId> sizes_, copy_names_;
};

}  // namespace

void read_device_work(Report& report) { DeviceReader(report).run(); }

// ---- counters ----

void read_counters(Report& report) {
  RowEvents& events = report.events();
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;  // by type and metric
  std::map<std::int64_t, std::string> names_of_any;                    // by metric
  report.tables().each("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}, [&](const TableRow& row) {
    names[{row.integer(0), row.integer(1)}] = row.text(2);
    names_of_any.try_emplace(row.integer(1), row.text(2));
  });
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> tracks;
  report.tables().each("GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, [&](const TableRow& row) {
    const std::pair key{row.integer(1), row.integer(2)};
    const auto [at, is_new] = tracks.try_emplace(key, 0);
    if (is_new) {
      const std::int64_t ordinal = key.first == kUnknown ? kUnknown : key.first & 0xff;
      const auto stated = names.find(key);
      const auto other = names_of_any.find(key.second);
      const std::string name = stated != names.end()         ? stated->second
                               : other != names_of_any.end() ? other->second
                                                             : numbered("Metric", key.second);
      if (ordinal != kUnknown) report.gpus().use_ordinal(ordinal);
      at->second = events.counter(report.process_of_device(ordinal), name);
    }
    events.add_sample(row.integer(0), at->second, row.real(3));
  });
  constexpr std::int64_t kCuda = 1, kOnDevice = 2, kOnDeviceStatic = 5, kFreed = 1;
  report.tables().each("CUDA_GPU_MEMORY_USAGE_EVENTS",
                       {"start", "globalPid", "deviceId", "address", "bytes", "memKind", "memoryOperationType"},
                       [&](const TableRow& row) {
                         const std::int64_t time = row.integer(0), bytes = row.integer(4), kind = row.integer(5);
                         const bool of_device = kind == kOnDevice || kind == kOnDeviceStatic || kind == kUnknown;
                         if (!is_time(time) || bytes < 0 || !of_device) return;
                         const std::int64_t device = report.gpus().ordinal(report.pid_of_work(row.integer(1)), row.integer(2));
                         report.process_of_device(device);
                         events.add_memory(kCuda, device, time, row.integer(3), row.integer(6) == kFreed ? -bytes : bytes);
                       });
}

}  // namespace sightline::formats::nsys
