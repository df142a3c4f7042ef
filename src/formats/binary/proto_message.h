// Protocol buffer messages: ProtoSpan reads one that is in memory, ProtoMessage one that streams by.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/binary/byte_stream.h"

namespace sightline::formats {

// ---- in memory ----
// ProtoSpan: the fields of a protocol buffer message that is in memory, such as the many small messages inside a large one
// that ProtoMessage streams. Damage ends the message: fields read before it are kept.

class ProtoSpan {
 public:
  explicit ProtoSpan(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  // Over the beginning of a message: a field that reaches beyond the bytes ends with them.
  static ProtoSpan beginning(std::string_view bytes) {
    ProtoSpan span(bytes);
    span.cut_ = true;
    return span;
  }

  // To the next field; false at the end, and always after damage.
  bool next() {
    if (at_ == end_ || damaged_) return false;
    const std::uint64_t tag = varint(at_);
    field_ = static_cast<unsigned>(tag >> 3);
    wire_ = static_cast<unsigned>(tag & 7);
    switch (wire_) {
      case 0: value_ = varint(at_); break;
      case 1: value_ = fixed(8); break;
      case 2: {
        std::uint64_t size = varint(at_);
        const auto left = static_cast<std::uint64_t>(end_ - at_);
        if (size > left && cut_) size = left;
        if (size > left) damaged_ = true;
        if (damaged_) return false;
        bytes_ = {at_, static_cast<std::size_t>(size)};
        at_ += size;
        break;
      }
      case 5: value_ = fixed(4); break;
      default: damaged_ = true;
    }
    return !damaged_;
  }

  unsigned field() const { return field_; }
  bool damaged() const { return damaged_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }  // bytes after the current field
  bool is_bytes() const { return wire_ == 2; }  // the current field is a text, a message or packed numbers

  // The current field's value; a value of another kind is damage, and is empty.
  std::uint64_t unsigned_integer() { return expect(wire_ != 2) ? value_ : 0; }
  std::int64_t integer() { return static_cast<std::int64_t>(unsigned_integer()); }
  double real() { return expect(wire_ == 1) ? std::bit_cast<double>(value_) : 0; }
  std::string_view bytes() { return expect(wire_ == 2) ? bytes_ : std::string_view(); }
  ProtoSpan message() { return ProtoSpan(bytes()); }

  // A repeated number, which is written one by one or packed: calls take(number) for each.
  template <typename Take>
  void integers(Take&& take) {
    if (wire_ != 2) return take(integer());
    const char* at = bytes_.data();
    for (const char* end = at + bytes_.size(); at != end && !damaged_;) take(static_cast<std::int64_t>(varint(at, end)));
  }

  // The same for numbers of 8 bytes each.
  template <typename Take>
  void fixed_numbers(Take&& take) {
    if (wire_ != 2) return take(unsigned_integer());
    expect(bytes_.size() % 8 == 0);
    for (const char* at = bytes_.data(); !damaged_ && at != bytes_.data() + bytes_.size(); at += 8) {
      std::uint64_t value = 0;
      for (int i = 8; i-- > 0;) value = value << 8 | static_cast<unsigned char>(at[i]);
      take(value);
    }
  }

 private:
  std::uint64_t varint(const char*& at) { return varint(at, end_); }

  std::uint64_t varint(const char*& at, const char* end) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at != end; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    damaged_ = true;
    return 0;
  }

  std::uint64_t fixed(int size) {
    std::uint64_t value = 0;
    if (end_ - at_ < size) {
      damaged_ = true;
      return 0;
    }
    for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(at_[i]);
    at_ += size;
    return value;
  }

  bool expect(bool holds) {
    damaged_ = damaged_ || !holds;
    return holds;
  }

  const char* at_;
  const char* end_;
  unsigned field_ = 0, wire_ = 0;
  std::uint64_t value_ = 0;
  std::string_view bytes_;
  bool cut_ = false, damaged_ = false;
};

// ---- in a stream ----
// ProtoMessage: the fields of a protocol buffer message, one after the other, straight from the stream. It stores no field
// that is not requested, and trusts a length only as far as the enclosing message reaches.

class ProtoMessage {
 public:
  // The `size` bytes from the stream's position on.
  ProtoMessage(ByteStream& in, std::int64_t size) : in_(in), end_(in.position() + size), value_end_(in.position()) {}

  // The rest of the file, however long it is: it may end between two fields.
  static ProtoMessage whole(ByteStream& in) {
    ProtoMessage message(in, (std::int64_t{1} << 60) - in.position());
    message.whole_ = true;
    return message;
  }

  // To the next field, past what was not taken of this one; false at the end of the message, and always after an error.
  bool next();
  unsigned field() const { return field_; }
  std::int64_t end() const { return end_; }  // position in the file after the message

  // The size of the current text or message in bytes, before it is taken; 0 for a number.
  std::int64_t size() const { return value_end_ - in_.position(); }
  std::int64_t position() const { return in_.position(); }  // in the file

  // The current field's value, each at most once; a value of another kind is an error of the stream.
  std::uint64_t integer();
  std::string bytes();
  void bytes(std::string& to);  // into memory that is reused
  ProtoMessage message();

 private:
  std::uint64_t varint();
  void take(char* to, std::size_t size);
  bool expect_length();

  ByteStream& in_;
  std::int64_t end_, value_end_;  // positions in the file
  bool whole_ = false;
  unsigned field_ = 0, wire_ = 0;
  std::uint64_t value_ = 0;  // of a number
};

}  // namespace sightline::formats
