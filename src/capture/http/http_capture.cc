#include "capture/http/http_capture.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "base/http_client.h"
#include "base/json_writer.h"
#include "capture/capture.h"
#include "capture/result_files.h"

namespace sightline::capture {

namespace {

namespace fs = std::filesystem;

constexpr Milliseconds kConnect{5'000};
constexpr Milliseconds kStop{600'000};  // writing the files of many ranks takes minutes, and the answer comes after it
constexpr Milliseconds kIterations{300'000};
constexpr Milliseconds kFiles{10'000};   // from that answer to the first file: some engines write behind it
constexpr Milliseconds kSettled{1'000};  // a file that has not changed for so long is whole
constexpr std::size_t kMostOfAnswer = 200;

// Sizes of the traces in a folder, by path.
std::map<std::string, std::int64_t> traces_in(const std::string& folder) {
  std::map<std::string, std::int64_t> found;
  std::error_code failed;
  for (const auto& file : fs::recursive_directory_iterator(folder, failed)) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".json") && !name.ends_with(".json.gz")) continue;
    std::error_code gone;
    const auto size = file.file_size(gone);
    if (!gone) found[file.path().string()] = static_cast<std::int64_t>(size);
  }
  return found;
}

class HttpCapture {
 public:
  HttpCapture(HttpAddress address, const HttpTarget& target, const CaptureOptions& options, const CaptureWatch& watch)
      : address_(std::move(address)),
        target_(target),
        options_(options),
        watch_(watch),
        client_(address_.server, kConnect, options.limit.count() > 0 ? options.limit : options.duration + kStop) {
    headers_.emplace_back("Content-Type", "application/json");
    if (!target.api_key.empty()) headers_.emplace_back("Authorization", "Bearer " + target.api_key);
  }

  Result<Captured> run();

 private:
  bool stopped() const { return watch_.stop.stop_requested(); }
  Result<bool> post(const std::string& route, const std::string& body);
  std::string options_json() const;
  Captured collect(const std::map<std::string, std::int64_t>& before);

  const HttpAddress address_;
  const HttpTarget& target_;
  const CaptureOptions& options_;
  const CaptureWatch& watch_;
  HttpClient client_;
  HttpHeaders headers_;
  std::string folder_;    // where traces are looked for
  bool hurried_ = false;  // files are not waited for
};

// A Ctrl-C during the wait for the answer ends the wait; an earlier one does not.
Result<bool> HttpCapture::post(const std::string& route, const std::string& body) {
  const std::string path = address_.below + route;
  const std::string where = address_.server + path;
  const Result<HttpAnswer> answer = client_.post(path, headers_, body, stopped() ? std::stop_token() : watch_.stop);
  if (!answer) {
    const Error& failed = answer.error();
    if (failed.code == ErrorCode::cancelled) return Error{failed.code, "stopped before its answer arrived", where};
    const bool late = failed.code == ErrorCode::unreadable;
    return Error{ErrorCode::unavailable, late ? "no HTTP answer in time" : say("no server answers there ({})", failed.message),
                 where};
  }
  if (answer->status / 100 == 2) return true;
  if (answer->status == 404 || answer->status == 405) {
    return Error{
        ErrorCode::unsupported,
        "no such route: vLLM has it if it was started with --profiler-config or VLLM_TORCH_PROFILER_DIR, SGLang always has it",
        where};
  }
  return Error{ErrorCode::unavailable, say("it answered {} {}", answer->status, answer->body.substr(0, kMostOfAnswer)), where};
}

// Options of SGLang; vLLM gets them when it is started, and ignores these.
std::string HttpCapture::options_json() const {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("activities").begin_array().value("CPU").value("GPU").end_array();
  if (target_.traces.empty()) json.member("output_dir", folder_);
  json.member("record_shapes", options_.shapes).member("with_stack", options_.stacks);
  if (options_.iterations > 0) json.member("num_steps", options_.iterations);
  json.end_object();
  return text;
}

// Takes the new files in the folder, when they no longer grow.
Captured HttpCapture::collect(const std::map<std::string, std::int64_t>& before) {
  std::map<std::string, std::int64_t> found, last;
  // It is unknown how long a number of iterations takes.
  const Milliseconds patience = options_.iterations == 0 ? kFiles : options_.limit.count() > 0 ? options_.limit : kIterations;
  const bool already = stopped();  // during the recording; the files are still wanted
  bool settled = false;
  auto changed = std::chrono::steady_clock::now();
  const auto began = changed;
  for (auto now = changed;; now = std::chrono::steady_clock::now()) {
    found = traces_in(folder_);
    std::erase_if(found, [&](const auto& file) { return before.contains(file.first); });
    if (found != last) changed = now;
    last = found;
    settled = !found.empty() && now - changed >= kSettled;
    const bool leave = hurried_ || (stopped() && (!already || options_.iterations > 0));
    if (settled || leave || now - began > (found.empty() ? patience : kStop)) break;
    watch_.progress(say("waiting for the files of the engine: {}", found.size()));
    std::this_thread::sleep_for(kGlance);
  }
  Captured captured{.all = settled || found.empty()};
  if (!captured.all) watch_.note("the engine is still writing: the files may be incomplete");
  const fs::path out = fs::absolute(options_.out);
  for (const auto& [path, size] : found) {
    if (fs::path(path).parent_path() == out) {
      captured.files.push_back(path);
      continue;
    }
    const std::string name = fs::path(path).filename().string();
    const std::string to = (out / (name.ends_with(".gz") ? name : name + ".gz")).string();
    const Result<bool> stored = store_packed(path, to);
    if (stored) captured.files.push_back(to);
    if (!stored) watch_.note(stored.error().to_string());
    captured.all = captured.all && stored.ok();
  }
  return captured;
}

Result<Captured> HttpCapture::run() {
  folder_ = fs::absolute(target_.traces.empty() ? options_.out : target_.traces).lexically_normal().string();
  std::error_code failed;
  if (!fs::is_directory(folder_, failed)) return Error{ErrorCode::not_found, "no such folder", folder_};
  wait_for_start(options_, watch_);
  if (stopped()) return Captured{.files = {}, .all = false};
  const std::map<std::string, std::int64_t> before = traces_in(folder_);
  watch_.progress(say("calling {}", address_.server));
  if (const Result<bool> begun = post("/start_profile", options_json()); !begun) {
    client_.set_answer_limit(kConnect);
    if (begun.error().code == ErrorCode::cancelled) static_cast<void>(post("/stop_profile", "{}"));  // it may have begun
    return begun.error();
  }
  if (options_.iterations == 0) {
    wait_for(
        options_.duration, [](std::int64_t seconds) { return say("recording for {} s", seconds); }, watch_);
    watch_.progress("the engine writes its files");
    if (const Result<bool> ended = post("/stop_profile", "{}"); !ended) {
      hurried_ = ended.error().code == ErrorCode::cancelled;
      watch_.note(hurried_ ? say("{}; it may still be writing", ended.error().to_string())
                           : say("{}; it may still be recording", ended.error().to_string()));
    }
  }
  Captured captured = collect(before);
  if (options_.iterations > 0 && stopped()) {
    if (const Result<bool> ended = post("/stop_profile", "{}"); !ended) watch_.note(ended.error().to_string());
  }
  if (captured.files.empty()) {
    watch_.note(
        target_.traces.empty()
            ? "the engine has written its traces on its own disk: to VLLM_TORCH_PROFILER_DIR or torch_profiler_dir for vLLM; "
              "use --traces FOLDER to give the path of that folder on this machine"
            : say("the engine has written no trace to {}", folder_));
  }
  return captured;
}

}  // namespace

DriverInfo http_driver() {
  return {.name = "http",
          .help = "A serving engine with the routes /start_profile and /stop_profile (vLLM, SGLang)",
          .refused = {{"--memory,--flops", "the engine records the data that its start options select"},
                      {"--pid,--all,--job", "the engine records all of its processes"}}};
}

Result<Captured> capture_http(const HttpTarget& target, const CaptureOptions& options, const CaptureWatch& watch) {
  Result<HttpAddress> address = parse_http_address(target.url);
  if (!address) return address.error();
  if (const Result<bool> fits = check_start(options); !fits) return fits.error();
  if (const Result<bool> made = make_result_folder(options.out); !made) return made.error();
  return HttpCapture(std::move(*address), target, options, watch).run();
}

}  // namespace sightline::capture
