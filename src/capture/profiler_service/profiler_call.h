// Calls of XLA's ProfilerService (package tensorflow, profiler_service.proto) and their messages, as bytes of protocol buffers:
// no code is generated. gRPC itself is in a separate module that is loaded with the first call.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/capture.h"

namespace sightline::capture {

// ---- messages ----

// The request to one server.
struct ProfilerRequest {
  std::string host;             // the address used: names the file that an older server writes
  std::string repository_root;  // where it writes it
  std::string session;
  std::optional<std::int64_t> start;  // ns since 1970
};

std::string profile_request(const CaptureOptions& options, const ProfilerRequest& request);
std::string terminate_request(const std::string& session);

struct ProfilerAnswer {
  std::string_view xspace;  // into the bytes of the answer; empty: the server wrote a file itself
  bool empty_trace = false;
};

// malformed: the bytes are not such a message.
Result<ProfilerAnswer> parse_profile_answer(std::string_view bytes);

// ---- calls ----

struct ProfilerCall {
  std::string address;  // host:port
  std::string method;   // Profile, Terminate
  std::string request;
};

// What the module gives back: plain values only, because the module has none of the program's functions.
struct CallOutcome {
  enum class Status { answered, cancelled, late, no_service, taken, no_server, failed };
  Status status = Status::failed;
  std::string text;       // the answer; else what the server said, may be empty
  bool given_up = false;  // `stop` ended the call
};

// unsupported: the module was not found.
Result<bool> load_grpc();

// REQUIRES: load_grpc() was true. Waits for the answer, at most
// `limit`. `stop` ends it at once (cancelled). unavailable: no server
// listens, or it has another protocol; `where` is the address.
Result<std::string> call_profiler(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop);

}  // namespace sightline::capture
