// sightline diff: where the time of two runs differs, for people and for machines that watch over it.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/steps/step_summary.h"
#include "cli/command.h"
#include "model/report.h"
#include "model/unit.h"

namespace sightline::cli {

namespace {

// ---- limits ----
// Limits on what may have grown from one run to another: "step_time>5%", "peak_memory>100MiB", "operator:aten::mm>2ms". They are
// checked against the tables of the report `diff`, so a limit is about the numbers that the page shows.

struct Limit {
  std::string text;    // as given
  std::string metric;  // "step_time", "operator:aten::mm"
  double most = 0;     // in `unit`, the most that it may grow by
  Unit unit = Unit::none;
};

struct Verdict {
  bool exceeded = false;
  std::string text;  // "step_time>5%: exceeded: from 70 ns to 80 ns, +14.3%"
};

struct LimitUnit {
  std::string_view name;
  Unit unit;
  double factor;
};
constexpr double kKi = 1024;
constexpr std::array kUnits{LimitUnit{"%", Unit::share, 0.01},
                            LimitUnit{"ns", Unit::ns, 1},
                            LimitUnit{"us", Unit::ns, 1e3},
                            LimitUnit{"µs", Unit::ns, 1e3},
                            LimitUnit{"ms", Unit::ns, 1e6},
                            LimitUnit{"s", Unit::ns, 1e9},
                            LimitUnit{"B", Unit::bytes, 1},
                            LimitUnit{"KB", Unit::bytes, 1e3},
                            LimitUnit{"MB", Unit::bytes, 1e6},
                            LimitUnit{"GB", Unit::bytes, 1e9},
                            LimitUnit{"KiB", Unit::bytes, kKi},
                            LimitUnit{"MiB", Unit::bytes, kKi* kKi},
                            LimitUnit{"GiB", Unit::bytes, kKi* kKi* kKi},
                            LimitUnit{"", Unit::count, 1}};

// The label that identifies a row of a table, and the metric in that row.
struct Named {
  std::string_view prefix, table, key;
  Unit unit;
};
constexpr std::array kNamed{
    Named{"operator:", "operators", "host_total", Unit::ns}, Named{"operator_device:", "operators", "device_total", Unit::ns},
    Named{"operator_calls:", "operators", "calls", Unit::count}, Named{"kernel:", "kernels", "total", Unit::ns},
    Named{"kernel_calls:", "kernels", "calls", Unit::count}};

// Metrics of a whole profile, except those of a step's categories: rows of the report's tables.
struct WholeMetric {
  std::string_view name;
  Unit unit;
};
constexpr std::array kWhole{WholeMetric{"step_time", Unit::ns},   WholeMetric{"device_time", Unit::ns},
                            WholeMetric{"kernel_time", Unit::ns}, WholeMetric{"host_time", Unit::ns},
                            WholeMetric{"steps", Unit::count},    WholeMetric{"operators", Unit::count},
                            WholeMetric{"launches", Unit::count}, WholeMetric{"kernels", Unit::count},
                            WholeMetric{"copies", Unit::count},   WholeMetric{"peak_memory", Unit::bytes}};
constexpr std::string_view kPeakOf = "peak_memory:";  // and the name of a device

std::vector<std::string> step_categories() {
  std::vector<std::string> metrics;
  for (std::size_t i = 0; i < kRoles; ++i) metrics.push_back("step_" + std::string(role_key(static_cast<Role>(i))));
  return metrics;
}

// "step_communication": the report omits a category that neither profile has.
bool is_step_category(std::string_view metric) {
  const std::vector<std::string> all = step_categories();
  return std::find(all.begin(), all.end(), metric) != all.end();
}

// The unit of the metric, the same for all profiles; nullopt: an unknown metric.
std::optional<Unit> unit_of(std::string_view metric) {
  for (const WholeMetric& whole : kWhole) {
    if (metric == whole.name) return whole.unit;
  }
  for (const Named& named : kNamed) {
    if (metric.starts_with(named.prefix)) return named.unit;
  }
  if (metric.starts_with(kPeakOf)) return Unit::bytes;
  return is_step_category(metric) ? std::optional(Unit::ns) : std::nullopt;
}

Error unknown_metric(std::string_view metric) {
  std::string names;
  for (const WholeMetric& whole : kWhole) {
    names.append(names.empty() ? "" : ", ").append(whole.name);
    if (whole.name != "step_time") continue;
    for (const std::string& category : step_categories()) names.append(", ").append(category);
  }
  names.append(", ").append(kPeakOf).append("DEVICE");
  for (const Named& named : kNamed) names.append(", ").append(named.prefix).append("NAME");
  return {ErrorCode::invalid_argument, say("no metric '{}'; available: {}", metric, names), ""};
}

struct Found {
  const ReportTable* table;
  std::size_t row;
  std::string key;    // of the metric: columns baseline_KEY, compared_KEY
  bool sum = false;   // over the whole recording, so that it needs as many steps on both sides
  bool none = false;  // a category that takes no time in either step; `row` is that of the step
};

Cell cell_of(const Found& found, std::string_view side) {
  const ReportColumn* column = found.table->find(std::string(side) + "_" + found.key);
  const Cell cell = column == nullptr ? Cell{} : column->values[found.row];
  return found.none && !is_unknown(cell) ? Cell{0.0} : cell;
}

std::optional<std::size_t> row_of(const ReportTable& table, std::string_view column, std::string_view text) {
  const ReportColumn* texts = table.find(column);
  for (std::size_t row = 0; texts != nullptr && row < table.rows(); ++row) {
    const Cell cell = texts->values[row];
    if (const auto* own = std::get_if<std::string>(&cell); own != nullptr && *own == text) return row;
  }
  return std::nullopt;
}

// The metric that a table of named metrics is about: its first column of a baseline.
std::string key_of(const ReportTable& table) {
  constexpr std::string_view kPrefix = "baseline_";
  for (const ReportColumn& column : table.columns) {
    if (column.key.starts_with(kPrefix)) return column.key.substr(kPrefix.size());
  }
  return "";
}

Error unknown_device(const std::string& metric, const ReportTable& memory) {
  std::string names;
  const ReportColumn* metrics = memory.find("metric");
  for (std::size_t row = 0; row < memory.rows(); ++row)
    names.append(row == 0 ? "" : ", ").append(std::get<std::string>(metrics->values[row]));
  return {ErrorCode::invalid_argument, say("{}: neither profile has memory events of this device; available: {}", metric, names),
          ""};
}

Result<Found> find_metric(const std::string& metric, const Report& diff) {
  for (const Named& named : kNamed) {
    if (!metric.starts_with(named.prefix)) continue;
    const std::string name = metric.substr(named.prefix.size());
    const ReportTable* table = diff.find_table(named.table);
    const auto row = table == nullptr ? std::nullopt : row_of(*table, "name", name);
    if (row) return Found{table, *row, std::string(named.key), true};
    return Error{ErrorCode::invalid_argument, say("{}: neither profile has one with this name", metric), ""};
  }
  const auto in_tables = [&](std::string_view of) -> std::optional<Found> {
    for (const ReportTable& table : diff.tables) {
      const auto row = row_of(table, "metric", of);
      if (row) return Found{&table, *row, key_of(table), table.key == "sums" || table.key == "counts"};
    }
    return std::nullopt;
  };
  if (const std::optional<Found> found = in_tables(metric)) return *found;
  if (is_step_category(metric)) {
    if (std::optional<Found> step = in_tables("step_time")) {
      step->none = true;
      return *step;
    }
  }
  const ReportTable* memory = diff.find_table("memory");
  const bool none = memory == nullptr || memory->rows() == 0;
  if (metric.starts_with(kPeakOf) && !none) return unknown_device(metric, *memory);
  if (metric == "peak_memory" || metric.starts_with(kPeakOf)) {
    return Error{ErrorCode::invalid_argument,
                 none ? say("{}: neither profile was recorded with memory events", metric)
                      : say("{}: neither profile was recorded with memory events of a device", metric),
                 ""};
  }
  return unknown_metric(metric);
}

bool same_steps(const Report& diff) {
  const ReportTable* counts = diff.find_table("counts");
  const auto row = counts == nullptr ? std::nullopt : row_of(*counts, "metric", "steps");
  return !row || number_of(counts->find("change_count")->values[*row]) == 0 ||
         is_unknown(counts->find("change_count")->values[*row]);
}

std::string signed_text(double value, Unit unit) { return (value > 0 ? "+" : "") + number_alone(value, unit); }

// "METRIC>NUMBER" with %, a unit of time (ns, us, ms, s) or of bytes (B, KiB, MiB, GiB, KB, MB, GB), or none. An unknown metric,
// and a unit that is not the metric's, are invalid_argument errors as well, which list the metrics or name the unit.
Result<Limit> parse_limit(std::string_view text) {
  const auto wrong = [&](const Message& why) {
    return Error{ErrorCode::invalid_argument, say("limit '{}': {}; a limit is METRIC>NUMBER, such as step_time>5%", text, why),
                 ""};
  };
  const std::size_t mark = text.rfind('>');
  if (mark == std::string_view::npos || mark == 0) return wrong("METRIC> is missing");
  const auto trimmed = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return part;
  };
  const std::string_view number = trimmed(text.substr(mark + 1));
  Limit limit{.text = std::string(text), .metric = std::string(trimmed(text.substr(0, mark)))};
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), limit.most);
  if (failed != std::errc() || !std::isfinite(limit.most)) return wrong("the number is missing");
  if (limit.most < 0) return wrong("it is negative");
  const std::string_view unit = trimmed(number.substr(static_cast<std::size_t>(end - number.data())));
  for (const LimitUnit& known : kUnits) {
    if (known.name != unit) continue;
    limit.most *= known.factor;
    limit.unit = known.unit;
    const std::optional<Unit> of_metric = unit_of(limit.metric);
    if (!of_metric) return unknown_metric(limit.metric);
    if (limit.unit == Unit::share || limit.unit == *of_metric) return limit;
    return wrong(say("{} is in {}, or takes %", limit.metric, unit_name(*of_metric)));
  }
  return wrong(say("no unit '{}'", unit));
}

