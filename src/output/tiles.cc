// Marks of all rows, and entries of all series, in one list of columns, so that one request serves a whole screen.
#include "output/tiles.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>
#include <vector>

#include "analyses/derived_data.h"
#include "model/kind_names.h"
#include "output/timeline_query.h"

namespace sightline::output {

static_assert(std::endian::native == std::endian::little, "columns go out as they lie in memory");

namespace {

constexpr std::size_t kAlignment = 8;

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
  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> texts;
    for (const StringId id : names_) texts.push_back(profile_.text(id));
    return texts;
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
  bool with_group;

  // Room for so many marks: growing would touch the memory twice, and what is not used is not touched.
  Columns(std::size_t most, bool groups) : with_group(groups) {
    for (auto* column : {&start, &end, &busy}) column->reserve(most);
    for (auto* column : {&count, &slice, &name}) column->reserve(most);
    kind.reserve(most);
    if (groups) group.reserve(most);
  }

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

  // `group_of(slice)`: the name of its group, or none.
  template <typename GroupOf>
  void add_groups(const std::vector<Mark>& marks, NameList& groups, GroupOf&& group_of) {
    append(group, marks, [&](const Mark& m) { return groups.number(group_of(m.longest)); });
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

// As many marks as the window can have: two per pixel and row and one at its left edge, and no more than there are slices.
std::size_t most_marks(const Timeline& timeline, const TileRequest& request) {
  const auto pixels = static_cast<std::size_t>((request.window.end - request.window.start) / request.window.pixel);
  std::size_t most = 0;
  for (const std::uint32_t lane : request.lanes) {
    const DrawnLane& drawn = timeline.lanes()[lane];
    most += std::min<std::size_t>(drawn.slices, drawn.rows.size() * (2 * pixels + 1));
  }
  return most;
}

// The name of the group of a slice, whichever is requested.
class GroupNames {
 public:
  GroupNames(const Timeline& timeline, MarkGroup group) : timeline_(timeline), p_(timeline.profile()), group_(group) {}

  StringId operator()(Row slice) const {
    if (group_ == MarkGroup::module) {
      const Row module = timeline_.modules().empty() ? kNoRow : timeline_.modules()[slice];
      return module == kNoRow ? StringId::none : p_.slices.name[module];
    }
    const auto& slices = p_.program_work.slice;
    const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
    if (at == slices.end() || *at != slice) return named_after(slice);
    const Row executed = p_.program_work.program_operator[static_cast<std::size_t>(at - slices.begin())];
    return names()[executed];
  }

 private:
  const Column<StringId>& names() const {
    const ProgramOperators& operators = p_.program_operators;
    return group_ == MarkGroup::layer ? operators.framework_operator : operators.name;
  }

  // What executes no operator may represent one and be called as it is, alone or behind a path ("/main/dot.3"): lanes that say
  // when operators ran.
  StringId named_after(Row slice) const {
    const SliceKind kind = p_.slices.kind[slice];
    if (kind != SliceKind::annotation && kind != SliceKind::device_annotation) return StringId::none;
    if (known_.empty()) known_.insert(names().begin(), names().end());
    std::string_view name = p_.text(p_.slices.name[slice]);
    while (!name.empty()) {
      const StringId known = p_.strings.find(name);
      if (known != StringId::none && known_.contains(known)) return known;
      const std::size_t at = name.find('/');
      name = at == std::string_view::npos ? std::string_view{} : name.substr(at + 1);
    }
    return StringId::none;
  }

  const Timeline& timeline_;
  const Profile& p_;
  MarkGroup group_;
  mutable std::unordered_set<StringId> known_;  // names of operators, when first requested
};

std::optional<MarkGroup> mark_group(std::string_view word) {
  if (word.empty()) return MarkGroup::none;
  if (word == "module") return MarkGroup::module;
  if (word == "operator") return MarkGroup::program_operator;
  if (word == "layer") return MarkGroup::layer;
  return std::nullopt;
}

}  // namespace

std::size_t padded_column(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::string framed_columns(std::string head, std::size_t column_bytes) {
  while ((sizeof(std::uint32_t) + head.size()) % kAlignment != 0) head += ' ';
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string body;
  body.reserve(sizeof length + head.size() + column_bytes);
  body.append(reinterpret_cast<const char*>(&length), sizeof length).append(head);
  return body;
}

bool has_mark_group(const Profile& profile, MarkGroup group) {
  if (group == MarkGroup::module) return profile.modules.rows() > 0;
  if (group == MarkGroup::none || profile.program_work.rows() == 0) return false;
  const auto& made_from = profile.program_operators.framework_operator;
  return group == MarkGroup::program_operator ||
         std::any_of(made_from.begin(), made_from.end(), [](StringId id) { return id != StringId::none; });
}

Result<TileRequest> parse_tile_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                       std::string_view end, std::string_view pixel, std::string_view group) {
  const std::optional<MarkGroup> requested = mark_group(group);
  if (!requested) return Error{ErrorCode::invalid_argument, say("group takes module, operator or layer, not '{}'", group), ""};
  Result<std::vector<std::uint32_t>> numbers = parse_numbers("lanes", lanes, timeline.lanes().size(), "lane");
  if (!numbers) return numbers.error();
  const Result<Window> window = parse_window(start, end, pixel);
  if (!window) return window.error();
  return TileRequest{*std::move(numbers), *window, *requested};
}

namespace {

// The kind of such a mark is the number of its class, and its slice is that of the recording.
void put_recorded(const DerivedLanes& lanes, std::vector<Mark>& marks) {
  for (Mark& mark : marks) {
    mark.kind = static_cast<SliceKind>(lanes.class_of(mark.longest));
    mark.longest = lanes.leads_to(mark.longest);
  }
}

void set_kinds(SentTileHeader& header, const DerivedLanes* derived) {
  if (derived == nullptr) {
    header.kinds.assign(kSliceKindNames.begin(), kSliceKindNames.end());
    return;
  }
  header.hues.emplace();
  for (const LaneClass& each : derived->classes()) {
    header.kinds.push_back(each.title);
    header.hues->push_back(each.hue);
  }
}

}  // namespace

std::string encode_tiles(const Timeline& timeline, const TileRequest& requested, const DerivedLanes* derived) {
  const Profile& profile = timeline.profile();
  TileRequest request = requested;
  request.window = aligned(requested.window);
  SentTileHeader header{.window = request.window};
  set_kinds(header, derived);
  std::vector<Mark> marks;  // of one row
  NameList names(profile);
  NameList groups(profile);
  groups.number(StringId::none);  // index 0: in no group
  const GroupNames group_of(timeline, request.group);
  const bool grouped = request.group != MarkGroup::none;
  Columns columns(most_marks(timeline, request), grouped);
  for (const std::uint32_t lane : request.lanes) {
    const std::vector<std::uint32_t>& lane_rows = timeline.lanes()[lane].rows;
    for (std::size_t r = 0; r < lane_rows.size(); ++r) {
      marks.clear();
      timeline.query(lane_rows[r], request.window, marks);
      if (derived != nullptr) put_recorded(*derived, marks);
      header.rows.push_back({lane, r, columns.start.size(), marks.size()});
      columns.add(marks, names);
      if (grouped) columns.add_groups(marks, groups, group_of);
    }
  }
  header.marks = columns.start.size();
  header.names = names.texts();
  if (grouped) header.groups = groups.texts();
  std::size_t bytes = 0;
  columns.for_each([&](std::string_view name, std::string_view type, const auto& values) {
    header.columns.push_back({name, type, bytes});
    bytes += padded_column(values.size() * sizeof values[0]);
  });
  std::string body = framed_columns(wire_json(header), bytes);
  columns.for_each([&](auto, auto, const auto& values) {
    body.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    body.append(padded_column(values.size() * sizeof values[0]) - values.size() * sizeof values[0], '\0');
  });
  return body;
}

// ---- derived lanes ----

static std::int64_t held_bytes(const DerivedTimeline& made) { return static_cast<std::int64_t>(made.timeline->bytes()); }

std::shared_ptr<const DerivedTimeline> wait_timeline(const ProfilePtr& profile) {
  return derived<DerivedTimeline>(profile, [](const ProfilePtr& of) {
    auto lanes = wait_lanes(of);
    auto timeline = std::make_shared<const Timeline>(lanes->profile(), 0);
    return DerivedTimeline{std::move(lanes), std::move(timeline)};
  });
}

// ---- counters ----

CounterCharts::CounterCharts(std::shared_ptr<const std::vector<Counter>> counters) : counters_(std::move(counters)) {
  for (const Counter& counter : *counters_) {
    levels_.emplace_back();
    for (const CounterSeries& series : counter.series) levels_.back().emplace_back(series.time, series.value);
  }
}

std::int64_t CounterCharts::bytes() const {
  std::size_t bytes = 0;
  for (const std::vector<CounterLevels>& counter : levels_) {
    for (const CounterLevels& levels : counter) bytes += sizeof levels + levels.bytes();
  }
  return static_cast<std::int64_t>(bytes);
}

static std::int64_t held_bytes(const CounterCharts& charts) { return charts.bytes(); }

std::shared_ptr<const CounterCharts> counter_charts(const ProfilePtr& profile) {
  return derived<CounterCharts>(profile, [](const ProfilePtr& of) { return CounterCharts(counters(of)); });
}

std::string encode_counters(const CounterCharts& charts, const std::vector<std::uint32_t>& counters, const Window& requested) {
  SentCounterHeader header{.window = aligned(requested)};
  std::vector<CounterEntry> entries;
  for (const std::uint32_t counter : counters) {
    for (std::size_t series = 0; series < charts.counters()[counter].series.size(); ++series) {
      const std::size_t first = entries.size();
      charts.levels(counter, series).query(header.window, entries);
      header.rows.push_back({counter, series, first, entries.size() - first});
    }
  }
  std::size_t bytes = 0;
  for (const char* name : {"time", "least", "most", "last"}) {
    header.columns.push_back({name, "f64", bytes});
    bytes += entries.size() * sizeof(double);
  }
  std::string body = framed_columns(wire_json(header), bytes);
  const auto column = [&](auto&& value_of) {
    for (const CounterEntry& entry : entries) {
      const double value = value_of(entry);
      body.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  };
  column([](const CounterEntry& e) { return static_cast<double>(e.time); });
  column([](const CounterEntry& e) { return e.least; });
  column([](const CounterEntry& e) { return e.most; });
  column([](const CounterEntry& e) { return e.last; });
  return body;
}

}  // namespace sightline::output
