// The opcodes of pickles. A container that is not filled yet is a value with the place in the memo that names it (plus 1; 0:
// none), so that what the sink makes of it reaches everything that refers to it.
#include "formats/common/unpickler.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace sightline::formats {

namespace {

constexpr std::int64_t kMostInline = (std::int64_t{1} << 59) - 1;

// The opcodes by their names in Python's documentation of the format.
enum Op : std::uint8_t {
  kProto = 0x80,
  kFrame = 0x95,
  kStop = '.',
  kMark = '(',
  kPop = '0',
  kPopMark = '1',
  kDup = '2',
  kNone = 'N',
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kBinFloat = 'G',
  kShortBinUnicode = 0x8c,
  kBinUnicode = 'X',
  kBinUnicode8 = 0x8d,
  kShortBinBytes = 'C',
  kBinBytes = 'B',
  kBinBytes8 = 0x8e,
  kByteArray8 = 0x96,
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyTuple = ')',
  kTuple = 't',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kEmptyDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kMemoize = 0x94,
  kBinPut = 'q',
  kLongBinPut = 'r',
  kBinGet = 'h',
  kLongBinGet = 'j',
};

// The name of an opcode that imports, calls or builds objects of a program; null for others.
const char* code_name(int op) {
  switch (op) {
    case 'c': return "GLOBAL";
    case 0x93: return "STACK_GLOBAL";
    case 'R': return "REDUCE";
    case 'b': return "BUILD";
    case 'i': return "INST";
    case 'o': return "OBJ";
    case 0x81: return "NEWOBJ";
    case 0x92: return "NEWOBJ_EX";
    case 0x82: return "EXT1";
    case 0x83: return "EXT2";
    case 0x84: return "EXT4";
    case 'P': return "PERSID";
    case 'Q': return "BINPERSID";
    default: return nullptr;
  }
}

}  // namespace

// ---- values ----

std::int64_t Unpickler::integer(PickleValue value) const {
  if (value.is(Kind::integer) || value.is(Kind::boolean)) return value.number();
  return value.is(Kind::wide) ? wide_[static_cast<std::size_t>(value.number())] : kUnknown;
}

double Unpickler::real(PickleValue value) const {
  if (value.is(Kind::real)) return std::bit_cast<double>(wide_[static_cast<std::size_t>(value.number())]);
  const std::int64_t whole = integer(value);
  return whole == kUnknown ? kUnknownNumber : static_cast<double>(whole);
}

void Unpickler::push_integer(std::int64_t value) {
  if (value >= -kMostInline && value <= kMostInline) return push({Kind::integer, value});
  wide_.push_back(value);
  push({Kind::wide, static_cast<std::int64_t>(wide_.size() - 1)});
}

void Unpickler::push_real() {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits = bits << 8 | little(1);
  wide_.push_back(static_cast<std::int64_t>(bits));
  push({Kind::real, static_cast<std::int64_t>(wide_.size() - 1)});
}

// Two's complement, the lowest byte first.
void Unpickler::push_long(std::uint64_t size) {
  if (size <= 8) {
    const std::uint64_t bits = little(size);
    const int shift = 64 - 8 * static_cast<int>(size);
    return push_integer(size == 0 ? 0 : static_cast<std::int64_t>(bits << shift) >> shift);
  }
  const std::uint64_t low = little(8);
  const std::uint64_t rest = size == 9 ? little(1) : 1;
  if (size > 9) skip_bytes(size - 8);
  if (rest == 0 && low <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return push_integer(static_cast<std::int64_t>(low));
  ++large_numbers_;
  push(Kind::none);
}

void Unpickler::push_text(std::uint64_t size) {
  const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(size, kLongestText));
  const std::string_view bytes = in_.take_in_place(kept);
  if (bytes.size() == kept && kept == size) {
    push(PickleValue::text(texts_.intern(bytes)));
    return;
  }
  text_.assign(bytes.begin(), bytes.end());
  text_.resize(kept);
  if (!take(text_.data() + bytes.size(), kept - bytes.size())) return;
  push(PickleValue::text(texts_.intern({text_.data(), kept})));
  if (size > kept) {
    ++cut_texts_;
    skip_bytes(size - kept);
  }
}

// ---- the stream ----

bool Unpickler::take(char* to, std::size_t size) {
  if (in_.take(to, size) == size) return true;
  damaged("the file ends inside a value");
  return false;
}

