// Range: what fills a range of time on the lanes of the timeline, by name, category, lane, and operator of a compiled program.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/lane_titles.h"
#include "analyses/steps/range_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/kind_names.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kPart = "start and duration of slices, clipped to the range";

ReportColumn sum_column(std::string_view key, Message title, const MetricDoc& doc) {
  return integer_column(key, title, Unit::ns, doc);
}

// How many slices and how long, which the tables by anything have.
TableOf<RangeSum> count_and_total() {
  TableOf<RangeSum> table;
  table.add(integer_column(
                "count", "Count", Unit::count,
                {"How many slices are in the range.",
                 "number of slices with a part in the range; a slice of length 0 counts if its time is in the range", "slices"}),
            &RangeSum::count);
  table.add(sum_column("total", "Total", {"Their time in the range.", "sum over slices of the length of slice ∩ range", kPart}),
            &RangeSum::total);
  return table;
}

template <typename Table, typename SumOf>
void add_self(Table& table, SumOf self_of) {
  table.add(
      sum_column(
          "self", "Self",
          {"Their time in the range, excluding slices directly inside them.",
           "total - sum of the lengths of child ∩ range, over the slices directly inside theirs on the same drawn lane", kPart}),
      self_of);
}

template <typename Table, typename SumOf>
void add_most(Table& table, SumOf most_of) {
  table.add(sum_column("max", "Most", {"Longest part of one in the range.", "greatest length of slice ∩ range", kPart}), most_of);
}

std::string_view name_of_sum(const Profile& profile, const RangeSum& sum) { return profile.text(sum.name); }
const RangeSum& whole_sum(const RangeSum& sum) { return sum; }
std::string_view kind_words(const RangeSum& sum) { return slice_kind_name(sum.kind); }

ReportColumn category_column() {
  return words_column("category", "Category", "What they are: operator, kernel, Python function and so on");
}

template <typename Table>
void add_mean(Table& table) {
  table.add(real_column("mean", "Average", Unit::ns, {"Average time of one of them in the range.", "total / count", kPart}),
            [](const RangeSum& sum) { return quotient(sum.total, sum.count); });
}

template <typename Table>
void add_least(Table& table) {
  table.add(sum_column("min", "Least", {"Shortest part of one in the range.", "least length of slice ∩ range", kPart}),
            &RangeSum::least);
}

TableOf<RangeSum, Profile> names() {
  TableOf<RangeSum, Profile> table({.key = "names", .title = "By name", .sort_column = "total", .row_links = timeline_links()});
  table.add(label_column("name", "Name", "Name of the slices"), even_empty(name_of_sum));
  table.add(category_column(), kind_words);
  table.add_all(count_and_total(), whole_sum);
  add_self(table, &RangeSum::self);
  add_mean(table);
  add_least(table);
  add_most(table, &RangeSum::most);
  table.add(longest_slice_column("part in the range"), &RangeSum::longest);
  return table;
}

// Names on some lanes, the times first: they are read beside the lanes, where there is little room.
TableOf<RangeSum, Profile> names_on(std::string_view key, Message title, std::string_view sort_column) {
  TableOf<RangeSum, Profile> table({.key = std::string(key),
                                    .title = std::move(title),
                                    .sort_column = std::string(sort_column),
                                    .row_links = timeline_links()});
  table.add(label_column("name", "Name", "Name of the slices"), even_empty(name_of_sum));
  add_self(table, &RangeSum::self);
  table.add(sum_column("total", "Total", {"Their time in the range.", "sum over slices of the length of slice ∩ range", kPart}),
            &RangeSum::total);
  table.add(integer_column("count", "Count", Unit::count, {"How many slices are in the range.", "as by name", "slices"}),
            &RangeSum::count);
  add_mean(table);
  add_most(table, &RangeSum::most);
  add_least(table);
  table.add(category_column(), kind_words);
  table.add(longest_slice_column("part in the range"), &RangeSum::longest);
  return table;
}

