// encode_tiles: marks of all rows in one list of columns, so that one request serves a whole screen.
#include "engine/tiles.h"

#include <algorithm>
#include <bit>
#include <charconv>
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

// The distinct names of the marks, numbered in order of appearance.
class NameList {
 public:
  explicit NameList(const Profile& profile) : profile_(profile), numbers_(profile.strings.size(), kNoRow) {}
  std::uint32_t number(StringId id) {
    std::uint32_t& number = numbers_[static_cast<std::size_t>(id)];
    if (number == kNoRow) {
      number = static_cast<std::uint32_t>(names_.size());
      names_.push_back(id);
    }
    return number;
  }
  void describe(JsonWriter& json) const {
    json.begin_array();
    for (const StringId id : names_) json.value(profile_.text(id));
    json.end_array();
  }

 private:
  const Profile& profile_;
  std::vector<std::uint32_t> numbers_;  // by string id
  std::vector<StringId> names_;
};

// The columns on the wire. They are filled a row of marks at a time: a row fits the processor's cache, a screen does not.
struct Columns {
  std::vector<double> start, end, busy;
  std::vector<std::uint32_t> count, slice, name;
  std::vector<std::uint8_t> kind;
  std::vector<std::uint32_t> group;
  bool with_group = false;

  // Calls visit(name, type, values) for each.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    visit("start", "f64", start);
    visit("end", "f64", end);
    visit("busy", "f64", busy);
    visit("count", "u32", count);
    visit("slice", "u32", slice);
    visit("name", "u32", name);
    visit("kind", "u8", kind);
    if (with_group) visit("group", "u32", group);
  }

  // `module_of`: by slice its module call, or empty.
  void add_groups(const std::vector<Mark>& marks, const Slices& slices, const std::vector<Row>& module_of, NameList& groups) {
    append(group, marks, [&](const Mark& m) {
      const Row module = module_of.empty() ? kNoRow : module_of[m.longest];
      return groups.number(module == kNoRow ? StringId::none : slices.name[module]);
    });
  }

  void add(const std::vector<Mark>& marks, NameList& names) {
    append(start, marks, [](const Mark& m) { return static_cast<double>(m.start); });
    append(end, marks, [](const Mark& m) { return static_cast<double>(m.end); });
    append(busy, marks, [](const Mark& m) { return static_cast<double>(m.busy); });
    append(count, marks, [](const Mark& m) { return m.count; });
    append(slice, marks, [](const Mark& m) { return m.longest; });
    append(name, marks, [&](const Mark& m) { return names.number(m.name); });
    append(kind, marks, [](const Mark& m) { return static_cast<std::uint8_t>(m.kind); });
  }

 private:
  template <typename T, typename Get>
  static void append(std::vector<T>& column, const std::vector<Mark>& marks, Get&& get) {
    const std::size_t before = column.size();
    column.resize(before + marks.size());
    std::transform(marks.begin(), marks.end(), column.begin() + static_cast<std::ptrdiff_t>(before), get);
  }
};

std::size_t padded(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::string header(const TileRequest& request, const std::vector<TileRow>& rows, std::size_t marks, const NameList& names,
                   const NameList& groups, const Columns& columns) {
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
  json.key("names");
  names.describe(json);
  if (request.modules) {
    json.key("groups");
    groups.describe(json);
  }
  json.key("columns").begin_array();
  std::size_t offset = 0;
  columns.for_each([&](std::string_view name, std::string_view type, const auto& values) {
    json.begin_object()
        .member("name", name)
        .member("type", type)
        .member("offset", static_cast<std::int64_t>(offset))
        .end_object();
    offset += padded(values.size() * sizeof values[0]);
  });
  json.end_array();
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
                                       const std::string& pixel, const std::string& group) {
  TileRequest request;
  request.modules = group == "module";
  if (!request.modules && !group.empty())
    return Error{ErrorCode::invalid_argument, "group takes module, not '" + group + "'", ""};
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
  TileRequest request = asked;
  request.window = aligned(asked.window);
  std::vector<TileRow> rows;
  std::vector<Mark> marks;  // of one row
  NameList names(profile);
  NameList groups(profile);
  groups.number(StringId::none);  // index 0: in no module
  Columns columns;
  columns.with_group = request.modules;
  for (const Row lane : request.lanes) {
    const auto drawn =
        std::find_if(timeline.lanes().begin(), timeline.lanes().end(), [&](const DrawnLane& l) { return l.lane == lane; });
    if (drawn == timeline.lanes().end())
      return Error{ErrorCode::invalid_argument, "no lane " + std::to_string(lane) + " to draw", ""};
    for (std::size_t r = 0; r < drawn->rows.size(); ++r) {
      marks.clear();
      timeline.query(drawn->rows[r], request.window, marks);
      rows.push_back({lane, static_cast<std::int64_t>(r), columns.start.size(), marks.size()});
      columns.add(marks, names);
      if (request.modules) columns.add_groups(marks, profile.slices, timeline.modules(), groups);
    }
  }
  const std::string head = header(request, rows, columns.start.size(), names, groups, columns);
  const auto length = static_cast<std::uint32_t>(head.size());
  std::size_t total = sizeof length + head.size();
  columns.for_each([&](auto, auto, const auto& values) { total += padded(values.size() * sizeof values[0]); });
  std::string body;
  body.reserve(total);
  body.append(reinterpret_cast<const char*>(&length), sizeof length).append(head);
  columns.for_each([&](auto, auto, const auto& values) {
    body.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    body.append(padded(values.size() * sizeof values[0]) - values.size() * sizeof values[0], '\0');
  });
  return body;
}

}  // namespace sightline
