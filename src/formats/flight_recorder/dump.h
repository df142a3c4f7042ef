// Dump: what one rank's flight recorder wrote: the last collectives that it called, its process groups, and how far each is. The
// file is a pickle, or the same as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/common/unpickler.h"
#include "formats/reader.h"
#include "model/profile.h"

namespace sightline::formats::flight_recorder {

// One call. Times are Unix times in ns; kUnknown where the file has none.
struct DumpEntry {
  std::int64_t record = kUnknown, group_number = kUnknown;
  std::int64_t sequence = kUnknown, number = kUnknown;
  std::int64_t created = kUnknown, started = kUnknown, completed = kUnknown, timeout = kUnknown;
  StringId group = StringId::none, about = StringId::none, name = StringId::none;
  StringId in_shapes = StringId::none, in_types = StringId::none, out_shapes = StringId::none, out_types = StringId::none;
  StringId state = StringId::none, stack = StringId::none;
  bool point_to_point = false, retired = false;
};

struct DumpGroup {
  StringId name = StringId::none, about = StringId::none, ranks = StringId::none;
};

// How far a group is, by its number.
struct DumpStatus {
  std::int64_t group_number = kUnknown;
  std::int64_t enqueued = kUnknown, started = kUnknown, completed = kUnknown;
};

struct Dump {
  std::vector<DumpEntry> entries;
  std::vector<DumpGroup> groups;
  std::vector<DumpStatus> statuses;
  StringId version = StringId::none, library = StringId::none;
  bool is_dump = false;         // whether the root has what a dump has
  std::int64_t incomplete = 0;  // entries without an operation or a number
  std::int64_t cut_texts = 0;
  std::int64_t damaged_at = 0;  // byte
  Message damage;               // empty: none
};

// Whether the first bytes of a file are those of a dump.
bool looks_like_dump(std::string_view head);

// Texts are kept in `profile`. unsupported: a JSON file of more than `most_json` bytes. malformed: nothing of a dump in it.
Result<Dump> read_dump(const std::string& path, std::size_t most_json, Profile& profile, ReadProgress* progress);

// Makes a Dump from the containers of a pickle, or of JSON.
class DumpSink : public PickleSink {
 public:
  explicit DumpSink(StringPool& texts);
  // How to read a value that is a number: kUnknown if it is not a number.
  std::function<std::int64_t(PickleValue)> integer;

  PickleValue list(PickleValue before, std::span<const PickleValue> items) override;
  PickleValue tuple(std::span<const PickleValue> items) override { return list(PickleValue::Kind::list, items); }
  PickleValue dict(PickleValue before, std::span<const PickleValue> items) override;

  Dump dump;

 private:
  // The keys that are read.
  enum Field : std::uint8_t {
    kName,
    kFilename,
    kLine,
    kDesc,
    kRanks,
    kLastEnqueued,
    kLastStarted,
    kLastCompleted,
    kRecordId,
    kPgId,
    kProcessGroup,
    kCollectiveSeq,
    kP2pSeq,
    kOpId,
    kProfilingName,
    kCreated,
    kStarted,
    kCompleted,
    kInputSizes,
    kInputTypes,
    kOutputSizes,
    kOutputTypes,
    kState,
    kRetired,
    kTimeout,
    kIsP2p,
    kFrames,
    kEntries,
    kPgConfig,
    kVersion,
    kLibrary,
    kFields,
  };
  // Sorts of values that the sink makes: a StringId, or a number of a list or row.
  enum Made : std::uint8_t { kFrame, kStack, kSizes, kTexts, kEntry, kGroup, kStatus, kOther };

  bool fields_of(std::span<const PickleValue> items);
  const PickleValue& field(Field which) const { return fields_[which]; }
  bool has(Field which) const { return !field(which).is(PickleValue::Kind::none); }
  std::int64_t whole(Field which) const;
  std::int64_t time(Field which) const;
  bool flag(Field which) const { return field(which).is(PickleValue::Kind::boolean) && field(which).number() != 0; }
  StringId as_list(Field which);
  PickleValue frame();
  PickleValue entry();
  PickleValue stack(PickleValue before, std::span<const PickleValue> items);
  PickleValue sizes(PickleValue before, std::span<const PickleValue> items);
  PickleValue text_list(PickleValue before, std::span<const PickleValue> items);
  PickleValue statuses(std::span<const PickleValue> items);
  bool grows_too_large(std::string_view text);
  StringId kept(std::string_view text);
  std::string inside(StringId id);
  PickleValue made_text(Made sort, std::string_view text);
  std::string_view text_of(PickleValue made) const { return texts_.view(static_cast<StringId>(made.made_number())); }

  StringPool& texts_;
  std::unordered_map<StringId, Field> field_of_;
  std::vector<PickleValue> fields_;
  std::vector<std::vector<StringId>> text_lists_;
  std::size_t grown_ = 0;
};

}  // namespace sightline::formats::flight_recorder