// With the length of the range.
TableOf<RangeSum, Time> range_categories() {
  TableOf<RangeSum, Time> table({.key = "categories", .title = "By category", .sort_column = "total"});
  table.add(words_column("category", "Category", "What the slices are: operator, kernel, Python function and so on")
                .with_role(ColumnRole::label),
            kind_words);
  table.add_all(count_and_total(), whole_sum);
  add_self(table, &RangeSum::self);
  table.add(sum_column("wall", "Wall",
                       {"Elapsed time in the range during which at least one of them was open.",
                        "length of the union of slice ∩ range, over all chosen lanes", kPart}),
            &RangeSum::wall);
  table.add(real_column("share", "Share", Unit::share, {"Wall as a share of the range.", "wall / length of the range", kPart}),
            [](Time range, const RangeSum& sum) { return quotient(sum.wall, range); });
  return table;
}

struct LaneSum {
  const DrawnLaneSource* lane;
  RangeSum sum;
};

std::string lane_words(const Profile& p, Time, const LaneSum& of) {
  const Row lane = of.lane->lanes.front();
  const StringId name = p.lanes.name[lane] == StringId::none ? p.lanes.track[lane] : p.lanes.name[lane];
  return std::string(p.text(name)) + (of.lane->part == LanePart::python ? ", Python" : "");
}

StringId process_of(const Profile& p, Time, const LaneSum& of) {
  const Row process = p.lanes.process[of.lane->lanes.front()];
  return process == kNoRow ? StringId::none : p.processes.name[process];
}

TableOf<LaneSum, Profile, Time> lanes() {
  TableOf<LaneSum, Profile, Time> table({.key = "lanes", .title = "By lane", .sort_column = "wall"});
  table.add(label_column("lane", "Lane", "Engine, queue, stream or thread, as the timeline calls it"), even_empty(lane_words));
  table.add(text_column("process", "Process", "What it belongs to"), process_of);
  table.add_all(count_and_total(), &LaneSum::sum);
  add_most(table, [](const LaneSum& of) { return of.sum.most; });
  table.add(sum_column("wall", "Wall",
                       {"Elapsed time in the range during which at least one slice of the lane was open.",
                        "length of the union of slice ∩ range, over the lane", kPart}),
            [](const LaneSum& of) { return of.sum.wall; });
  table.add(real_column("share", "Share", Unit::share, {"Wall as a share of the range.", "wall / length of the range", kPart}),
            [](const Profile&, Time range, const LaneSum& of) { return quotient(of.sum.wall, range); });
  return table;
}

// Sums by a name that only compiled programs give.
TableOf<RangeSum, Profile> program_names(std::string_view key, Message title, ReportColumn label) {
  TableOf<RangeSum, Profile> table({.key = std::string(key), .title = std::move(title), .sort_column = "total"});
  table.add(std::move(label), even_empty(name_of_sum));
  table.add_all(count_and_total(), whole_sum);
  add_most(table, &RangeSum::most);
  return table;
}

TableOf<RangeSum, Profile> range_operators() {
  return program_names("operators", "By operator of a program",
                       label_column("name", "Operator", "Name of the operator within its program"));
}

TableOf<RangeSum, Profile> range_layers() {
  return program_names("layers", "By layer",
                       label_column("name", "Framework operator", "Path of the operator in the framework's program"));
}

// By the time that was their own: what encloses others does not come first.
TableOf<RangeSum, Profile> device_names() { return names_on("device_names", "On devices, by name", "self"); }
TableOf<RangeSum, Profile> host_names() { return names_on("host_names", "On the host, by name", "self"); }

// ---- lanes and categories as a tree ----

// All device lanes together, a lane, or a category of what ran there.
struct LaneOrKind {
  Message title;
  RangeSum sum;
  Row parent = kNoRow;
};

