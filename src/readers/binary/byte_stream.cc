// ByteStream: a buffer over a ByteSource.
#include "readers/binary/byte_stream.h"

#include <algorithm>
#include <cstring>

namespace sightline {

namespace {

constexpr std::size_t kBuffer = 256 * 1024;
constexpr std::int64_t kFar = std::int64_t{1} << 60;  // no file is longer; sums with it do not overflow

}  // namespace

ByteStream::ByteStream(ByteSource& source, std::string path, ReadProgress* progress)
    : source_(source), path_(std::move(path)), progress_(progress) {
  if (progress_ != nullptr) progress_->bytes_total = source_.file_size();
}

void ByteStream::fail(Error error) {
  if (!error_) {
    error_ = std::move(error);
    failed_at_ = position_;
  }
  ended_ = true;
  next_ = 0;
  buffer_.clear();
}

// Refills the empty buffer; false when there is nothing more.
bool ByteStream::fill() {
  if (ended_) return false;
  if (progress_ != nullptr && progress_->cancelled) {
    fail({ErrorCode::cancelled, "cancelled", path_});
    return false;
  }
  next_ = 0;
  buffer_.resize(kBuffer);
  const Result<std::size_t> got = source_.read(buffer_.data(), kBuffer);
  if (!got) {
    fail(got.error());
    return false;
  }
  buffer_.resize(*got);
  ended_ = *got < kBuffer;
  if (progress_ != nullptr) {
    progress_->bytes_done = source_.file_position();
    progress_->text_bytes += static_cast<std::int64_t>(*got);
  }
  return *got > 0;
}

std::size_t ByteStream::take(char* to, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size) {
    if (next_ == buffer_.size() && !fill()) break;
    const std::size_t now = std::min(size - taken, buffer_.size() - next_);
    std::memcpy(to + taken, buffer_.data() + next_, now);
    next_ += now;
    position_ += static_cast<std::int64_t>(now);
    taken += now;
  }
  return taken;
}

void ByteStream::skip(std::int64_t size) {
  size = std::min(size, kFar);
  const auto held = std::min(size, static_cast<std::int64_t>(buffer_.size() - next_));
  next_ += static_cast<std::size_t>(held);
  position_ += size;
  if (size == held || ended_) return;
  const Result<std::size_t> skipped = source_.skip(size - held);
  if (!skipped) fail(skipped.error());
}

}  // namespace sightline
