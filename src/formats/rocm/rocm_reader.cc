// The reader of ROCm's profilers: which files are theirs.
#include "formats/registry.h"

#include <algorithm>

#include "formats/rocm/recording.h"
#include "formats/step_metrics/step_metrics.h"

namespace sightline::formats {

namespace rocm {
namespace {

constexpr std::string_view kDatabase = "SQLite format 3", kTool = "\"rocprofiler-sdk-tool\"";

// rocprofv3 names its files by the process: 1234_results.db, 1234_results.json.
bool is_result(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  return !name.empty() && name.back() >= '0' && name.back() <= '9';
}

bool claims(std::string_view file_name) {
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  return file_name.ends_with(".rpd") || is_result(file_name, "_results.db") || is_result(file_name, "_results.json");
}

bool sniff(std::string_view file_name, std::string_view head) {
  if (head.starts_with(kDatabase)) return head.find("rocpd_") != std::string_view::npos || file_name.ends_with(".rpd");
  return head.find(kTool) != std::string_view::npos;
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  const Result<std::string> head = read_head(context.path(), 64);
  if (!head) return head.error();
  Result<std::unique_ptr<Profile>> profile = head->starts_with(kDatabase) ? read_rocpd(context) : read_json(context);
  if (profile) read_step_metrics(context, **profile);
  return profile;
}

Result<std::vector<std::string>> files_of(const std::string& path) { return with_step_metric_files(path, {}); }

Result<std::string> event_text(const std::string& path, std::int64_t) {
  return Error{ErrorCode::unavailable, "it comes from a table, not from a trace", path};
}

}  // namespace
}  // namespace rocm

Reader rocm_reader() {
  return {.id = "rocm",
          .title = "ROCm profile (rocprofv3, rpd)",
          .endings = {"_results.db", "_results.json", ".rpd"},
          .claims_file = rocm::claims,
          .sniff_file = rocm::sniff,
          .read_capture = rocm::read,
          .text_at = rocm::event_text,
          .words = {.device = "GPU", .matrix = "matrix cores", .core = "CU"},
          .files_of = rocm::files_of};
}

}  // namespace sightline::formats
