// sightline query: SQL over the tables of one profile, or of each of several.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/command.h"
#include "engine/sql_reports.h"
#include "formats/registry.h"

namespace sightline::cli {

namespace {

struct QueryOptions {
  std::vector<std::string> arguments;  // PATH... SQL
  ProfileSelector selector;
  std::string format = "text";
  std::size_t limit = SqlLimits{}.rows;
  double seconds = 60;
  bool schema = false;
  bool all = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
  CostTexts costs;
};

std::string seconds_misfit(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && seconds >= 0 ? "" : "not a number of seconds: " + text;
}

// On every profile that was read, in their order; files that could not be read are reported.
Result<Report> query_all(const Catalogue& catalogue, const Answers& answers, const QueryOptions& options, const std::string& sql,
                         const SqlLimits& limits) {
  std::vector<SqlSource> sources;
  std::vector<Note> cautions;
  for (const CaptureState& capture : catalogue.state()) {
    const bool chosen = selects(options.selector, capture);
    if (chosen && capture.error) complain(capture.error->to_string() + ": left out");
    if (!chosen || capture.status != LoadStatus::ready) continue;
    const ProfileSelector selector{capture.run, capture.worker, capture.span};
    if (const Message& caution = capture.summary->caution; !caution.empty())
      cautions.push_back({Note::Level::warning, say("{}: {}", capture.worker, caution)});
    sources.push_back({{capture.run, capture.worker, capture.span}, [&answers, selector] { return answers.profile(selector); }});
  }
  if (sources.empty()) return Error{ErrorCode::not_found, "no profile was read", ""};
  Result<Report> report = query_report(sources, {"run", "worker", "span"}, sql, limits);
  if (report) report->notes.insert(report->notes.end(), cautions.begin(), cautions.end());
  return report;
}

Result<Report> query_one(const Answers& answers, const QueryOptions& options, const std::string& sql, const SqlLimits& limits) {
  const Result<ProfilePtr> profile = answers.profile(options.selector);
  if (!profile) return profile.error();
  return query_report(**profile, sql, limits);
}

// Whether a capture with tables that others lack may be there: what is below a folder or an address is not known yet.
bool may_have_own_tables(const std::string& path) {
  if (path.find("://") != std::string::npos || std::filesystem::is_directory(path)) return true;
  const std::string name = std::filesystem::path(path).filename().string();
  const auto all = formats::readers();
  return std::any_of(all.begin(), all.end(),
                     [&](const formats::Reader& reader) { return reader.has_own_tables && reader.claims(name); });
}

int run_query(QueryOptions options) {
  if (options.schema) return write_out(query_schema_text(Profile()));
  if (options.arguments.size() < 2) {
    return fail({ErrorCode::invalid_argument, "expected PATH 'SELECT ...'; --schema lists the tables", ""});
  }
  const std::string sql = std::move(options.arguments.back());
  options.arguments.pop_back();
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  const Result<CostChoice> costs = cost_choice(options.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.threads,
                 .cache = cache.get(),
                 .costs = *costs,
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.memory});
  const SqlLimits limits{.rows = options.limit,
                         .bytes = options.limit == 0 ? 0 : SqlLimits{}.bytes,
                         .seconds = options.seconds,
                         .memory = engine.loader().memory(),
                         .stop = {}};
  const Result<bool> sound = check_statement(sql, limits);
  if (!sound && std::none_of(options.arguments.begin(), options.arguments.end(), may_have_own_tables)) return fail(sound.error());
  if (!add_paths(engine, options.arguments)) return kFailed;
  const auto captures = engine.catalogue().all();
  const bool has_more =
      std::any_of(captures.begin(), captures.end(), [](const CapturePtr& each) { return each->reader->has_own_tables; });
  if (!sound && !has_more) return fail(sound.error());
  if (!options.all) {
    const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = "query"});
    if (!queued) return fail(queued.error());
    print_profile_used(engine.catalogue(), options.selector);
  }
  engine.start();
  wait_until_read(engine, Reads::chosen);
  warn_of_problems(engine.catalogue());
  const Result<Report> report = options.all ? query_all(engine.catalogue(), engine.answers(), options, sql, limits)
                                            : query_one(engine.answers(), options, sql, limits);
  if (!report) return fail(report.error());
  for (const Note& note : report->panels.front().notes) complain(note.text + " See --limit.");
  TextStyle style = terminal_style();
  style.most_rows = 0;
  const Result<std::string> text = format_report(*report, *report_format(options.format), "result", style);
  if (!text) return fail(text.error());
  const int written = write_out(*text + (options.format == "json" ? "\n" : ""));
  engine.loader().finish_writing();
  return written;
}

}  // namespace

void add_query_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("query", "Run SQL over the tables of a profile");
  auto options = std::make_shared<QueryOptions>();
  command->add_option("PATH", options->arguments, "Profiles (files, or directories to search), then one SELECT");
  command->add_flag("--schema", options->schema, "List the tables and views with their columns, and examples");
  command->add_flag("--all", options->all,
                    "Run the query on each profile; the first columns of the answer are run, worker and span");
  add_selector_options(*command, options->selector);
  add_format_option(*command, options->format);
  command->add_option("--limit", options->limit, "Largest number of rows in the answer (and at most 16 MiB); 0: no limit")
      ->check(row_count())
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "Time limit of the query; 0: no limit")
      ->check(CLI::Validator(seconds_misfit, "SECONDS"))
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  add_cost_options(*command, options->costs);
  command->callback([&run, options] { run = [options] { return run_query(*options); }; });
}

}  // namespace sightline::cli
