// EventScanner: makes tokens, repairs the text, and walks over the tokens.
#include "formats/trace_events/event_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"
#include "base/short_text.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kNoArg = kArgCount;

struct ArgName {
  std::string_view name;
  Arg arg;
};

// Keys are compared as numbers: one read each instead of a call. A text is followed by at least kPadding bytes that may be read.
using Word = std::uint64_t;

// The first eight bytes of `text` as read_word() returns them, with zeros after its end.
constexpr Word first_word(std::string_view text) {
  std::array<char, sizeof(Word)> bytes{};
  std::copy_n(text.begin(), std::min(text.size(), bytes.size()), bytes.begin());
  return std::bit_cast<Word>(bytes);
}

constexpr std::array<Word, sizeof(Word)> make_masks() {
  std::array<Word, sizeof(Word)> masks{};
  for (std::size_t size = 0; size < masks.size(); ++size) masks[size] = first_word({"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", size});
  return masks;
}

constexpr std::array<Word, sizeof(Word)> kMasks = make_masks();

// first_word() of a text of the file. REQUIRES: it may be read for eight bytes.
inline Word first_word_in_place(std::string_view text) {
  const Word word = read_word<Word>(text.data());
  return text.size() < sizeof(Word) ? word & kMasks[text.size()] : word;
}

// Whether two texts of the same length are equal after their first eight bytes.
inline bool same_rest(const char* a, const char* b, std::size_t size) {
  for (std::size_t at = sizeof(Word); at < size; at += sizeof(Word)) {
    const std::size_t from = std::min(at, size - sizeof(Word));
    if (read_word<Word>(a + from) != read_word<Word>(b + from)) return false;
  }
  return true;
}

// In the writers' spellings, including old ones.
constexpr ArgName kArgNames[] = {
    {"External id", Arg::external_id},
    {"external id", Arg::external_id},
    {"correlation", Arg::correlation},
    {"Call stack", Arg::call_stack},
    {"Input Dims", Arg::input_dims},
    {"Input dims", Arg::input_dims},
    {"Input type", Arg::input_type},
    {"Input Strides", Arg::input_strides},
    {"Concrete Inputs", Arg::concrete_inputs},
    {"est. achieved occupancy %", Arg::occupancy},
    {"blocks per SM", Arg::blocks_per_sm},
    {"grid", Arg::grid},
    {"block", Arg::block},
    {"registers per thread", Arg::registers},
    {"shared memory", Arg::shared_memory},
    {"device", Arg::device},
    {"stream", Arg::stream},
    {"bytes", Arg::bytes},
    {"Python module id", Arg::module_id},
    {"Device Type", Arg::device_type},
    {"Device Id", Arg::device_id},
    {"Addr", Arg::address},
    {"Bytes", Arg::bytes},
    {"Total Allocated", Arg::total_allocated},
    {"Total Reserved", Arg::total_reserved},
    {"Collective name", Arg::collective},
    {"In msg nelems", Arg::in_elements},
    {"Out msg nelems", Arg::out_elements},
    {"Group size", Arg::group_size},
    {"Process Group Name", Arg::group_name},
    {"Process Group Description", Arg::group_about},
    {"Process Group Ranks", Arg::group_ranks},
    {"dtype", Arg::dtype},
    {"Seq", Arg::sequence},
    {"Rank", Arg::rank},
    {"Src Rank", Arg::source_rank},
    {"Dst Rank", Arg::target_rank},
    {"name", Arg::name},
    {"labels", Arg::labels},
    {"sort_index", Arg::sort_index},
    {"Task Type", Arg::task_type},
    {"task type", Arg::task_type},
    {"connection_id", Arg::connection},
    {"data_type", Arg::element_type},
    {"count", Arg::element_count},
    {"warps per SM", Arg::warps_per_sm},
    {"queued", Arg::queued},
    {"copy kind", Arg::copy_kind},
    {"src kind", Arg::source_kind},
    {"dst kind", Arg::target_kind},
    {"memory kind", Arg::memory_kind},
    {"graph id", Arg::graph},
    {"graph node id", Arg::graph_node},
    {"wait_on_stream", Arg::wait_stream},
    {"wait_on_cuda_event_record_corr_id", Arg::wait_record},
    {"host fn", Arg::host_function},
    {"kernel_file", Arg::kernel_file},
    {"kernel_hash", Arg::kernel_hash},
    {"kernel_kwargs", Arg::kernel_arguments},
    {"kernel", Arg::kernel},
};

