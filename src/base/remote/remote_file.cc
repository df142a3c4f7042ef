// Reading ahead: while an object is read in order, the pieces grow and
// several are requested at once. So the first read of an object is one
// small request, and the bandwidth limits a long read, not the latency.
#include "base/remote/remote_file.h"

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <deque>
#include <utility>

#include "base/remote/remote_place.h"

namespace sightline::base {

namespace {

using FilePtr = std::shared_ptr<arrow::io::RandomAccessFile>;
using BufferPtr = std::shared_ptr<arrow::Buffer>;

constexpr std::int64_t kFirstPiece = std::int64_t{256} << 10;
constexpr std::int64_t kLongestPiece = std::int64_t{8} << 20;
constexpr std::int64_t kGrowth = 4;
constexpr double kWatchSeconds = 30;
constexpr std::size_t kUnderWay = 4;  // pieces at once, so at most 32 MiB of memory

std::int64_t modified_of(const arrow::fs::FileInfo& info) {
  return info.mtime() == arrow::fs::kNoTime ? 0 : info.mtime().time_since_epoch().count();
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

struct OpenObject {
  FilePtr file;
  RemoteStatus status;
};

arrow::Result<OpenObject> open_object(const RemotePlace& place) {
  OpenObject made;
  ARROW_ASSIGN_OR_RAISE(made.file, place.system->OpenInputFile(place.path));
  ARROW_ASSIGN_OR_RAISE(made.status.size, made.file->GetSize());
  ARROW_ASSIGN_OR_RAISE(const auto metadata, made.file->ReadMetadata());
  if (metadata != nullptr) {
    for (const auto& [name, value] : metadata->sorted_pairs()) {
      if (same_letters(name, "etag")) made.status.version = value;
    }
  }
  if (made.status.version.empty()) {
    ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, place.system->GetFileInfo(place.path));
    made.status.modified = modified_of(info);
    made.status.version = std::to_string(made.status.size) + " " + std::to_string(made.status.modified);
  }
  return made;
}

arrow::Result<RemoteStatus> find_status(const RemotePlace& place) {
  if (place.path != place.container && !place.address.key.empty()) {
    const arrow::Result<OpenObject> opened = open_object(place);
    if (opened.ok()) return opened->status;
    if (never_arrived(place.address, opened.status())) return opened.status();
  }
  ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo info, place.system->GetFileInfo(place.path));
  if (info.type() == arrow::fs::FileType::Directory) return RemoteStatus{.folder = true, .size = 0, .modified = 0, .version = {}};
  if (info.type() == arrow::fs::FileType::File) {
    ARROW_ASSIGN_OR_RAISE(const OpenObject opened, open_object(place));
    return opened.status;
  }
  if (!place.container.empty() && place.container != place.path) {
    ARROW_ASSIGN_OR_RAISE(const arrow::fs::FileInfo container, place.system->GetFileInfo(place.container));
    if (container.type() != arrow::fs::FileType::NotFound) return arrow::Status::KeyError("no such object or folder");
  }
  return arrow::Status::KeyError(place.container.empty() ? "no such file or folder" : kNoBucket);
}

class RemoteFile final : public RawFile {
 public:
  RemoteFile(RemotePlace place, std::string address, OpenObject opened)
      : place_(std::move(place)),
        address_(std::move(address)),
        file_(std::move(opened.file)),
        status_(std::move(opened.status)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    std::size_t got = 0;
    while (got < size && position_ < status_.size) {
      const Result<bool> there = make_there();
      if (!there) return there.error();
      const std::int64_t from = position_ - held_at_;
      const auto count = std::min<std::int64_t>(static_cast<std::int64_t>(size - got), held_->size() - from);
      std::memcpy(to + got, held_->data() + from, static_cast<std::size_t>(count));
      got += static_cast<std::size_t>(count);
      position_ += count;
    }
    if (got < size && !checked_) {
      const Result<bool> same = check_version();
      if (!same) return same.error();
    }
    return got;
  }

  bool seek(std::int64_t position) override {
    position_ = position;
    return true;
  }

  std::int64_t position() const override { return position_; }
  std::int64_t size() const override { return status_.size; }
  const std::string& path() const override { return address_; }

 private:
  struct Piece {
    std::int64_t at;
    std::int64_t size;
    Begun<arrow::Result<BufferPtr>> bytes;
  };

