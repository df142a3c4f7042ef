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

  const EngineOptions options_;
  mutable MarkerStore markers_;
  Catalogue catalogue_;
  Loader loader_;
  Answers answers_;
  Watcher watcher_;
};

}  // namespace sightline::engine
