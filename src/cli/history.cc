// sightline history: how runs of one program changed, one row a run, for people and for machines that watch over it.
#include "analyses/history/history.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "analyses/words.h"
#include "cli/command.h"

namespace sightline::cli {

namespace {

struct HistoryOptions {
  std::vector<std::string> paths;
  std::string worker;
  bool every_profile = false;
  std::string order = "auto";
  std::string fail_over;
  std::size_t top = 5;
  ReportChoice report;
};

// "5%" as 0.05.
Result<double> parse_share(const std::string& text) {
  double percent = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (failed == std::errc() && std::string_view(end) == "%" && percent >= 0 && std::isfinite(percent)) return percent / 100;
  return Error{ErrorCode::invalid_argument, say("--fail-over takes a share such as 5%, not '{}'", text), ""};
}

// ---- which profiles are runs ----

// The profiles in the order of the paths: of each run and span one worker, the first or the one that was named.
std::vector<ProfileSelector> find_runs(const Catalogue& catalogue, const HistoryOptions& options) {
  std::vector<ProfileSelector> runs;
  std::set<std::vector<std::string>> seen;
  for (const std::string& path : options.paths) {
    const bool every = options.every_profile || !std::filesystem::is_directory(path);
    for (const CaptureState& capture : catalogue.state_under(path)) {
      if (!options.worker.empty() && capture.worker != options.worker) continue;
      const std::string worker = every ? capture.worker : "";
      if (seen.insert({capture.run, worker, capture.span}).second) runs.push_back({capture.run, capture.worker, capture.span});
    }
  }
  return runs;
}

// ---- the figures ----

struct History {
  std::vector<RunFigures> runs;
  std::vector<Note> notes;
};

ProfileSelector profile_of(const RunFigures& run) { return {run.place.run, run.place.worker, run.place.span}; }

// Reads the profiles one after the other. A run that cannot be read is left out, and a note says so.
History read_runs(const Answers& answers, const std::vector<ProfileSelector>& profiles) {
  History history;
  std::vector<RunFigures> named(profiles.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) named[i].place = {profiles[i].run, profiles[i].worker, profiles[i].span};
  name_runs(named);
  for (const RunFigures& run : named) {
    const Result<ProfilePtr> profile = answers.profile(profile_of(run));
    if (!profile) {
      complain(run.run + " is left out: " + profile.error().to_string());
      history.notes.push_back({Note::Level::warning, say("{} is left out, because it could not be read.", run.run)});
      continue;
    }
    history.runs.push_back(figures_of(*profile, run.run));
    history.runs.back().place = run.place;
  }
  return history;
}

// By the time of the recordings, if all are known or `order` demands it; else as given.
Result<bool> sort_by(History& history, const std::string& order) {
  if (order == "given") return true;
  const Message unsorted = sort_runs(history.runs);
  if (unsorted.empty()) return true;
  if (order == "time") return Error{ErrorCode::unsupported, say("--order time: {}", unsorted), ""};
  history.notes.push_back({Note::Level::info, say("The runs are in the order given: {}.", unsorted)});
  return true;
}

// ---- the report ----

void add_diff_at_change(const Answers& answers, const History& history, const ChangePoint& change, std::size_t top,
                        Report& report) {
  const Result<Report> diff = answers.report(
      {.profile = profile_of(history.runs[change.first - 1]), .view = "diff", .other = profile_of(history.runs[change.first])});
  if (!diff) {
    report.notes.push_back({Note::Level::info, say("The runs at the change cannot be compared: {}", diff.error().message)});
    return;
  }
  if (history.runs[change.first - 1].steps.size() != history.runs[change.first].steps.size())
    report.notes.push_back(
        {Note::Level::warning,
         "The two runs at the change have different numbers of steps: compare their steps, not the sums of their operators."});
  add_diff(report, *diff, top);
}

// The exit code; the result is also a note of the report.
Result<int> judge(const StepVerdict& verdict, double limit, const std::string& text, Report& report) {
  if (std::isnan(verdict.growth()))
    return Error{ErrorCode::unsupported,
                 say("--fail-over {}: needs two runs with steps, or other recordings of known length", text), ""};
  const bool exceeded = verdict.growth() > limit;
  const Message words = say("--fail-over {}: {}: a step of the last run takes {}, that of the runs before {}, {}", text,
                            exceeded ? Message("exceeded") : Message("kept"), time_words(verdict.last),
                            time_words(verdict.reference), (verdict.growth() > 0 ? "+" : "") + share_words(verdict.growth()));
  report.notes.insert(report.notes.begin(), {exceeded ? Note::Level::warning : Note::Level::info, words});
  if (exceeded) complain(words);
  return exceeded ? kExceeded : kDone;
}

int run_history(const HistoryOptions& options) {
  const Result<double> limit = options.fail_over.empty() ? Result<double>(0.0) : parse_share(options.fail_over);
  if (!limit) return fail(limit.error());
  const std::unique_ptr<ProfileCache> cache = open_cache(options.report.cache);
  const Result<CostChoice> costs = cost_choice(options.report.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.report.threads,
                 .cache = cache.get(),
                 .costs = *costs,
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.report.memory});
  if (!add_paths(engine, options.paths)) return kFailed;
  engine.start();
  wait_until_read(engine);
  warn_of_problems(engine.catalogue());
  History history = read_runs(engine.answers(), find_runs(engine.catalogue(), options));
  if (history.runs.empty()) return fail({ErrorCode::not_found, "no run with a profile that can be read", options.paths.front()});
  if (const Result<bool> sorted = sort_by(history, options.order); !sorted) return fail(sorted.error());
  Report report = history_report(history.runs, options.top);
  report.notes.insert(report.notes.end(), history.notes.begin(), history.notes.end());
  const StepVerdict verdict = judge_steps(history.runs);
  if (verdict.change) add_diff_at_change(engine.answers(), history, *verdict.change, options.top, report);
  const Result<int> code = options.fail_over.empty() ? Result<int>(kDone) : judge(verdict, *limit, options.fail_over, report);
  if (!code) return fail(code.error());
  const int written = write_report(report, options.report.format, options.report.table, options.report.rows);
  engine.loader().finish_writing();
  return written == kDone ? *code : written;
}

}  // namespace

void add_history_command(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("history", "Compare many runs over time, one row a run, and fail when the last one is slower");
  auto options = std::make_shared<HistoryOptions>();
  command->add_option("RUNS", options->paths, "Files, each a run, or folders, with one or several runs")->required();
  command->add_option("--worker", options->worker, "The worker of each run (default: the first)");
  command->add_flag("--every-profile", options->every_profile, "Treat each profile in a folder as a run");
  command
      ->add_option("--order", options->order,
                   "Order of the runs: by their recording's time, or as given (default: by time if all know it)")
      ->check(CLI::IsMember({"time", "given"}));
  command->add_option(
      "--fail-over", options->fail_over,
      "Exit code 3 when a step of the last run is longer by more than this, such as 5%, than those of the runs before");
  command->add_option("--top", options->top, "How many operators are shown")->check(row_count())->capture_default_str();
  add_output_options(*command, options->report);
  command->callback([&run, options] { run = [options] { return run_history(*options); }; });
}

}  // namespace sightline::cli
