// The keys of a dict say what it is: a frame, a call, a group, the status of a group, or the root.
#include "formats/flight_recorder/dump.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace sightline::formats::flight_recorder {

namespace {

using Kind = PickleValue::Kind;

constexpr std::int64_t kNsOfMs = 1'000'000;
constexpr std::int64_t kLatest = std::int64_t{1} << 61;  // ns: a later Unix time is damage
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;
// A pickle may name a text or a list that it has once in frames and lists without end.
constexpr std::size_t kMostGrown = std::size_t{64} << 20;     // characters of all texts that are made of others
constexpr std::size_t kLongestList = std::size_t{1} << 16;    // characters
constexpr std::size_t kLongestInside = std::size_t{1} << 12;  // characters of a text inside another one

bool is_number(PickleValue value) { return value.is(Kind::integer) || value.is(Kind::wide); }

}  // namespace

DumpSink::DumpSink(StringPool& texts) : texts_(texts), fields_(kFields) {
  constexpr std::array<std::string_view, kFields> kKeys = {"name",
                                                           "filename",
                                                           "line",
                                                           "desc",
                                                           "ranks",
                                                           "last_enqueued_collective",
                                                           "last_started_collective",
                                                           "last_completed_collective",
                                                           "record_id",
                                                           "pg_id",
                                                           "process_group",
                                                           "collective_seq_id",
                                                           "p2p_seq_id",
                                                           "op_id",
                                                           "profiling_name",
                                                           "time_created_ns",
                                                           "time_discovered_started_ns",
                                                           "time_discovered_completed_ns",
                                                           "input_sizes",
                                                           "input_dtypes",
                                                           "output_sizes",
                                                           "output_dtypes",
                                                           "state",
                                                           "retired",
                                                           "timeout_ms",
                                                           "is_p2p",
                                                           "frames",
                                                           "entries",
                                                           "pg_config",
                                                           "version",
                                                           "comm_lib_version"};
  for (std::size_t i = 0; i < kKeys.size(); ++i) field_of_.emplace(texts_.intern(kKeys[i]), static_cast<Field>(i));
}

// ---- lists ----

// The text in the profile, unless such texts take too much memory: then none.
StringId DumpSink::kept(std::string_view text) {
  if (grown_ > kMostGrown) {
    ++dump.cut_texts;
    return StringId::none;
  }
  const std::size_t before = texts_.size();
  const StringId id = texts_.intern(text);
  if (texts_.size() != before) grown_ += text.size();
  return id;
}

PickleValue DumpSink::made_text(Made sort, std::string_view text) {
  const StringId id = kept(text);
  return id == StringId::none ? PickleValue::made(kOther, 0) : PickleValue::made(sort, static_cast<std::uint64_t>(id));
}

// At most the beginning of a text that another one repeats.
std::string DumpSink::inside(StringId id) {
  const std::string_view text = texts_.view(id);
  if (text.size() <= kLongestInside) return std::string(text);
  ++dump.cut_texts;
  return to_utf8(text.substr(0, kLongestInside));
}

PickleValue DumpSink::list(PickleValue before, std::span<const PickleValue> items) {
  const PickleValue first = items.empty() ? PickleValue() : items.front();
  if (first.is_made(kFrame)) return stack(before, items);
  if (is_number(first) || first.is_made(kSizes) || first.is(Kind::list)) return sizes(before, items);
  if (first.is(Kind::text)) return text_list(before, items);
  return PickleValue::made(kOther, 0);
}

// Whether lists that come in pieces, each of which makes the whole text again, take too much memory.
bool DumpSink::grows_too_large(std::string_view text) {
  grown_ += text.size();
  if (grown_ <= kMostGrown) return false;
  ++dump.cut_texts;
  return true;
}

PickleValue DumpSink::stack(PickleValue before, std::span<const PickleValue> items) {
  if (before.is_made(kStack) && grows_too_large(text_of(before))) return before;
  std::string text(before.is_made(kStack) ? text_of(before) : std::string_view());
  for (const PickleValue item : items) {
    if (!item.is_made(kFrame)) continue;
    if (text.size() > kLongestList) {
      ++dump.cut_texts;
      break;
    }
    if (!text.empty()) text += ';';
    text += text_of(item);
  }
  return made_text(kStack, text);
}

// "[16, 4]" of numbers, "[[16, 4], []]" of lists.
PickleValue DumpSink::sizes(PickleValue before, std::span<const PickleValue> items) {
  if (before.is_made(kSizes) && grows_too_large(text_of(before))) return before;
  std::string text(before.is_made(kSizes) ? text_of(before) : std::string_view("["));
  if (text.ends_with(']')) text.back() = ',';
  for (const PickleValue item : items) {
    if (text.size() > kLongestList) {
      ++dump.cut_texts;
      break;
    }
    if (text.back() == ',') text += ' ';
    if (is_number(item)) {
      text += std::to_string(integer(item));
    } else {
      text += item.is_made(kSizes) ? text_of(item) : std::string_view("[]");
    }
    text += ',';
  }
  text.back() = ']';
  return made_text(kSizes, text);
}

PickleValue DumpSink::text_list(PickleValue before, std::span<const PickleValue> items) {
  if (!before.is_made(kTexts)) text_lists_.emplace_back();
  const std::uint64_t number = before.is_made(kTexts) ? before.made_number() : text_lists_.size() - 1;
  for (const PickleValue item : items) text_lists_[number].push_back(item.text_id());
  return PickleValue::made(kTexts, number);
}

