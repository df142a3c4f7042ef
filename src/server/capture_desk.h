// CaptureDesk: recording from the page (docs/http.md, "Capture"). One thing at a time, on a thread of its own: a search for
// processes, or a capture. What it recorded is shown by the engine as if it had been found.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"
#include "server/message.h"

namespace sightline::server {

class CaptureDesk {
 public:
  using Recorded = std::function<void(const std::string& folder)>;
  using Work = std::function<Result<Captured>(const CaptureOptions&, const CaptureWatch&)>;

  // Results go into folders of `folder` that are named by the time; `recorded` is called with each.
  CaptureDesk(std::string folder, Recorded recorded) : folder_(std::move(folder)), recorded_(std::move(recorded)) {}
  ~CaptureDesk() { end(); }

  // Stops what runs, as Ctrl-C would, and waits until it has.
  void end();

  // GET /api/capture: its state. PUT: begins what the body describes. DELETE: stops. Each returns the new state.
  Result<std::string> answer(const Request& request);

  // Begins `work` on its thread; `out` of the options is chosen here. What it throws is the capture's error. `unavailable`: a
  // capture is under way, or the system gives no thread.
  Result<bool> start(const Work& work, CaptureOptions options);

 private:
  Result<bool> begin(const std::string& body);
  void stop();
  void run(const std::stop_token& stop, const Work& work, CaptureOptions options);
  std::string state() const;

  // A process that can be recorded, as a person chooses it.
  struct Target {
    std::int64_t pid = 0;
    std::string user, devices, release, command;
    bool busy = false;
  };

  const std::string folder_;
  const Recorded recorded_;
  mutable std::mutex mutex_;
  bool running_ = false;
  std::string progress_, error_;
  std::vector<std::string> notes_, files_;
  std::optional<std::vector<Target>> targets_;  // of the last search
  std::jthread thread_;
};

}  // namespace sightline::server
