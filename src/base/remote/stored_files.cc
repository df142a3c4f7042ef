// Disks by system calls, clouds by Arrow's file systems.
#include "base/remote/stored_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/input_file.h"
#include "base/output_file.h"
#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "base/remote/remote_place.h"

namespace sightline::base {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyPiece = std::size_t{8} << 20;

// ---- disk ----

std::int64_t modified_of(const fs::directory_entry& entry) {
  std::error_code failed;
  const auto time = entry.last_write_time(failed);
  if (failed) return 0;
  const auto unix_time = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(unix_time).count();
}

Result<std::vector<StoredFile>> files_on_disk(const std::string& folder) {
  std::vector<StoredFile> found;
  std::error_code failed;
  fs::recursive_directory_iterator each(folder, failed);
  for (; !failed && each != fs::recursive_directory_iterator(); each.increment(failed)) {
    std::error_code gone;
    if (!each->is_regular_file(gone)) continue;
    const auto size = each->file_size(gone);
    if (!gone) found.push_back({each->path().string(), static_cast<std::int64_t>(size), modified_of(*each)});
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Error{ErrorCode::unreadable, say("the folder cannot be listed: {}", failed.message()), folder};
  return found;
}

// A complete file under another name, in the folder of `path`.
class Unnamed {
 public:
  explicit Unnamed(std::string path) : path_(std::move(path)), made_(path_ + unused_ending()) {}
  Unnamed(const Unnamed&) = delete;
  ~Unnamed() {
    if (file_ >= 0) ::close(file_);
    if (!made_.empty()) ::unlink(made_.c_str());
  }

  Result<bool> begin() {
    std::error_code failed;
    fs::create_directories(fs::path(path_).parent_path(), failed);
    if (failed) return Error{ErrorCode::unreadable, say("cannot create the folder: {}", failed.message()), path_};
    file_ = ::open(made_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file_ >= 0 ? Result<bool>(true) : file_error("cannot be written", errno, path_);
  }

  Result<bool> add(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written >= 0) bytes.remove_prefix(static_cast<std::size_t>(written));
      if (written < 0 && errno != EINTR) return incomplete(errno);
    }
    return true;
  }

  // All bytes are on the medium.
  Result<bool> complete() {
    if (::fsync(file_) != 0) return incomplete(errno);
    if (::close(std::exchange(file_, -1)) != 0) return incomplete(errno);
    return true;
  }

  Result<bool> write(std::string_view bytes) {
    if (const Result<bool> begun = begin(); !begun) return begun;
    if (const Result<bool> added = add(bytes); !added) return added;
    return complete();
  }

  // False: there is such a file already.
  Result<bool> name_if_new() {
    if (::link(made_.c_str(), path_.c_str()) == 0) return true;
    if (errno == EEXIST) return false;
    return file_error("cannot be named", errno, path_);
  }

  Result<bool> name() {
    if (::rename(made_.c_str(), path_.c_str()) != 0) return file_error("cannot be named", errno, path_);
    made_.clear();
    return true;
  }

 private:
  static std::string unused_ending() {
    static std::atomic<int> next{0};
    return "." + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".unfinished";
  }

  Error incomplete(int reason) const { return file_error("could not be written completely", reason, path_); }

  const std::string path_;
  std::string made_;
  int file_ = -1;
};

// ---- clouds ----

Result<std::vector<StoredFile>> files_in_cloud(const std::string& folder) {
  const Result<std::vector<RemoteObject>> objects = remote_objects(folder);
  if (!objects) return objects.error();
  std::vector<StoredFile> found;
  for (const RemoteObject& object : *objects) found.push_back({object.address, object.size, object.modified});
  return found;
}

// An object that appears when it is finished. If that does not happen, it is aborted: Arrow would publish what has arrived, and
// end the program if that fails.
class Unfinished {
 public:
  explicit Unfinished(std::string address) : address_(std::move(address)) {}
  Unfinished(const Unfinished&) = delete;
  ~Unfinished() {
    if (stream_ != nullptr) (void)ask([stream = std::move(stream_)] { return stream->Abort(); });
  }

  Result<bool> begin() {
    Result<RemotePlace> place = place_of(address_);
    if (!place) return place.error();
    place_ = *std::move(place);
    Result<Stream> opened = request<Stream>(place_.address, address_, [place = place_]() -> arrow::Result<Stream> {
      if (place.address.cloud == Cloud::hadoop)
        ARROW_RETURN_NOT_OK(place.system->CreateDir(fs::path(place.path).parent_path().string()));
      return place.system->OpenOutputStream(place.path);
    });
    if (!opened) return opened.error();
    stream_ = *std::move(opened);
    return true;
  }