constexpr std::size_t kLongestName = 40;

// Texts that are few and known, found by their length and first eight bytes: those lead to a place of their own.
template <std::size_t kSlots>
class KeyTable {
 public:
  struct Place {
    Word head = 0;
    std::uint8_t size = 0;  // 0: no text
    std::uint8_t number = 0;
  };

  // REQUIRES: no text is empty, and all differ in their length or first eight bytes.
  template <typename Texts>
  explicit constexpr KeyTable(const Texts& texts) {
    while (!fill(texts)) factor_ *= 0x9E3779B97F4A7C15;  // stays odd
  }

  // The place of the only text that `text` may be; what follows the first eight bytes is not compared.
  const Place* find(std::string_view text) const {
    const Word head = first_word_in_place(text);
    const Place& place = places_[slot(head, text.size())];
    return place.head == head && place.size == text.size() ? &place : nullptr;
  }

 private:
  constexpr std::size_t slot(Word head, std::size_t size) const {
    return ((head + size) * factor_) >> (64 - std::countr_zero(kSlots));
  }

  // Whether no two texts lead to the same place.
  template <typename Texts>
  constexpr bool fill(const Texts& texts) {
    places_ = {};
    std::uint8_t number = 0;
    for (const std::string_view text : texts) {
      const Word head = first_word(text);
      Place& place = places_[slot(head, text.size())];
      if (place.size != 0) return false;
      place = {head, static_cast<std::uint8_t>(text.size()), number++};
    }
    return true;
  }

  Word factor_ = 0x9E3779B97F4A7C15;
  std::array<Place, kSlots> places_{};
};

constexpr auto kArgTexts = [] {
  std::array<std::string_view, std::size(kArgNames)> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = kArgNames[i].name;
  return texts;
}();
constexpr KeyTable<512> kArgTable(kArgTexts);

inline std::size_t find_arg(std::string_view name) {
  if (name.size() >= kLongestName) return kNoArg;
  const auto* place = kArgTable.find(name);
  if (place == nullptr) return kNoArg;
  const ArgName& found = kArgNames[place->number];
  return same_rest(found.name.data(), name.data(), name.size()) ? static_cast<std::size_t>(found.arg) : kNoArg;
}

// The members of an event that are read, apart from "args".
constexpr std::array<std::string_view, 9> kMemberTexts = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "args"};
constexpr std::string_view Event::*kMembers[] = {&Event::ph,  &Event::cat, &Event::name, &Event::pid,
                                                 &Event::tid, &Event::ts,  &Event::dur,  &Event::id};
constexpr std::size_t kArgsMember = std::size(kMembers);
constexpr KeyTable<32> kMemberTable(kMemberTexts);

// Offset of the first byte that is not UTF-8. Slow: called only when simdjson found that there is one.
std::size_t first_bad_utf8(const char* text, std::size_t size) {
  const auto* p = reinterpret_cast<const unsigned char*>(text);
  for (std::size_t i = 0; i < size;) {
    const unsigned char c = p[i];
    const std::size_t need = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (need == 0 || i + need > size) return i;
    for (std::size_t k = 1; k < need; ++k) {
      if ((p[i + k] & 0xC0) != 0x80) return i;
    }
    i += need;
  }
  return size;
}

}  // namespace

Arg arg_named(std::string_view name) {
  std::array<char, kLongestName + sizeof(Word)> padded{};
  if (name.size() >= kLongestName) return Arg::count;
  std::copy(name.begin(), name.end(), padded.begin());
  return static_cast<Arg>(find_arg({padded.data(), name.size()}));
}

EventScanner::EventScanner() = default;
EventScanner::~EventScanner() = default;

