// Engine: the four parts that find, load and answer, and the wires between them. Callers take the part that they need: the
// catalogue (what profiles there are), the loader (makes them ready, bounds memory), the watcher (folders that change), the
// answers (a question to a report). The parts are thread-safe.
#pragma once

#include <cstddef>
#include <string>

#include "engine/answers.h"
#include "engine/catalogue.h"
#include "engine/engine_options.h"
#include "engine/loader.h"
#include "engine/watcher.h"
#include "store/marker_store.h"

namespace sightline::engine {

class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine();  // cancels what is loading
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Catalogue::add_path, and queues what is new; returns how many captures are there.
  Result<std::size_t> add_path(const std::string& path, const std::string& run = "");

  // Catalogue::add_cached, and queues what is new; returns how many.
  std::size_t add_cached();

  // Opens what the page chose (Catalogue::try_path, add_upload, add_cached), and reads it in the background. Returns the captures
  // of the path; for the two others, those that are new.
  Result<std::vector<CapturePtr>> open_path(const std::string& path);
  Result<std::vector<CapturePtr>> open_upload(const std::string& path);
  Result<std::vector<CapturePtr>> open_cached(const std::string& key);

  // Removes the captures below a folder that a client has sent, from the list and from the cache.
  void close_upload(const std::string& folder);

  // Leaves in the queue only what the question needs.
  Result<bool> queue_only(const Question& question);

  // Reads what is queued, in the background; from now on captures keep their names.
  void start();

  Catalogue& catalogue() { return catalogue_; }
  const Catalogue& catalogue() const { return catalogue_; }
  Loader& loader() { return loader_; }
  const Loader& loader() const { return loader_; }
  Watcher& watcher() { return watcher_; }
  const Watcher& watcher() const { return watcher_; }
  const Answers& answers() const { return answers_; }
  MarkerStore& markers() const { return markers_; }

 private:
  void queue(const std::vector<CapturePtr>& captures);
  std::vector<CapturePtr> read_now(const std::vector<CapturePtr>& captures);

  const EngineOptions options_;
  mutable MarkerStore markers_;
  Catalogue catalogue_;
  Loader loader_;
  Answers answers_;
  Watcher watcher_;
};

}  // namespace sightline::engine
