// Paths, room, and the files. A path is checked before anything is created, and a file is opened without following links.
#include "server/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "model/unit.h"
#include "server/access.h"
#include "store/file_io.h"

namespace sightline::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 1024, kLongestPart = 200, kDeepest = 32;  // 200: a file system allows 255 bytes
constexpr std::size_t kMostFiles = 10'000;                                     // of an upload
constexpr std::size_t kMostArriving = 16, kMostUploads = 1000;
constexpr std::int64_t kLeftFree = 256 << 20;  // of the disk
constexpr std::string_view kLockEnding = ".lock";

Error no_room(const Message& why) { return {ErrorCode::unavailable, why, ""}; }
std::string size_text(std::int64_t bytes) { return number_alone(static_cast<double>(bytes), Unit::bytes); }

Message part_misfit(std::string_view part) {
  if (part.empty()) return "it has an empty part";
  if (part.front() == '.') return "names that begin with a dot are not read";
  if (part.size() > kLongestPart) return "it has a name that is longer than 200 bytes";
  return "";
}

std::int64_t sum_of(const std::vector<UploadFile>& files) {
  std::int64_t sum = 0;
  for (const UploadFile& file : files) sum += file.size;
  return sum;
}

}  // namespace

// ---- names ----

Message path_misfit(std::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.size() > kLongestPath) return "it is longer than 1,024 bytes";
  if (to_utf8(path) != path) return "it is not UTF-8";
  if (std::any_of(path.begin(), path.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; }))
    return "it has a control character or a backslash";
  if (path.front() == '/') return "it is an absolute path";
  std::size_t depth = 0;
  for (std::size_t at = 0; at <= path.size(); ++depth) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (Message misfit = part_misfit(path.substr(at, end - at)); !misfit.empty()) return misfit;
    at = end + 1;
  }
  return depth > kDeepest ? Message("it has more than 32 parts") : Message();
}

Message files_misfit(const std::vector<UploadFile>& files) {
  if (files.empty()) return "there is no file";
  if (files.size() > kMostFiles) return "there are more than 10,000 files: choose a folder with fewer files";
  std::set<std::string_view> paths;
  for (const UploadFile& file : files) {
    if (const Message misfit = path_misfit(file.path); !misfit.empty())
      return say("the name '{}' is not accepted: {}", to_utf8(std::string_view(file.path).substr(0, kLongestPath)), misfit);
    if (file.size < 0 || file.size > std::int64_t{1} << 48) return say("the size of '{}' is not a number of bytes", file.path);
    if (!paths.insert(file.path).second) return say("the name '{}' is given twice", file.path);
  }
  for (const std::string_view path : paths) {
    for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      if (paths.contains(path.substr(0, end))) return say("'{}' is both a file and a folder", std::string(path.substr(0, end)));
    }
  }
  return "";
}

Upload::Upload(std::string id_, std::string name_, std::string folder_, std::vector<UploadFile> files_)
    : id(std::move(id_)),
      name(std::move(name_)),
      folder(std::move(folder_)),
      files(std::move(files_)),
      size(sum_of(files)),
      parts_(files.size(), Part::absent),
      missing_(files.size()),
      last_(std::chrono::steady_clock::now()) {}

// ---- the folder ----

// The file FOLDER/<server>.lock, which is locked until the object is destroyed; it is removed with the folder of that server.
struct Spool::Lock {
  enum class For { owner, sweeper };

