// sightline export: a profile for other programs: its tables as files, or a
// window of it as a trace. A file is either complete or absent, and replaces
// an older file with its name; the profile's own file is never replaced.
#include "cli/export.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/fields.h"
#include "base/http_client.h"
#include "base/remote/remote_path.h"
#include "cli/command.h"
#include "engine/capture.h"
#include "formats/neuron/device_json.h"  // vendor: a writer of that vendor's JSON
#include "output/line_database.h"
#include "output/summary_format.h"
#include "output/table_files.h"
#include "output/tiles.h"
#include "output/trace_export.h"
#include "server/page_file.h"
#include "store/file_io.h"

namespace sightline::cli {

// ---- databases ----
// The database is named by options, then by the environment, then by the file
// in which the `influx` program keeps its settings. Only the part of TOML
// that this program writes is understood: tables of plain texts and flags.

namespace {

constexpr const char* kEndpoint = "http://localhost:8086";
constexpr std::size_t kMostSettingsBytes = 1 << 20;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

struct Settings {
  std::string url, token, org;
};

// Those of the connection that is active, or of the one that INFLUX_ACTIVE_CONFIG names.
Settings influx_settings() {
  std::string path = variable("INFLUX_CONFIGS_PATH");
  if (path.empty()) path = variable("HOME") + "/.influxdbv2/configs";
  const std::string wanted = variable("INFLUX_ACTIVE_CONFIG");
  Settings chosen, now;
  bool is_chosen = false;
  const auto end_table = [&] {
    if (is_chosen) chosen = now;
    now = {};
    is_chosen = false;
  };
  std::istringstream lines(read_small_file(path, kMostSettingsBytes).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.starts_with('[')) {
      end_table();
      is_chosen = !wanted.empty() && line == "[" + wanted + "]";
      continue;
    }
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string::npos) continue;
    const std::string key(trimmed(line.substr(0, equals))), value = unquoted(trimmed(line.substr(equals + 1)));
    if (key == "url") now.url = value;
    if (key == "token") now.token = value;
    if (key == "org") now.org = value;
    if (key == "active" && wanted.empty()) is_chosen = value == "true";
  }
  end_table();
  return chosen;
}

std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return "";
}

DatabaseAddress address_of(const DatabaseChoice& choice) {
  const Settings known = influx_settings();
  return {.endpoint = first_of({choice.endpoint, variable("INFLUX_HOST"), known.url, kEndpoint}),
          .organisation = first_of({choice.organisation, variable("INFLUX_ORG"), known.org}),
          .bucket = choice.bucket,
          .token = first_of({variable("INFLUX_TOKEN"), known.token})};
}

// How many points were written.
Result<std::int64_t> write_profile(const Profile& profile, const ProfileSelector& selector, LineDatabase& database) {
  Result<bool> written = true;
  const std::int64_t points =
      write_points(profile, {selector.run, selector.worker, selector.span}, {}, [&](std::string_view lines) {
        written = database.write(lines);
        return written.ok();
      });
  if (!written) return written.error();
  return points;
}

}  // namespace

void add_database_options(CLI::App& command, DatabaseChoice& choice) {
  command.add_option("--db-endpoint", choice.endpoint,
                     "InfluxDB to write the timeline to (default: INFLUX_HOST, the settings of influx, else " +
                         std::string(kEndpoint) + "); its token is INFLUX_TOKEN");
  command.add_option("--db-org", choice.organisation, "Organisation in it (default: INFLUX_ORG, else the settings of influx)");
  command.add_option("--db-bucket", choice.bucket, "Bucket, or database, to write to (default: the profile's name, n_...)");
}

Result<bool> check_database(const DatabaseChoice& choice) {
  const std::string endpoint = address_of(choice).endpoint;
  if (parse_http_address(endpoint)) return true;
  return Error{ErrorCode::invalid_argument, "an endpoint is http://HOST:PORT or https://HOST:PORT", endpoint};
}