TableOf<LaneOrKind, Time> lane_sums_table() {
  TableOf<LaneOrKind, Time> table({.key = "sums", .title = "By lane and category"});
  table.add(words_column("name", "Lane, category", "All device lanes, a lane, or a category of the slices there")
                .with_role(ColumnRole::label),
            &LaneOrKind::title);
  table.add(
      sum_column("wall", "Wall",
                 {"Elapsed time in the range during which at least one of them was open; of a lane, without the ranges that "
                  "a device repeats from its host.",
                  "length of the union of slice ∩ range", kPart})
          .with_bar("share"),
      [](const LaneOrKind& of) { return of.sum.wall; });
  table.add(real_column("share", "Share", Unit::share, {"Wall as a share of the range.", "wall / length of the range", kPart}),
            [](Time range, const LaneOrKind& of) { return quotient(of.sum.wall, range); });
  table.add(integer_column("count", "Count", Unit::count, {"How many slices are in the range.", "as by name", "slices"}),
            [](const LaneOrKind& of) { return of.sum.count; });
  add_self(table, [](const LaneOrKind& of) { return of.sum.self; });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(), &LaneOrKind::parent);
  return table;
}

// Lanes in the order of the timeline: those of devices first.
std::vector<std::size_t> devices_first(const Profile& p, const std::vector<DrawnLaneSource>& drawn) {
  std::vector<std::size_t> order(drawn.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t lane) { return is_device_lane(p, drawn[lane].lanes.front()); });
  return order;
}

// As the timeline calls it, after its process where other lanes have the same title.
std::vector<Message> titles_of(const Profile& p, const std::vector<DrawnLaneSource>& drawn) {
  std::vector<Message> own;
  for (const DrawnLaneSource& lane : drawn) {
    const Message title = lane_title(p, lane.lanes.front());
    own.push_back(lane.part == LanePart::python ? say("Python, {}", title) : title);
  }
  std::vector<Message> titles;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const bool alone = std::count(own.begin(), own.end(), own[i]) == 1;
    const Row process = p.lanes.process[drawn[i].lanes.front()];
    titles.push_back(alone || process == kNoRow ? own[i] : listed_messages(": ", {process_title(p, process), own[i]}));
  }
  return titles;
}

std::vector<LaneOrKind> lane_kind_rows(const Profile& p, const WindowSums& sums, const std::vector<DrawnLaneSource>& drawn) {
  std::vector<LaneOrKind> rows;
  const auto add = [&](const Message& title, const KindSums& of) {
    if (of.all.count == 0) return;
    const Row lane = static_cast<Row>(rows.size());
    rows.push_back({title, of.work.count > 0 ? of.work : of.all});
    std::vector<RangeSum> kinds = of.by_kind;
    sort_down(kinds, &RangeSum::wall);
    for (const RangeSum& kind : kinds) rows.push_back({Message(slice_kind_name(kind.kind)), kind, lane});
  };
  const std::vector<Message> titles = titles_of(p, drawn);
  const std::vector<std::size_t> order = devices_first(p, drawn);
  const auto on_devices = std::count_if(drawn.begin(), drawn.end(),
                                        [&](const DrawnLaneSource& lane) { return is_device_lane(p, lane.lanes.front()); });
  if (on_devices > 1) add("All device lanes", sums.devices);
  for (const std::size_t lane : order) add(titles[lane], sums.kinds_by_lane[lane]);
  return rows;
}

// ---- paths ----

// A lane, or a path on it; or a name and its callers.
struct PathRow {
  std::string name;
  PathSum sum;
  bool is_lane = false;
};

// More rows than this cannot be read; the largest stay.
constexpr std::size_t kMostPaths = 5000;
// Callers above a name.
constexpr int kMostCallers = 8;

