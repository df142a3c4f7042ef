// Unpickler: reads a Python pickle of plain data (numbers, texts, lists, tuples, dicts; protocols 2 to 5) as a stream. It never
// runs code: an opcode that would is an error that names the opcode and its byte.
//
// A PickleSink turns each container into a value of its own when items are put into it, so nothing else is kept of it: what is
// in memory at once are 8 bytes for each open item and for each object that the pickle may refer to again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/binary/byte_stream.h"
#include "model/column.h"
#include "model/string_pool.h"

namespace sightline::formats {

// 64 bits: a kind, and a number that depends on it.
class PickleValue {
 public:
  enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,
    wide,   // an integer that needs more bits, or a real: a row of the unpickler's table
    real,   // likewise
    text,   // a StringId
    bytes,  // not kept
    list,   // has no items before Unpickler::resolved
    tuple,
    dict,
    made,  // by the sink
    mark,  // inside the unpickler only
  };

  PickleValue() = default;
  PickleValue(Kind kind, std::int64_t number = 0) : bits_(static_cast<std::uint64_t>(number) << 4 | std::uint64_t(kind)) {}
  static PickleValue text(StringId id) { return {Kind::text, static_cast<std::int64_t>(id)}; }
  // A value of the sink: which of its sorts, and a number below 2^48.
  static PickleValue made(unsigned sort, std::uint64_t number) {
    return {Kind::made, static_cast<std::int64_t>(number << 8 | sort)};
  }

  Kind kind() const { return static_cast<Kind>(bits_ & 15); }
  bool is(Kind kind) const { return this->kind() == kind; }
  bool is_made(unsigned sort) const { return is(Kind::made) && (number() & 0xFF) == std::int64_t{sort}; }
  bool is_container() const { return kind() >= Kind::list && kind() <= Kind::dict; }
  std::int64_t number() const { return static_cast<std::int64_t>(bits_) >> 4; }
  std::uint64_t made_number() const { return bits_ >> 12; }
  StringId text_id() const { return is(Kind::text) ? static_cast<StringId>(number()) : StringId::none; }

 private:
  std::uint64_t bits_ = 0;
};

// What becomes of containers. Items that are containers themselves are values that the sink made, or are still empty.
// `before`: the container without items, or what an earlier call returned for it (a pickle adds items in pieces).
class PickleSink {
 public:
  virtual ~PickleSink() = default;
  virtual PickleValue list(PickleValue before, std::span<const PickleValue> items) = 0;
  virtual PickleValue tuple(std::span<const PickleValue> items) = 0;
  // Keys and values in turn.
  virtual PickleValue dict(PickleValue before, std::span<const PickleValue> items) = 0;
};

class Unpickler {
 public:
  static constexpr std::size_t kLongestText = std::size_t{1} << 20;  // bytes; the rest of a longer one is not kept

  Unpickler(ByteStream& in, StringPool& texts, PickleSink& sink) : in_(in), texts_(texts), sink_(sink) {}

  // The object of the pickle. If the file is damaged or ends early, what is open is closed there, and damage() tells. An error:
  // an opcode that runs code, an opcode of a protocol that is not read, a failure of the stream.
  Result<PickleValue> read(const std::string& path);

  const std::optional<Message>& damage() const { return damage_; }
  std::int64_t damaged_at() const { return op_at_; }
  std::int64_t position() const { return op_at_; }  // of the current opcode
  std::int64_t cut_texts() const { return cut_texts_; }
  std::int64_t large_numbers() const { return large_numbers_; }  // that do not fit; they are none

  // kUnknown if the value is no integer.
  std::int64_t integer(PickleValue value) const;
  // NaN if the value is no number.
  double real(PickleValue value) const;
  bool flag(PickleValue value) const { return value.is(PickleValue::Kind::boolean) && value.number() != 0; }

 private:
  using Kind = PickleValue::Kind;
  static constexpr std::int64_t kNoMark = -1;

  bool step();  // false at the end
  bool step_other(int op);
  void refuse(Message message);
  void damaged(Message message);
  bool take(char* to, std::size_t size);
  std::uint64_t little(std::size_t size);
  void push(PickleValue value) { stack_.push_back(value); }
  void push_integer(std::int64_t value);
  void push_real();
  void push_long(std::uint64_t size);
  void push_text(std::uint64_t size);
  void skip_bytes(std::uint64_t size);
  void put(std::uint64_t slot);
  void get(std::uint64_t slot);
  void make_tuple(std::size_t items);
  void fill(std::size_t target, bool dict);
  void fill_from_mark(bool dict);
  std::int64_t pop_mark();
  std::size_t bottom() const { return static_cast<std::size_t>(mark_ + 1); }  // of the items above the last mark
  PickleValue resolved(PickleValue value) const;
  void close_open();

  ByteStream& in_;
  StringPool& texts_;
  PickleSink& sink_;
  model::Column<PickleValue> stack_;  // a mark has the place of the one below it
  std::int64_t mark_ = kNoMark;       // the place of the last one
  model::Column<PickleValue> memo_;
  model::Column<std::int64_t> wide_;
  std::vector<char> text_;
  std::int64_t op_at_ = 0;
  std::int64_t cut_texts_ = 0, large_numbers_ = 0;
  std::optional<Message> damage_;
  std::optional<Error> refused_;
};

}  // namespace sightline::formats
