// sightline report: one view of one profile, as text, JSON, CSV or markdown.
#include <algorithm>

#include "cli/command.h"

namespace sightline::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  ProfileSelector selector;
  std::string view;
  std::vector<std::string> parameters;  // key=value
  std::string views;
  std::string table;
  std::string format = "text";
  std::size_t rows = 0;
  bool rows_given = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
};

// The checks of a request that need no profile.
struct ReportRequest {
  ParameterTexts parameters;
  Scope scope;
};

Result<ReportRequest> check(const ReportOptions& options, const Views& views) {
  const auto analysis =
      std::find_if(views.all.begin(), views.all.end(), [&](const Analysis& view) { return view.id == options.view; });
  if (analysis == views.all.end()) {
    std::string ids;
    for (const Analysis& known : views.all) ids.append(ids.empty() ? "" : ", ").append(known.id);
    return Error{ErrorCode::invalid_argument, "no view '" + options.view + "'; available: " + ids, ""};
  }
  if (std::optional<Error> none = gives_no_report(*analysis)) return *std::move(none);
  if (std::optional<Error> refused = refuse_table(options.view, *report_format(options.format), options.table))
    return *std::move(refused);
  Result<ParameterTexts> given = split_parameters(options.parameters);
  if (!given) return given.error();
  const Result<Parameters> bound = bind_parameters(*analysis, *given);
  if (!bound) return bound.error();
  return ReportRequest{*std::move(given), analysis->scope()};
}

int run_report(const ReportOptions& options) {
  const std::optional<Views> views = load_views(options.views, false);
  if (!views) return kFailed;
  const Result<ReportRequest> request = check(options, *views);
  if (!request) return fail(request.error());
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine({.threads = options.threads,
                 .analyses = views->all,
                 .cache = cache.get(),
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = options.view});
  if (!queued) return fail(queued.error());
  if (request->scope == Scope::profile) print_profile_used(engine.catalogue(), options.selector);
  engine.start();
  engine.loader().wait();
  if (options.view != "problems") warn_of_problems(engine.catalogue());
  const Result<Report> report =
      engine.answers().report({.profile = options.selector, .view = options.view, .parameters = request->parameters});
  if (!report) return fail(report.error());
  const Result<std::string> text =
      format_report(*report, *report_format(options.format), options.table,
                    report_style(options.table, options.rows_given ? std::optional(options.rows) : std::nullopt));
  if (!text) return fail(text.error());
  const int written = write_out(*text + (options.format == "json" ? "\n" : ""));
  engine.loader().finish_writing();
  return written;
}

}  // namespace

void add_report_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("report", "Write one view of a profile");
  auto options = std::make_shared<ReportOptions>();
  add_paths_option(*command, options->paths);
  command->add_option("--view", options->view, "Which view: see sightline views")->required();
  add_selector_options(*command, options->selector);
  command->add_option("--param", options->parameters, "A parameter of the view, as key=value; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--table", options->table, "Only the table of this key");
  CLI::Option* rows =
      command->add_option("--rows", options->rows, "Rows per table in text and markdown; 0: all")->check(row_count());
  add_format_option(*command, options->format);
  add_views_option(*command, options->views);
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  command->callback([&run, options, rows] {
    options->rows_given = rows->count() > 0;
    run = [options] { return run_report(*options); };
  });
}

}  // namespace sightline::cli
