// SQLite asks for pages; a block of many is read at once.
#include "formats/ascend/database_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <list>
#include <memory>
#include <new>
#include <unordered_map>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"

namespace sightline::formats::ascend {

namespace {

constexpr int kErrorOp = 5'500'001, kProgressOp = 5'500'002;  // of xFileControl, beyond those that SQLite has
constexpr std::int64_t kDiskBlock = std::int64_t{64} << 10, kRemoteBlock = std::int64_t{1} << 20;
constexpr std::size_t kDiskBlocks = 64, kRemoteBlocks = 256;  // held at most: 4 MiB, and 256 MiB where a block costs a request
constexpr int kSteps = 20'000;                                // of SQLite's machine between two looks at `cancelled`

// A file, or nothing at all: what SQLite would make and cannot.
class Blocks {
 public:
  explicit Blocks(std::unique_ptr<RawFile> file) : file_(std::move(file)) {
    const bool remote = file_ != nullptr && is_remote(file_->path());
    block_ = remote ? kRemoteBlock : kDiskBlock;
    most_ = remote ? kRemoteBlocks : kDiskBlocks;
    if (file_ != nullptr) seen_.resize(static_cast<std::size_t>((file_->size() + block_ - 1) / block_), false);
  }

  std::int64_t size() const { return file_ == nullptr ? 0 : file_->size(); }

  // SQLITE_OK, or what xRead returns instead: bytes beyond the end are 0.
  int read(char* to, std::size_t count, std::int64_t at) {
    while (count > 0 && at < size()) {
      const std::vector<char>* block = block_at(at / block_);
      if (block == nullptr) return SQLITE_IOERR_READ;
      const auto from = static_cast<std::size_t>(at % block_);
      if (block->size() <= from) break;  // it was cut short while it is read
      const std::size_t take = std::min(count, block->size() - from);
      std::memcpy(to, block->data() + from, take);
      to += take;
      at += static_cast<std::int64_t>(take);
      count -= take;
    }
    std::memset(to, 0, count);
    return count > 0 ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
  }

  void follow(ReadProgress* progress) { progress_ = progress; }
  const std::optional<Error>& error() const { return error_; }

 private:
  using Held = std::list<std::pair<std::int64_t, std::vector<char>>>;  // by number, the last used first

  const std::vector<char>* block_at(std::int64_t number) {
    if (!held_.empty() && held_.front().first == number) return &held_.front().second;
    if (const auto known = by_number_.find(number); known != by_number_.end()) {
      held_.splice(held_.begin(), held_, known->second);
      return &held_.front().second;
    }
    std::vector<char> bytes(static_cast<std::size_t>(std::min(block_, size() - number * block_)));
    if (file_->position() != number * block_ && !file_->seek(number * block_)) {
      error_ = Error{ErrorCode::unreadable, "it cannot be read at any position", file_->path()};
      return nullptr;
    }
    const Result<std::size_t> got = file_->read(bytes.data(), bytes.size());
    if (!got) {
      error_ = got.error();
      return nullptr;
    }
    bytes.resize(*got);
    if (progress_ != nullptr && !seen_[static_cast<std::size_t>(number)]) {
      progress_->bytes_done += static_cast<std::int64_t>(*got);
    }
    seen_[static_cast<std::size_t>(number)] = true;
    if (held_.size() == most_) {
      by_number_.erase(held_.back().first);
      held_.pop_back();
    }
    held_.emplace_front(number, std::move(bytes));
    by_number_[number] = held_.begin();
    return &held_.front().second;
  }

