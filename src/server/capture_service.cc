// A form on another site's page can send a request here, but not with this content type.
#include "server/capture_service.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "capture/http/http_capture.h"
#include "capture/profiler_service/service_capture.h"
#include "capture/torch/torch_capture.h"
#include "engine/guarded.h"

namespace sightline::server {

namespace {

using simdjson::dom::element;

constexpr Failing kRecording{"not enough memory to record", "recording failed: {}"};
constexpr std::int64_t kLongest = 600'000;       // ms: a typing error should not fill the disk
constexpr const char* kProcesses = "processes";  // the way that searches for processes instead of recording one

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &parts);
  return text;
}

std::string text_of(const element& root, const char* key) {
  std::string_view text;
  return root[key].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

std::int64_t number_of(const element& root, const char* key, std::int64_t otherwise) {
  std::int64_t number = otherwise;
  return root[key].get(number) == simdjson::SUCCESS ? number : otherwise;
}

bool flag_of(const element& root, const char* key) {
  bool flag = false;
  return root[key].get(flag) == simdjson::SUCCESS && flag;
}

std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string part = list.substr(at, end - at);
    std::erase(part, ' ');
    if (!part.empty()) parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

}  // namespace

void CaptureService::end() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

Result<std::string> CaptureService::answer(const Request& request) {
  const std::string_view type = std::string_view(request.content_type).substr(0, request.content_type.find_first_of("; "));
  if (request.method != "GET" && request.method != "HEAD" && type != "application/json") {
    return Error{ErrorCode::invalid_argument, "a request that changes something needs Content-Type: application/json", ""};
  }
  if (request.method == "PUT") {
    if (const Result<bool> begun = begin(request.body); !begun) return begun.error();
  }
  if (request.method == "DELETE") stop();
  return state();
}

// Another request may be beginning a capture: the thread is read under the lock, and stopped without it.
void CaptureService::stop() {
  std::stop_source source(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    source = thread_.get_stop_source();
  }
  source.request_stop();
}

Result<bool> CaptureService::begin(const std::string& body) {
  const simdjson::padded_string text(body);
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS || !root.is_object()) {
    return Error{ErrorCode::invalid_argument, "the body is not a JSON object", ""};
  }
  CaptureOptions options;
  options.duration = Milliseconds(number_of(root, "duration_ms", 2000));
  options.iterations = number_of(root, "iterations", 0);
  options.shapes = flag_of(root, "shapes");
  options.stacks = flag_of(root, "stacks");
  options.flops = flag_of(root, "flops");
  if (options.duration.count() < 1 || options.duration.count() > kLongest || options.iterations < 0) {
    return Error{ErrorCode::invalid_argument, "a duration is 1 ms to 10 minutes", ""};
  }
  const std::string way = text_of(root, "way"), address = text_of(root, "address");
  Work work;
  if (way == kProcesses) {
    work = [this](const CaptureOptions&, const CaptureWatch& watch) -> Result<Captured> {
      const Result<std::vector<TorchListing>> found = list_torch(watch);
      if (!found) return found.error();
      const std::lock_guard lock(mutex_);
      state_.processes = *found;
      return Captured{};
    };
  } else if (way == torch_driver().name) {
    TorchTarget target;
    if (const std::int64_t pid = number_of(root, "pid", 0); pid > 0) target.pid = static_cast<std::int32_t>(pid);
    target.all = !target.pid;
    work = [target](const CaptureOptions& wanted, const CaptureWatch& watch) { return capture_torch(target, wanted, watch); };
  } else if (way == service_driver().name) {
    const std::vector<std::string> addresses = parts_of(address);
    if (addresses.empty()) return Error{ErrorCode::invalid_argument, "an address is HOST:PORT, such as localhost:9999", ""};
    work = [addresses](const CaptureOptions& wanted, const CaptureWatch& watch) {
      return capture_service(addresses, wanted, watch);
    };
  } else if (way == http_driver().name) {
    const HttpTarget target{.url = address, .traces = text_of(root, "traces"), .api_key = ""};
    work = [target](const CaptureOptions& wanted, const CaptureWatch& watch) { return capture_http(target, wanted, watch); };
  } else {
    return Error{ErrorCode::invalid_argument,
                 say("unknown way to record: '{}'; available: {}, {}, {}, {}", way, kProcesses, torch_driver().name,
                     service_driver().name, http_driver().name),
                 ""};
  }
  return start(work, std::move(options));
}

Result<bool> CaptureService::start(const Work& work, CaptureOptions options) {
  const std::lock_guard lock(mutex_);
  if (state_.running) return Error{ErrorCode::unavailable, "a capture is already running; only one can run at a time", ""};
  state_.progress = state_.error = {};
  state_.notes.clear();
  state_.files.clear();
  options.out = (std::filesystem::path(*state_.folder) / local_time()).string();
  try {
    thread_ = std::jthread([this, work, options](const std::stop_token& stop) { run(stop, work, options); });
  } catch (const std::system_error&) {
    return Error{ErrorCode::unavailable, "cannot start a thread to record", ""};
  }
  state_.running = true;
  return true;
}

void CaptureService::run(const std::stop_token& stop, const Work& work, CaptureOptions options) {
  const CaptureWatch watch{.progress =
                               [this](const Message& text) {
                                 const std::lock_guard lock(mutex_);
                                 state_.progress = text;
                               },
                           .note =
                               [this](const Message& text) {
                                 const std::lock_guard lock(mutex_);
                                 state_.notes.push_back(text);
                               },
                           .stop = stop};
  const Result<Captured> captured = guarded(kRecording, "", [&] {
    Result<Captured> made = work(options, watch);
    if (made && !made->files.empty()) recorded_(options.out);
    return made;
  });
  if (!captured || captured->files.empty()) {
    std::error_code kept;  // when it is not empty
    std::filesystem::remove(options.out, kept);
  }
  const std::lock_guard lock(mutex_);
  state_.running = false;
  state_.progress = {};
  if (captured) state_.files = captured->files;
  if (!captured) state_.error = captured.error().to_string();
}

std::string CaptureService::state() const {
  const std::lock_guard lock(mutex_);
  return wire_json(state_);
}

}  // namespace sightline::server