// REQUIRES: `limit` is parse_limit's. A metric of something that neither profile has is an invalid_argument error; an
// unknown value, or one that is not comparable, is an `unsupported` error with the reason.
Result<Verdict> judge(const Limit& limit, const Report& diff) {
  const Result<Found> found = find_metric(limit.metric, diff);
  if (!found) return found.error();
  const ReportColumn& column = *found->table->find("baseline_" + found->key);
  const Cell baseline = cell_of(*found, "baseline"), compared = cell_of(*found, "compared");
  if (is_unknown(baseline) || is_unknown(compared)) {
    const Message where =
        is_unknown(baseline) ? (is_unknown(compared) ? "both profiles" : "the baseline") : "the compared profile";
    const Message unknown = say("limit '{}': unknown in {}", limit.text, where);
    return Error{ErrorCode::unsupported, column.unknown.empty() ? unknown : say("{}: {}", unknown, column.unknown), ""};
  }
  if (found->sum && limit.metric != "steps" && !same_steps(diff)) {
    return Error{ErrorCode::unsupported,
                 say("limit '{}': the profiles have different numbers of steps, so their sums cannot be compared", limit.text),
                 ""};
  }
  const double before = number_of(baseline), after = number_of(compared), change = after - before;
  const double grown = limit.unit != Unit::share ? change : before != 0 ? change / before : change > 0 ? INFINITY : 0;
  Verdict verdict{.exceeded = grown > limit.most, .text = limit.text};
  verdict.text += verdict.exceeded ? ": exceeded: " : ": kept: ";
  verdict.text += "from " + number_alone(before, column.unit) + " to " + number_alone(after, column.unit) + ", ";
  verdict.text += before == 0 && limit.unit == Unit::share
                      ? signed_text(change, column.unit)
                      : signed_text(grown, limit.unit == Unit::share ? Unit::share : column.unit);
  return verdict;
}

