// EventScanner: makes tokens, repairs the text, and walks over the tokens.
#include "formats/trace_events/event_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kNoArg = kArgCount;

struct ArgName {
  std::string_view name;
  Arg arg;
};

// Keys are compared as numbers: one load each instead of a call. A text is followed by at least kPadding bytes that may be read.
using Word = std::uint64_t;

Word load_word(const char* text) {
  Word word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// The first eight bytes of `text` as load_word() returns them, with zeros after its end.
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
  const Word word = load_word(text.data());
  return text.size() < sizeof(Word) ? word & kMasks[text.size()] : word;
}

// Whether two texts of the same length are equal after their first eight bytes.
inline bool same_rest(const char* a, const char* b, std::size_t size) {
  for (std::size_t at = sizeof(Word); at < size; at += sizeof(Word)) {
    const std::size_t from = std::min(at, size - sizeof(Word));
    if (load_word(a + from) != load_word(b + from)) return false;
  }
  return true;
}

// In the writers' spellings, including old ones. Compared by length first.
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
constexpr std::size_t kBucket = 8;

// Names by length: few share one, so a lookup is one or two short comparisons.
struct ArgTable {
  std::uint8_t count[kLongestName] = {};
  std::uint8_t index[kLongestName][kBucket] = {};
  Word head[kLongestName][kBucket] = {};
};

