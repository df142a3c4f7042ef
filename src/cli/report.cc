// sightline report: one view of one profile, as text, JSON, CSV or markdown. sightline what-if: the view of this name.
#include <algorithm>

#include "analyses/whatif/rank_scenario.h"
#include "cli/command.h"
#include "engine/row_groups.h"

namespace sightline::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  ProfileSelector selector;
  std::string view;
  std::string views;
  ReportChoice report;
  std::string group_by;
};

Error no_view(const std::string& view, const Views& views) {
  std::vector<std::string> ids;
  std::string list;
  for (const Analysis& known : views.all) {
    ids.push_back(known.id);
    list.append(list.empty() ? "" : ", ").append(known.id);
  }
  const std::string nearest = nearest_name(ids, view);
  if (nearest.empty()) return {ErrorCode::invalid_argument, say("no view '{}'; available: {}", view, list), ""};
  return {ErrorCode::invalid_argument, say("no view '{}': did you mean {}?", view, nearest), ""};
}

// The checks of a request that need no profile.
struct ReportRequest {
  ParameterTexts parameters;
  Scope scope;
};

Result<ReportRequest> check(const ReportOptions& options, const Views& views) {
  const auto analysis =
      std::find_if(views.all.begin(), views.all.end(), [&](const Analysis& view) { return view.id == options.view; });
  if (analysis == views.all.end()) {
    return no_view(options.view, views);
  }
  if (std::optional<Error> none = gives_no_report(*analysis)) return *std::move(none);
  const ReportFormat format = options.group_by.empty() ? *report_format(options.report.format) : ReportFormat::text;  // one table
  if (std::optional<Error> refused = refuse_table(options.view, format, options.report.table)) return *std::move(refused);
  Result<ParameterTexts> given = split_parameters(options.report.parameters);
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
  const std::unique_ptr<ProfileCache> cache = open_cache(options.report.cache);
  const Result<CostChoice> costs = cost_choice(options.report.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.report.threads,
                 .analyses = views->all,
                 .cache = cache.get(),
                 .costs = *costs,
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.report.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  const Result<bool> queued = engine.queue_only({.profile = options.selector, .view = options.view});
  if (!queued) return fail(queued.error());
  if (request->scope == Scope::profile) print_profile_used(engine.catalogue(), options.selector);
  engine.start();
  wait_until_read(engine, Reads::chosen);
  if (options.view != "problems") warn_of_problems(engine.catalogue());
  Result<Report> report =
      engine.answers().report({.profile = options.selector, .view = options.view, .parameters = request->parameters});
  if (report && !options.group_by.empty()) report = grouped_report(*report, {options.report.table, options.group_by});
  if (!report) return fail(report.error());
  const int written = write_report(*report, options.report.format, options.report.table, options.report.rows);
  engine.loader().finish_writing();
  return written;
}

// The view what_if with the changes of the command line; what_if_ranks, if one of them is about ranks.
int run_what_if(ReportOptions options, const std::vector<std::string>& changes, bool over_ranks) {
  std::string change;
  for (const std::string& one : changes) change.append(one).append("\n");
  options.view = over_ranks || is_about_ranks(change) ? "what_if_ranks" : "what_if";
  options.report.parameters.push_back("change=" + change);
  return run_report(options);
}

}  // namespace

void add_report_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("report", "Write one view of a profile");
  auto options = std::make_shared<ReportOptions>();
  add_paths_option(*command, options->paths);
  command->add_option("--view", options->view, "Which view: see sightline views")->required();
  add_selector_options(*command, options->selector);
  add_report_options(*command, options->report);
  command->add_option("--group-by", options->group_by,
                      "One row for each text of this column, with sums; of the table named with --table, else of the main one");
  add_views_option(*command, options->views);
  command->callback([&run, options] { run = [options] { return run_report(*options); }; });
}

void add_what_if_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("what-if", "Estimate how long steps would take if something were faster");
  auto options = std::make_shared<ReportOptions>();
  auto path = std::make_shared<std::string>();
  auto changes = std::make_shared<std::vector<std::string>>();
  command->add_option("PATH", *path, "File or folder")->required();
  command->add_option(
      "CHANGE", *changes,
      "What changes: kernel:NAME*0.5, operator:NAME free, category:NAME roofline, collective:NAME hidden, host*0.5, "
      "data-loading*0, no-sync, one-graph; over ranks also rank:N CHANGE, rank:N as-median, no-waiting; several are applied "
      "together");
  auto over_ranks = std::make_shared<bool>(false);
  command->add_flag("--ranks", *over_ranks, "Of the whole job: its ranks wait for each other in collectives");
  add_selector_options(*command, options->selector);
  add_report_options(*command, options->report);
  command->callback([&run, options, path, changes, over_ranks] {
    options->paths = {*path};
    run = [options, changes, over_ranks] { return run_what_if(*options, *changes, *over_ranks); };
  });
}

}  // namespace sightline::cli