int write_to_database(const Answers& answers, const std::vector<ProfileSelector>& profiles, const DatabaseChoice& choice) {
  for (const ProfileSelector& selector : profiles) {
    const Result<ProfilePtr> profile = answers.profile(selector);
    if (!profile) return fail(profile.error());
    DatabaseAddress address = address_of(choice);
    if (address.bucket.empty()) {
      const Result<std::string> name = answers.name_of(selector);
      if (!name) return fail(name.error());
      address.bucket = *name;
    }
    Result<LineDatabase> database = LineDatabase::connect(address);
    if (!database) return fail(database.error());
    if ((**profile).origin_unix_ns == kUnknown)
      complain((**profile).file + ": the file has no date: the written times begin in 1970");
    const Result<std::int64_t> points = write_profile(**profile, selector, *database);
    if (!points) return fail(points.error());
    const int printed =
        write_out(std::to_string(*points) + " points in bucket \"" + address.bucket + "\" of " + address.endpoint + "\n");
    if (printed != kDone) return printed;
  }
  return kDone;
}

// ---- exports ----

namespace {

constexpr const char* kSummaryText = "summary-text";
constexpr const char* kSummaryJson = "summary-json";
constexpr const char* kSummaryView = "device_summary";

std::optional<TableFormat> table_format(const std::string& name) {
  for (const TableFormat format : {TableFormat::arrow, TableFormat::parquet, TableFormat::csv}) {
    if (name == file_ending(format)) return format;
  }
  return std::nullopt;
}

Result<bool> check_window_and_tables(const ExportOptions& options) {
  const bool window = !options.start.empty() || !options.end.empty() || !options.lanes.empty();
  const auto wrong = [](TemplateMessage message) { return Error{ErrorCode::invalid_argument, std::move(message), ""}; };
  if (is_remote(options.output)) {
    return Error{ErrorCode::unsupported, "Sightline cannot write to clouds: write to a file, and copy it", options.output};
  }
  const std::string& format = options.format;
  if (options.all && format != "html" && format != "influxdb" && format != kSummaryText && format != kSummaryJson)
    return wrong("--all is for --format html, influxdb, summary-text and summary-json");
  if (window && options.format != "chrome" && options.format != "perfetto") {
    return wrong("--start, --end and --lanes are for --format chrome and perfetto");
  }
  if (window) {
    if (const Result<bool> sound = check_export_window(options.lanes, options.start, options.end); !sound) return sound;
  }
  if (!table_format(options.format)) {
    if (!options.tables.empty()) return wrong("--tables is for --format arrow, parquet and csv");
    return true;
  }
  if (options.output.empty()) return wrong(say("--format {} needs --output FOLDER", options.format));
  const Result<std::vector<std::string>> names = parse_table_names(options.tables);
  if (!names) return names.error();
  return true;
}

// Whether `output` would replace a file that is being read: a named file, or a file in a named folder.
bool is_source(const Catalogue& catalogue, const std::vector<std::string>& paths, const std::string& output) {
  std::error_code failed;
  const auto same = [&](const std::filesystem::path& path) { return std::filesystem::equivalent(path, output, failed); };
  for (const CaptureState& capture : catalogue.state()) {
    for (const std::string& path : paths) {
      if (std::filesystem::is_regular_file(path, failed) ? same(path) : same(std::filesystem::path(path) / capture.file))
        return true;
    }
  }
  return false;
}

using Write = std::function<bool(std::string_view)>;

// Runs `produce`, which writes until it is done or stopped, into the output or onto stdout.
int write_output(const std::string& output, const std::function<void(const Write&)>& produce) {
  if (output.empty()) {
    bool whole = true;
    produce(
        [&](std::string_view text) { return whole = whole && std::fwrite(text.data(), 1, text.size(), stdout) == text.size(); });
    return whole ? write_out("") : fail({ErrorCode::unreadable, "could not be written completely", ""});
  }
  Result<OutputFile> file = OutputFile::create(output);
  if (!file) return fail(file.error());
  produce([&](std::string_view text) { return file->write(text); });
  const Result<bool> finished = file->finish();
  return finished ? kDone : fail(finished.error());
}

int export_window(const Answers& answers, const ExportOptions& options) {
  const Result<std::shared_ptr<const Timeline>> timeline = answers.timeline(options.selector);
  if (!timeline) return fail(timeline.error());
  const Result<ExportRequest> request = parse_export_request(**timeline, options.lanes, options.start, options.end);
  if (!request) return fail(request.error());
  const auto counters = counter_charts((*timeline)->profile_pointer());
  return write_output(options.output, [&](const Write& write) {
    auto* const produce = options.format == "perfetto" ? &export_perfetto : &export_trace;
    produce(**timeline, counters->counters(), *request, write);
  });
}

// The profiles that are loaded, or the one that was chosen.
Result<std::vector<ProfileSelector>> chosen_profiles(const Catalogue& catalogue, const Answers& answers,
                                                     const ExportOptions& options) {
  std::vector<ProfileSelector> chosen;
  for (const CaptureState& capture : catalogue.state()) {
    if (!selects(options.selector, capture)) continue;
    if (capture.status == LoadStatus::ready) chosen.push_back({capture.run, capture.worker, capture.span});
    if (!options.all) break;
  }
  const Result<ProfilePtr> first = answers.profile(options.selector);
  if (chosen.empty() && !first) return first.error();
  return chosen;
}

int export_page(const Engine& engine, const ExportOptions& options) {
  const Result<std::vector<ProfileSelector>> profiles = chosen_profiles(engine.catalogue(), engine.answers(), options);
  if (!profiles) return fail(profiles.error());
  Result<bool> made = true;
  const int written = write_output(options.output, [&](const Write& write) { made = write_page_file(engine, *profiles, write); });
  return made ? written : fail(made.error());
}

int export_folder(const Answers& answers, const ExportOptions& options, TableFormat format) {
  const Result<ProfilePtr> profile = answers.profile(options.selector);
  if (!profile) return fail(profile.error());
  const Result<std::int64_t> bytes = export_tables(**profile, *parse_table_names(options.tables), format, options.output);
  return bytes ? kDone : fail(bytes.error());
}

int export_json(const Answers& answers, const ExportOptions& options) {
  const Result<ProfilePtr> profile = answers.profile(options.selector);
  if (!profile) return fail(profile.error());
  // Before the file is made, because it would replace another.
  const Result<bool> possible = export_device_json(**profile, [](std::string_view) { return false; });
  if (!possible) return fail(possible.error());
  return write_output(options.output, [&](const Write& write) { static_cast<void>(export_device_json(**profile, write)); });
}

int export_summary(const Catalogue& catalogue, const Answers& answers, const ExportOptions& options) {
  const Result<std::vector<ProfileSelector>> profiles = chosen_profiles(catalogue, answers, options);
  if (!profiles) return fail(profiles.error());
  std::vector<DeviceReport> reports;
  for (const ProfileSelector& profile : *profiles) {
    const Result<std::string> name = answers.name_of(profile);
    if (!name) return fail(name.error());
    Result<Report> report = answers.report({.profile = profile, .view = kSummaryView});
    if (!report) return fail(report.error());
    const Result<ProfilePtr> read = answers.profile(profile);
    if (!read) return fail(read.error());
    reports.push_back({*name, *std::move(report), *read});
  }
  const Result<std::string> text = options.format == kSummaryText ? summary_text(reports) : summary_json(reports);
  if (!text) return fail(text.error());
  return write_output(options.output, [&](const Write& write) { write(*text); });
}

// The profiles that were found, or the one that was chosen.
int export_points(const Catalogue& catalogue, const Answers& answers, const ExportOptions& options) {
  const Result<std::vector<ProfileSelector>> profiles = chosen_profiles(catalogue, answers, options);
  if (!profiles) return fail(profiles.error());
  return write_to_database(answers, *profiles, options.database);
}

// The format that the suffix of the output names; empty: none.
std::string_view format_of_suffix(const std::string& output) {
  const std::string suffix = lower_case(std::filesystem::path(output).extension().string());
  if (suffix == ".html" || suffix == ".htm") return "html";
  if (suffix == ".pftrace" || suffix == ".perfetto-trace") return "perfetto";
  if (suffix == ".json") return "chrome";
  return "";
}

// Without --format, the suffix of the output decides. A web page under another suffix, or something else as .html, is a mistake.
Result<bool> settle_format(ExportOptions& options) {
  const std::string_view by_suffix = format_of_suffix(options.output);
  const std::string suffix = std::filesystem::path(options.output).extension().string();
  if (options.format.empty() && by_suffix.empty() && !suffix.empty()) {
    return Error{
        ErrorCode::invalid_argument,
        say("no format has names with {}: .json is a Chrome trace, .pftrace or .perfetto-trace a Perfetto trace, .html a "
            "web page; else choose a --format",
            suffix),
        options.output};
  }
  if (options.format.empty()) options.format = by_suffix.empty() ? "chrome" : by_suffix;
  if (!suffix.empty() && (by_suffix == "html") != (options.format == "html") && !is_folder_format(options.format))
    return Error{
        ErrorCode::invalid_argument,
        say("--format {} does not fit the name of the output: leave --format out, or choose another name", options.format),
        options.output};
  return true;
}

int run_export(ExportOptions options) {
  if (const Result<bool> settled = settle_format(options); !settled) return fail(settled.error());
  const Result<bool> sound = check_export(options);
  if (!sound) return fail(sound.error());
  const bool drawn = options.format == "chrome" || options.format == "perfetto" || options.format == "html";
  const std::optional<Views> views = load_views(options.views, options.format == "html");
  if (!views) return kFailed;
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  const Result<CostChoice> costs = cost_choice(options.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.threads,
                 .timelines = drawn,
                 .analyses = views->all,
                 .cache = cache.get(),
                 .costs = *costs,
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  if (is_source(engine.catalogue(), options.paths, options.output)) {
    return fail({ErrorCode::invalid_argument, "this is the profile itself: choose another --output", options.output});
  }
  if (!options.all) {
    const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = "timeline"});
    if (!queued) return fail(queued.error());
    print_profile_used(engine.catalogue(), options.selector);
  }
  engine.start();
  wait_until_read(engine, options.all ? Reads::all : Reads::chosen);
  warn_of_problems(engine.catalogue());
  const int done = write_export(engine, options);
  engine.loader().finish_writing();
  return done;
}

}  // namespace

