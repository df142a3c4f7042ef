// Looks, and the thread that repeats them.
#include "engine/watcher.h"

#include <algorithm>
#include <exception>
#include <system_error>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"

namespace sightline::engine {

namespace {

constexpr int kRest = 9;  // times as long as the look took: a large folder is not walked all the time

}  // namespace

Watcher::Watcher(Catalogue& catalogue, std::function<void(const std::vector<CapturePtr>&)> read,
                 std::function<void(const std::string&)> say)
    : catalogue_(catalogue), read_(std::move(read)), say_(std::move(say)) {}

Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ending_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Watcher::watch(std::chrono::milliseconds every) {
  std::unique_lock lock(mutex_);
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this, every] { run(every); });
  } catch (const std::system_error&) {
    lock.unlock();
    if (say_) say_("new and changed files will not be noticed: cannot start the thread that looks for them");
  }
}

void Watcher::run(std::chrono::milliseconds every) {
  std::chrono::nanoseconds pause = every;
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, pause, [this] { return stopping_; })) {
    lock.unlock();
    const auto began = std::chrono::steady_clock::now();
    try {
      look();
    } catch (const std::exception&) {
      // No memory, most likely: the next look may find some.
    }
    pause = std::max<std::chrono::nanoseconds>(every, kRest * (std::chrono::steady_clock::now() - began));
    lock.lock();
  }
}

std::vector<std::string> Watcher::watched() const {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) return {};
  }
  return catalogue_.paths();
}

void Watcher::look() {
  const std::lock_guard lock(looking_);
  const auto now = std::chrono::steady_clock::now();
  const bool check_clouds = now - clouds_checked_ >= std::chrono::duration<double>(remote_watch_seconds());
  if (check_clouds) clouds_checked_ = now;
  Captures to_read;
  std::erase_if(known_, [](const auto& each) { return each.first.expired(); });
  find_new(check_clouds, to_read);
  check_files(check_clouds, to_read);
  catalogue_.keep_names();
  if (!to_read.empty()) read_(to_read);
}

void Watcher::find_new(bool check_clouds, Captures& to_read) {
  if (!catalogue_.shown_cache().empty()) to_read = catalogue_.add_cached();
  for (const std::string& path : catalogue_.paths()) {
    if (is_remote(path) && !check_clouds) continue;
    for (const CapturePtr& added : catalogue_.look_again(path)) known_[added].settling = true;
  }
}

void Watcher::check_files(bool check_clouds, Captures& to_read) {
  for (const CapturePtr& capture : catalogue_.all()) {
    if (capture->from_cache || (is_remote(capture->path) && !check_clouds)) continue;
    const Result<FileIdentity> found = find_identity_of_capture(*capture->reader, capture->path);
    if (found) {
      check(capture, *found, to_read);
    } else if (found.error().code == ErrorCode::not_found) {
      check(capture, std::nullopt, to_read);
    }  // else the network is down: the state of the file is unknown
  }
}

bool Watcher::is_being_read(const Capture& capture, Known& known) {
  const auto under_way = [](LoadStatus status) { return status == LoadStatus::queued || status == LoadStatus::reading; };
  if (known.again != nullptr && !under_way(known.again->status())) known.again.reset();
  return known.again != nullptr || (under_way(capture.status()) && !known.settling);
}

void Watcher::check(const CapturePtr& capture, const std::optional<FileIdentity>& now, Captures& to_read) {
  Known& known = known_[capture];
  if (is_being_read(*capture, known)) return;
  Message remark;
  if (!now) {
    remark = "the file was deleted; this is its last reading";
    if (capture->status() != LoadStatus::ready) catalogue_.remove(capture);
  } else if (!known.settling && now == (known.retried ? known.retried : capture->content->identity)) {
    known.seen.reset();
  } else if (now != known.seen) {
    known.seen = now;
    if (known.settling) capture->progress.bytes_total = now->size;
    remark = "the file is being written; it is read again when it stops changing";
  } else {
    to_read.push_back(read_again(capture, known));
  }
  capture->set_remark(std::move(remark));
}

// A capture that was not read before is read now; beside one that was, another.
CapturePtr Watcher::read_again(const CapturePtr& capture, Known& known) {
  if (capture->status() == LoadStatus::ready) {
    known.retried = known.seen;
    known.again = std::make_shared<Capture>(capture);
    known.again->progress.bytes_total = known.seen->size;
    return known.again;
  }
  known.settling = false;
  capture->queue_again();
  return capture;
}

}  // namespace sightline::engine
