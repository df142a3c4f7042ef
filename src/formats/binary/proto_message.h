// ProtoMessage: the fields of a protocol buffer's message, one after the other, straight from the stream. No field is held that
// nobody asked for, and a length is believed only as far as the message that it stands in reaches.
#pragma once

#include <cstdint>
#include <string>

#include "formats/binary/byte_stream.h"

namespace sightline::formats {

class ProtoMessage {
 public:
  // The `size` bytes from the stream's position on.
  ProtoMessage(ByteStream& in, std::int64_t size) : in_(in), end_(in.position() + size), value_end_(in.position()) {}

  // All that is left of the file, however long it is: it may end between two fields.
  static ProtoMessage whole(ByteStream& in) {
    ProtoMessage message(in, (std::int64_t{1} << 60) - in.position());
    message.whole_ = true;
    return message;
  }

  // To the next field, over what was not taken of this one; false at the end of the message, and for good after an error.
  bool next();
  unsigned field() const { return field_; }
  std::int64_t end() const { return end_; }  // position in the file behind the message

  // Bytes of the present field's text or message, before it is taken; 0 of a number.
  std::int64_t size() const { return value_end_ - in_.position(); }
  std::int64_t position() const { return in_.position(); }  // in the file, likewise

  // Of the present field, each at most once; a value of another kind is an error of the stream.
  std::uint64_t integer();
  std::string bytes();
  void bytes(std::string& to);  // into memory that is used again
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