TableOf<PathRow> path_table(std::string_view key, Message title) {
  TableOf<PathRow> table({.key = std::string(key), .title = std::move(title)});
  table.add(label_column("name", "Name", "Lane, or name of the slices"),
            even_empty([](const PathRow& row) { return std::string_view(row.name); }));
  table.add(sum_column("total", "Total", {"Their time in the range.", "sum over slices of the length of slice ∩ range", kPart}),
            [](const PathRow& row) { return row.sum.total; });
  add_self(table, [](const PathRow& row) { return row.sum.self; });
  table.add(integer_column("count", "Count", Unit::count, {"How many slices are in the range.", "as by name", "slices"}),
            [](const PathRow& row) { return row.sum.count; });
  table.add(category_column(),
            [](const PathRow& row) { return row.is_lane ? std::string_view() : slice_kind_name(row.sum.kind); });
  table.add(integer_column("parent", "Parent", Unit::id, {"The row around it", "", ""}).hide(),
            [](const PathRow& row) { return row.sum.parent; });
  return table;
}

TableOf<PathRow> paths_table() { return path_table("paths", "Calls in the range"); }
TableOf<PathRow> callers_table() { return path_table("callers", "Names and their callers"); }

// The rows with the most time, and those around them, in the same order: an enclosing row comes first and takes as long.
std::vector<PathRow> largest(std::vector<PathRow> rows) {
  if (rows.size() <= kMostPaths) return rows;
  std::vector<Row> order(rows.size());
  std::iota(order.begin(), order.end(), Row{0});
  sort_down(order, [&](Row each) { return rows[each].sum.total; });
  order.resize(kMostPaths);
  std::sort(order.begin(), order.end());
  std::vector<Row> moved(rows.size(), kNoRow);
  std::vector<PathRow> kept;
  for (const Row row : order) {
    moved[row] = static_cast<Row>(kept.size());
    kept.push_back(std::move(rows[row]));
    Row& parent = kept.back().sum.parent;
    if (parent != kNoRow) parent = moved[parent];
  }
  return kept;
}

// Each lane, then what ran on it.
std::vector<PathRow> path_rows(const Profile& p, const WindowSums& sums, const std::vector<DrawnLaneSource>& drawn) {
  std::vector<PathRow> rows;
  const std::vector<Message> titles = titles_of(p, drawn);
  for (const std::size_t lane : devices_first(p, drawn)) {
    const Row root = static_cast<Row>(rows.size());
    if (sums.paths[lane].empty()) continue;
    rows.push_back({titles[lane], {}, true});
    for (PathSum path : sums.paths[lane]) {
      if (path.parent == kNoRow) rows[root].sum.total += path.total;
      path.parent = path.parent == kNoRow ? root : root + 1 + path.parent;
      rows.push_back({std::string(p.text(path.name)), path});
    }
    rows[root].sum.count = sums.by_lane[lane].count;
  }
  return largest(std::move(rows));
}

// Each name with its self time, and inside it the names around it, with the part of that time that they led to.
class CallerRows {
 public:
  explicit CallerRows(const Profile& p) : p_(p) {}

  void add(const std::vector<PathSum>& paths) {
    for (const PathSum& path : paths) {
      if (path.self == 0) continue;
      Row row = add_to(kNoRow, path, path);
      Row around = path.parent;
      for (int depth = 0; around != kNoRow && depth < kMostCallers; ++depth, around = paths[around].parent)
        row = add_to(row, paths[around], path);
    }
  }

  std::vector<PathRow> take() { return largest(std::move(rows_)); }

 private:
  Row add_to(Row inside, const PathSum& name, const PathSum& time) {
    const Row row = keys_.number_of({inside + 1, static_cast<std::uint32_t>(name.name), static_cast<std::uint32_t>(name.kind)});
    if (row == rows_.size()) {
      rows_.push_back({std::string(p_.text(name.name)), {.parent = inside, .name = name.name, .kind = name.kind}});
    }
    PathSum& sum = rows_[row].sum;
    sum.total += time.self;
    sum.self += time.self;
    sum.count += time.count;
    return row;
  }

  const Profile& p_;
  GroupIndex<3> keys_;
  std::vector<PathRow> rows_;
};

