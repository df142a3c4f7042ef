// The messages of XLA's ProfilerService, as bytes of protocol buffers: package tensorflow, profiler_service.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/capture.h"

namespace sightline::capture {

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

// malformed: no such message.
Result<ProfilerAnswer> parse_profile_answer(std::string_view bytes);

}  // namespace sightline::capture