// ---- dicts ----

// Whether any key is known.
bool DumpSink::fields_of(std::span<const PickleValue> items) {
  std::fill(fields_.begin(), fields_.end(), PickleValue());
  bool any = false;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const auto known = field_of_.find(items[i].text_id());
    if (known == field_of_.end()) continue;
    fields_[known->second] = items[i + 1];
    any = true;
  }
  return any;
}

// JSON has some numbers as texts.
std::int64_t DumpSink::whole(Field which) const {
  const PickleValue value = field(which);
  const std::int64_t number =
      value.is(Kind::text) ? whole_number<std::int64_t>(texts_.view(value.text_id())).value_or(kUnknown) : integer(value);
  return number < -kMostCount || number > kMostCount ? kUnknown : number;
}

// JSON has 0 for a time that is not known.
std::int64_t DumpSink::time(Field which) const {
  const std::int64_t ns = integer(field(which));
  return ns > 0 && ns <= kLatest ? ns : kUnknown;
}

StringId DumpSink::as_list(Field which) {
  const PickleValue value = field(which);
  if (value.is(Kind::list)) return texts_.intern("[]");
  if (value.is_made(kSizes)) return static_cast<StringId>(value.made_number());
  if (!value.is_made(kTexts)) return StringId::none;
  std::string text = "[";
  for (const StringId one : text_lists_[value.made_number()]) {
    if (text.size() > kLongestList) {
      ++dump.cut_texts;
      break;
    }
    if (text.size() > 1) text += ", ";
    text += inside(one);
  }
  return kept(text + ']');
}

PickleValue DumpSink::dict(PickleValue before, std::span<const PickleValue> items) {
  if (items.size() > 1 && items[1].is_made(kStatus)) return statuses(items);
  if (!fields_of(items)) return before.is(Kind::made) ? before : PickleValue::made(kOther, 0);
  if (has(kProfilingName) || has(kRecordId)) return entry();
  if (has(kFilename)) return frame();
  if (has(kLastEnqueued) || has(kLastCompleted)) {
    dump.statuses.push_back({kUnknown, whole(kLastEnqueued), whole(kLastStarted), whole(kLastCompleted)});
    return PickleValue::made(kStatus, dump.statuses.size() - 1);
  }
  if (has(kDesc) && has(kRanks)) {
    dump.groups.push_back({field(kName).text_id(), field(kDesc).text_id(), field(kRanks).text_id()});
    return PickleValue::made(kGroup, 0);
  }
  if (has(kEntries) || has(kPgConfig)) {
    dump.is_dump = true;
    dump.version = field(kVersion).text_id();
    dump.library = field(kLibrary).text_id();
  }
  return PickleValue::made(kOther, 0);
}

// The keys of statuses are the numbers of their groups.
PickleValue DumpSink::statuses(std::span<const PickleValue> items) {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!items[i + 1].is_made(kStatus)) continue;
    const PickleValue key = items[i];
    dump.statuses[items[i + 1].made_number()].group_number =
        key.is(Kind::text) ? whole_number<std::int64_t>(texts_.view(key.text_id())).value_or(kUnknown) : integer(key);
  }
  return PickleValue::made(kOther, 0);
}

// "train.py(12): step"
PickleValue DumpSink::frame() {
  std::string text = inside(field(kFilename).text_id());
  const std::int64_t line = whole(kLine);
  if (line != kUnknown) text += '(' + std::to_string(line) + ')';
  text += ": ";
  text += inside(field(kName).text_id());
  std::replace(text.begin(), text.end(), ';', ',');
  return made_text(kFrame, text);
}

PickleValue DumpSink::entry() {
  DumpEntry made;
  made.name = field(kProfilingName).text_id();
  made.point_to_point = flag(kIsP2p);
  made.sequence = whole(made.point_to_point ? kP2pSeq : kCollectiveSeq);
  if (made.name == StringId::none || made.sequence == kUnknown) {
    ++dump.incomplete;
    return PickleValue::made(kOther, 0);
  }
  const PickleValue group = field(kProcessGroup);
  if (group.is_made(kTexts) && text_lists_[group.made_number()].size() == 2) {
    made.group = text_lists_[group.made_number()][0];
    made.about = text_lists_[group.made_number()][1];
  }
  made.record = whole(kRecordId);
  made.group_number = whole(kPgId);
  made.number = whole(kOpId);
  made.created = time(kCreated);
  made.started = time(kStarted);
  made.completed = time(kCompleted);
  const std::int64_t timeout = whole(kTimeout);
  if (timeout >= 0 && timeout <= kLatest / kNsOfMs) made.timeout = timeout * kNsOfMs;
  made.in_shapes = as_list(kInputSizes);
  made.in_types = as_list(kInputTypes);
  made.out_shapes = as_list(kOutputSizes);
  made.out_types = as_list(kOutputTypes);
  made.state = field(kState).text_id();
  made.retired = flag(kRetired);
  if (field(kFrames).is_made(kStack)) made.stack = static_cast<StringId>(field(kFrames).made_number());
  dump.entries.push_back(made);
  return PickleValue::made(kEntry, dump.entries.size() - 1);
}

}  // namespace sightline::formats::flight_recorder