  // Afterwards `held_` has the byte at the position, which is before the end.
  Result<bool> make_there() {
    if (held_ != nullptr && position_ >= held_at_ && position_ < held_at_ + held_->size()) return true;
    const bool straight_on = held_ != nullptr && position_ == held_at_ + held_->size();
    if (!straight_on) start_over();
    try {
      while (pieces_.size() < (straight_on ? kUnderWay : 1) && next_ < status_.size) begin_piece();
    } catch (const std::system_error& failure) {
      if (pieces_.empty()) return no_thread(failure, address_);  // else those that have begun do
    }
    held_ = nullptr;  // a request after a failure starts over
    Piece piece = std::move(pieces_.front());
    pieces_.pop_front();
    const std::string where = address_ + ":" + std::to_string(piece.at);
    if (!piece.bytes.wait(std::chrono::duration<double>(time_limit()))) return no_answer(where);
    arrow::Result<BufferPtr> bytes = piece.bytes.take();
    if (!bytes.ok()) return remote_error(place_.address, bytes.status(), where);
    if ((*bytes)->size() != piece.size) {
      return Error{ErrorCode::unreadable,
                   say("the object ends before its {} bytes: it was replaced while it was being read", status_.size), where};
    }
    held_ = *std::move(bytes);
    held_at_ = piece.at;
    return true;
  }

  void start_over() {
    pieces_.clear();
    next_ = position_;
    next_size_ = kFirstPiece;
  }

  void begin_piece() {
    const std::int64_t at = next_;
    const std::int64_t size = std::min(next_size_, status_.size - at);
    pieces_.push_back(
        {at, size, begin_request<BufferPtr>(address_, [file = file_, at, size] { return file->ReadAt(at, size); })});
    next_ += size;
    next_size_ = std::min(next_size_ * kGrowth, kLongestPiece);
  }

  // Pieces of two versions would be a file that never existed.
  Result<bool> check_version() {
    checked_ = true;
    const Result<RemoteStatus> now = remote_status(address_);
    if (!now) return now.error();
    if (now->version == status_.version) return true;
    return Error{ErrorCode::unreadable, "the object was replaced while it was being read", address_};
  }

  const RemotePlace place_;
  const std::string address_;
  const FilePtr file_;
  const RemoteStatus status_;
  std::int64_t position_ = 0;
  std::deque<Piece> pieces_;  // under way, one after the other
  std::int64_t next_ = 0;     // where the piece after them begins
  std::int64_t next_size_ = kFirstPiece;
  BufferPtr held_;  // the piece that is being read; null before the first
  std::int64_t held_at_ = 0;
  bool checked_ = false;
};

}  // namespace

Result<RemoteStatus> remote_status(const std::string& address) {
  Result<RemotePlace> place = place_of(address);
  if (!place) return place.error();
  return request<RemoteStatus>(place->address, address, [place = *place] { return find_status(place); });
}

Result<std::vector<RemoteObject>> remote_objects(const std::string& address, RemoteDepth depth) {
  Result<RemotePlace> place = place_of(address);
  if (!place) return place.error();
  const RemotePath& root = place->address;
  arrow::fs::FileSelector below;
  below.base_dir = place->path;
  below.recursive = depth == RemoteDepth::all;
  below.allow_not_found = true;
  Result<arrow::fs::FileInfoVector> listed =
      request<arrow::fs::FileInfoVector>(root, address, [system = place->system, below] { return system->GetFileInfo(below); });
  if (!listed) return listed.error();
  const std::size_t before_key = root.cloud == Cloud::hadoop ? 1 : place->container.size() + 1;
  std::vector<RemoteObject> objects;
  for (const arrow::fs::FileInfo& info : *listed) {
    if (info.type() != arrow::fs::FileType::File) continue;
    objects.push_back({remote_address(root, info.path().substr(before_key)), info.size(), modified_of(info)});
  }
  return objects;
}

double remote_watch_seconds() { return variable_seconds("SIGHTLINE_CLOUD_WATCH", kWatchSeconds); }

Result<std::unique_ptr<RawFile>> open_remote(const std::string& address) {
  Result<RemotePlace> place = place_of(address);
  if (!place) return place.error();
  Result<OpenObject> opened = request<OpenObject>(place->address, address, [place = *place]() -> arrow::Result<OpenObject> {
    arrow::Result<OpenObject> made = open_object(place);
    if (made.ok() || never_arrived(place.address, made.status())) return made;
    ARROW_ASSIGN_OR_RAISE(const RemoteStatus status, find_status(place));  // its error is more precise
    return status.folder ? arrow::Status::KeyError("is a folder") : made.status();
  });
  if (!opened) return opened.error();
  return std::unique_ptr<RawFile>(std::make_unique<RemoteFile>(*std::move(place), address, *std::move(opened)));
}

}  // namespace sightline::base