// ---- the command ----

struct DiffOptions {
  std::vector<std::string> paths;
  ProfileSelector baseline, other;
  std::vector<std::string> limits;
  std::string view = "diff";
  ReportChoice report;
};

// The view, if it compares two profiles.
Result<const Analysis*> pair_view(const std::string& id) {
  std::string known;
  for (const Analysis& view : all_analyses()) {
    if (view.scope() != Scope::pair) continue;
    if (view.id == id) return &view;
    known.append(known.empty() ? "" : ", ").append(view.id);
  }
  return Error{ErrorCode::invalid_argument, say("--view: '{}' does not compare two profiles; these do: {}", id, known), ""};
}

// Checks that need no profile.
struct Wanted {
  ParameterTexts parameters;
  std::vector<Limit> limits;
};

Result<Wanted> check(const DiffOptions& options) {
  Wanted wanted;
  Result<ParameterTexts> parameters = split_parameters(options.report.parameters);
  if (!parameters) return parameters.error();
  const Result<const Analysis*> view = pair_view(options.view);
  if (!view) return view.error();
  if (options.view != "diff" && !options.limits.empty())
    return Error{ErrorCode::invalid_argument, "--fail-on is for the view diff", ""};
  const Result<Parameters> bound = bind_parameters(**view, *parameters);
  if (!bound) return bound.error();
  wanted.parameters = *std::move(parameters);
  if (std::optional<Error> refused = refuse_table(options.view, *report_format(options.report.format), options.report.table))
    return *std::move(refused);
  for (const std::string& text : options.limits) {
    Result<Limit> limit = parse_limit(text);
    if (!limit) return limit.error();
    wanted.limits.push_back(*std::move(limit));
  }
  return wanted;
}

