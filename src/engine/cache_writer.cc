// The thread of the cache writer.
#include "engine/cache_writer.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <exception>
#include <system_error>

#include "sql/duckdb_library.h"

namespace sightline::engine {

namespace {

constexpr int kLowestPriority = 19;

// Of this thread only: Linux has priorities by thread.
// Views in SQL need DuckDB's library. It is loaded first: loading holds a lock that every new thread needs, so at this priority
// it would stop a busy machine's requests for many seconds.
void give_way() {
  (void)sql::duckdb::library();
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kLowestPriority);
}

}  // namespace

CacheWriter::~CacheWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cancelled_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void CacheWriter::add(ProfileToWrite job) {
  const std::lock_guard lock(mutex_);
  if (job.content->removed) return;
  jobs_.push_back(std::move(job));
  if (!thread_.joinable() && !begin()) return jobs_.clear();
  changed_.notify_all();
}

// False when the system gives no thread.
bool CacheWriter::begin() {
  try {
    thread_ = std::thread([this] { run(); });
    return true;
  } catch (const std::system_error& failure) {
    if (say_ != nullptr) say_(std::string("profiles are not kept in the cache: ") + failure.what());
    say_ = nullptr;
    return false;
  }
}

void CacheWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && writing_ == nullptr; });
}

bool CacheWriter::writes_removed() const { return writing_ != nullptr && writing_->removed; }

void CacheWriter::drop_removed() {
  std::unique_lock lock(mutex_);
  std::erase_if(jobs_, [](const ProfileToWrite& job) { return job.content->removed.load(); });
  if (writes_removed()) cancelled_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !writes_removed(); });
}

void CacheWriter::run() {
  if (behind_requests_) give_way();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (ending_) return;
    const ProfileToWrite job = std::move(jobs_.front());
    jobs_.pop_front();
    writing_ = job.content;
    cancelled_ = false;
    lock.unlock();
    write(job);
    lock.lock();
    writing_ = nullptr;
    changed_.notify_all();
  }
}

void CacheWriter::write(const ProfileToWrite& job) {
  if (say_ == nullptr) return;  // it was reported once: the folder cannot be written
  const auto give_up = [&](const std::string& why) {
    say_("not kept in the cache, so it will be read again next time: " + job.content->path + ": " + why);
    say_ = nullptr;
  };
  try {
    const Result<std::string> key = job.content->find_key(cancelled_);
    if (!key) return;  // the file is being written or was removed: it has no key
    const Derived derived = job.derive(cancelled_);
    if (cancelled_) return;
    const Result<bool> kept =
        cache_.keep(*key, *job.profile, job.about, job.content->path, *job.content->identity, cancelled_, derived);
    if (!kept && kept.error().code != ErrorCode::cancelled) give_up(kept.error().to_string());
  } catch (const std::exception& failure) {
    give_up(failure.what());
  }
}

}  // namespace sightline::engine