void EventScanner::tokenize(char* text, std::size_t from, std::size_t size) {
  problems_.clear();
  text_ = text + from;
  size_ = size - from;
  find_backslash(0);
  first_ = at_ = end_ = nullptr;
  std::memset(text_ + size_, ' ', kPadding);
  if (size_ + 1 > capacity_) {
    capacity_ = size_ + 1;
    tokens_.reset();
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(capacity_, 16, tokens_);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    CHECK(error == simdjson::SUCCESS);
  }
  auto* bytes = reinterpret_cast<std::uint8_t*>(text_);
  std::size_t length = size_;
  auto run = [&] { return tokens_->stage1(bytes, length, simdjson::stage1_mode::regular); };
  simdjson::error_code code = run();
  if (code == simdjson::UNCLOSED_STRING) {  // cut inside a string: closed here, so the walk finds the event unfinished
    text_[size_] = '"';
    length = size_ + 1;
    code = run();
  }
  if (code == simdjson::UNESCAPED_CHARS) {
    bool in_string = false;
    bool first = true;
    for (std::size_t i = 0; i < size_; ++i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      if (c == '\\' && in_string) {
        ++i;
      } else if (c == '"') {
        in_string = !in_string;
      }
      if (c >= 0x20) continue;
      if (in_string && first) problems_.push_back({ScanProblem::control_character, i});
      if (in_string) first = false;
      text_[i] = ' ';
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (static_cast<unsigned char>(text_[i]) < 0x20) text_[i] = ' ';
    }
    code = run();
  }
  if (code == simdjson::UTF8_ERROR) {  // the tokens are complete anyway
    problems_.push_back({ScanProblem::not_utf8, first_bad_utf8(text_, size_)});
    code = simdjson::SUCCESS;
  }
  if (code != simdjson::SUCCESS) return;  // EMPTY: no token at all
  std::uint32_t* const tokens = tokens_->structural_indexes.get();
  std::size_t count = tokens_->n_structural_indexes;
  while (count > 0 && tokens[count - 1] >= size_) --count;
  tokens[count] = tokens[count + 1] = static_cast<std::uint32_t>(size_);  // simdjson has room for three more
  text_[size_] = '\0';
  first_ = at_ = tokens;
  end_ = tokens + count;
}

namespace {

// The text of a string that begins at text[begin], without its quotes. The closing quote is the last one before the next token.
inline std::string_view string_between(const char* text, std::size_t begin, std::size_t end) {
  ++begin;
  while (end > begin && text[end - 1] != '"') --end;
  return {text + begin, end > begin ? end - 1 - begin : 0};
}

// The text of a scalar that begins at text[begin], before the next token.
inline std::string_view scalar_between(const char* text, std::size_t begin, std::size_t end) {
  while (end > begin && is_blank(text[end - 1])) --end;
  return {text + begin, end - begin};
}

}  // namespace

