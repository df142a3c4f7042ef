// The reader of Nsight Systems: a database that `nsys export` made, or a folder of Parquet files.
#include "formats/registry.h"

#include <algorithm>
#include <filesystem>

#include "formats/common/attribution.h"
#include "formats/common/collectives.h"
#include "formats/common/launch_fill.h"
#include "formats/nsys/report.h"
#include "formats/read_context.h"
#include "formats/step_metrics/step_metrics.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats {

namespace nsys {
namespace {

using namespace trace_events;

constexpr std::string_view kParquet = ".parquet";

// A table that every export with events has one of.
constexpr std::string_view kTables[] = {"StringIds", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"};

bool is_export(std::string_view head) {
  constexpr std::string_view kSigns[] = {"CUPTI_ACTIVITY_KIND_", "ENUM_NSYS_",       "NVTX_EVENTS",         "ANALYSIS_DETAILS",
                                         "TARGET_INFO_",         "META_DATA_EXPORT", "SAMPLING_CALLCHAINS", "COMPOSITE_EVENTS"};
  return head.starts_with("SQLite format 3") &&
         std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) { return head.find(sign) != head.npos; });
}

bool sniff(std::string_view file_name, std::string_view head) {
  return is_export(head) || (file_name.ends_with(".sqlite") && head.starts_with("SQLite format 3"));
}

bool claims_folder(const FolderEntries& folder) {
  const auto has = [&](std::string_view table) {
    return std::any_of(folder.files.begin(), folder.files.end(), [&](const std::string& file) {
      return file.size() == table.size() + kParquet.size() && file.starts_with(table) && file.ends_with(kParquet);
    });
  };
  return std::count_if(std::begin(kTables), std::end(kTables), has) >= 2;
}

ProfileName name_folder(const std::string& path, const FolderEntries&) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string_view ending : {"_pqtdir", ".parquetdir"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  }
  return {name, ""};
}

// A report in the profiler's own format.
std::string_view instead_of(const FolderEntries& folder) {
  const bool any =
      std::any_of(folder.files.begin(), folder.files.end(), [](const std::string& file) { return file.ends_with(".nsys-rep"); });
  if (!any) return {};
  return "holds a report of Nsight Systems, whose format is closed: export it and open the result (nsys export --type sqlite "
         "--include-json true REPORT.nsys-rep)";
}

Result<std::vector<std::string>> files_of(const std::string& path) {
  std::vector<std::string> files;
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return with_step_metric_files(path, {});
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
    if (entry.path().extension() == kParquet) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return with_step_metric_files(path, std::move(files));
}

Result<std::unique_ptr<TableSource>> open(const std::string& path, ReadProgress* progress) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return TableSource::open_folder(path, progress);
  return TableSource::open_database(path, progress);
}

void read_tables(ReadContext& context, Report& report) {
  context.stage("reading calls");
  read_host(report);
  if (!context.is_cancelled()) read_device_work(report);
  context.stage("reading counters and samples");
  if (!context.is_cancelled()) read_counters(report);
  if (!context.is_cancelled()) read_samples(report);
  context.stage("reading ranges");
  if (!context.is_cancelled()) read_ranges(report);
  name_threads(report);
}

// The names of domains and categories, which may come after their ranges.
void name_domains(const Report& report, Profile& profile) {
  for (StringId& text : profile.work_facts.text) {
    if (const auto named = report.domain_names.find(text); named != report.domain_names.end()) text = named->second;
  }
}

// Times of the file are ns since the session began; the file states when that was.
void set_time(Report& report, std::int64_t origin, Profile& profile) {
  profile.origin_unix_ns = kUnknown;
  report.tables().each("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const TableRow& row) {
    if (is_time(row.integer(0)) && row.integer(0) > 0) profile.origin_unix_ns = row.integer(0) + origin;
  });
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  Result<std::unique_ptr<TableSource>> tables = open(context.path(), context.progress());
  if (!tables) return tables.error();
  const bool any =
      std::any_of(std::begin(kTables), std::end(kTables), [&](std::string_view table) { return (*tables)->has(table); });
  if (!any) {
    return Error{ErrorCode::malformed, "it has none of the tables of an export of Nsight Systems", context.path() + ":0"};
  }
  Report report(**tables);
  read_tables(context, report);
  if (context.is_cancelled()) return Error{ErrorCode::cancelled, "cancelled", context.path()};
  context.stage("building tables");
  Assembled assembled = assemble(report.events().take(), {}, context.options().threads);
  Profile& profile = *assembled.profile;
  number_devices(profile);
  name_domains(report, profile);
  find_steps_and_modules(profile);
  context.stage("attributing device work");
  attribute(profile, std::move(assembled.ids));
  complete_collectives(profile, assembled.communication);
  describe_collectives(profile);
  add_graph_launches(report, profile);
  add_about(report, profile);
  set_time(report, assembled.origin, profile);
  fill_launches(profile);
  (*tables)->report(profile);
  read_step_metrics(context, profile);
  return std::move(assembled.profile);
}

Result<std::string> event_text(const std::string& path, std::int64_t) {
  return Error{ErrorCode::unavailable, "it comes from a table, not from a trace", path};
}

}  // namespace
}  // namespace nsys

Reader nsys_reader() {
  return {.id = "nsys",
          .title = "Nsight Systems export",
          .endings = {".sqlite"},
          .sniff_file = nsys::sniff,
          .read_capture = nsys::read,
          .text_at = nsys::event_text,
          .words = {.device = "GPU", .matrix = "tensor cores", .core = "SM"},
          .claims_folder = nsys::claims_folder,
          .name_folder = nsys::name_folder,
          .instead_of = nsys::instead_of,
          .files_of = nsys::files_of};
}

}  // namespace sightline::formats
