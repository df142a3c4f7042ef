// Waiting that can be stopped, and says how long it still takes.
#pragma once

#include "capture/capture.h"

namespace sightline::capture {

std::int64_t unix_ms();

// Until the time has passed or a stop is requested.
void wait_for(Milliseconds time, const char* what, const CaptureWatch& watch);

// Until the moment that was chosen for all hosts, if one was. invalid_argument: it has passed already.
Result<bool> check_start(const CaptureOptions& options);
void wait_for_start(const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture
