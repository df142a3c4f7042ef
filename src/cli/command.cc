// Messages, output and the options that several subcommands have.
#include "cli/command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/cost_file.h"
#include "output/terminal_text.h"
#include "store/profile_cache.h"

namespace sightline::cli {

namespace {

std::size_t terminal_width() {
  constexpr std::size_t kWithoutTerminal = 120;
  if (const char* columns = std::getenv("COLUMNS")) {
    const long width = std::strtol(columns, nullptr, 10);
    if (width > 0) return static_cast<std::size_t>(width);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kWithoutTerminal;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  return isatty(STDOUT_FILENO) == 1 && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace

CLI::Range row_count() { return {std::int64_t{0}, std::int64_t{1'000'000'000'000}}; }

void add_format_option(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "Output format")
      ->check(CLI::IsMember({"text", "json", "csv", "markdown"}))
      ->capture_default_str();
}

void add_paths_option(CLI::App& command, std::vector<std::string>& paths) {
  command.add_option("PATH", paths, "Profiles: files, or directories to search; also in clouds (s3://bucket/run)")->required();
}

void add_threads_option(CLI::App& command, unsigned& threads) {
  command.add_option("--threads", threads, "Threads to read with (default: all cores)");
}

void add_selector_options(CLI::App& command, ProfileSelector& selector) {
  command.add_option("--run", selector.run, "Run (default: the first)");
  command.add_option("--worker", selector.worker, "Worker (default: the first)");
  command.add_option("--span", selector.span, "Span (default: the first)");
}

void add_cache_options(CLI::App& command, CacheChoice& choice) {
  command.add_flag("--no-cache", choice.none, "Neither read nor write the cache");
  command
      .add_option(
          "--cache-size", choice.size,
          "Size limit of the cache, such as 20G (default: SIGHTLINE_CACHE_SIZE, else a tenth of the free space, at most 20G)")
      ->check(CLI::Validator([](const std::string& text) { return parse_size(text) ? "" : "not a size such as 20G: " + text; },
                             "SIZE"));
}

void add_memory_option(CLI::App& command, std::int64_t& bytes) {
  command
      .add_option_function<std::string>(
          "--memory", [&bytes](const std::string& text) { bytes = parse_size(text).value_or(0); },
          "Memory limit for reading a file, and for open profiles, such as 8G (default: three quarters, and a quarter, of the "
          "machine's memory); a file that needs more is read in part")
      ->check(CLI::Validator([](const std::string& text) { return parse_size(text) ? "" : "not a size such as 20G: " + text; },
                             "SIZE"));
}

void add_cost_options(CLI::App& command, CostTexts& texts) {
  add_costs_option(command, texts.formulas);
  command
      .add_option("--peak", texts.peaks,
                  "What the devices can do at most, for each precision or for the memory: bf16=708T, bandwidth=4.9T")
      ->type_size(1)
      ->allow_extra_args(false);
}

Result<CostChoice> cost_choice(const CostTexts& texts) {
  CostChoice choice;
  if (!texts.formulas.empty()) {
    Result<CostModel> model = load_cost_model(texts.formulas);
    if (!model) return model.error();
    choice.formulas = std::make_shared<const CostModel>(*std::move(model));
  }
  Result<std::vector<GivenPeak>> peaks = parse_peaks(texts.peaks);
  if (!peaks) return peaks.error();
  choice.peaks = *std::move(peaks);
  return choice;
}

void add_views_option(CLI::App& command, std::string& folder) {
  command.add_option("--views", folder, "Folder of views written in SQL, in addition to " + user_views_folder());
}

std::optional<Views> load_views(const std::string& folder, bool try_all) {
  Result<Views> views = all_views(folder, try_all);
  if (!views) {
    complain(views.error().to_string());
    return std::nullopt;
  }
  for (const std::string& fault : try_all ? views->faults : std::vector<std::string>{}) complain(fault);
  return *std::move(views);
}

std::unique_ptr<ProfileCache> open_cache(const CacheChoice& choice) {
  std::string folder = cache_folder();
  if (choice.none || folder.empty()) return nullptr;
  const char* variable = std::getenv("SIGHTLINE_CACHE_SIZE");
  const std::string size = !choice.size.empty() || variable == nullptr ? choice.size : variable;
  const std::optional<std::int64_t> limit = size.empty() ? std::optional<std::int64_t>(-1) : parse_size(size);
  if (!limit) complain("invalid SIGHTLINE_CACHE_SIZE (expected a size such as 20G): " + size);
  return std::make_unique<ProfileCache>(CacheOptions{.folder = std::move(folder), .limit_bytes = limit.value_or(-1)});
}

void add_report_options(CLI::App& command, ReportChoice& choice) {
  command.add_option("--param", choice.parameters, "A parameter of the view, as key=value; may be repeated")
      ->type_size(1)
      ->allow_extra_args(false);
  add_output_options(command, choice);
}

void add_output_options(CLI::App& command, ReportChoice& choice) {
  command.add_option("--table", choice.table, "Only the table of this key");
  command.add_option("--rows", choice.rows, "Rows per table in text and markdown; 0: all (default: 20)")->check(row_count());
  add_format_option(command, choice.format);
  add_threads_option(command, choice.threads);
  add_cache_options(command, choice.cache);
  add_memory_option(command, choice.memory);
  add_cost_options(command, choice.costs);
}

Result<ParameterTexts> split_parameters(const std::vector<std::string>& texts) {
  ParameterTexts parameters;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{ErrorCode::invalid_argument, say("--param takes key=value, not '{}'", text), ""};
    }
    parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return parameters;
}

void complain(std::string_view message) {
  const std::string line = "sightline: " + printable(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int fail(const Error& error) {
  complain(error.to_string());
  return error.code == ErrorCode::invalid_argument ? kUsage : kFailed;
}

bool add_paths(Engine& engine, const std::vector<std::string>& paths) {
  bool any = false;
  for (const std::string& path : paths) {
    const Result<std::size_t> added = engine.add_path(path);
    if (!added) fail(added.error());
    any = any || added.ok();
  }
  for (const std::string& notice : engine.catalogue().notices()) complain(notice);
  return any;
}

bool selects(const ProfileSelector& selector, const CaptureState& capture) {
  const auto matches = [](const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; };
  return matches(selector.run, capture.run) && matches(selector.worker, capture.worker) && matches(selector.span, capture.span);
}

void print_profile_used(const Catalogue& catalogue, const ProfileSelector& selector) {
  std::vector<CaptureState> matching;
  for (CaptureState& capture : catalogue.state()) {
    if (selects(selector, capture)) matching.push_back(std::move(capture));
  }
  if (matching.size() < 2) return;
  const CaptureState& first = matching.front();
  complain("of " + std::to_string(matching.size()) + " profiles, this is --run '" + first.run + "' --worker '" + first.worker +
           "' --span '" + first.span + "'");
}

void warn_of_problems(const Catalogue& catalogue) {
  for (const CaptureState& capture : catalogue.state()) {
    if (!capture.summary || capture.summary->problems == 0) continue;
    if (!capture.summary->caution.empty()) complain(capture.file + ": " + capture.summary->caution);
    const std::string count = std::to_string(capture.summary->problems);
    complain(capture.file + ": " + count + (count == "1" ? " problem" : " problems") + ": see --view problems");
  }
}

sigset_t end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

sigset_t block_end_signals() {
  const sigset_t signals = end_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int write_out(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return kDone;
  complain(std::string("cannot write the output: ") + std::strerror(errno));
  return kFailed;
}

TextStyle terminal_style() { return {.width = terminal_width(), .colour = wants_colour(), .most_rows = 20}; }

int write_report(const Report& report, const std::string& format, const std::string& table, std::optional<std::size_t> rows) {
  TextStyle style = terminal_style();
  if (!table.empty()) style.most_rows = 0;
  if (rows) style.most_rows = *rows;
  const Result<std::string> text = format_report(report, *report_format(format), table, style);
  if (!text) return fail(text.error());
  return write_out(*text + (format == "json" ? "\n" : ""));
}

}  // namespace sightline::cli
