// sightline info: what is under the paths: runs, workers, spans, how each was read, and the problems met.
#include <cmath>

#include "cli/command.h"
#include "output/state_json.h"

namespace sightline {

namespace {

struct InfoOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  bool no_read = false;
  CacheChoice cache;
  std::int64_t memory = 0;
};

ReportColumn column(std::string key, std::string title, CellType type, Unit unit = Unit::none) {
  ReportColumn made;
  made.key = std::move(key);
  made.title = std::move(title);
  made.type = type;
  made.unit = unit;
  return made;
}

// The profile, opened again when it was closed; null when it never was ready.
ProfilePtr profile_of(const Engine& engine, const CaptureState& capture) {
  if (capture.status != LoadStatus::ready) return nullptr;
  if (capture.profile != nullptr) return capture.profile;
  const Result<ProfilePtr> profile = engine.profile({.run = capture.run, .worker = capture.worker, .span = capture.span});
  return profile ? *profile : nullptr;
}

ReportTable captures_table() {
  ReportTable table{.key = "profiles", .title = "Profiles"};
  table.columns = {column("run", "Run", CellType::text),
                   column("worker", "Worker", CellType::text),
                   column("span", "Span", CellType::text),
                   column("status", "Status", CellType::text),
                   column("events", "Events", CellType::integer, Unit::count),
                   column("problems", "Problems", CellType::integer, Unit::count),
                   column("length", "Length", CellType::integer, Unit::ns),
                   column("size", "Size", CellType::integer, Unit::bytes),
                   column("text", "Decompressed", CellType::integer, Unit::bytes),
                   column("read", "Reading", CellType::integer, Unit::ns),
                   column("file", "File", CellType::text)};
  return table;
}

void add_capture(const CaptureState& c, const Profile* profile, ReportTable& table) {
  const auto known = [&](std::int64_t value) { return profile != nullptr ? Cell(value) : Cell(); };
  table.add_row({c.run, c.worker, c.span, std::string(load_status_name(c.status)), known(c.events),
                 known(profile != nullptr ? c.summary->problems : 0),
                 known(profile != nullptr ? profile->span_end - profile->span_start : 0), c.bytes_total, known(c.text_bytes),
                 static_cast<std::int64_t>(std::llround(c.seconds * 1e9)), c.file});
}

ReportTable problems_table() {
  ReportTable table{.key = "problems", .title = "Problems"};
  table.columns = {column("file", "File", CellType::text), column("severity", "Severity", CellType::text),
                   column("message", "What", CellType::text), column("count", "Count", CellType::integer, Unit::count),
                   column("offset", "Byte", CellType::integer, Unit::id)};
  return table;
}

void add_problems(const CaptureState& capture, const Profile* profile, ReportTable& table) {
  constexpr std::string_view kSeverities[] = {"note", "warning", "error"};
  if (capture.error) table.add_row({capture.file, std::string("failed"), capture.error->to_string(), Cell(), Cell()});
  if (profile == nullptr) return;
  const Problems& problems = profile->problems;
  for (std::size_t row = 0; row < problems.rows(); ++row) {
    const std::int64_t offset = problems.offset[row];
    table.add_row({capture.file, std::string(kSeverities[static_cast<std::size_t>(problems.severity[row])]),
                   std::string(profile->text(problems.message[row])), problems.count[row],
                   offset == kUnknown ? Cell() : Cell(offset)});
  }
}

Report info_report(const Engine& engine, const std::vector<CaptureState>& captures) {
  Report report{.view = "info", .title = "Profiles"};
  report.scope = std::to_string(captures.size()) + (captures.size() == 1 ? " file" : " files");
  report.tables = {captures_table(), problems_table()};
  for (const CaptureState& capture : captures) {  // of more than memory holds, each is opened once
    const ProfilePtr profile = profile_of(engine, capture);
    add_capture(capture, profile.get(), report.tables[0]);
    add_problems(capture, profile.get(), report.tables[1]);
  }
  for (const ReportTable& table : report.tables) {
    if (table.rows() == 0) continue;
    Panel panel;
    panel.id = table.key;
    panel.title = table.title;
    panel.table = table.key;
    report.panels.push_back(panel);
  }
  return report;
}

int run_info(const InfoOptions& options) {
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine({.cache = cache.get(), .keep = KeepRead::slow, .say = complain, .memory = options.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  if (!options.no_read) engine.start();
  engine.wait();
  const std::vector<CaptureState> captures = engine.state();
  TextStyle style = terminal_style();
  style.most_rows = 0;
  const ReportFormat format = *report_format(options.format);
  const Result<std::string> text =
      format == ReportFormat::json
          ? state_json(engine, SIGHTLINE_VERSION) + "\n"
          : format_report(info_report(engine, captures), format, format == ReportFormat::csv ? "profiles" : "", style);
  if (!text) return fail(text.error());
  const int written = write_out(*text);
  engine.finish_keeping();
  bool failed = false;
  for (const CaptureState& capture : captures) failed = failed || capture.status == LoadStatus::failed;
  return failed ? kFailed : written;
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

}  // namespace sightline