std::uint64_t Unpickler::little(std::size_t size) {
  unsigned char bytes[8] = {};
  if (!take(reinterpret_cast<char*>(bytes), size)) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

void Unpickler::skip_bytes(std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return damaged("a value is longer than any file");
  in_.skip(static_cast<std::int64_t>(size));
  if (in_.ends()) damaged("the file ends inside a value");
}

void Unpickler::refuse(Message message) {
  if (!refused_) refused_ = Error{ErrorCode::malformed, TemplateMessage(std::move(message))};
}

void Unpickler::damaged(Message message) {
  if (!damage_) damage_ = std::move(message);
}

// ---- the memo ----

PickleValue Unpickler::resolved(PickleValue value) const {
  if (!value.is_container() || value.number() == 0) return value;
  const PickleValue now = memo_[static_cast<std::size_t>(value.number() - 1)];
  return now.is_container() ? PickleValue(now.kind()) : now;
}

void Unpickler::put(std::uint64_t slot) {
  if (stack_.empty() || stack_.back().is(Kind::mark)) return damaged("the pickle names a value that it does not have");
  if (slot > static_cast<std::uint64_t>(op_at_)) return damaged("the pickle numbers more values than it has");
  if (slot >= memo_.size()) memo_.resize(static_cast<std::size_t>(slot) + 1, Kind::none);
  PickleValue& top = stack_.back();
  if (top.is_container() && top.number() == 0) top = {top.kind(), static_cast<std::int64_t>(slot) + 1};
  memo_[static_cast<std::size_t>(slot)] = top;
}

void Unpickler::get(std::uint64_t slot) {
  if (slot >= memo_.size()) return damaged("the pickle refers to a value that it does not have");
  push(memo_[static_cast<std::size_t>(slot)]);
}

// ---- containers ----

std::int64_t Unpickler::pop_mark() {
  const std::int64_t mark = mark_;
  if (mark == kNoMark) {
    damaged("the pickle ends a list that it did not begin");
  } else {
    mark_ = stack_[static_cast<std::size_t>(mark)].number();
  }
  return mark;
}

void Unpickler::make_tuple(std::size_t items) {
  if (stack_.size() < bottom() + items) return damaged("the pickle lacks a value");
  const std::size_t first = stack_.size() - items;
  for (std::size_t i = first; i < stack_.size(); ++i) stack_[i] = resolved(stack_[i]);
  const PickleValue made = items == 0 ? PickleValue(Kind::tuple) : sink_.tuple({stack_.data() + first, items});
  stack_.resize(first);
  push(made);
}

// The items above `target` on the stack are put into it; marks between them are gone.
void Unpickler::fill(std::size_t target, bool dict) {
  std::size_t first = target + 1;
  if (first < stack_.size() && stack_[first].is(Kind::mark)) ++first;
  for (std::size_t i = first; i < stack_.size(); ++i) stack_[i] = resolved(stack_[i]);
  std::span<const PickleValue> items{stack_.data() + first, stack_.size() - first};
  const PickleValue before = resolved(stack_[target]);
  if (before.is(Kind::made) || before.is(dict ? Kind::dict : Kind::list)) {
    if (dict) items = items.first(items.size() / 2 * 2);
    const PickleValue made = items.empty() ? before : dict ? sink_.dict(before, items) : sink_.list(before, items);
    const PickleValue named = stack_[target];
    if (named.is_container() && named.number() != 0) {
      memo_[static_cast<std::size_t>(named.number() - 1)] = items.empty() ? named : made;
    } else {
      stack_[target] = made;
    }
  } else {
    damaged("the pickle appends to something that is not a list");
  }
  stack_.resize(target + 1);
}

void Unpickler::fill_from_mark(bool dict) {
  const std::int64_t mark = pop_mark();
  if (damage_) return;
  if (mark == mark_ + 1) return damaged("the pickle lacks a list");
  fill(static_cast<std::size_t>(mark) - 1, dict);
}

// What the rest of the file would have done: every open list or dict gets its items.
void Unpickler::close_open() {
  while (mark_ != kNoMark) {
    const auto mark = static_cast<std::size_t>(pop_mark());
    const bool any = mark != bottom();
    const PickleValue target = any ? resolved(stack_[mark - 1]) : PickleValue();
    if (target.is(Kind::list) || target.is(Kind::dict) || target.is(Kind::made)) {
      fill(mark - 1, target.is(Kind::dict));
    } else {
      stack_.resize(mark);
    }
  }
}

// ---- opcodes ----

bool Unpickler::step() {
  op_at_ = in_.position();
  const int op = in_.next();
  if (op < 0) {
    damaged("the file ends before the pickle does");
    return false;
  }
  switch (op) {
    case kLongBinGet: get(little(4)); break;
    case kBinGet: get(little(1)); break;
    case kMemoize: put(memo_.size()); break;
    case kMark:
      push({Kind::mark, mark_});
      mark_ = static_cast<std::int64_t>(stack_.size()) - 1;
      break;
    case kEmptyDict: push(Kind::dict); break;
    case kEmptyList: push(Kind::list); break;
    case kSetItems: fill_from_mark(true); break;
    case kAppends: fill_from_mark(false); break;
    case kLong1: push_long(little(1)); break;
    case kBinInt: push_integer(static_cast<std::int32_t>(static_cast<std::uint32_t>(little(4)))); break;
    case kBinInt1: push_integer(static_cast<std::int64_t>(little(1))); break;
    case kBinInt2: push_integer(static_cast<std::int64_t>(little(2))); break;
    case kShortBinUnicode: push_text(little(1)); break;
    case kBinUnicode: push_text(little(4)); break;
    case kStop: return false;
    default: return step_other(op) && !damage_ && !refused_;
  }
  return !damage_;
}

bool Unpickler::step_other(int op) {
  const std::size_t above = stack_.size() - bottom();
  switch (op) {
    case kProto: {
      const std::uint64_t protocol = little(1);
      if (protocol > 5) refuse(say("protocol {} of pickles is not known", static_cast<std::int64_t>(protocol)));
      return true;
    }
    case kFrame: little(8); return true;
    case kNone: push(Kind::none); return true;
    case kNewTrue: push({Kind::boolean, 1}); return true;
    case kNewFalse: push({Kind::boolean, 0}); return true;
    case kLong4: push_long(little(4)); return true;
    case kBinFloat: push_real(); return true;
    case kBinUnicode8: push_text(little(8)); return true;
    case kShortBinBytes:
    case kBinBytes:
    case kBinBytes8:
    case kByteArray8:
      skip_bytes(little(op == kShortBinBytes ? 1 : op == kBinBytes ? 4 : 8));
      push(Kind::bytes);
      return true;
    case kEmptyTuple: push(Kind::tuple); return true;
    case kTuple1: make_tuple(1); return true;
    case kTuple2: make_tuple(2); return true;
    case kTuple3: make_tuple(3); return true;
    case kTuple: {
      const std::int64_t mark = pop_mark();
      if (damage_) return true;
      std::copy(stack_.begin() + mark + 1, stack_.end(), stack_.begin() + mark);
      stack_.resize(stack_.size() - 1);
      make_tuple(stack_.size() - static_cast<std::size_t>(mark));
      return true;
    }
    case kAppend:
    case kSetItem: {
      const std::size_t items = op == kAppend ? 1 : 2;
      if (above < items + 1) {
        damaged("the pickle lacks a value");
      } else {
        fill(stack_.size() - items - 1, op == kSetItem);
      }
      return true;
    }
    case kBinPut: put(little(1)); return true;
    case kLongBinPut: put(little(4)); return true;
    case kPop:
    case kDup:
      if (above == 0) {
        damaged("the pickle lacks a value");
      } else if (op == kDup) {
        push(stack_.back());
      } else {
        stack_.resize(stack_.size() - 1);
      }
      return true;
    case kPopMark: {
      const std::int64_t mark = pop_mark();
      if (!damage_) stack_.resize(static_cast<std::size_t>(mark));
      return true;
    }
    default: break;
  }
  if (const char* name = code_name(op)) {
    refuse(say("the pickle contains the opcode {}, which makes a program run code; it is refused", std::string_view(name)));
  } else {
    damaged("a byte is not an opcode of a pickle of plain data");
  }
  return false;
}

Result<PickleValue> Unpickler::read(const std::string& path) {
  while (step()) {
  }
  if (refused_) return Error{refused_->code, refused_->message, path + ":" + std::to_string(op_at_)};
  if (in_.failed()) return in_.error();
  if (damage_) close_open();
  const PickleValue root = stack_.empty() ? PickleValue() : resolved(stack_[0]);
  stack_.clear();
  memo_.clear();
  return root;
}

}  // namespace sightline::formats
