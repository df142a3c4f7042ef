// Looking again at the paths that were given: new captures appear, a file that failed or has changed is read again. A file
// is read once two looks in a row found it the same, so that one that is still being written is not read for nothing.
#include <algorithm>
#include <exception>
#include <map>
#include <system_error>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "engine/capture.h"

namespace sightline::engine {

namespace {

constexpr int kRest = 9;  // times as long as the look took: a large folder is not walked all the time

}  // namespace

void Engine::watch(std::chrono::milliseconds every) {
  std::unique_lock starting(mutex_);
  if (watcher_.joinable()) return;
  const auto watch = [this, every] {
    std::chrono::nanoseconds pause = every;
    std::unique_lock lock(mutex_);
    while (!ending_.wait_for(lock, pause, [this] { return stopping_; })) {
      lock.unlock();
      const auto began = std::chrono::steady_clock::now();
      try {
        look_again();
      } catch (const std::exception&) {
        // No memory, most likely: the next look may find some.
      }
      pause = std::max<std::chrono::nanoseconds>(every, kRest * (std::chrono::steady_clock::now() - began));
      lock.lock();
    }
  };
  try {
    watcher_ = std::thread(watch);
  } catch (const std::system_error&) {
    starting.unlock();
    if (options_.say) options_.say("new and changed files will not be noticed: cannot start the thread that looks for them");
  }
}

std::vector<std::string> Engine::watched() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths = watcher_.joinable() ? paths_ : std::vector<std::string>{};
  if (watcher_.joinable() && shows_catalogue_ && options_.cache != nullptr) paths.push_back(options_.cache->folder());
  return paths;
}

void Engine::look_again() {
  const auto now = std::chrono::steady_clock::now();
  const bool ask_clouds = now - clouds_asked_ >= std::chrono::duration<double>(remote_watch_seconds());
  if (ask_clouds) clouds_asked_ = now;
  find_new(ask_clouds);
  std::vector<CapturePtr> captures;
  {
    const std::lock_guard lock(mutex_);
    captures = captures_;
  }
  std::map<CapturePtr, std::optional<FileIdentity>> files;
  for (const CapturePtr& capture : captures) {
    if (capture->in_catalogue || (is_remote(capture->path) && !ask_clouds)) continue;
    const Result<FileIdentity> found = find_identity_of_capture(*capture->reader, capture->path);
    if (found) {
      files.emplace(capture, *found);
    } else if (found.error().code == ErrorCode::not_found) {
      files.emplace(capture, std::nullopt);
    }  // else the network is down: the state of the file is unknown
  }
  {
    const std::lock_guard lock(mutex_);
    captures = captures_;
    for (const CapturePtr& capture : captures) {
      if (const auto file = files.find(capture); file != files.end()) check_file(capture, file->second);
    }
  }
  start();
}

// Paths that cannot be found or opened were reported when they were added.
void Engine::find_new(bool ask_clouds) {
  std::vector<std::string> paths;
  bool catalogue = false;
  {
    const std::lock_guard lock(mutex_);
    paths = paths_;
    catalogue = shows_catalogue_;
  }
  if (catalogue) new_in_catalogue();
  for (const std::string& path : paths) {
    if (is_remote(path) && !ask_clouds) continue;
    Result<Discovery> found = discover(path, options_.readers);
    if (found) take(path, *std::move(found), false);
  }
}

// REQUIRES: mutex_ is held.
void Engine::check_file(const CapturePtr& capture, const std::optional<FileIdentity>& now) {
  Capture& known = *capture;
  const bool being_read =
      std::any_of(replacements_.begin(), replacements_.end(), [&](const auto& c) { return c->replaces == capture; });
  if (being_read || known.status == LoadStatus::reading || (known.status == LoadStatus::queued && !known.settling)) return;
  known.remark.clear();
  if (!now) {
    known.remark = "the file was deleted; this is its last reading";
    if (known.status != LoadStatus::ready) std::erase(captures_, capture);
  } else if (!known.settling && now == known.tried) {
    known.seen.reset();
  } else if (now != known.seen) {
    known.seen = now;
    if (known.settling) known.progress.bytes_total = now->size;
    known.remark = "the file is being written; it is read again when it stops changing";
  } else {
    read_again(capture);
  }
}

// Anew when it was not read before; else beside what was. REQUIRES: mutex_ is held.
void Engine::read_again(const CapturePtr& capture) {
  if (capture->status == LoadStatus::ready) {
    capture->tried = capture->seen;
    replacements_.push_back(std::make_shared<Capture>(capture));
    replacements_.back()->progress.bytes_total = capture->seen->size;
    queue({replacements_.back()});
    return;
  }
  capture->settling = false;
  capture->status = LoadStatus::queued;
  capture->error.reset();
  capture->progress.stage = "queued";
  queue({capture});
}

// A replacement is ready or has failed. REQUIRES: mutex_ is held.
void Engine::replace(const CapturePtr& capture, bool loaded) {
  const CapturePtr before = std::move(capture->replaces);
  std::erase(replacements_, capture);
  const auto place = std::find(captures_.begin(), captures_.end(), before);
  if (place == captures_.end()) return;
  if (loaded) {
    capture->place = before->place;
    *place = capture;
  } else {
    before->again_failed = capture->error;
  }
}

}  // namespace sightline::engine
