// The engine's captures and their loading. One large file uses all cores, so large files are read one after the
// other; small ones are read side by side, a core each.
#include "engine/engine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>
#include <unordered_map>

#include "base/parallel.h"
#include "engine/capture.h"
#include "engine/keeper.h"
#include "engine/sql_views.h"

namespace sightline::engine {

namespace {

constexpr std::int64_t kSmallFileBytes = 4 << 20;  // on disk, so about 40 MB of text
constexpr std::size_t kMostFromCatalogue = 500;    // each open one takes a file descriptor
constexpr std::int64_t kMemoryShare = 4;           // of the memory there is, one part for profiles

// The machine's, or what a container may have of it.
std::int64_t memory_there_is() {
  const std::int64_t physical = std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGESIZE)};
  std::int64_t allowed = 0;
  std::ifstream limit("/sys/fs/cgroup/memory.max");  // a number, or "max"
  return limit >> allowed && allowed > 0 ? std::min(physical, allowed) : physical;
}

}  // namespace

// Names the spans anew, and puts the captures in their order.
void Engine::sort_captures() {
  std::vector<Place*> places;
  for (const auto& capture : captures_) places.push_back(&capture->place);
  name_spans(places);
  std::unordered_map<const Place*, std::size_t> order;
  for (std::size_t i = 0; i < places.size(); ++i) order.emplace(places[i], i);
  std::sort(captures_.begin(), captures_.end(),
            [&](const auto& a, const auto& b) { return order[&a->place] < order[&b->place]; });
}

Engine::Engine(EngineOptions options)
    : options_(std::move(options)), markers_(options_.marker_folder), clouds_asked_(std::chrono::steady_clock::now()) {
  if (options_.threads == 0) options_.threads = default_threads();
  if (options_.reading_memory <= 0) options_.reading_memory = options_.memory > 0 ? options_.memory : 3 * (memory_there_is() / 4);
  if (options_.memory <= 0) options_.memory = memory_there_is() / kMemoryShare;
  if (options_.readers.empty()) options_.readers = formats::readers();
  if (options_.analyses.empty()) options_.analyses = built_in_views();
  if (options_.cache != nullptr && options_.keep != KeepRead::nothing) {
    keeper_ = std::make_unique<Keeper>(*options_.cache, options_.say);
  }
}

Engine::~Engine() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
    for (const auto& capture : captures_) capture->progress.cancelled = true;
    for (const auto& capture : replacements_) capture->progress.cancelled = true;
    ending_.notify_all();
  }
  if (watcher_.joinable()) watcher_.join();
  if (loader_.joinable()) loader_.join();
}

Result<std::size_t> Engine::add_path(const std::string& path, const std::string& run) {
  {
    const std::lock_guard lock(mutex_);
    paths_.push_back(path);
    if (!run.empty()) run_of_[path] = run;
  }
  Result<Discovery> found = discover(path, options_.readers);
  if (!found) return found.error();
  const std::size_t files = found->files.size();
  take(path, *std::move(found), true);
  return files;
}

// Adds what is not yet known. Files that are not settled wait until they stay as they are; the others are queued.
void Engine::take(const std::string& path, Discovery found, bool settled) {
  const std::lock_guard lock(mutex_);
  std::set<std::pair<std::string, std::string>> known;  // directory and file name
  for (const auto& capture : captures_) known.emplace(capture->directory, capture->file_name());
  std::vector<CapturePtr> added;
  const auto given = run_of_.find(path);
  for (const FoundFile& file : found.files) {
    auto capture = std::make_shared<Capture>(file);
    under_[path].emplace(capture->directory, capture->file_name());
    if (!known.emplace(capture->directory, capture->file_name()).second) continue;
    capture->named = given != run_of_.end();
    if (capture->named) capture->run = given->second;
    capture->place.run = capture->named ? capture->run : run_names_.name_of(file.directory, file.run);
    capture->progress.bytes_total = file.bytes;
    capture->settling = !settled;
    if (!settled) capture->progress.stage = "being written";
    captures_.push_back(capture);
    if (settled) added.push_back(std::move(capture));
  }
  for (std::string& notice : found.notices) {
    if (std::find(notices_.begin(), notices_.end(), notice) == notices_.end()) notices_.push_back(std::move(notice));
  }
  sort_captures();
  queue(added);
}