// Skips an object or a list.
EventScanner::Token EventScanner::skip_nested(Token at) {
  int depth = 0;
  for (; at < end_; ++at) {
    const char c = text_[*at];
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return cut_or_malformed(true);
}

// Skips a value. Its text comes in `value`, if that is not null, without the quotes of a string.
[[gnu::always_inline]] inline EventScanner::Token EventScanner::take_value(Token at, std::string_view* value) {
  const char* const text = text_;
  const char c = text[*at];
  if (c == '"') {
    if (value != nullptr) *value = string_between(text, at[0], at[1]);
    return at + 1;
  }
  if (c == '{' || c == '[') {
    const Token after = skip_nested(at);
    if (after != nullptr && value != nullptr) *value = {text + *at, std::size_t{after[-1]} + 1 - *at};
    return after;
  }
  if (c == ',' || c == ':' || c == '}' || c == ']' || at >= end_) return cut_or_malformed(at >= end_);
  if (value != nullptr) *value = scalar_between(text, at[0], at[1]);
  return at + 1;
}

// Walks the members of an object that begins at `at`. take(key, at) skips the value, and returns null if it cannot.
template <typename Take>
[[gnu::always_inline]] inline EventScanner::Token EventScanner::scan_members(Token at, Take&& take) {
  const char* const text = text_;  // a local, because writing to the event could change the member
  ++at;
  while (true) {
    const char first = text[*at];
    if (first == '"') {
      if (text[at[1]] != ':') return cut_or_malformed(at + 2 >= end_);
      const std::string_view key = string_between(text, at[0], at[1]);
      at = take(key, at + 2);
      if (at == nullptr) return nullptr;
      const char after = text[*at];
      if (after != ',' && after != '}') return cut_or_malformed(at >= end_);
      at += after == ',';
    } else if (first == ',') {
      ++at;
    } else if (first == '}') {
      return at + 1;
    } else {
      return cut_or_malformed(at >= end_);
    }
  }
}

EventScanner::Token EventScanner::scan_args(Token at, Event& event) {
  event.args_offset = *at;
  std::uint64_t present = event.present;
  const Token after = scan_members(at, [&](std::string_view key, Token value) {
    const std::size_t arg = find_arg(key);
    if (arg == kNoArg) return take_value(value, nullptr);
    present |= std::uint64_t{1} << arg;
    return take_value(value, &event.args[arg]);
  });
  event.present = present;
  if (after != nullptr) event.args_end = std::size_t{after[-1]} + 1;
  return after;
}

// One event object.
EventScanner::Token EventScanner::scan_object(Token at, Event& event) {
  return scan_members(at, [&](std::string_view key, Token value) {
    const char first = text_[*value];
    const auto* place = key.size() > sizeof("name") - 1 ? nullptr : kMemberTable.find(key);
    if (first == '{' || first == '[') {
      if (first == '{' && place != nullptr && place->number == kArgsMember) return scan_args(value, event);
      return take_value(value, nullptr);
    }
    return take_value(value, place == nullptr || place->number == kArgsMember ? nullptr : &(event.*kMembers[place->number]));
  });
}

void EventScanner::find_backslash(std::size_t from) {
  const void* found = std::memchr(text_ + from, '\\', size_ - from);
  backslash_ = found == nullptr ? size_ : static_cast<std::size_t>(static_cast<const char*>(found) - text_);
}

EventScanner::Step EventScanner::next(Event& event) {
  event.ph = event.cat = event.name = event.pid = event.tid = event.ts = event.dur = event.id = {};
  event.present = 0;
  event.args_offset = event.args_end = 0;
  while (at_ < end_ && text_[*at_] == ',') ++at_;
  if (at_ >= end_) {
    event.offset = size_;
    return Step::end_clean;
  }
  event.offset = *at_;
  const char c = text_[event.offset];
  if (c == ']') return Step::end_array;
  if (c != '{') return Step::malformed;
  const Token after = scan_object(at_, event);
  if (after == nullptr) return ran_out_ ? Step::end_inside : Step::malformed;
  at_ = after;
  if (backslash_ < event.offset) find_backslash(event.offset);
  event.escaped = backslash_ < *after;
  return Step::event;
}

bool EventScanner::seek(std::size_t offset) {
  const Token found = std::lower_bound(first_, end_, offset);
  if (offset < size_ && (found == end_ || *found != offset)) return false;
  at_ = found;
  return true;
}

// The offset (in the tokenized part) of the next '{' that follows "}," and is followed by a key; the end of the text if there
// is none.
std::size_t EventScanner::resync(std::size_t from) const {
  for (std::size_t i = from; i < size_; ++i) {
    if (text_[i] != '{') continue;
    std::size_t before = i;
    while (before > 0 && is_blank(text_[before - 1])) --before;
    if (before == 0 || text_[before - 1] != ',') continue;
    --before;
    while (before > 0 && is_blank(text_[before - 1])) --before;
    if (before == 0 || text_[before - 1] != '}') continue;
    std::size_t after = i + 1;
    while (after < size_ && is_blank(text_[after])) ++after;
    if (after < size_ && text_[after] == '"') return i;
  }
  return size_;
}

}  // namespace sightline::formats::trace_events
