// Calls of the host: of the runtime and the driver, of the operating system and of libraries; overheads of the profiler.
#include <array>

#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

using namespace trace_events;

namespace {

// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel".
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  const bool versioned = at != std::string_view::npos && at + 2 < name.size() &&
                         name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
  return versioned ? name.substr(0, at) : name;
}

// What delayed a call, as the writer numbers the causes.
constexpr std::array<const char*, 9> kOverheads = {"Overhead",
                                                   "Overhead",
                                                   "Driver JIT compiler",
                                                   "Buffer flush of the profiler",
                                                   "Instrumentation of the profiler",
                                                   "Resource creation or destruction of the profiler",
                                                   "Module loading of the runtime",
                                                   "Lazy function loading",
                                                   "Command buffer full"};

void read_calls(Report& report) {
  SpelledTexts names(report.texts(), report.events().strings(), without_version);
  report.tables().each(
      "CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"}, [&](const TableRow& row) {
        const std::int64_t thread = row.integer(2);
        const auto slice =
            report.events().add(row.integer(0), row.integer(1), names(row.integer(4)), report.thread(thread), Category::runtime);
        if (!slice) return;
        const std::int64_t call = report.call_id(pid_of(thread), row.integer(3));
        report.events().batch().launches.push_back({*slice, StringId::none, kUnknown, call});
      });
  report.unnamed += names.unknown();
}

void read_overheads(Report& report, std::string_view table) {
  RowEvents& events = report.events();
  report.tables().each(table, {"start", "end", "globalTid", "overheadType", "nameId"}, [&](const TableRow& row) {
    const std::int64_t thread = row.integer(2);
    const auto type = static_cast<std::size_t>(row.integer(3));
    const std::string_view stated = report.texts().of(row.integer(4));
    const std::string_view name = type < kOverheads.size() && type > 1 ? kOverheads[type]
                                  : stated.empty()                     ? kOverheads[0]
                                                                       : stated;
    events.add(row.integer(0), row.integer(1), events.text(name), report.thread(thread), Category::overhead);
  });
}

// Calls of other libraries: shown on their threads.
void read_library_calls(Report& report, std::string_view table, std::string_view name_column) {
  SpelledTexts names(report.texts(), report.events().strings(), [](std::string_view text) { return text; });
  report.tables().each(table, {"start", "end", "globalTid", name_column}, [&](const TableRow& row) {
    const std::int64_t thread = row.integer(2);
    report.events().add(row.integer(0), row.integer(1), names(row.integer(3)), report.thread(thread), Category::unknown);
  });
  report.unnamed += names.unknown();
}

}  // namespace

void read_host(Report& report) {
  read_calls(report);
  read_overheads(report, "CUPTI_ACTIVITY_KIND_OVERHEAD");
  read_overheads(report, "PROFILER_OVERHEAD");
  for (const std::string_view table : {"OSRT_API", "CUDNN_EVENTS", "CUBLAS_EVENTS"}) read_library_calls(report, table, "nameId");
  for (const std::string_view table : {"MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS", "MPI_OTHER_EVENTS", "MPI_START_WAIT_EVENTS"}) {
    read_library_calls(report, table, "textId");
  }
}

}  // namespace sightline::formats::nsys