// Of a file that was read again, the new reading takes the place of the old one.
std::vector<Engine::CapturePtr> Engine::new_in_catalogue() {
  if (options_.cache == nullptr) return {};
  std::vector<CatalogueEntry> entries = options_.cache->list();
  const auto read_at = [](const CatalogueEntry& entry) { return record_number(entry.about, "read_at", 0); };
  std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return read_at(a) > read_at(b); });
  const std::lock_guard lock(mutex_);
  std::set<std::string> known;              // paths
  std::map<std::string, CapturePtr> shown;  // likewise
  for (const CapturePtr& capture : captures_) {
    if (capture->in_catalogue) shown.emplace(capture->path, capture);
  }
  std::vector<CapturePtr> added;
  for (const CatalogueEntry& entry : entries) {
    const auto reader = std::find_if(options_.readers.begin(), options_.readers.end(),
                                     [&](const Reader& r) { return r.id == record_value(entry.about, "reader"); });
    if (reader == options_.readers.end() || !known.emplace(record_value(entry.about, "path")).second) continue;
    if (known.size() > kMostFromCatalogue) {
      if (!shows_catalogue_)
        notices_.push_back("of " + std::to_string(entries.size()) + " profiles in the cache, the " +
                           std::to_string(kMostFromCatalogue) + " that were read last are shown");
      break;
    }
    auto capture = std::make_shared<Capture>(entry);
    const auto before = shown.find(capture->path);
    if (before != shown.end() && before->second->content->key == entry.key) continue;
    if (before != shown.end()) std::erase(captures_, before->second);
    capture->reader = capture->content->reader = &*reader;
    capture->place.run = capture->named ? capture->run : run_names_.name_of(capture->directory, capture->run);
    captures_.push_back(capture);
    added.push_back(std::move(capture));
  }
  shows_catalogue_ = true;
  sort_captures();
  queue(added);
  return added;
}

std::size_t Engine::add_catalogue() { return new_in_catalogue().size(); }

// Puts them in the queue, which is in the order of the captures. REQUIRES: mutex_ is held.
void Engine::queue(const std::vector<CapturePtr>& captures) {
  std::set<CapturePtr> queued(queue_.begin(), queue_.end());
  queued.insert(captures.begin(), captures.end());
  queue_.clear();
  for (const auto& capture : captures_) {
    if (queued.erase(capture) != 0) queue_.push_back(capture);
  }
  queue_.insert(queue_.end(), queued.begin(), queued.end());  // replacements
}

std::vector<std::string> Engine::notices() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all = notices_;
  for (const auto& capture : captures_) {
    if (!capture->place.note.empty()) all.push_back(capture->place.note);
  }
  return all;
}

void Engine::start() {
  std::unique_lock lock(mutex_);
  for (const auto& capture : captures_) capture->place.kept = true;
  if (running_ || stopping_ || queue_.empty()) return;
  if (loader_.joinable()) loader_.join();
  running_ = true;
  try {
    loader_ = std::thread([this] { load_all(); });
  } catch (const std::system_error&) {  // the system gives no thread: the caller loads and waits
    lock.unlock();
    load_all();
  }
}

void Engine::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !running_; });
}

bool Engine::loading() const {
  const std::lock_guard lock(mutex_);
  return running_ && (!queue_.empty() || reading_ > 0);
}

std::vector<CaptureState> Engine::captures_under(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<CaptureState> states;
  const auto under = under_.find(path);
  if (under == under_.end()) return states;
  for (const auto& capture : captures_) {
    if (under->second.contains({capture->directory, capture->file_name()})) states.push_back(capture->state());
  }
  return states;
}

void Engine::finish_keeping() {
  if (keeper_ != nullptr) keeper_->finish();
}

// One large capture, or all small ones up to the next large one.
std::vector<Engine::CapturePtr> Engine::next_batch() {
  const std::lock_guard lock(mutex_);
  std::vector<CapturePtr> batch;
  while (!queue_.empty()) {
    const bool large = queue_.front()->progress.bytes_total > kSmallFileBytes;
    if (large && !batch.empty()) break;
    batch.push_back(queue_.front());
    queue_.pop_front();
    if (large) break;
  }
  reading_ += batch.size();
  if (batch.empty()) {
    running_ = false;
    idle_.notify_all();
  }
  return batch;
}

void Engine::load_all() {
  for (std::vector<CapturePtr> batch = next_batch(); !batch.empty(); batch = next_batch()) {
    const unsigned together = static_cast<unsigned>(std::min<std::size_t>(batch.size(), options_.threads));
    parallel_for(batch.size(), together, [&](std::size_t i) { load(batch[i], options_.threads / together); });
  }
}

std::vector<CaptureState> Engine::state() const {
  const std::lock_guard lock(mutex_);
  std::vector<CaptureState> states;
  states.reserve(captures_.size());
  for (const auto& capture : captures_) states.push_back(capture->state());
  return states;
}

}  // namespace sightline::engine