std::vector<PathRow> caller_rows(const Profile& p, const WindowSums& sums, const std::vector<DrawnLaneSource>& drawn) {
  CallerRows rows(p);
  for (const std::size_t lane : devices_first(p, drawn)) rows.add(sums.paths[lane]);
  return rows.take();
}

// ---- the report ----

std::vector<RangeSum> by_total(std::vector<RangeSum> sums) {
  sort_down(sums, &RangeSum::total);
  return sums;
}

std::vector<RangeSum> by_self(std::vector<RangeSum> sums) {
  sort_down(sums, &RangeSum::self);
  return sums;
}

// Without the ranges that a device repeats from its host: their self time is when it did nothing.
std::vector<RangeSum> without_marks(std::vector<RangeSum> sums) {
  std::erase_if(sums, [](const RangeSum& sum) { return sum.kind == SliceKind::device_annotation; });
  return sums;
}

std::vector<LaneSum> lane_sums(const WindowSums& sums, const std::vector<DrawnLaneSource>& drawn) {
  std::vector<LaneSum> rows;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (sums.by_lane[i].count > 0) rows.push_back({&drawn[i], sums.by_lane[i]});
  }
  return rows;
}

Panel facts_panel(const WindowSums& sums, Interval range, std::size_t lanes) {
  FactSheet sheet;
  sheet.facts = {{"Start", Cell{range.start}, Unit::ns, "Since the run's origin."},
                 {"Length", Cell{range.length()}, Unit::ns, "Formula: end - start."},
                 {"Lanes", Cell{static_cast<std::int64_t>(lanes)}, Unit::count, "The lanes that are summed."},
                 {"Slices", Cell{sums.slices}, Unit::count, "Slices that are at least partly in the range."},
                 {"Busy", share_cell(sums.busy, range.length()), Unit::share,
                  "The share of the range during which anything was open on the lanes.\n"
                  "Formula: length of the union of slice ∩ range / length of the range.\n"
                  "Source: start and duration of slices."}};
  return {.id = "range", .title = "Range", .content = std::move(sheet)};
}

// Lanes by the numbers of drawn_lanes, "3,4"; all of them when `text` is empty.
Result<std::vector<DrawnLaneSource>> chosen_lanes(const Profile& profile, std::string_view text) {
  std::vector<DrawnLaneSource> all = drawn_lanes(profile);
  if (text.empty()) return all;
  std::vector<bool> wanted(all.size(), false);
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, text.find(','));
    const std::optional<std::size_t> lane = whole_number<std::size_t>(piece);
    if (!lane || *lane >= all.size()) {
      return Error{ErrorCode::invalid_argument, say("no lane '{}'; lanes have the numbers of the timeline", piece), ""};
    }
    wanted[*lane] = true;
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
  }
  std::vector<DrawnLaneSource> chosen;
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    if (wanted[lane]) chosen.push_back(std::move(all[lane]));
  }
  return chosen;
}

// From the first slice to the end of the last, where the parameters leave it open.
Result<Interval> chosen_range(const Profile& profile, const Parameters& given) {
  Interval all{profile.span_start, profile.span_end};
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.first[lane] == profile.lanes.last[lane]) continue;
    all.start = std::min(all.start, profile.slices.start[profile.lanes.first[lane]]);
  }
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) all.end = std::max(all.end, profile.end_of(slice));
  all.end = std::max(all.end, all.start + 1);  // nothing but instants at one time
  const Interval range{given.time("start").value_or(all.start), given.time("end").value_or(all.end)};
  if (range.start < range.end) return range;
  return Error{ErrorCode::invalid_argument, say("a range needs start < end, not {} and {}", range.start, range.end), ""};
}

// What a reader of a range looks at one after the other.
constexpr std::array<std::string_view, 5> kRangeParts{"sums", "devices", "host", "calls", "callers"};

