// Defaults of the options, and the wires between the parts.
#include "engine/engine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/parallel.h"
#include "engine/lake_profiles.h"
#include "engine/sql_reports.h"

namespace sightline::engine {

namespace {

constexpr std::int64_t kMemoryShare = 4;  // of the memory there is, one part for profiles

// The machine's, or what a container may have of it.
std::int64_t memory_there_is() {
  const std::int64_t physical = std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGESIZE)};
  std::int64_t allowed = 0;
  std::ifstream limit("/sys/fs/cgroup/memory.max");  // a number, or "max"
  return limit >> allowed && allowed > 0 ? std::min(physical, allowed) : physical;
}

}  // namespace

EngineOptions completed(EngineOptions options) {
  if (options.threads == 0) options.threads = default_threads();
  if (options.reading_memory <= 0) options.reading_memory = options.memory > 0 ? options.memory : 3 * (memory_there_is() / 4);
  if (options.memory <= 0) options.memory = memory_there_is() / kMemoryShare;
  if (options.readers.empty()) options.readers = formats::readers();
  if (options.analyses.empty()) options.analyses = built_in_views();
  return options;
}

Engine::Engine(EngineOptions options)
    : options_(completed(std::move(options))),
      markers_(options_.marker_folder),
      catalogue_(options_),
      loader_(options_, [this](const CapturePtr& done) { catalogue_.replace(done); }),
      answers_(catalogue_, loader_, options_),
      watcher_(
          catalogue_,
          [this](const std::vector<CapturePtr>& captures) {
            queue(captures);
            loader_.start();
          },
          options_.say) {}

// First the loader, because the thread of the watcher may be reading.
Engine::~Engine() { loader_.cancel(); }

void Engine::queue(const std::vector<CapturePtr>& captures) { loader_.queue(captures, catalogue_.all()); }

Result<std::size_t> Engine::add_path(const std::string& path, const std::string& run) {
  const Result<Catalogue::Added> added = catalogue_.add_path(path, run);
  if (!added) return added.error();
  queue(added->captures);
  return added->found;
}

std::size_t Engine::add_cached() {
  const std::vector<CapturePtr> added = catalogue_.add_cached();
  queue(added);
  return added.size();
}

std::vector<CapturePtr> Engine::read_now(const std::vector<CapturePtr>& captures) {
  queue(captures);
  start();
  return captures;
}

static void note_unused(const std::vector<CapturePtr>& opened, const Error& why,
                        const std::function<void(const std::string&)>& to) {
  const Message note =
      say("the lake has a profile file of this rank that cannot be used, so its trace was read: {}", why.message);
  for (const CapturePtr& capture : opened) capture->set_remark(note);
  if (to) to(why.where + ": " + std::string(note));
}

// A lake's profile of the trace is preferred: rows of the lake refer to its rows, and the trace may be gone.
Result<std::vector<CapturePtr>> Engine::open_path(const std::string& path) {
  std::optional<Result<std::string>> in_lake;
  if (options_.cache != nullptr && !options_.read_anew) in_lake = profile_in_lakes(catalogue_, loader_, *options_.cache, path);
  if (in_lake && *in_lake) return open_cached(**in_lake);
  const Result<Catalogue::Added> added = catalogue_.try_path(path);
  if (!added && in_lake)
    return Error{added.error().code,
                 say("{}; its profile file in the lake cannot be used: {}", added.error().message, in_lake->error().message),
                 added.error().where};
  if (!added) return added.error();
  read_now(added->captures);
  std::vector<CapturePtr> opened = catalogue_.under(path);
  if (in_lake && in_lake->error().code != ErrorCode::not_found) note_unused(opened, in_lake->error(), options_.say);
  return opened;
}

Result<std::vector<CapturePtr>> Engine::open_upload(const std::string& path) {
  const Result<Catalogue::Added> added = catalogue_.add_upload(path);
  if (!added) return added.error();
  return read_now(added->captures);
}

Result<std::vector<CapturePtr>> Engine::open_cached(const std::string& key) {
  const Result<Catalogue::Added> added = catalogue_.add_cached(key);
  if (!added) return added.error();
  const bool is_new = added->captures.front()->status() == LoadStatus::queued;
  if (is_new) read_now(added->captures);
  return added->captures;
}

void Engine::close_upload(const std::string& folder) {
  for (const CapturePtr& capture : catalogue_.remove_below(folder)) {
    capture->progress.cancelled = true;
    capture->content->removed = true;
  }
  loader_.drop_removed();
  if (options_.cache == nullptr) return;
  for (const CatalogueEntry& entry : options_.cache->list()) {
    if (record_value(entry.about, "path").starts_with(folder + "/")) (void)options_.cache->remove(entry.key);
  }
}

Result<bool> Engine::queue_only(const Question& question) {
  const Result<std::vector<CapturePtr>> wanted = answers_.captures_for(question);
  if (!wanted) return wanted.error();
  loader_.queue_only(*wanted);
  return true;
}

void Engine::start() {
  catalogue_.keep_names();
  loader_.start();
}

}  // namespace sightline::engine
