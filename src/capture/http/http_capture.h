// Recording a serving engine over HTTP: POST /start_profile, POST
// /stop_profile, the routes of vLLM and SGLang. The engine writes its files
// on its own disk; they are moved to the results if we can read that disk.
#pragma once

#include <string>

#include "capture/capture.h"

namespace sightline::capture {

DriverInfo http_driver();

struct HttpTarget {
  std::string url;  // http://host:port, and a path where the routes are below one
  std::string
      traces;  // the folder that the engine writes to, as it is seen from here; empty: the request names the results folder
  std::string api_key;  // sent as a bearer token; empty: none
};

// In every case, the capture stops a recording that it has started.
Result<Captured> capture_http(const HttpTarget& target, const CaptureOptions& options, const CaptureWatch& watch);

}  // namespace sightline::capture