Result<bool> check_place(const std::string& output, const std::string& format) {
  if (output.empty()) return true;
  if (is_folder_format(format)) return check_output_folder(output);
  std::error_code failed;
  if (std::filesystem::is_other(output, failed)) return true;  // a pipe's reader takes closing it for the end
  const Result<OutputFile> tried = OutputFile::create(output);
  if (!tried) return tried.error();
  return true;
}

bool is_folder_format(const std::string& format) { return table_format(format).has_value(); }

Result<bool> check_export(const ExportOptions& options) {
  const bool database = options.format == "influxdb";
  if (options.database.any() && !database)
    return Error{ErrorCode::invalid_argument, "--db-endpoint, --db-org and --db-bucket are for --format influxdb", ""};
  if (database && !options.output.empty())
    return Error{ErrorCode::invalid_argument, "--format influxdb writes to a database: --db-endpoint, not --output", ""};
  if (database) return check_database(options.database);
  if (const Result<bool> sound = check_window_and_tables(options); !sound) return sound;
  return check_place(options.output, options.format);
}

int write_export(const Engine& engine, const ExportOptions& options) {
  if (const std::optional<TableFormat> tables = table_format(options.format))
    return export_folder(engine.answers(), options, *tables);
  if (options.format == "html") return export_page(engine, options);
  if (options.format == "influxdb") return export_points(engine.catalogue(), engine.answers(), options);
  if (options.format == "json") return export_json(engine.answers(), options);
  if (options.format == kSummaryText || options.format == kSummaryJson)
    return export_summary(engine.catalogue(), engine.answers(), options);
  return export_window(engine.answers(), options);
}

void add_export_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("export", "Write a profile for other programs: its tables, or a window of it as a trace");
  auto options = std::make_shared<ExportOptions>();
  add_paths_option(*command, options->paths);
  options->format.clear();
  command
      ->add_option("--format", options->format,
                   "What to write (default: html for FILE.html, perfetto for FILE.pftrace, chrome for FILE.json and stdout)")
      ->check(CLI::IsMember(
          {"chrome", "perfetto", "html", "arrow", "parquet", "csv", "json", "influxdb", kSummaryText, kSummaryJson}));
  command->add_option("-o,--output", options->output, "File to write (default: stdout); for tables, the folder");
  command->add_option("--tables", options->tables, "Names of tables, separated by commas (default: all)");
  command->add_flag("--all", options->all, "All profiles: in one HTML file, one summary or the database");
  add_database_options(*command, options->database);
  command->add_option("--start", options->start, "Where the window begins, in ns since the run's origin (default: all)");
  command->add_option("--end", options->end, "Where it ends, in ns (default: all)");
  command->add_option("--lanes", options->lanes, "Numbers of the timeline's lanes, separated by commas (default: all)");
  add_selector_options(*command, options->selector);
  add_views_option(*command, options->views);
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  add_cost_options(*command, options->costs);
  command->callback([&run, options] { run = [options] { return run_export(*options); }; });
}

}  // namespace sightline::cli
