// Waiting of drivers: in short steps, so that a stop takes effect soon.
#include "capture/capture.h"

#include <thread>

namespace sightline::capture {

std::int64_t unix_ms() {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void wait_for(Milliseconds time, Message (*what)(std::int64_t seconds), const CaptureWatch& watch) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < end && !watch.stop.stop_requested();
       now = std::chrono::steady_clock::now()) {
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - now + Milliseconds(999));
    watch.progress(what(left.count()));
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(kGlance, end - now));
  }
}

Result<bool> check_start(const CaptureOptions& options) {
  if (!options.start || *options.start >= unix_ms()) return true;
  return Error{ErrorCode::invalid_argument, "the start time is in the past", ""};
}

void wait_for_start(const CaptureOptions& options, const CaptureWatch& watch) {
  const auto starting = [](std::int64_t seconds) { return say("starting in {} s", seconds); };
  if (options.start) wait_for(Milliseconds(*options.start - unix_ms()), starting, watch);
}

}  // namespace sightline::capture
