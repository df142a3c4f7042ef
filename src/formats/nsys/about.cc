// What an export states about itself: time, host, versions, processes, diagnostics; and which of its tables are not read.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

namespace {

// Of the environment only these: the rest may have secrets of the user.
constexpr std::array<std::string_view, 6> kOfSystem = {"Hostname",         "CudaDriverVersion", "DriverVersion",
                                                       "GpuDriverVersion", "KernelVersion",     "OsVersion"};
constexpr std::array<std::string_view, 3> kOfExport = {"EXPORT_PRODUCT_NAME", "EXPORT_PRODUCT_VERSION", "EXPORT_SCHEMA_VERSION"};
constexpr std::array<std::string_view, 5> kOfCapture = {"CUDA_GRAPH_TRACE_OPTIONS:MODE", "PROCESS_0:COMMAND", "RUN_DURATION_MS",
                                                        "CAPTURE_EVENT_TYPE", "NVTX_OPTIONS:NVTX_DOMAIN_FILTER_STRING"};

constexpr std::array<std::string_view, 31> kRead = {
    "StringIds",
    "ThreadNames",
    "PROCESSES",
    "ProcessStreams",
    "ANALYSIS_DETAILS",
    "ANALYSIS_FILE",
    "DIAGNOSTIC_EVENT",
    "NVTX_EVENTS",
    "NVTX_PAYLOAD_SCHEMAS",
    "NVTX_PAYLOAD_SCHEMA_ENTRIES",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
    "PROFILER_OVERHEAD",
    "OSRT_API",
    "CUDNN_EVENTS",
    "CUBLAS_EVENTS",
    "MPI_COLLECTIVES_EVENTS",
    "MPI_P2P_EVENTS",
    "MPI_OTHER_EVENTS",
    "MPI_START_WAIT_EVENTS",
    "GPU_METRICS",
    "CUDA_GPU_MEMORY_USAGE_EVENTS",
    "COMPOSITE_EVENTS",
    "SAMPLING_CALLCHAINS",
    "GENERIC_EVENT_TYPES",
    "GENERIC_EVENT_SOURCES",
};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_about_events(std::string_view table) {
  return table.starts_with("ENUM_") || table.starts_with("TARGET_INFO_") || table.starts_with("META_DATA_") ||
         table.starts_with("sqlite_") || is_one_of(table, kRead);
}

void add_metadata(Report& report, Profile& profile) {
  const auto add = [&](std::string_view key, std::string_view value) {
    if (value.empty()) return;
    profile.metadata.key.push_back(profile.strings.intern(key));
    profile.metadata.value.push_back(profile.strings.intern(value));
  };
  const auto add_table = [&](std::string_view table, const auto& wanted) {
    report.tables().each(table, {"name", "value"}, [&](const TableRow& row) {
      if (is_one_of(row.text(0), wanted)) add(row.text(0), row.text(1));
      if (row.text(0) == "Hostname") profile.host = row.text(1);
    });
  };
  add_table("META_DATA_EXPORT", kOfExport);
  add_table("META_DATA_CAPTURE", kOfCapture);
  add_table("TARGET_INFO_SYSTEM_ENV", kOfSystem);
}

// Processes without events have no lanes, but they are processes of the recording.
void add_processes(Report& report, Profile& profile) {
  Processes& processes = profile.processes;
  std::set<std::string, std::less<>> known;
  for (const StringId pid : processes.pid) known.emplace(profile.text(pid));
  report.tables().each("PROCESSES", {"globalPid", "pid", "name"}, [&](const TableRow& row) {
    const std::int64_t pid = row.integer(1) == kUnknown ? pid_of(row.integer(0)) : row.integer(1);
    if (pid == kUnknown || !known.emplace(std::to_string(pid)).second) return;
    const Row at = add_unknown_row(processes);
    processes.pid[at] = profile.strings.intern(std::to_string(pid));
    processes.name[at] = profile.strings.intern(row.text(2));
    processes.label[at] = profile.strings.intern("CPU");
    processes.sort_key[at] = pid;
  });
}

// What the profiler itself warns of, such as events that it lost.
void add_diagnostics(Report& report, Profile& profile) {
  constexpr std::int64_t kWarning = 2, kError = 3;
  constexpr std::size_t kMost = 20;
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> found;
  report.tables().each("DIAGNOSTIC_EVENT", {"severity", "text"}, [&](const TableRow& row) {
    const std::int64_t severity = row.integer(0);
    if (severity == kWarning || severity == kError) ++found[{severity, std::string(row.text(1))}];
  });
  std::size_t told = 0;
  for (const auto& [what, count] : found) {
    if (++told > kMost) break;
    profile.add_problem(what.first == kError ? Severity::error : Severity::warning, "profiler_diagnostic",
                        say("the profiler reports: {}", what.second), count, kUnknown);
  }
}

void note_unread_tables(Report& report, Profile& profile) {
  std::string names;
  std::int64_t count = 0;
  for (const std::string& table : report.tables().tables()) {
    if (is_about_events(table) || !report.tables().has_rows(table)) continue;
    names += (count++ == 0 ? "" : ", ") + table;
  }
  if (count == 0) return;
  profile.add_problem(Severity::note, "unread_tables", say("tables that have rows and are not read: {}", names), count, kUnknown);
}

}  // namespace

void add_about(Report& report, Profile& profile) {
  add_metadata(report, profile);
  add_processes(report, profile);
  report.gpus().describe(profile);
  add_diagnostics(report, profile);
  if (report.unnamed > 0) {
    profile.add_problem(Severity::error, "missing_rows",
                        "StringIds lacks rows: names are not known, and their numbers are shown instead", report.unnamed,
                        kUnknown);
  }
  if (report.unfinished_ranges > 0) {
    profile.add_problem(Severity::warning, "unfinished_range",
                        "a range has no end in NVTX_EVENTS; it is shown until the last time in the file",
                        report.unfinished_ranges, kUnknown);
  }
  if (report.orphan_ends > 0) {
    profile.add_problem(Severity::warning, "unmatched_end", "NVTX_EVENTS has the end of a range without its begin",
                        report.orphan_ends, kUnknown);
  }
  report.gpus().report(profile);
  note_unread_tables(report, profile);
}

}  // namespace sightline::formats::nsys
