// CaptureService: recording from the page (docs/http.md, "Capture"). It runs one thing at a time on its thread: a search for
// processes, or a capture. The engine shows the recordings like files that it found.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"
#include "output/state_json.h"
#include "server/message.h"

namespace sightline::server {

class CaptureService {
 public:
  using Recorded = std::function<void(const std::string& folder)>;
  using Work = std::function<Result<Captured>(const CaptureOptions&, const CaptureWatch&)>;

  // Results go into folders of `folder` that are named by the time; `recorded` is called with each.
  CaptureService(std::string folder, Recorded recorded) : recorded_(std::move(recorded)) { state_.folder = std::move(folder); }
  ~CaptureService() { end(); }

  // Stops what runs, as Ctrl-C would, and waits until it has stopped.
  void end();

  // GET /api/capture: its state. PUT: begins what the body describes. DELETE: stops. Each returns the new state.
  Result<std::string> answer(const Request& request);

  // Begins `work` on its thread; `out` of the options is set here. An exception becomes the capture's error. `unavailable`: a
  // capture is running, or no thread can be started.
  Result<bool> start(const Work& work, CaptureOptions options);

 private:
  Result<bool> begin(const std::string& body);
  void stop();
  void run(const std::stop_token& stop, const Work& work, CaptureOptions options);
  std::string state() const;

  const Recorded recorded_;
  mutable std::mutex mutex_;
  SentCapture state_;
  std::jthread thread_;
};

}  // namespace sightline::server
