#include "cli/capture_options.h"

#include <pthread.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <thread>

#include "base/text.h"

namespace sightline::cli {

namespace {

Error bad_text(const std::string& text, const char* what) {
  return {ErrorCode::invalid_argument, say("'{}' is not a {}", text, what), ""};
}

std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

// The line that shows the progress: on a terminal it is overwritten, elsewhere a changed text is a new line.
class StatusLine {
 public:
  void show(const std::string& text) {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
    shown_ = true;
  }
  void note(const std::string& text) {
    clear();
    complain(text);
  }
  void clear() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
};

// Reads the recorded files into the cache, and prints a line for each.
bool keep_recordings(const std::vector<std::string>& files) {
  const std::unique_ptr<ProfileCache> cache = open_cache({});
  Engine engine({.cache = cache.get(), .keep = KeepRead::all, .say = complain});
  if (!add_paths(engine, files)) return false;
  engine.start();
  wait_until_read(engine);
  engine.loader().finish_writing();
  bool all = true;
  for (const CaptureState& capture : engine.catalogue().state()) {
    if (capture.error) complain(capture.error->to_string());
    all = all && !capture.error;
  }
  warn_of_problems(engine.catalogue());
  return all;
}

// The folder of the results, and whether it is new: a new one that stays empty is removed.
struct ResultFolder {
  std::string path;
  std::string made;  // the topmost folder that was made; empty: all existed
};

ResultFolder result_folder(const std::string& wanted) {
  namespace fs = std::filesystem;
  const fs::path path = wanted.empty() ? fs::path("captures") / local_time("%Y-%m-%d_%H-%M-%S") : fs::path(wanted);
  std::error_code ignored;
  ResultFolder folder{.path = path.string(), .made = {}};
  for (fs::path at = path; !at.empty() && !fs::exists(at, ignored); at = at.parent_path()) folder.made = at.string();
  return folder;
}

void remove_if_empty(const ResultFolder& folder) {
  std::error_code stop;
  for (std::filesystem::path at = folder.path; !folder.made.empty() && !stop; at = at.parent_path()) {
    if (!std::filesystem::remove(at, stop) || at.string() == folder.made) return;
  }
}

}  // namespace

void add_result_options(CLI::App& command, CaptureChoice& choice) {
  command.add_option("--out,-o", choice.options.out, "Folder for the results (default: captures/ and the time)");
  command.add_option("--timeout", choice.limit, "Longest wait for the result, such as 30s (default: depends on the driver)");
  command.add_flag("--open", choice.open, "Open the result in the browser");
}

void add_capture_options(CLI::App& command, CaptureChoice& choice) {
  command.add_option("--duration", choice.duration, "How long to record: 500ms, 2s, 1m")->capture_default_str();
  add_start_option(command, choice);
  add_result_options(command, choice);
}

void add_start_option(CLI::App& command, CaptureChoice& choice) {
  command.add_option("--at", choice.at,
                     "Start at this time, on every host: +30s, seconds since 1970, or 2026-01-31T10:00:00 (local; with Z: UTC)");
}

void refuse_options(CLI::App& command, const RefusedOptions& refused) {
  for (const auto& [names, why] : refused) {
    const auto refuse = [names = names, why = why](const std::vector<std::string>&) {
      throw CLI::ValidationError(names, "not supported here: " + why);
    };
    command.add_option_function<std::vector<std::string>>(names, refuse)->expected(0, 1)->group("");  // not in the help
  }
}

void add_content_options(CLI::App& command, CaptureChoice& choice) {
  command.add_option("--iterations", choice.options.iterations, "Record this many steps of the training loop")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  command.add_flag("--shapes", choice.options.shapes, "Record the shapes of inputs");
  command.add_flag("--stacks", choice.options.stacks, "Record Python call stacks and modules");
  command.add_flag("--memory", choice.options.memory, "Record allocations");
  command.add_flag("--flops", choice.options.flops, "Record the FLOPs of operators");
}

Result<Milliseconds> parse_duration(const std::string& text) {
  std::size_t end = 0;
  double number = 0;
  try {
    number = std::stod(text, &end);
  } catch (const std::exception&) {
    return bad_text(text, "time such as 500ms, 2s or 1m");
  }
  const std::string unit = text.substr(end);
  const double factor = unit == "ms" ? 1 : unit == "s" || unit.empty() ? 1e3 : unit == "m" ? 60e3 : 0;
  const double total = number * factor;
  if (!(total >= 1 && total <= 86'400e3)) return bad_text(text, "time such as 500ms, 2s or 1m, up to a day");
  return Milliseconds(std::llround(total));
}

Result<std::int64_t> parse_moment(const std::string& text) {
  if (text.starts_with('+')) {
    const Result<Milliseconds> ahead = parse_duration(text.substr(1));
    if (!ahead) return ahead.error();
    return (std::chrono::duration_cast<Milliseconds>(std::chrono::system_clock::now().time_since_epoch()) + *ahead).count();
  }
  if (const auto seconds = whole_number<std::int64_t>(text)) return *seconds * 1000;
  std::tm parts{};
  parts.tm_isdst = -1;
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) rest = ::strptime(text.c_str(), "%Y-%m-%d %H:%M:%S", &parts);
  if (rest != nullptr && *rest == '\0') return std::int64_t{std::mktime(&parts)} * 1000;
  if (rest != nullptr && std::string(rest) == "Z") return std::int64_t{::timegm(&parts)} * 1000;
  return bad_text(text, "moment such as +30s, 1800000000 or 2026-01-31T10:00:00");
}

void run_watched(const std::function<void(const CaptureWatch&)>& work) {
  const sigset_t signals = block_end_signals();
  StatusLine line;
  std::stop_source stop;
  std::jthread listener([&](const std::stop_token& done) {
    const timespec glance{.tv_sec = 0, .tv_nsec = 50'000'000};
    while (!done.stop_requested()) {
      if (::sigtimedwait(&signals, nullptr, &glance) < 0) continue;
      stop.request_stop();
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // a second Ctrl-C ends at once
    }
  });
  work({.progress = [&](const std::string& text) { line.show(text); },
        .note = [&](const std::string& text) { line.note(text); },
        .stop = stop.get_token()});
  line.clear();
}

int run_capture(CaptureChoice choice, const Driver& driver) {
  const Result<Milliseconds> duration = parse_duration(choice.duration);
  if (!duration) return fail(duration.error());
  choice.options.duration = *duration;
  if (!choice.limit.empty()) {
    const Result<Milliseconds> limit = parse_duration(choice.limit);
    if (!limit) return fail(limit.error());
    choice.options.limit = *limit;
  }
  if (!choice.at.empty()) {
    const Result<std::int64_t> start = parse_moment(choice.at);
    if (!start) return fail(start.error());
    choice.options.start = *start;
  }
  const ResultFolder folder = result_folder(choice.options.out);
  choice.options.out = folder.path;
  std::optional<Result<Captured>> captured;
  bool stopped = false;
  run_watched([&](const CaptureWatch& watch) {
    captured = driver(choice.options, watch);
    stopped = watch.stop.stop_requested();
  });
  if (!*captured || (*captured)->files.empty()) {
    remove_if_empty(folder);
    if (!*captured) return fail(captured->error());
    if (stopped) complain("stopped; nothing was recorded");
    return kFailed;
  }
  std::string names, shown;
  for (const std::string& file : (*captured)->files) names += file + "\n", shown += " " + file;
  for (const std::string& file : (*captured)->others) names += file + "\n";
  if (const int written = write_out(names); written != kDone) return written;
  if (choice.open) return view_in_browser(choice.by_file ? (*captured)->files : std::vector{folder.path});
  const bool kept = keep_recordings((*captured)->files);
  complain("open it with: sightline view" + (choice.by_file ? shown : " " + folder.path));
  return kept && (*captured)->all ? kDone : kFailed;
}

}  // namespace sightline::cli
