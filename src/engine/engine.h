// Engine: finds runs under the given paths, loads their profiles in the background, and runs analyses on them.
// The only place that knows readers, analyses and (later) the timeline and the store at once. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "model/report.h"
#include "readers/reader.h"

namespace sightline {

enum class LoadStatus { queued, reading, ready, failed };

// One capture file: a worker and a span of a run, and how far its loading has come.
struct Capture {
  std::string run;
  std::string worker;
  std::string span;
  std::string path;       // as opened
  std::string file;       // as shown: relative to the path the user gave
  const Reader* reader = nullptr;
  ReadProgress progress;

  // Guarded by the engine's mutex.
  LoadStatus status = LoadStatus::queued;
  ProfilePtr profile;
  std::optional<Error> error;
  double seconds = 0;     // reading time so far, or in total
};

// Names one profile; empty members mean "the first".
struct ProfileSelector {
  std::string run;
  std::string worker;
  std::string span;
};

struct EngineOptions {
  unsigned threads = 0;   // 0: all cores
};

// What is known of a capture at one moment (a copy, safe to keep).
struct CaptureState {
  std::string run, worker, span, file;
  LoadStatus status;
  std::string stage;
  std::int64_t bytes_done, bytes_total, text_bytes, events;
  double seconds;
  std::optional<Error> error;
  ProfilePtr profile;     // when ready
};

class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine();  // cancels what is loading

  // Finds the captures under a file, a directory tree or a glob-free path and queues them. Not found, or nothing
  // readable inside: an error that says what was looked for.
  Result<std::size_t> add_path(const std::string& path);

  // Loads what is queued in the background (start) or waits for all of it (wait).
  void start();
  void wait();

  // Sorted by run, worker, span.
  std::vector<CaptureState> state() const;
  bool loading() const;

  // The profile a selector names. Still loading: ErrorCode::unavailable; failed: its own error.
  Result<ProfilePtr> profile(const ProfileSelector& selector) const;

  // Runs an analysis on the selected profile. `given` are parameters as text.
  Result<Report> report(const ProfileSelector& selector, std::string_view view,
                        const std::vector<std::pair<std::string, std::string>>& given) const;

 private:
  void load_all();
  void load(Capture& capture);

  EngineOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  std::vector<std::unique_ptr<Capture>> captures_;
  std::deque<Capture*> queue_;
  std::thread loader_;
  bool stopping_ = false;
};

}  // namespace sightline
