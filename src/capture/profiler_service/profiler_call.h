// One call of the gRPC service tensorflow.ProfilerService, with bytes for messages: no code is generated. gRPC itself is in a
// module beside the program that is loaded with the first call.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "capture/capture.h"

namespace sightline::capture {

struct ProfilerCall {
  std::string address;  // host:port
  std::string method;   // Profile, Terminate
  std::string request;
};

// unsupported: the module is not there.
Result<bool> load_grpc();

// REQUIRES: load_grpc() was true. Waits for the answer, at most `limit`. `stop` ends it at once (cancelled). unavailable: nobody
// listens, or something that speaks another protocol; `where` is the address.
Result<std::string> call_profiler(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop);

}  // namespace sightline::capture
