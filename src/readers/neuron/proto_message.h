// ProtoMessage: the fields of a protocol buffer's message, one after the other, straight from the stream. No field is held that
// nobody asked for, and a length is believed only as far as the message that it stands in reaches.
#pragma once

#include <cstdint>
#include <string>

#include "readers/neuron/byte_stream.h"

namespace sightline::neuron {

class ProtoMessage {
 public:
  // The `size` bytes from the stream's position on.
  ProtoMessage(ByteStream& in, std::int64_t size) : in_(in), end_(in.position() + size), value_end_(in.position()) {}

  // To the next field, over what was not taken of this one; false at the end of the message, and for good after an error.
  bool next();
  unsigned field() const { return field_; }

  // Of the present field, each at most once; a value of another kind is an error of the stream.
  std::uint64_t integer();
  std::string bytes();
  ProtoMessage message();

 private:
  std::uint64_t varint();
  void take(char* to, std::size_t size);
  bool expect_length();

  ByteStream& in_;
  std::int64_t end_, value_end_;  // positions in the file
  unsigned field_ = 0, wire_ = 0;
  std::uint64_t value_ = 0;  // of a number
};

}  // namespace sightline::neuron
