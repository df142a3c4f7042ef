// sightline diff: where the time of two runs differs, for people and for machines that watch over it.
#include "cli/command.h"
#include "engine/limits.h"

namespace sightline::cli {

namespace {

constexpr int kExceeded = 3;

struct DiffOptions {
  std::vector<std::string> paths;
  ProfileSelector baseline, other;
  std::vector<std::string> parameters;  // key=value
  std::vector<std::string> limits;
  std::string table;
  std::string format = "text";
  std::size_t rows = 0;
  bool rows_given = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
};

// Checks that need no profile.
struct Wanted {
  ParameterTexts parameters;
  std::vector<Limit> limits;
};

Result<Wanted> check(const DiffOptions& options) {
  Wanted wanted;
  Result<ParameterTexts> parameters = split_parameters(options.parameters);
  if (!parameters) return parameters.error();
  const Result<Parameters> bound = bind_parameters(*find_analysis("diff"), *parameters);
  if (!bound) return bound.error();
  wanted.parameters = *std::move(parameters);
  if (std::optional<Error> refused = refuse_table("diff", *report_format(options.format), options.table))
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

// Both named exactly. With one path, the engine chooses the profile that is compared with the baseline.
Result<Question> question_of(const Catalogue& catalogue, const DiffOptions& options, const Wanted& wanted) {
  Question question{.profile = options.baseline, .view = "diff", .parameters = wanted.parameters, .other = options.other};
  if (options.paths.size() < 2) return question;
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
    notes.push_back({verdict->exceeded ? Note::Level::warning : Note::Level::info, "Limit " + verdict->text});
  }
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  return code;
}

int run_diff(const DiffOptions& options) {
  const Result<Wanted> wanted = check(options);
  if (!wanted) return fail(wanted.error());
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  Engine engine(
      {.threads = options.threads, .cache = cache.get(), .keep = KeepRead::slow, .say = complain, .memory = options.memory});
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
  engine.loader().wait();
  warn_of_problems(engine.catalogue());
  Result<Report> report = engine.answers().report(*question);
  if (!report) return fail(report.error());
  const Result<int> code = judge_all(wanted->limits, *report);
  if (!code) return fail(code.error());
  const TextStyle style = report_style(options.table, options.rows_given ? std::optional(options.rows) : std::nullopt);
  const Result<std::string> text = format_report(*report, *report_format(options.format), options.table, style);
  if (!text) return fail(text.error());
  const int written = write_out(*text + (options.format == "json" ? "\n" : ""));
  engine.loader().finish_writing();
  return written == kDone ? *code : written;
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
  command->add_option("--run", options->baseline.run, "Run of the baseline (default: the first)");
  command->add_option("--worker", options->baseline.worker, "Worker of the baseline (default: the first)");
  command->add_option("--span", options->baseline.span, "Span of the baseline (default: the first)");
  command->add_option("--other-run", options->other.run, "Run of the other profile (default: the first)");
  command->add_option("--other-worker", options->other.worker, "Worker of the other profile (default: the baseline's)");
  command->add_option("--other-span", options->other.span, "Span of the other profile (default: the baseline's)");
  command
      ->add_option("--fail-on", options->limits,
                   "METRIC>LIMIT, such as step_time>5%: exit code 3 when the metric grew by more; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--param", options->parameters, "A parameter of the view diff, as key=value; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--table", options->table, "Only the table of this key");
  const CLI::Option* rows =
      command->add_option("--rows", options->rows, "Rows per table in text and markdown; 0: all (default: 20)")
          ->check(row_count());
  add_format_option(*command, options->format);
  command->add_option("--threads", options->threads, "Threads to read with (default: all cores)");
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  command->callback([&run, options, rows] {
    options->rows_given = rows->count() > 0;
    run = [options] { return run_diff(*options); };
  });
}

}  // namespace sightline::cli