constexpr ArgTable make_arg_table() {
  ArgTable table;
  for (std::size_t i = 0; i < std::size(kArgNames); ++i) {
    const std::string_view name = kArgNames[i].name;
    table.head[name.size()][table.count[name.size()]] = first_word(name);
    table.index[name.size()][table.count[name.size()]++] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr ArgTable kArgTable = make_arg_table();

std::size_t find_arg(std::string_view name) {
  if (name.size() >= kLongestName) return kNoArg;
  const Word head = first_word_in_place(name);
  for (std::uint8_t k = 0; k < kArgTable.count[name.size()]; ++k) {
    if (kArgTable.head[name.size()][k] != head) continue;
    const ArgName& candidate = kArgNames[kArgTable.index[name.size()][k]];
    if (same_rest(candidate.name.data(), name.data(), name.size())) return static_cast<std::size_t>(candidate.arg);
  }
  return kNoArg;
}

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
  i_ = 0;
  count_ = 0;
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
  at_ = tokens_->structural_indexes.get();
  count_ = tokens_->n_structural_indexes;
  while (count_ > 0 && at_[count_ - 1] >= size_) --count_;
  text_[size_] = '\0';
}

// The text of a string token, without its quotes. The closing quote is the last one before the next token.
inline std::string_view EventScanner::string_at(std::uint32_t token) const {
  const std::size_t begin = at_[token] + 1;
  std::size_t end = token + 1 < count_ ? at_[token + 1] : size_;
  while (end > begin && text_[end - 1] != '"') --end;
  return {text_ + begin, end > begin ? end - 1 - begin : 0};
}

// The text of a scalar token.
inline std::string_view EventScanner::value_text(std::uint32_t token) const {
  const std::size_t begin = at_[token];
  std::size_t end = token + 1 < count_ ? at_[token + 1] : size_;
  while (end > begin && is_blank(text_[end - 1])) --end;
  return {text_ + begin, end - begin};
}

// Skips one value; false if it is malformed or cut.
bool EventScanner::skip_value() {
  int depth = 0;
  while (i_ < count_) {
    switch (text_[at_[i_]]) {
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (--depth < 0) return false;
        break;
      case ':':
      case ',':
        if (depth == 0) return false;
        break;
      default: break;
    }
    ++i_;
    if (depth == 0) return true;
  }
  ran_out_ = true;
  return false;
}

// Skips one value and returns its text if it is wanted, without the quotes of a string.
[[gnu::always_inline]] inline bool EventScanner::take_value(bool wanted, std::string_view& value, Event& event) {
  const std::uint32_t token = i_;
  switch (text_[at_[token]]) {
    case '{':
    case '[':
      if (!skip_value()) return false;
      if (wanted) value = {text_ + at_[token], at_[i_ - 1] + 1 - at_[token]};
      return true;
    case ',':
    case ':':
    case '}':
    case ']': return false;
    case '"':
      ++i_;
      if (!wanted) return true;
      value = string_at(token);
      event.escaped |= std::memchr(value.data(), '\\', value.size()) != nullptr;
      return true;
    default:
      ++i_;
      if (wanted) value = value_text(token);
      return true;
  }
}

// Walks the members of an object whose '{' is token i_. take(key) skips the value, and returns false if it cannot.
template <typename Take>
[[gnu::always_inline]] inline bool EventScanner::scan_members(Take&& take) {
  ++i_;
  while (i_ < count_) {
    const char c = text_[at_[i_]];
    if (c == '}') {
      ++i_;
      return true;
    }
    if (c == ',') {
      ++i_;
      continue;
    }
    if (c != '"') return false;
    if (i_ + 2 >= count_) break;
    if (text_[at_[i_ + 1]] != ':') return false;
    const std::string_view key = string_at(i_);
    i_ += 2;
    if (!take(key)) return false;
    if (i_ < count_ && text_[at_[i_]] != ',' && text_[at_[i_]] != '}') return false;
  }
  ran_out_ = true;
  return false;
}

bool EventScanner::scan_args(Event& event) {
  event.args_offset = at_[i_];
  const bool whole = scan_members([&](std::string_view key) {
    const std::size_t arg = find_arg(key);
    if (arg == kNoArg) {
      std::string_view unread;
      return take_value(false, unread, event);
    }
    event.present |= std::uint64_t{1} << arg;
    return take_value(true, event.args[arg], event);
  });
  if (whole) event.args_end = at_[i_ - 1] + 1;
  return whole;
}

// The member of `event` that a key names, or null.
inline std::string_view* slot_of(std::string_view key, Event& event) {
  if (key.size() > sizeof("name") - 1) return nullptr;
  switch (first_word_in_place(key)) {
    case first_word("ph"): return &event.ph;
    case first_word("ts"): return &event.ts;
    case first_word("id"): return &event.id;
    case first_word("cat"): return &event.cat;
    case first_word("pid"): return &event.pid;
    case first_word("tid"): return &event.tid;
    case first_word("dur"): return &event.dur;
    case first_word("name"): return &event.name;
    default: return nullptr;
  }
}

// One event object, whose '{' is token i_.
bool EventScanner::scan_object(Event& event) {
  return scan_members([&](std::string_view key) {
    const char first = text_[at_[i_]];
    if (first == '{' && key.size() == 4 && first_word_in_place(key) == first_word("args")) return scan_args(event);
    std::string_view* slot = first == '{' || first == '[' ? nullptr : slot_of(key, event);
    std::string_view unread;
    return take_value(slot != nullptr, slot != nullptr ? *slot : unread, event);
  });
}

EventScanner::Step EventScanner::next(Event& event) {
  event.ph = event.cat = event.name = event.pid = event.tid = event.ts = event.dur = event.id = {};
  event.present = 0;
  event.args_offset = event.args_end = 0;
  event.escaped = false;
  while (i_ < count_ && text_[at_[i_]] == ',') ++i_;
  if (i_ >= count_) {
    event.offset = size_;
    return Step::end_clean;
  }
  event.offset = at_[i_];
  const char c = text_[event.offset];
  if (c == ']') return Step::end_array;
  if (c != '{') return Step::malformed;
  ran_out_ = false;
  if (scan_object(event)) return Step::event;
  return ran_out_ ? Step::end_inside : Step::malformed;
}

bool EventScanner::seek(std::size_t offset) {
  const std::uint32_t* found = std::lower_bound(at_, at_ + count_, offset);
  if (offset < size_ && (found == at_ + count_ || *found != offset)) return false;
  i_ = static_cast<std::uint32_t>(found - at_);
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
