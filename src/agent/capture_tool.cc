// The tool capture: records a running process of this machine, if the user has allowed it.
#include <ctime>
#include <filesystem>

#include "agent/report_answer.h"
#include "capture/torch/torch_capture.h"

namespace sightline::agent {

namespace {

constexpr std::int64_t kDefaultDuration = 2000, kLongestDuration = 60'000;  // ms
constexpr std::int64_t kMostIterations = 100;
constexpr std::int64_t kMostPid = std::int64_t{1} << 22;  // as Linux has it
constexpr std::size_t kMostListed = 30;

std::string folder_by_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d_%H-%M-%S", &parts);
  return (std::filesystem::path("captures") / text).string();
}

// Ends when the caller gives up.
class StopWatch {
 public:
  explicit StopWatch(const std::function<bool()>& stop) {
    if (!stop) return;
    thread_ = std::jthread([this, stop](const std::stop_token& ended) {
      while (!ended.stop_requested() && !stop()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      source_.request_stop();
    });
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread thread_;  // last: it uses the other
};

Result<std::string> list_answer(const CaptureWatch& watch) {
  const Result<std::vector<TorchListing>> found = list_torch(watch);
  if (!found) return found.error();
  return longest_within(kMostBytes, std::min(found->size(), kMostListed), [&](std::size_t shown) {
    std::string out;
    JsonWriter json(out);
    json.begin_object().key("processes").begin_array();
    for (std::size_t i = 0; i < shown; ++i) {
      const TorchListing& each = (*found)[i];
      json.begin_object().member("pid", std::int64_t{each.pid}).member("command", quoted_name(each.command));
      json.member("devices", quoted_name(each.devices)).end_object();
    }
    json.end_array().member("untrusted", "command");
    if (shown < found->size()) write_truncated(json, shown, found->size(), "capture with the pid of one");
    json.end_object();
    return out;
  });
}

Result<std::string> answer_capture(const Agent&, const Call& call) {
  const Arguments& given = call.arguments;
  std::vector<std::string> notes;
  const StopWatch stop(call.stop);
  const CaptureWatch watch{.progress = [](const Message&) {},
                           .note = [&](const Message& note) { notes.push_back(quoted_name(note, 300)); },
                           .stop = stop.token()};
  if (!given.has("pid")) return list_answer(watch);
  CaptureOptions options;
  options.duration = Milliseconds(given.integer("duration_ms", kDefaultDuration));
  options.iterations = given.integer("iterations", 0);
  options.shapes = given.flag("shapes");
  options.stacks = given.flag("stacks");
  options.memory = given.flag("memory");
  options.out = folder_by_time();
  TorchTarget target;
  target.pid = static_cast<std::int32_t>(given.integer("pid", 0));
  const Result<Captured> captured = capture_torch(target, options, watch);
  if (!captured) return captured.error();
  return longest_within(kMostBytes, captured->files.size(), [&](std::size_t shown) {
    std::string out;
    JsonWriter json(out);
    json.begin_object().key("files").begin_array();
    for (std::size_t i = 0; i < shown; ++i) json.value(captured->files[i]);
    json.end_array().key("notes").begin_array();
    for (const std::string& note : notes) json.value(note);
    json.end_array().key("next").begin_object().member("tool", "diagnose").key("arguments").begin_object();
    json.member("path", options.out).end_object().end_object();
    if (shown < captured->files.size()) write_truncated(json, shown, captured->files.size(), "open the folder");
    json.end_object();
    return out;
  });
}

}  // namespace

Tool capture_tool() {
  return {"capture",
          "Record a process",
          "Records a running process that polls for requests, into a new folder below captures. Without pid: which processes "
          "there are.",
          {{"pid", InputType::integer, "Its process id", false, 1, kMostPid},
           {"duration_ms", InputType::integer, "Default 2000", false, 1, kLongestDuration},
           {"iterations", InputType::integer, "Steps, instead of a time", false, 1, kMostIterations},
           {"shapes", InputType::flag, "Shapes of inputs, for costs"},
           {"stacks", InputType::flag, "Lines of source"},
           {"memory", InputType::flag, "Allocations"}},
          {{"processes", "array", "pid, command", false}, {"files", "array", "What was recorded", false}},
          answer_capture,
          true};
}

}  // namespace sightline::agent
