// Files on disk use file descriptors; files in a cloud are in base/remote. gzip is decompressed by ISA-L (by zlib where ISA-L is
// absent), and consecutive gzip members are one stream, as for gzip itself.
#include "base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"

#ifdef SIGHTLINE_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

namespace sightline::base {

// ---- bytes as stored ----

namespace {

class DiskFile final : public RawFile {
 public:
  DiskFile(int fd, std::int64_t size, std::string path) : fd_(fd), size_(size), path_(std::move(path)) {}
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  ~DiskFile() override { ::close(fd_); }

  Result<std::size_t> read(char* to, std::size_t size) override {
    std::size_t got = 0;
    while (got < size) {
      const ssize_t n = ::read(fd_, to + got, size - got);
      if (n == 0) break;
      if (n < 0) {
        if (errno == EINTR) continue;
        return Error{ErrorCode::unreadable, std::strerror(errno), path_ + ":" + std::to_string(position_)};
      }
      got += static_cast<std::size_t>(n);
      position_ += n;
    }
    return got;
  }

  bool seek(std::int64_t position) override {
    if (::lseek(fd_, position, SEEK_SET) < 0) return false;
    position_ = position;
    return true;
  }

  std::int64_t position() const override { return position_; }
  std::int64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  const int fd_;
  const std::int64_t size_;
  std::int64_t position_ = 0;
  const std::string path_;
};

}  // namespace

Result<std::unique_ptr<RawFile>> open_raw(const std::string& path) {
  if (is_remote(path)) return open_remote(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::unreadable;
    return Error{code, std::strerror(errno), path};
  }
  struct stat status {};
  ::fstat(fd, &status);
  auto file = std::make_unique<DiskFile>(fd, status.st_size, path);
  if (S_ISDIR(status.st_mode)) return Error{ErrorCode::unreadable, "is a directory", path};
  return std::unique_ptr<RawFile>(std::move(file));
}

// ---- bytes decompressed ----

namespace {

constexpr std::int64_t kInputBytes = std::int64_t{1} << 18;

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}
  Result<std::size_t> read(char* to, std::size_t size) override { return file_->read(to, size); }
  std::int64_t file_position() const override { return file_->position(); }
  std::int64_t file_size() const override { return file_->size(); }
  const std::optional<Message>& damage() const override { return damage_; }
  Result<std::size_t> skip(std::int64_t size) override {
    const std::int64_t target = std::min(file_->position() + size, file_->size());
    const auto skipped = static_cast<std::size_t>(target - file_->position());
    if (!file_->seek(target)) return Error{ErrorCode::unreadable, std::strerror(errno), file_->path()};
    return skipped;
  }

 private:
  std::unique_ptr<RawFile> file_;
  std::optional<Message> damage_;
};

// The decompressor behind GzipSource: feed() compressed bytes, inflate() into a buffer.
#ifdef SIGHTLINE_HAVE_ISAL
class Inflater {
 public:
  enum class State { more, member_end, damaged };

  Inflater() { reset(); }
  void step_over_byte() { ++state_.next_in, --state_.avail_in; }
  void reset() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
  }
  void feed(char* data, std::size_t size) {
    state_.next_in = reinterpret_cast<std::uint8_t*>(data);
    state_.avail_in = static_cast<std::uint32_t>(size);
  }
  std::size_t unread() const { return state_.avail_in; }
  const char* next() const { return reinterpret_cast<const char*>(state_.next_in); }
  State inflate(char* to, std::size_t size, std::size_t& produced) {
    state_.next_out = reinterpret_cast<std::uint8_t*>(to);
    state_.avail_out = static_cast<std::uint32_t>(size);
    const int code = isal_inflate(&state_);
    produced = size - state_.avail_out;
    if (code < 0) {
      why_ = code == ISAL_INCORRECT_CHECKSUM ? "checksum is wrong" : "compressed data is damaged";
      return State::damaged;
    }
    return state_.block_state == ISAL_BLOCK_FINISH ? State::member_end : State::more;
  }
  const char* why() const { return why_; }

 private:
  inflate_state state_{};
  const char* why_ = "";
};
#else
class Inflater {
 public:
  enum class State { more, member_end, damaged };

  Inflater() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  void step_over_byte() { ++stream_.next_in, --stream_.avail_in; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  void reset() { inflateReset(&stream_); }
  void feed(char* data, std::size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(data);
    stream_.avail_in = static_cast<uInt>(size);
  }
  std::size_t unread() const { return stream_.avail_in; }
  const char* next() const { return reinterpret_cast<const char*>(stream_.next_in); }
  State inflate(char* to, std::size_t size, std::size_t& produced) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    produced = size - stream_.avail_out;
    if (code == Z_STREAM_END) return State::member_end;
    if (code == Z_OK || code == Z_BUF_ERROR) return State::more;
    why_ = stream_.msg != nullptr ? stream_.msg : "compressed data is damaged";
    return State::damaged;
  }
  const char* why() const { return why_; }

