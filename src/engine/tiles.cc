// encode_tiles: marks of all rows in one list of columns, so that one request serves a whole screen.
#include "engine/tiles.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/json_writer.h"
#include "model/slice_kind_name.h"

namespace sightline {

static_assert(std::endian::native == std::endian::little, "columns go out as they lie in memory");

namespace {

constexpr std::size_t kAlignment = 8;

struct TileRow {
  Row lane;
  std::int64_t row;
  std::size_t first;
  std::size_t count;
};

// Columns behind one another, each aligned.
class Columns {
 public:
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  template <typename T, typename Get>
  void add(std::string_view name, std::string_view type, const std::vector<Mark>& marks, Get&& get) {
    places_.push_back({name, type, bytes_.size()});
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + (marks.size() * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment, '\0');
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const T value = get(marks[i]);
      std::memcpy(bytes_.data() + begin + i * sizeof(T), &value, sizeof(T));
    }
  }

  const std::string& bytes() const { return bytes_; }

  void describe(JsonWriter& json) const {
    json.key("columns").begin_array();
    for (const Place& place : places_) {
      json.begin_object().member("name", place.name).member("type", place.type);
      json.member("offset", static_cast<std::int64_t>(place.offset)).end_object();
    }
    json.end_array();
  }

 private:
  struct Place {
    std::string_view name;
    std::string_view type;
    std::size_t offset;
  };
  std::vector<Place> places_;
  std::string bytes_;
};

// The distinct names of the marks, numbered in order of appearance.
class NameList {
 public:
  explicit NameList(const Profile& profile) : profile_(profile), numbers_(profile.strings.size(), kNoRow) {}
  std::uint32_t number(Row slice) {
    const StringId id = profile_.slices.name[slice];
    std::uint32_t& number = numbers_[static_cast<std::size_t>(id)];
    if (number == kNoRow) {
      number = static_cast<std::uint32_t>(names_.size());
      names_.push_back(id);
    }
    return number;
  }
  void describe(JsonWriter& json) const {
    json.key("names").begin_array();
    for (const StringId id : names_) json.value(profile_.text(id));
    json.end_array();
  }

 private:
  const Profile& profile_;
  std::vector<std::uint32_t> numbers_;  // by string id
  std::vector<StringId> names_;
};

std::string header(const TileRequest& request, const std::vector<TileRow>& rows, std::size_t marks, const NameList& names,
                   const Columns& columns) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("start", request.window.start).member("end", request.window.end).member("pixel", request.window.pixel);
  json.member("marks", static_cast<std::int64_t>(marks));
  json.key("rows").begin_array();
  for (const TileRow& row : rows) {
    json.begin_object().member("lane", std::int64_t{row.lane}).member("row", row.row);
    json.member("first", static_cast<std::int64_t>(row.first)).member("count", static_cast<std::int64_t>(row.count)).end_object();
  }
  json.end_array();
  json.key("kinds").begin_array();
  for (const std::string_view kind : kSliceKindNames) json.value(kind);
  json.end_array();
  names.describe(json);
  columns.describe(json);
  json.end_object();
  while ((sizeof(std::uint32_t) + text.size()) % kAlignment != 0) text += ' ';
  return text;
}

Result<std::int64_t> parse_number(const std::string& name, std::string_view text) {
  std::int64_t value = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed == std::errc() && rest == text.data() + text.size()) return value;
  return Error{ErrorCode::invalid_argument, name + " takes an integer, not '" + std::string(text) + "'", ""};
}

}  // namespace

Result<TileRequest> parse_tile_request(const std::string& lanes, const std::string& start, const std::string& end,
                                       const std::string& pixel) {
  TileRequest request;
  std::string_view left = lanes;
  while (!left.empty()) {
    const std::size_t comma = std::min(left.find(','), left.size());
    const Result<std::int64_t> lane = parse_number("lanes", left.substr(0, comma));
    if (!lane) return lane.error();
    request.lanes.push_back(*lane < 0 ? kNoRow : static_cast<Row>(std::min<std::int64_t>(*lane, kNoRow)));
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  for (const auto& [name, text, into] :
       {std::tuple{"start", &start, &request.window.start}, std::tuple{"end", &end, &request.window.end},
        std::tuple{"pixel", &pixel, &request.window.pixel}}) {
    const Result<std::int64_t> value = parse_number(name, *text);
    if (!value) return value.error();
    *into = *value;
  }
  if (request.window.pixel < 1 || request.window.end <= request.window.start) {
    return Error{ErrorCode::invalid_argument, "a window needs start < end and pixel >= 1", ""};
  }
  return request;
}

Result<std::string> encode_tiles(const Timeline& timeline, const TileRequest& asked) {
  const Profile& profile = timeline.profile();
  const TileRequest request{asked.lanes, aligned(asked.window)};
  std::vector<TileRow> rows;
  std::vector<Mark> marks;
  for (const Row lane : request.lanes) {
    const auto drawn =
        std::find_if(timeline.lanes().begin(), timeline.lanes().end(), [&](const DrawnLane& l) { return l.lane == lane; });
    if (drawn == timeline.lanes().end())
      return Error{ErrorCode::invalid_argument, "no lane " + std::to_string(lane) + " to draw", ""};
    for (std::size_t r = 0; r < drawn->rows.size(); ++r) {
      const std::size_t first = marks.size();
      timeline.query(drawn->rows[r], request.window, marks);
      rows.push_back({lane, static_cast<std::int64_t>(r), first, marks.size() - first});
    }
  }
  NameList names(profile);
  Columns columns;
  columns.reserve(marks.size() * 40 + 64);
  columns.add<double>("start", "f64", marks, [](const Mark& m) { return static_cast<double>(m.start); });
  columns.add<double>("end", "f64", marks, [](const Mark& m) { return static_cast<double>(m.end); });
  columns.add<double>("busy", "f64", marks, [](const Mark& m) { return static_cast<double>(m.busy); });
  columns.add<std::uint32_t>("count", "u32", marks, [](const Mark& m) { return m.count; });
  columns.add<std::uint32_t>("slice", "u32", marks, [](const Mark& m) { return m.longest; });
  columns.add<std::uint32_t>("name", "u32", marks, [&](const Mark& m) { return names.number(m.longest); });
  columns.add<std::uint8_t>("kind", "u8", marks,
                            [&](const Mark& m) { return static_cast<std::uint8_t>(profile.slices.kind[m.longest]); });
  const std::string head = header(request, rows, marks.size(), names, columns);
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string body;
  body.reserve(sizeof length + head.size() + columns.bytes().size());
  body.append(reinterpret_cast<const char*>(&length), sizeof length);
  return body.append(head).append(columns.bytes());
}

}  // namespace sightline
