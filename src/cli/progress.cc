// The progress of reading, as one line on stderr that is rewritten in place and removed at the end.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "cli/command.h"

namespace sightline::cli {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::string_view kEmptyLine = "\r\033[K";

struct Progress {
  std::int64_t done = 0, total = 0, events = 0;
};

Progress progress_of(const Catalogue& catalogue, Reads reads) {
  Progress sum;
  for (const CaptureState& capture : catalogue.state()) {
    if (reads == Reads::chosen && capture.status == LoadStatus::queued) continue;
    const bool read = capture.status == LoadStatus::ready || capture.status == LoadStatus::failed;
    sum.done += read ? capture.bytes_total : std::min(capture.bytes_done, capture.bytes_total);
    sum.total += capture.bytes_total;
    sum.events += capture.events;
  }
  return sum;
}

// "[######------------------]  25 %  512 of 2,048 MB  1.2 million events"
std::string progress_line(const Progress& progress) {
  constexpr std::size_t kWidth = 24;
  const double share = progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
  const auto filled = static_cast<std::size_t>(share * kWidth);
  return fmt::format("[{}{}] {:3.0f} %  {:.1f} of {:.1f} MB  {:.1f} million events", std::string(filled, '#'),
                     std::string(kWidth - filled, '-'), 100 * share, static_cast<double>(progress.done) / 1e6,
                     static_cast<double>(progress.total) / 1e6, static_cast<double>(progress.events) / 1e6);
}

Seconds quiet_time() {
  const char* wanted = std::getenv("SIGHTLINE_PROGRESS_AFTER");
  return Seconds(wanted == nullptr ? 1.0 : std::clamp(std::strtod(wanted, nullptr), 0.0, 1e6));
}

// Draws from another thread, because the engine's own threads are busy.
class ProgressLine {
 public:
  ProgressLine(const Catalogue& catalogue, Reads reads)
      : thread_([this, &catalogue, reads](const std::stop_token& stop) { run(catalogue, reads, stop); }) {}

 private:
  void run(const Catalogue& catalogue, Reads reads, const std::stop_token& stop) {
    bool drawn = false;
    for (Seconds pause = quiet_time(); !ended_within(pause, stop) || (pause.count() == 0 && !drawn); pause = Seconds(0.1)) {
      draw(std::string(kEmptyLine) + progress_line(progress_of(catalogue, reads)));
      drawn = true;
    }
    if (drawn) draw(kEmptyLine);
  }

  bool ended_within(Seconds pause, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, stop, pause, [&stop] { return stop.stop_requested(); });
  }

  static void draw(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

void wait_until_read(Engine& engine, Reads reads) {
  std::optional<ProgressLine> line;
  if (isatty(STDERR_FILENO) == 1) line.emplace(engine.catalogue(), reads);
  engine.loader().wait();
}

}  // namespace sightline::cli