Result<Report> run_range(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const Result<Interval> range = chosen_range(profile, input.parameters);
  if (!range) return range.error();
  const auto chosen = chosen_lanes(profile, input.parameters.text("lanes"));
  if (!chosen) return chosen.error();
  const std::string& part = input.parameters.text("part");
  if (!part.empty() && std::find(kRangeParts.begin(), kRangeParts.end(), part) == kRangeParts.end()) {
    return Error{ErrorCode::invalid_argument, "part: one of sums, devices, host, calls, callers", ""};
  }
  const WindowSums sums = range_sums(profile, *range, *chosen);

  Report report{.view = "range", .title = "Range"};
  report.scope = say("{} from {}, {}", time_words(range->length()), time_words(range->start),
                     count_words(std::ssize(*chosen), "{} lane", "{} lanes"));
  const auto wanted = [&](std::string_view name) { return part.empty() || part == name; };
  const auto add = [&](ReportTable table, PanelContent content) {
    Panel panel{.id = table.key, .title = table.title, .content = std::move(content)};
    panel.empty = "Nothing ran in this range on these lanes.";
    report.panels.push_back(std::move(panel));
    report.tables.push_back(std::move(table));
  };
  const auto add_plain = [&](ReportTable table) {
    const std::string key = table.key;
    add(std::move(table), PlainTable{key});
  };
  if (part.empty()) report.panels.push_back(facts_panel(sums, *range, chosen->size()));
  if (wanted("sums"))
    add(lane_sums_table().of(range->length(), lane_kind_rows(profile, sums, *chosen)), TreeTable{"sums", "parent"});
  if (wanted("devices")) add_plain(device_names().of(profile, by_self(without_marks(sums.device_names))));
  if (wanted("host")) add_plain(host_names().of(profile, by_self(sums.host_names)));
  if (wanted("calls")) {
    add(paths_table().of(path_rows(profile, sums, *chosen)),
        FlameChart{.table = "paths", .label = "name", .value = "total", .parent = "parent"});
    report.panels.back().doc =
        "Flame graph of the range: the slices of each lane merged by path; width is the time in the range, not the order of "
        "time.";
  }
  if (wanted("callers")) add(callers_table().of(caller_rows(profile, sums, *chosen)), TreeTable{"callers", "parent"});
  if (part.empty()) {
    add_plain(names().of(profile, by_total(sums.by_name)));
    add_plain(range_categories().of(range->length(), by_total(sums.by_kind)));
    add_plain(lanes().of(profile, range->length(), lane_sums(sums, *chosen)));
    if (!sums.by_operator.empty()) add_plain(range_operators().of(profile, by_total(sums.by_operator)));
    if (!sums.by_layer.empty()) add_plain(range_layers().of(profile, by_total(sums.by_layer)));
  }
  return report;
}

std::optional<Message> range_unavailable(const Profile& profile) {
  if (profile.slices.rows() != 0) return std::nullopt;
  return "nothing in this profile has a time";
}

std::vector<ReportTable> range_tables() {
  return {lane_sums_table().blank(), device_names().blank(), host_names().blank(),       paths_table().blank(),
          callers_table().blank(),   names().blank(),        range_categories().blank(), lanes().blank(),
          range_operators().blank(), range_layers().blank()};
}

}  // namespace

Analysis range_analysis() {
  return {
      .id = "range",
      .title = "Range",
      .group = ViewGroup::none,
      .doc = "What ran in a range of time, on some lanes of the timeline.",
      .parameters =
          {{"start", "Start", ParameterType::time, "", {}, "Start of the range; empty: the start of the first slice"},
           {"end", "End", ParameterType::time, "", {}, "End of the range; empty: the end of the last slice"},
           {"lanes", "Lanes", ParameterType::text, "", {}, "Numbers of the timeline's lanes, separated by commas; empty: all"},
           {"part", "Part", ParameterType::text, "", {}, "The tables to compute; empty: all of them"}},
      .unavailable = range_unavailable,
      .run = run_range,
      .tables = range_tables};
}

}  // namespace sightline::analyses
