// sightline query: SQL over the tables of one profile.
#include "engine/query.h"
#include "cli/command.h"

namespace sightline {

namespace {

struct QueryOptions {
  std::vector<std::string> arguments;  // PATH... SQL
  ProfileSelector selector;
  std::string format = "text";
  std::size_t limit = SqlLimits{}.rows;
  double seconds = 60;
  bool schema = false;
  unsigned threads = 0;
  CacheChoice cache;
};

int run_query(QueryOptions options) {
  if (options.schema) return write_out(query_schema_text(Profile()));
  if (options.arguments.size() < 2) {
    return fail({ErrorCode::invalid_argument, "write PATH 'SELECT ...'; --schema lists what there is to select from", ""});
  }
  const std::string sql = std::move(options.arguments.back());
  options.arguments.pop_back();
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine({.threads = options.threads, .cache = cache.get(), .keep = KeepRead::slow, .say = complain});
  if (!add_paths(engine, options.arguments)) return kFailed;
  const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = "query"});
  if (!queued) return fail(queued.error());
  say_which(engine, options.selector);
  engine.start();
  engine.wait();
  warn_of_problems(engine);
  const Result<ProfilePtr> profile = engine.profile(options.selector);
  if (!profile) return fail(profile.error());
  const Result<Report> report = query_report(**profile, sql, {.rows = options.limit, .seconds = options.seconds, .stop = {}});
  if (!report) return fail(report.error());
  for (const Note& note : report->notes) complain(note.text + " See --limit.");
  TextStyle style = terminal_style();
  style.most_rows = 0;
  const Result<std::string> text = format_report(*report, *report_format(options.format), "result", style);
  if (!text) return fail(text.error());
  const int written = write_out(*text + (options.format == "json" ? "\n" : ""));
  engine.finish_keeping();
  return written;
}

}  // namespace

void add_query_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("query", "Answer SQL over the tables of a profile");
  auto options = std::make_shared<QueryOptions>();
  command->add_option("PATH", options->arguments, "Profiles (files, or directories that are searched), and last one SELECT");
  command->add_flag("--schema", options->schema, "List the tables and views with their columns, and examples");
  add_selector_options(*command, options->selector);
  add_format_option(*command, options->format);
  command->add_option("--limit", options->limit, "Most rows of the answer; 0: all")->capture_default_str();
  command->add_option("--seconds", options->seconds, "Most time that the query may take; 0: any")->capture_default_str();
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  command->callback([&run, options] { run = [options] { return run_query(*options); }; });
}

}  // namespace sightline