  std::unique_ptr<RawFile> file_;
  std::int64_t block_;
  std::size_t most_;
  Held held_;
  std::unordered_map<std::int64_t, Held::iterator> by_number_;
  std::vector<bool> seen_;  // by block
  ReadProgress* progress_ = nullptr;
  std::optional<Error> error_;
};

struct OpenFile {
  sqlite3_file base;  // first: SQLite knows no more
  Blocks* blocks;
};

Blocks& blocks_of(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file)->blocks; }

int close_file(sqlite3_file* file) {
  delete reinterpret_cast<OpenFile*>(file)->blocks;
  return SQLITE_OK;
}
int read_file(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  try {
    return blocks_of(file).read(static_cast<char*>(to), static_cast<std::size_t>(count), at);
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
}
int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  *size = blocks_of(file).size();
  return SQLITE_OK;
}
int control_file(sqlite3_file* file, int what, void* argument) {
  if (what == kErrorOp) {
    const std::optional<Error>& error = blocks_of(file).error();
    *static_cast<const Error**>(argument) = error ? &*error : nullptr;
  } else if (what == kProgressOp) {
    blocks_of(file).follow(static_cast<ReadProgress*>(argument));
  } else {
    return SQLITE_NOTFOUND;
  }
  return SQLITE_OK;
}

// Nothing is written, and nobody is kept out.
int refuse_write(sqlite3_file*, const void*, int, sqlite3_int64) { return SQLITE_READONLY; }
int refuse_size(sqlite3_file*, sqlite3_int64) { return SQLITE_READONLY; }
int no_sync(sqlite3_file*, int) { return SQLITE_OK; }
int no_lock(sqlite3_file*, int) { return SQLITE_OK; }
int nobody_locks(sqlite3_file*, int* locked) {
  *locked = 0;
  return SQLITE_OK;
}
int sector(sqlite3_file*) { return 4096; }
int no_traits(sqlite3_file*) { return 0; }

// Version 1: without shared memory SQLite keeps the index of a log in its own.
constexpr sqlite3_io_methods kMethods = {1,       close_file, read_file,    refuse_write, refuse_size, no_sync,   size_of_file,
                                         no_lock, no_lock,    nobody_locks, control_file, sector,      no_traits, nullptr,
                                         nullptr, nullptr,    nullptr,      nullptr,      nullptr};

bool is_there(const char* path) {
  if (is_remote(path)) {
    const Result<RemoteStatus> status = remote_status(path);
    return status && !status->folder;
  }
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

int open_file(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* flags_out) {
  auto* made = reinterpret_cast<OpenFile*>(file);
  made->base.pMethods = nullptr;
  if (path == nullptr) return SQLITE_CANTOPEN;  // a file for what does not fit into memory
  try {
    std::unique_ptr<RawFile> raw;
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0 || is_there(path)) {
      Result<std::unique_ptr<RawFile>> opened = open_raw(path);
      if (!opened) return SQLITE_CANTOPEN;
      raw = *std::move(opened);
    }
    made->blocks = new Blocks(std::move(raw));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
  made->base.pMethods = &kMethods;
  if (flags_out != nullptr) *flags_out = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

// A journal is never played back: it would have to be written.
int find_file(sqlite3_vfs*, const char* path, int, int* found) {
  *found = std::string_view(path).ends_with("-wal") && is_there(path) ? 1 : 0;
  return SQLITE_OK;
}
int refuse_delete(sqlite3_vfs*, const char*, int) { return SQLITE_OK; }
int full_name(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}
int no_error(sqlite3_vfs*, int, char*) { return 0; }

sqlite3_vfs make_system() {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);  // else each allocation takes a lock, to be counted
  sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
  sqlite3_vfs made{};
  made.iVersion = 1;
  made.szOsFile = sizeof(OpenFile);
  made.mxPathname = 4096;
  made.zName = "sightline-read-only";
  made.xOpen = open_file;
  made.xDelete = refuse_delete;
  made.xAccess = find_file;
  made.xFullPathname = full_name;
  made.xRandomness = usual->xRandomness;
  made.xSleep = usual->xSleep;
  made.xCurrentTime = usual->xCurrentTime;
  made.xGetLastError = no_error;
  return made;
}

}  // namespace

const char* database_file_system() {
  static sqlite3_vfs system = make_system();
  static const int registered = sqlite3_vfs_register(&system, 0);
  return registered == SQLITE_OK ? system.zName : nullptr;
}

void follow_progress(sqlite3* database, ReadProgress* progress) {
  sqlite3_file_control(database, "main", kProgressOp, progress);
  if (progress == nullptr) return;
  const auto is_cancelled = [](void* of) { return static_cast<ReadProgress*>(of)->cancelled ? 1 : 0; };
  sqlite3_progress_handler(database, kSteps, is_cancelled, progress);
}

const Error* reading_error(sqlite3* database) {
  const Error* error = nullptr;
  sqlite3_file_control(database, "main", kErrorOp, &error);
  return error;
}

}  // namespace sightline::formats::ascend
