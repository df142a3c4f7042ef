// ProtoMessage: tags, numbers and lengths of the wire format.
#include "formats/binary/proto_message.h"

#include <algorithm>

namespace sightline::formats {

namespace {

constexpr unsigned kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5;
constexpr std::size_t kPiece = 1 << 20;  // a long value is read in pieces: a false length allocates no memory

}  // namespace

void ProtoMessage::take(char* to, std::size_t size) {
  std::fill(to, to + size, 0);
  if (in_.failed()) return;
  if (static_cast<std::int64_t>(size) > end_ - in_.position()) return in_.fail("a value extends beyond the end of its message");
  if (in_.take(to, size) < size) in_.fail("the file ends inside a message");
}

std::uint64_t ProtoMessage::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const int byte = in_.position() < end_ ? in_.next() : -1;
    if (byte < 0) {
      char none = 0;
      take(&none, 1);  // sets the error
      return 0;
    }
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  in_.fail("a number of more than ten bytes");
  return 0;
}

bool ProtoMessage::next() {
  if (value_end_ > in_.position()) in_.skip(value_end_ - in_.position());
  if (in_.failed() || in_.position() >= end_ || (whole_ && in_.ends())) return false;
  const std::uint64_t tag = varint();
  field_ = static_cast<unsigned>(tag >> 3);
  wire_ = static_cast<unsigned>(tag & 7);
  char fixed[8] = {};
  value_ = 0;
  switch (wire_) {
    case kVarint: value_ = varint(); break;
    case kFixed64: take(fixed, 8); break;
    case kFixed32: take(fixed, 4); break;
    case kLength: value_ = varint(); break;
    default: in_.fail("a field has a type that protocol buffers do not have"); return false;
  }
  if (wire_ == kFixed64 || wire_ == kFixed32) {
    for (int i = 7; i >= 0; --i) value_ = value_ << 8 | static_cast<unsigned char>(fixed[i]);
  }
  value_end_ = in_.position();
  if (wire_ == kLength) {
    const std::int64_t left = end_ - in_.position();
    if (left < 0 || value_ > static_cast<std::uint64_t>(left)) {
      in_.fail("a field is longer than its message");
      return false;
    }
    value_end_ += static_cast<std::int64_t>(value_);
  }
  return !in_.failed();
}

std::uint64_t ProtoMessage::integer() {
  if (wire_ == kLength) in_.fail(say("a number is expected in field {}", field_));
  return value_;
}

bool ProtoMessage::expect_length() {
  if (wire_ != kLength) in_.fail(say("text or a message is expected in field {}", field_));
  return !in_.failed();
}

void ProtoMessage::bytes(std::string& to) {
  to.clear();
  if (!expect_length()) return;
  while (!in_.failed() && in_.position() < value_end_) {
    const std::size_t had = to.size();
    const std::size_t piece = std::min(kPiece, static_cast<std::size_t>(value_end_ - in_.position()));
    to.resize(had + piece);
    take(to.data() + had, piece);
  }
}

std::string ProtoMessage::bytes() {
  std::string text;
  bytes(text);
  return text;
}

ProtoMessage ProtoMessage::message() { return {in_, expect_length() ? value_end_ - in_.position() : 0}; }

}  // namespace sightline::formats
