// ByteStream: a buffer over a ByteSource.
#include "formats/binary/byte_stream.h"

#include <algorithm>
#include <cstring>

namespace sightline::formats {

namespace {

constexpr std::size_t kBuffer = 256 * 1024, kFirst = 16 * 1024;  // the first piece is small: most small files end in it
constexpr std::int64_t kFar = std::int64_t{1} << 60;             // no file is longer; sums with it do not overflow

}  // namespace

ByteStream::ByteStream(ByteSource& source, std::string path, ReadProgress* progress)
    : source_(&source), path_(std::move(path)), progress_(progress), limit_(progress == nullptr ? nullptr : &progress->memory) {
  if (progress_ != nullptr) progress_->bytes_total = source.file_size();
}

void ByteStream::fail(Error error) {
  if (!error_) {
    error_ = std::move(error);
    failed_at_ = position_;
  }
  source_ = nullptr;
  rest_ = {};
}

// Reads on, after the last `held` bytes of the buffer, which are not taken yet; false at the end of the file.
bool ByteStream::fill(std::size_t held) {
  if (source_ == nullptr) return false;
  if (progress_ != nullptr && progress_->cancelled) {
    fail({ErrorCode::cancelled, "cancelled", path_});
    return false;
  }
  if (limit_ != nullptr && limit_->reached()) {
    source_ = nullptr;
    return false;
  }
  buffer_.resize(buffer_.empty() ? kFirst : kBuffer);
  const std::size_t room = buffer_.size() - held;
  const Result<std::size_t> got = source_->read(buffer_.data() + held, room);
  if (!got) {
    fail(got.error());
    return false;
  }
  rest_ = {buffer_.data(), held + *got};
  if (progress_ != nullptr) {
    progress_->bytes_done = source_->file_position();
    progress_->text_bytes += static_cast<std::int64_t>(*got);
  }
  if (*got < room) source_ = nullptr;
  return *got > 0;
}

std::size_t ByteStream::take(char* to, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size && !ends()) {
    const std::size_t now = std::min(size - taken, rest_.size());
    std::memcpy(to + taken, rest_.data(), now);
    step(now);
    taken += now;
  }
  return taken;
}

std::string_view ByteStream::take_in_place(std::size_t size) {
  size = std::min(size, kBuffer);
  while (rest_.size() < size && source_ != nullptr) {
    if (!rest_.empty()) std::memmove(buffer_.data(), rest_.data(), rest_.size());
    fill(rest_.size());
  }
  const std::string_view bytes = rest_.substr(0, size);
  step(bytes.size());
  return bytes;
}

bool ByteStream::line(std::string& to, std::size_t longest) {
  to.clear();
  if (ends()) return false;
  for (bool more = true; more && !ends();) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    to.append(rest_.substr(0, std::min(end, longest - to.size())));
    more = end == rest_.size();
    step(more ? end : end + 1);
  }
  return true;
}

void ByteStream::skip(std::int64_t size) {
  size = std::clamp(size, std::int64_t{0}, kFar);
  const auto held = std::min(size, static_cast<std::int64_t>(rest_.size()));
  rest_.remove_prefix(static_cast<std::size_t>(held));
  position_ += size;
  if (size == held || source_ == nullptr) return;
  const Result<std::size_t> skipped = source_->skip(size - held);
  if (!skipped) fail(skipped.error());
}

}  // namespace sightline::formats