  // Without locks in the file system, the owner goes on, and nothing is removed for a server that was killed.
  Lock(std::string folder_of_server, For whom) : folder(std::move(folder_of_server)) {
    const std::string path = folder + std::string(kLockEnding);
    fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    got = fd >= 0 && (::flock(fd, LOCK_EX | LOCK_NB) == 0 || (whom == For::owner && errno != EWOULDBLOCK));
    // Another server may have removed the file before it was locked.
    struct stat mine {
    }, there{};
    got = got && ::fstat(fd, &mine) == 0 && ::lstat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino;
  }
  ~Lock() {
    std::error_code ignored;
    if (got) fs::remove_all(folder, ignored);
    if (got) ::unlink((folder + std::string(kLockEnding)).c_str());
    if (fd >= 0) ::close(fd);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  const std::string folder;
  int fd = -1;
  bool got = false;
};

Spool::Spool(SpoolOptions options) : options_(std::move(options)) {
  std::set<std::string> servers;
  std::error_code failed;
  for (fs::directory_iterator entry(options_.folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string path = entry->path().string();
    servers.insert(path.ends_with(kLockEnding) ? path.substr(0, path.size() - kLockEnding.size()) : path);
  }
  for (const std::string& server : servers) Lock(server, Lock::For::sweeper);  // those that still run keep theirs
}

Spool::~Spool() { end(); }

// The folder is this user's alone: in a folder for temporary files, others could have created it.
Result<bool> Spool::open_folder() {
  if (!folder_.empty()) return true;
  if (options_.folder.empty()) return no_room("there is no folder to store files in: set SIGHTLINE_CACHE_DIR or HOME");
  if (const Result<bool> made = make_folder(options_.folder); !made) return made;
  struct stat status {};
  const bool mine = ::lstat(options_.folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
  if (!mine || ::chmod(options_.folder.c_str(), 0700) != 0) return no_room("the folder for files belongs to another user");
  const Result<std::string> name = new_token();
  if (!name) return name.error();
  auto lock = std::make_unique<Lock>(options_.folder + "/" + *name, Lock::For::owner);
  if (!lock->got) return no_room(say("cannot write in the folder for files: {}", std::string(std::strerror(errno))));
  if (const Result<bool> made = make_folder(lock->folder); !made) return made;
  folder_ = lock->folder;
  lock_ = std::move(lock);
  sweeper_ = std::jthread([this](const std::stop_token& stop) { drop_abandoned(stop); });
  return true;
}

// ---- room ----

// Of the disk, without what is announced and has not arrived. REQUIRES: mutex_ is held.
std::int64_t Spool::free_space() const {
  std::error_code failed;
  fs::path place = options_.folder;
  while (!fs::exists(place, failed) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info space = fs::space(place, failed);
  if (failed) return 0;
  std::int64_t free = static_cast<std::int64_t>(space.available) - kLeftFree;
  for (const UploadPtr& upload : uploads_) free -= upload->size - upload->arrived();
  return std::max<std::int64_t>(0, free);
}

// REQUIRES: mutex_ is held.
std::int64_t Spool::room_now() const {
  std::int64_t kept = 0;
  for (const UploadPtr& upload : uploads_) kept += upload->size;
  const std::int64_t free = free_space();
  const std::int64_t limit = options_.limit_bytes >= 0 ? options_.limit_bytes : (kept + free) / 2;
  return std::clamp<std::int64_t>(limit - kept, 0, free);
}

std::int64_t Spool::room() const {
  const std::lock_guard lock(mutex_);
  return options_.folder.empty() ? 0 : room_now();
}

// ---- uploads ----

Result<UploadPtr> Spool::begin(const std::string& name, std::vector<UploadFile> files) {
  if (Message misfit = files_misfit(files); !misfit.empty()) return Error{ErrorCode::invalid_argument, misfit, ""};
  Result<std::string> id = new_token();
  if (!id) return id.error();
  const std::lock_guard lock(mutex_);
  if (ended_) return no_room("the server is ending");
  const auto arriving = std::count_if(uploads_.begin(), uploads_.end(), [](const UploadPtr& each) { return each->missing_ > 0; });
  if (arriving >= static_cast<std::ptrdiff_t>(kMostArriving)) return no_room("too many uploads at once: wait until one is done");
  if (uploads_.size() >= kMostUploads) return no_room("too many uploads are open: close some of them");
  const std::int64_t size = sum_of(files), free = free_space(), room = room_now();
  if (size > free)
    return no_room(say("the disk of the server is too full: this is {}, and {} can be stored", size_text(size), size_text(free)));
  if (size > room)
    return no_room(
        say("this is {}, and the server takes {} more (--upload-limit): close other uploads, or open the file by its "
            "path on the server",
            size_text(size), size_text(room)));
  if (const Result<bool> opened = open_folder(); !opened) return opened.error();
  auto upload = std::make_shared<Upload>(*id, name, folder_ + "/" + *id, std::move(files));
  if (const Result<bool> made = make_folder(upload->root()); !made) return made.error();
  uploads_.push_back(upload);
  return upload;
}

Result<bool> Spool::store(const UploadPtr& upload, std::size_t file, const BodyReader& body) {
  {
    const std::lock_guard lock(mutex_);
    if (file >= upload->files.size()) return Error{ErrorCode::not_found, say("the upload has no file {}", file), ""};
    Upload::Part& part = upload->parts_[file];
    if (part == Upload::Part::arriving) return no_room("this file is being sent already");
    if (part == Upload::Part::whole) return no_room("this file was sent already");
    part = Upload::Part::arriving;
    ++upload->streams_;
  }
  const Result<bool> written = write(*upload, upload->files[file], body);
  if (upload->removed_) {  // this file may have been created after the folder was removed
    std::error_code ignored;
    fs::remove_all(upload->folder, ignored);
  }
  const std::lock_guard lock(mutex_);
  --upload->streams_;
  upload->last_ = std::chrono::steady_clock::now();
  upload->parts_[file] = written ? Upload::Part::whole : Upload::Part::absent;
  if (written) return --upload->missing_ == 0;
  ::unlink(
      (upload->root() + "/" + upload->files[file].path).c_str());  // under the lock: a client that sends again creates it anew
  return written.error();
}

Result<bool> Spool::write(Upload& upload, const UploadFile& file, const BodyReader& body) const {
  const Error gone{ErrorCode::cancelled, "the upload was cancelled", file.path};
  if (upload.removed_) return gone;
  const std::string path = upload.root() + "/" + file.path;
  if (const Result<bool> made = make_folder(path.substr(0, path.rfind('/'))); !made) return made;
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return Error{ErrorCode::unreadable, say("cannot be stored: {}", std::string(std::strerror(errno))), file.path};
  std::int64_t size = 0;
  std::optional<Error> failed;
  const auto take = [&](std::string_view bytes) {
    if (upload.removed_) failed = gone;
    if (size + static_cast<std::int64_t>(bytes.size()) > file.size)
      failed = Error{ErrorCode::invalid_argument, say("more than the announced {} bytes were sent", file.size), file.path};
    while (!failed && !bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        const Message why = errno == ENOSPC || errno == EDQUOT ? Message("the disk of the server is full")
                                                               : say("cannot be stored: {}", std::string(std::strerror(errno)));
        failed = Error{ErrorCode::unavailable, why, file.path};
        break;
      }
      bytes.remove_prefix(static_cast<std::size_t>(n));
      size += n;
      upload.arrived_ += n;
    }
    return !failed.has_value();
  };
  const bool whole = !body || body(take);
  const bool closed = ::close(fd) == 0;
  if (!failed && !whole)
    failed = Error{ErrorCode::invalid_argument, say("the connection ended after {} of {} bytes", size, file.size), file.path};
  if (!failed && size != file.size)
    failed = Error{ErrorCode::invalid_argument, say("{} of {} bytes arrived", size, file.size), file.path};
  if (!failed && !closed) failed = Error{ErrorCode::unavailable, "the disk of the server is full", file.path};
  if (!failed) return true;
  upload.arrived_ -= size;
  return *failed;
}

bool Spool::has_begun(const Upload& upload) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(upload.parts_.begin(), upload.parts_.end(), [](Upload::Part part) { return part != Upload::Part::absent; });
}

Result<bool> Spool::store_head(const Upload& upload, const std::string& path, std::int64_t size, const BodyReader& body) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (const Result<bool> made = make_folder(path.substr(0, path.rfind('/'))); !made) return made;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  std::int64_t arrived = 0;
  const bool whole = body && body([&](std::string_view bytes) {
                       arrived += static_cast<std::int64_t>(bytes.size());
                       out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
                       return !upload.removed_ && out.good() && arrived <= size;
                     });
  if (whole && out.flush() && arrived == size) return true;
  return Error{ErrorCode::invalid_argument, say("{} of {} bytes arrived", arrived, size), name};
}

UploadPtr Spool::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(uploads_.begin(), uploads_.end(), [&](const UploadPtr& each) { return each->id == id; });
  return found == uploads_.end() ? nullptr : *found;
}

