// sightline info: the profiles in the paths: runs, workers, spans, how each was read, and its problems.
#include <algorithm>
#include <cmath>

#include "analyses/columns.h"
#include "cli/command.h"
#include "output/state_json.h"

namespace sightline::cli {

namespace {

struct InfoOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  bool no_read = false;
  CacheChoice cache;
  std::int64_t memory = 0;
};

// The profile, opened again when it was closed; null when it never was ready.
ProfilePtr profile_of(const Answers& answers, const CaptureState& capture) {
  if (capture.status != LoadStatus::ready) return nullptr;
  if (capture.profile != nullptr) return capture.profile;
  const Result<ProfilePtr> profile = answers.profile({.run = capture.run, .worker = capture.worker, .span = capture.span});
  return profile ? *profile : nullptr;
}

// A file and the listed facts of its profile; kUnknown and no problems when it has no profile.
struct CaptureRow {
  const CaptureState* state;
  std::int64_t events = kUnknown, problems = kUnknown, length = kUnknown, text_bytes = kUnknown;
};

CaptureRow capture_row(const CaptureState& state, const Profile* profile) {
  if (profile == nullptr) return {&state};
  return {&state, state.events, state.summary->problems, profile->span_end - profile->span_start, state.text_bytes};
}

TableOf<CaptureRow> capture_columns() {
  const auto text = [](std::string CaptureState::*value) {
    return [value](const CaptureRow& row) { return Cell{row.state->*value}; };
  };
  TableOf<CaptureRow> table({.key = "profiles", .title = "Profiles"});
  table.add(text_column("run", "Run", ""), text(&CaptureState::run));
  table.add(text_column("worker", "Worker", ""), text(&CaptureState::worker));
  table.add(text_column("span", "Span", ""), text(&CaptureState::span));
  table.add(text_column("status", "Status", ""), [](const CaptureRow& row) { return load_status_name(row.state->status); });
  table.add(integer_column("events", "Events", Unit::count, {}), &CaptureRow::events);
  table.add(integer_column("problems", "Problems", Unit::count, {}), &CaptureRow::problems);
  table.add(integer_column("length", "Length", Unit::ns, {}), &CaptureRow::length);
  table.add(integer_column("size", "Size", Unit::bytes, {}), [](const CaptureRow& row) { return row.state->bytes_total; });
  table.add(integer_column("text", "Decompressed", Unit::bytes, {}), &CaptureRow::text_bytes);
  constexpr std::int64_t kMillisecond = 1'000'000;  // a finer time would show small files in microseconds
  table.add(integer_column("read", "Read in", Unit::ns, {}),
            [](const CaptureRow& row) { return static_cast<std::int64_t>(std::ceil(row.state->seconds * 1e3)) * kMillisecond; });
  table.add(text_column("file", "File", ""), text(&CaptureState::file));
  return table;
}

struct ProblemRow {
  std::string file;
  std::string_view severity;
  std::string message;
  std::int64_t count = kUnknown, offset = kUnknown;
};

TableOf<ProblemRow> problem_columns() {
  TableOf<ProblemRow> table({.key = "problems", .title = "Problems"});
  table.add(text_column("file", "File", ""), &ProblemRow::file);
  table.add(text_column("severity", "Severity", ""), &ProblemRow::severity);
  table.add(text_column("message", "What", ""), &ProblemRow::message);
  table.add(integer_column("count", "Count", Unit::count, {}), &ProblemRow::count);
  table.add(integer_column("offset", "Byte", Unit::id, {}), &ProblemRow::offset);
  return table;
}

void add_problems(const CaptureState& capture, const Profile* profile, std::vector<ProblemRow>& rows) {
  constexpr std::string_view kSeverities[] = {"note", "warning", "error"};
  if (capture.error) rows.push_back({capture.file, "failed", capture.error->to_string()});
  if (profile == nullptr) return;
  const Problems& problems = profile->problems;
  for (std::size_t row = 0; row < problems.rows(); ++row) {
    rows.push_back({capture.file, kSeverities[static_cast<std::size_t>(problems.severity[row])],
                    std::string(profile->text(problems.message[row])), problems.count[row], problems.offset[row]});
  }
}

Report info_report(const Answers& answers, const std::vector<CaptureState>& captures) {
  Report report{.view = "info", .title = "Profiles"};
  report.scope = captures.size() == 1 ? "1 file" : say("{} files", captures.size());
  std::vector<CaptureRow> rows;
  std::vector<ProblemRow> problems;
  for (const CaptureState& capture : captures) {  // of more than memory holds, each is opened once
    const ProfilePtr profile = profile_of(answers, capture);
    rows.push_back(capture_row(capture, profile.get()));
    add_problems(capture, profile.get(), problems);
  }
  report.tables = {capture_columns().of(rows), problem_columns().of(problems)};
  for (const ReportTable& table : report.tables) {
    if (table.rows() == 0) continue;
    report.panels.push_back({.id = table.key, .title = table.title, .content = PlainTable{table.key}});
  }
  return report;
}

// Whether something is missing: the file could not be read, or it ends too early.
bool is_incomplete(const Answers& answers, const CaptureState& capture) {
  if (capture.status == LoadStatus::failed) return true;
  const ProfilePtr profile = profile_of(answers, capture);
  if (profile == nullptr) return false;
  const auto& codes = profile->problems.code;
  return std::any_of(codes.begin(), codes.end(), [&](StringId code) { return profile->text(code) == "truncated"; });
}

int run_info(const InfoOptions& options) {
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine({.cache = cache.get(), .keep = KeepRead::slow, .say = complain, .memory = options.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  if (!options.no_read) engine.start();
  wait_until_read(engine);
  const std::vector<CaptureState> captures = engine.catalogue().state();
  TextStyle style = terminal_style();
  style.most_rows = 0;
  const ReportFormat format = *report_format(options.format);
  const Result<std::string> text =
      format == ReportFormat::json
          ? state_json(engine, SIGHTLINE_VERSION) + "\n"
          : format_report(info_report(engine.answers(), captures), format, format == ReportFormat::csv ? "profiles" : "", style);
  if (!text) return fail(text.error());
  const int written = write_out(*text);
  engine.loader().finish_writing();
  const auto incomplete = [&engine](const CaptureState& capture) { return is_incomplete(engine.answers(), capture); };
  return std::any_of(captures.begin(), captures.end(), incomplete) ? kFailed : written;
}

}  // namespace

void add_info_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("info", "List profiles, and their errors and problems");
  auto options = std::make_shared<InfoOptions>();
  add_paths_option(*command, options->paths);
  add_format_option(*command, options->format);
  command->add_flag("--no-read", options->no_read, "List the files without reading them");
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  command->callback([&run, options] { run = [options] { return run_info(*options); }; });
}

}  // namespace sightline::cli
