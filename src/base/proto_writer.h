// ProtoWriter: appends fields of a protocol buffer's
// message to a string. A nested message is written
// with another ProtoWriter, then appended as bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/layers.h"

namespace sightline::base {

class ProtoWriter {
 public:
  void integer(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void real(unsigned field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void fixed64(unsigned field, std::uint64_t value) {
    varint(field << 3 | 1);
    char bytes[8];
    std::memcpy(bytes, &value, 8);
    out_.append(bytes, 8);
  }
  void bytes(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    out_ += value;
  }
  void message(unsigned field, const ProtoWriter& value) { bytes(field, value.out_); }

  const std::string& data() const { return out_; }
  bool empty() const { return out_.empty(); }
  void clear() { out_.clear(); }

 private:
  static_assert(std::endian::native == std::endian::little);

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  std::string out_;
};

}  // namespace sightline::base