 private:
  z_stream stream_{};
  const char* why_ = "";
};
#endif

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<RawFile> file)
      : file_(std::move(file)),
        input_(static_cast<std::size_t>(file_->size() > 0 ? std::min(file_->size(), kInputBytes) : kInputBytes)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    std::size_t got = 0;
    while (got < size && !ended_) {
      if (inflater_.unread() == 0 && !refill_failed_) {
        Result<std::size_t> fed = refill();
        if (!fed) return fed.error();
      }
      const std::size_t piece = std::min(size - got, std::size_t{1} << 30);
      const std::size_t unread = inflater_.unread();
      std::size_t produced = 0;
      const Inflater::State state = inflater_.inflate(to + got, piece, produced);
      got += produced;
      if (state == Inflater::State::damaged) {
        end_early(inflater_.why());
      } else if (state == Inflater::State::member_end) {
        Result<std::size_t> next = next_member();
        if (!next) return next.error();
      } else if (produced == 0 && inflater_.unread() == unread && refill_failed_) {
        end_early("compressed data ends in the middle");
      }
    }
    return got;
  }

  std::int64_t file_position() const override { return file_->position() - static_cast<std::int64_t>(inflater_.unread()); }
  std::int64_t file_size() const override { return file_->size(); }
  const std::optional<Message>& damage() const override { return damage_; }

  Result<std::size_t> skip(std::int64_t size) override {
    std::vector<char> sink(static_cast<std::size_t>(std::clamp<std::int64_t>(size, 0, 1 << 18)));
    std::size_t skipped = 0;
    while (static_cast<std::int64_t>(skipped) < size) {
      const auto want = static_cast<std::size_t>(
          std::min<std::int64_t>(size - static_cast<std::int64_t>(skipped), static_cast<std::int64_t>(sink.size())));
      Result<std::size_t> got = read(sink.data(), want);
      if (!got) return got.error();
      skipped += *got;
      if (*got < want) break;
    }
    return skipped;
  }

 private:
  Result<std::size_t> refill() {
    Result<std::size_t> got = file_->read(input_.data(), input_.size());
    if (!got) return got.error();
    refill_failed_ = *got == 0;
    inflater_.feed(input_.data(), *got);
    return *got;
  }

  // After the end of a member, another one may follow, or zeros that pad a block of a tape. Other bytes are damage.
  Result<std::size_t> next_member() {
    do {
      while (inflater_.unread() > 0 && *inflater_.next() == '\0') inflater_.step_over_byte();
      if (inflater_.unread() != 0) break;
      Result<std::size_t> fed = refill();
      if (!fed) return fed.error();
    } while (inflater_.unread() != 0);
    const std::size_t left = inflater_.unread();
    if (left == 0) {
      ended_ = true;
    } else if (static_cast<unsigned char>(*inflater_.next()) != 0x1f) {
      end_early("other bytes follow the compressed data");
    } else {
      std::vector<char> rest(inflater_.next(), inflater_.next() + left);
      inflater_.reset();
      std::memcpy(input_.data(), rest.data(), left);
      inflater_.feed(input_.data(), left);
    }
    return left;
  }

  void end_early(const char* why) {
    ended_ = true;
    damage_ = say("gzip: {} at byte {} of the file", why, file_position());
  }

  std::unique_ptr<RawFile> file_;
  std::vector<char> input_;
  Inflater inflater_;
  bool ended_ = false;
  bool refill_failed_ = false;
  std::optional<Message> damage_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) {
  Result<std::unique_ptr<RawFile>> opened = open_raw(path);
  if (!opened) return opened.error();
  std::unique_ptr<RawFile> file = *std::move(opened);
  char magic[2] = {};
  Result<std::size_t> got = file->read(magic, sizeof magic);
  if (!got) return got.error();
  file->seek(0);
  const bool gzip = *got == 2 && static_cast<unsigned char>(magic[0]) == 0x1f && static_cast<unsigned char>(magic[1]) == 0x8b;
  if (gzip) return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(file)));
  return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(file)));
}

Result<std::string> read_head(const std::string& path, std::size_t size) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  std::string head(size, '\0');
  Result<std::size_t> got = (*source)->read(head.data(), size);
  if (!got) return got.error();
  head.resize(*got);
  return head;
}

// ---- folders ----

namespace fs = std::filesystem;

Result<std::vector<std::string>> files_in_folder(const std::string& folder) {
  std::vector<std::string> files;
  if (is_remote(folder)) {
    Result<std::vector<RemoteObject>> objects = remote_objects(folder, RemoteDepth::one);
    if (!objects) return objects.error();
    for (RemoteObject& object : *objects) files.push_back(std::move(object.address));
  } else {
    std::error_code failed;
    const std::string place = folder.empty() ? "." : folder;  // the parent of a bare name is empty
    for (fs::directory_iterator entry(place, failed), end; !failed && entry != end; entry.increment(failed)) {
      std::error_code unknown;
      if (entry->is_regular_file(unknown)) files.push_back((fs::path(folder) / entry->path().filename()).string());
    }
    const bool absent = failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory;
    if (failed && !absent) return Error{ErrorCode::unreadable, Message::verbatim(failed.message()), folder};
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sightline::base