// The profile in `path` that the selector selects; if it selects several, the one with the names of `like`, else the first.
Result<ProfileSelector> choose(const Catalogue& catalogue, const std::string& path, const ProfileSelector& selector,
                               const ProfileSelector& like) {
  const std::vector<CaptureState> there = catalogue.state_under(path);
  const CaptureState* best = nullptr;
  int best_score = -1, matching = 0;
  for (const CaptureState& capture : there) {
    if (!selects(selector, capture)) continue;
    ++matching;
    const int score = (capture.worker == like.worker ? 2 : 0) + (capture.span == like.span ? 1 : 0);
    if (score > best_score) {
      best = &capture;
      best_score = score;
    }
  }
  if (best == nullptr) return Error{ErrorCode::not_found, "no profile with this run, worker and span", path};
  if (matching > 1) {
    complain(path + ": of " + std::to_string(matching) + " profiles, this is run '" + best->run + "', worker '" + best->worker +
             "', span '" + best->span + "'");
  }
  return ProfileSelector{best->run, best->worker, best->span};
}

// The two profiles of a path that holds no others, the baseline first. Of more, only the user can choose.
Result<std::array<ProfileSelector, 2>> the_two_of(const Catalogue& catalogue, const std::string& path,
                                                  const ProfileSelector& baseline) {
  const std::vector<CaptureState> there = catalogue.state_under(path);
  if (there.size() != 2) {
    return Error{there.size() < 2 ? ErrorCode::unsupported : ErrorCode::invalid_argument,
                 say("a comparison needs two profiles, and this path has {}; choose the other one with --other-run, "
                     "--other-worker or --other-span, or name two paths",
                     there.size()),
                 path};
  }
  const std::size_t first = selects(baseline, there[0]) ? 0 : 1;
  if (!selects(baseline, there[first])) return Error{ErrorCode::not_found, "no profile with this run, worker and span", path};
  const CaptureState &before = there[first], &after = there[1 - first];
  complain(path + ": the baseline is run '" + before.run + "', worker '" + before.worker + "', span '" + before.span +
           "', compared with run '" + after.run + "', worker '" + after.worker + "', span '" + after.span + "'");
  return std::array{ProfileSelector{before.run, before.worker, before.span},
                    ProfileSelector{after.run, after.worker, after.span}};
}

// Both named exactly; with one path and names of the other profile, the engine finds it.
Result<Question> question_of(const Catalogue& catalogue, const DiffOptions& options, const Wanted& wanted) {
  Question question{.profile = options.baseline, .view = options.view, .parameters = wanted.parameters, .other = options.other};
  if (options.paths.size() < 2) {
    if (const ProfileSelector& named = options.other; !named.run.empty() || !named.worker.empty() || !named.span.empty())
      return question;
    Result<std::array<ProfileSelector, 2>> two = the_two_of(catalogue, options.paths[0], options.baseline);
    if (!two) return two.error();
    question.profile = std::move((*two)[0]);
    question.other = std::move((*two)[1]);
    return question;
  }
  Result<ProfileSelector> baseline = choose(catalogue, options.paths[0], options.baseline, {});
  if (!baseline) return baseline.error();
  question.profile = *std::move(baseline);
  Result<ProfileSelector> other = choose(catalogue, options.paths[1], options.other, question.profile);
  if (!other) return other.error();
  question.other = *std::move(other);
  return question;
}

