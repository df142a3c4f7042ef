#include "capture/profiler_service/service_capture.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <future>
#include <thread>

#include "base/output_file.h"
#include "base/text.h"
#include "capture/capture.h"
#include "capture/profiler_service/profiler_call.h"
#include "capture/result_files.h"

namespace sightline::capture {

namespace {

constexpr Milliseconds kPause{50};
constexpr Milliseconds kLead{1000};      // several hosts: all have the request by then
constexpr Milliseconds kAnswer{60'000};  // from the end of the recording to the last byte of the answer, at the least
constexpr Milliseconds kTerminate{1000};
constexpr Milliseconds kAnswerAfterStop{10'000};  // for the answer with the recording so far

std::string session_name() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y_%m_%d_%H_%M_%S", &parts);
  return text;
}

Result<bool> check_address(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : whole_number<int>(std::string_view(address).substr(colon + 1));
  if (colon != 0 && port && *port > 0 && *port < 65'536) return true;
  return Error{ErrorCode::invalid_argument, "an address is HOST:PORT, such as localhost:9999", address};
}

std::string file_name(std::string address) {
  std::replace_if(
      address.begin(), address.end(), [](char c) { return c == ':' || c == '/' || c == '[' || c == ']'; }, '_');
  return address + ".xplane.pb";
}

// Writes the answer of one server to its file. An older server has written the file itself, on its own disk, which may be ours.
Result<std::string> store(const std::string& address, const std::string& folder, std::string_view bytes) {
  const Result<ProfilerAnswer> answer = parse_profile_answer(bytes);
  if (!answer) return Error{answer.error().code, answer.error().message, address};
  const std::string path = (std::filesystem::path(folder) / file_name(address)).string();
  if (!answer->xspace.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return file.error();
    file->write(answer->xspace);
    if (const Result<bool> written = file->finish(); !written) return written.error();
    return path;
  }
  std::error_code absent;
  if (std::filesystem::exists(path, absent)) return path;
  if (answer->empty_trace) return Error{ErrorCode::unavailable, "nothing ran while it was recorded", address};
  return Error{ErrorCode::unavailable, say("this older release wrote the profile to its own disk: {}", path), address};
}

using Answer = Result<std::string>;

// One capture: a call to each server, each on a separate thread, and their results.
class ServiceCapture {
 public:
  ServiceCapture(const std::vector<std::string>& addresses, const CaptureOptions& options, const CaptureWatch& watch)
      : addresses_(addresses), options_(options), watch_(watch), done_(addresses.size()), left_(addresses.size()) {}

  Captured run();

 private:
  void send_requests();
  void collect();
  void end_sessions();

  const std::vector<std::string>& addresses_;
  const CaptureOptions& options_;
  const CaptureWatch& watch_;
  const std::string session_ = session_name();
  const std::string folder_ = (std::filesystem::absolute(options_.out) / "plugins" / "profile" / session_).string();
  std::stop_source give_up_;  // some time after watch_.stop: until then the servers may return their recording so far
  std::vector<std::future<Answer>> answers_;
  std::vector<bool> done_;
  std::size_t left_;
  Captured captured_;
};

void ServiceCapture::send_requests() {
  std::optional<std::int64_t> start = options_.start;
  if (!start && addresses_.size() > 1) start = unix_ms() + kLead.count();
  const Milliseconds ahead{start ? std::max<std::int64_t>(*start - unix_ms(), 0) : 0};
  const Milliseconds limit = options_.limit.count() > 0 ? options_.limit : ahead + std::max(2 * options_.duration, kAnswer);
  for (const std::string& address : addresses_) {
    const ProfilerRequest request{.host = address,
                                  .repository_root = std::filesystem::path(folder_).parent_path().string(),
                                  .session = session_,
                                  .start = start ? std::optional(*start * 1'000'000) : std::nullopt};
    ProfilerCall call{.address = address, .method = "Profile", .request = profile_request(options_, request)};
    answers_.push_back(std::async(std::launch::async, [call = std::move(call), limit, stop = give_up_.get_token()] {
      return call_profiler(call, limit, stop);
    }));
  }
}

// Stores the answers that have arrived.
void ServiceCapture::collect() {
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    if (done_[i] || answers_[i].wait_for(Milliseconds(0)) != std::future_status::ready) continue;
    done_[i] = true;
    --left_;
    const Answer answer = answers_[i].get();
    const Result<std::string> stored = answer ? store(addresses_[i], folder_, *answer) : Result<std::string>(answer.error());
    if (stored) captured_.files.push_back(*stored);
    if (!stored) watch_.note(stored.error().to_string());
    captured_.all = captured_.all && stored.ok();
  }
}

// A server whose session is ended returns what it has recorded. The capture later stops waiting for one that does not.
void ServiceCapture::end_sessions() {
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    if (done_[i]) continue;
    const ProfilerCall call{.address = addresses_[i], .method = "Terminate", .request = terminate_request(session_)};
    static_cast<void>(call_profiler(call, kTerminate, give_up_.get_token()));
  }
}

Captured ServiceCapture::run() {
  send_requests();
  const Clock::time_point began = Clock::now();
  std::optional<Clock::time_point> stopped;
  while (left_ > 0) {
    collect();
    if (watch_.stop.stop_requested() && !stopped) {
      stopped = Clock::now();
      end_sessions();
    }
    if (stopped && Clock::now() > *stopped + kAnswerAfterStop) give_up_.request_stop();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began).count();
    watch_.progress(say("{} s: {} of {} answered", seconds, addresses_.size() - left_, addresses_.size()));
    if (left_ > 0) std::this_thread::sleep_for(kPause);
  }
  std::sort(captured_.files.begin(), captured_.files.end());
  return std::move(captured_);
}

}  // namespace

DriverInfo service_driver() {
  return {.name = "xla",
          .help = "JAX, TensorFlow or torch_xla processes with a profiler server",
          .refused = {{"--iterations", "a profiler server records for a time: use --duration"},
                      {"--shapes", "the recorded compiled programs contain their shapes"},
                      {"--memory", "the server records allocations if it can"},
                      {"--flops", "the recorded compiled programs contain their operations"},
                      {"--pid,--all,--job", "give the servers: HOST:PORT,HOST:PORT"}}};
}

Result<Captured> capture_service(const std::vector<std::string>& addresses, const CaptureOptions& options,
                                 const CaptureWatch& watch) {
  if (options.iterations > 0)
    return Error{ErrorCode::invalid_argument, "a profiler server records for a time, not for a number of iterations", ""};
  for (const std::string& address : addresses) {
    if (const Result<bool> fits = check_address(address); !fits) return fits.error();
  }
  if (const Result<bool> fits = check_start(options); !fits) return fits.error();
  if (const Result<bool> loaded = load_grpc(); !loaded) return loaded.error();
  if (const Result<bool> made = make_result_folder(options.out); !made) return made.error();
  return ServiceCapture(addresses, options, watch).run();
}

}  // namespace sightline::capture