  Result<bool> add(std::string_view bytes) {
    return ask([stream = stream_, kept = std::string(bytes)] {
      return stream->Write(kept.data(), static_cast<std::int64_t>(kept.size()));
    });
  }

  Result<bool> finish() {
    const Result<bool> closed = ask([stream = stream_] { return stream->Close(); });
    if (closed) stream_ = nullptr;
    return closed;
  }

 private:
  using Stream = std::shared_ptr<arrow::io::OutputStream>;

  Result<bool> ask(std::function<arrow::Status()> work) const {
    return request<bool>(place_.address, address_, [work = std::move(work), one = one_at_a_time_]() -> arrow::Result<bool> {
      const std::lock_guard lock(*one);  // a request that was given up may still run
      ARROW_RETURN_NOT_OK(work());
      return true;
    });
  }

  const std::string address_;
  const std::shared_ptr<std::mutex> one_at_a_time_ = std::make_shared<std::mutex>();
  RemotePlace place_;
  Stream stream_;
};

Result<bool> store_in_cloud(const std::string& address, std::string_view bytes) {
  Unfinished object(address);
  if (const Result<bool> begun = object.begin(); !begun) return begun;
  if (const Result<bool> added = object.add(bytes); !added) return added;
  return object.finish();
}

// ---- copies ----

template <typename Target>
Result<bool> add_file(Target& target, const std::string& from) {
  if (const Result<bool> begun = target.begin(); !begun) return begun;
  const Result<std::unique_ptr<RawFile>> file = open_raw(from);
  if (!file) return file.error();
  std::string piece(kCopyPiece, '\0');
  while (true) {
    const Result<std::size_t> got = (*file)->read(piece.data(), piece.size());
    if (!got) return got.error();
    if (*got == 0) return true;
    if (const Result<bool> added = target.add(std::string_view(piece).substr(0, *got)); !added) return added;
  }
}

}  // namespace

std::string path_in(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

Result<std::vector<StoredFile>> stored_files(const std::string& folder) {
  Result<std::vector<StoredFile>> found = is_remote(folder) ? files_in_cloud(folder) : files_on_disk(folder);
  if (found) std::sort(found->begin(), found->end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

Result<std::string> stored_bytes(const std::string& path) {
  const Result<std::unique_ptr<RawFile>> file = open_raw(path);
  if (!file) return file.error();
  std::string bytes(static_cast<std::size_t>((*file)->size()), '\0');
  const Result<std::size_t> got = (*file)->read(bytes.data(), bytes.size());
  if (!got) return got.error();
  bytes.resize(*got);
  return bytes;
}

Result<bool> store_file(const std::string& path, std::string_view bytes) {
  if (is_remote(path)) return store_in_cloud(path, bytes);
  Unnamed file(path);
  if (const Result<bool> written = file.write(bytes); !written) return written;
  return file.name();
}

Result<bool> store_copy(const std::string& path, const std::string& from) {
  if (is_remote(path)) {
    Unfinished object(path);
    const Result<bool> added = add_file(object, from);
    return added ? object.finish() : added;
  }
  Unnamed file(path);
  if (const Result<bool> added = add_file(file, from); !added) return added;
  if (const Result<bool> complete = file.complete(); !complete) return complete;
  return file.name();
}

Result<bool> store_new_file(const std::string& path, std::string_view bytes) {
  if (is_remote(path)) {
    const Result<RemoteStatus> there = remote_status(path);
    if (there) return false;
    if (there.error().code != ErrorCode::not_found) return there.error();
    return store_in_cloud(path, bytes);
  }
  Unnamed file(path);
  if (const Result<bool> written = file.write(bytes); !written) return written;
  return file.name_if_new();
}

Result<bool> remove_stored(const std::string& path) {
  if (!is_remote(path)) {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return true;
    return file_error("cannot be removed", errno, path);
  }
  const Result<RemotePlace> place = place_of(path);
  if (!place) return place.error();
  return request<bool>(place->address, path, [place = *place]() -> arrow::Result<bool> {
    const arrow::Status removed = place.system->DeleteFile(place.path);
    if (!removed.ok()) {
      ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, place.system->GetFileInfo(place.path));
      if (info.type() != arrow::fs::FileType::NotFound) return removed;
    }
    return true;
  });
}

}  // namespace sightline::base