// The exit code. The result of each limit is also a note of the report.
Result<int> judge_all(const std::vector<Limit>& limits, Report& report) {
  int code = kDone;
  std::vector<Note> notes;
  for (const Limit& limit : limits) {
    const Result<Verdict> verdict = judge(limit, report);
    if (!verdict) return verdict.error();
    if (verdict->exceeded) {
      complain(verdict->text);
      code = kExceeded;
    }
    notes.push_back({verdict->exceeded ? Note::Level::warning : Note::Level::info, say("Limit {}", verdict->text)});
  }
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  return code;
}

int run_diff(const DiffOptions& options) {
  const Result<Wanted> wanted = check(options);
  if (!wanted) return fail(wanted.error());
  const std::unique_ptr<ProfileCache> cache = open_cache(options.report.cache);
  const Result<CostChoice> costs = cost_choice(options.report.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.report.threads,
                 .cache = cache.get(),
                 .costs = *costs,
                 .keep = KeepRead::slow,
                 .say = complain,
                 .memory = options.report.memory});
  for (const std::string& path : options.paths) {
    const Result<std::size_t> added = engine.add_path(path);
    if (!added) return fail(added.error());
  }
  for (const std::string& notice : engine.catalogue().notices()) complain(notice);
  const Result<Question> question = question_of(engine.catalogue(), options, *wanted);
  if (!question) return fail(question.error());
  const Result<bool> queued = engine.queue_only(*question);
  if (!queued) return fail(queued.error());
  engine.start();
  wait_until_read(engine, Reads::chosen);
  warn_of_problems(engine.catalogue());
  Result<Report> report = engine.answers().report(*question);
  if (!report) return fail(report.error());
  const Result<int> code = judge_all(wanted->limits, *report);
  if (!code) return fail(code.error());
  const int written = write_report(*report, options.report.format, options.report.table, options.report.rows);
  engine.loader().finish_writing();
  return written == kDone ? *code : written;
}

// All metrics that a limit can name, for the help.
std::string metric_names() {
  std::string names;
  const auto add = [&names](std::string_view name, std::string_view rest) {
    names.append(names.empty() ? "" : ", ").append(name).append(rest);
  };
  for (const WholeMetric& metric : kWhole) add(metric.name, "");
  for (const std::string& metric : step_categories()) add(metric, "");
  add(kPeakOf, "DEVICE");
  for (const Named& named : kNamed) add(named.prefix, "NAME");
  return names;
}

}  // namespace

void add_diff_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("diff", "Compare two profiles, and fail when one exceeds a limit");
  auto options = std::make_shared<DiffOptions>();
  command
      ->add_option("PATH", options->paths,
                   "The baseline and the other profile: files or directories, or one directory that holds both")
      ->required()
      ->expected(1, 2);
  command->add_option("--view", options->view, "View that compares two profiles: diff (default) or memory_diff");
  command->add_option("--run", options->baseline.run, "Run of the baseline (default: the first)");
  command->add_option("--worker", options->baseline.worker, "Worker of the baseline (default: the first)");
  command->add_option("--span", options->baseline.span, "Span of the baseline (default: the first)");
  command->add_option("--other-run", options->other.run, "Run of the other profile (default: the first)");
  command->add_option("--other-worker", options->other.worker, "Worker of the other profile (default: the baseline's)");
  command->add_option("--other-span", options->other.span, "Span of the other profile (default: the baseline's)");
  command
      ->add_option("--fail-on", options->limits,
                   "METRIC>LIMIT, such as step_time>5% or peak_memory>256MiB: exit code 3 when the metric grew by more; may be "
                   "repeated. Metrics: " +
                       metric_names())
      ->type_size(1)
      ->allow_extra_args(false);
  add_report_options(*command, options->report);
  command->callback([&run, options] { run = [options] { return run_diff(*options); }; });
}

}  // namespace sightline::cli