std::vector<UploadPtr> Spool::all() const {
  const std::lock_guard lock(mutex_);
  return uploads_;
}

bool Spool::remove(const std::string& id) {
  UploadPtr removed;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(uploads_.begin(), uploads_.end(), [&](const UploadPtr& each) { return each->id == id; });
    if (found == uploads_.end()) return false;
    removed = *found;
    removed->removed_ = true;
    uploads_.erase(found);
  }
  std::error_code ignored;
  fs::remove_all(removed->folder, ignored);
  return true;
}

void Spool::drop_abandoned(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    std::vector<std::string> late;
    for (const UploadPtr& upload : uploads_) {
      const bool silent = std::chrono::steady_clock::now() - upload->last_ > options_.abandoned_after;
      if (upload->missing_ > 0 && upload->streams_ == 0 && silent) late.push_back(upload->id);
    }
    lock.unlock();
    for (const std::string& id : late) remove(id);
    lock.lock();
    changed_.wait_for(lock, stop, options_.abandoned_after / 2, [] { return false; });
  }
}

void Spool::end() {
  std::unique_ptr<Lock> lock;
  {
    const std::lock_guard guard(mutex_);
    ended_ = true;
    for (const UploadPtr& upload : uploads_) upload->removed_ = true;
    uploads_.clear();
    lock = std::move(lock_);
  }
  sweeper_.request_stop();
  if (sweeper_.joinable()) sweeper_.join();
}

}  // namespace sightline::server
