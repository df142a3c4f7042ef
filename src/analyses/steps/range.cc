// Range: what fills a range of time on the lanes of the timeline, by name, category, lane, and operator of a compiled program.
#include <fmt/core.h>

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/steps/range_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"
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

TableOf<RangeSum, Profile> names() {
  TableOf<RangeSum, Profile> table({.key = "names", .title = "By name", .sort_column = "total", .row_links = timeline_links()});
  table.add(label_column("name", "Name", "Name of the slices"), even_empty(name_of_sum));
  table.add(words_column("category", "Category", "What they are: operator, kernel, Python function and so on"), kind_words);
  table.add_all(count_and_total(), whole_sum);
  add_self(table, &RangeSum::self);
  table.add(real_column("mean", "Average", Unit::ns, {"Average time of one of them in the range.", "total / count", kPart}),
            [](const RangeSum& sum) { return quotient(sum.total, sum.count); });
  table.add(sum_column("min", "Least", {"Shortest part of one in the range.", "least length of slice ∩ range", kPart}),
            &RangeSum::least);
  add_most(table, &RangeSum::most);
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

std::vector<RangeSum> by_total(std::vector<RangeSum> sums) {
  std::stable_sort(sums.begin(), sums.end(), [](const RangeSum& a, const RangeSum& b) { return a.total > b.total; });
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

Result<Report> run_range(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const Result<Interval> range = chosen_range(profile, input.parameters);
  if (!range) return range.error();
  const auto chosen = chosen_lanes(profile, input.parameters.text("lanes"));
  if (!chosen) return chosen.error();
  const WindowSums sums = range_sums(profile, *range, *chosen);

  Report report{.view = "range", .title = "Range"};
  report.scope = say("{} from {}, {}", time_words(range->length()), time_words(range->start),
                     count_words(std::ssize(*chosen), "{} lane", "{} lanes"));
  report.panels.push_back(facts_panel(sums, *range, chosen->size()));
  report.tables.push_back(names().of(profile, by_total(sums.by_name)));
  report.tables.push_back(range_categories().of(range->length(), by_total(sums.by_kind)));
  report.tables.push_back(lanes().of(profile, range->length(), lane_sums(sums, *chosen)));
  if (!sums.by_operator.empty()) report.tables.push_back(range_operators().of(profile, by_total(sums.by_operator)));
  if (!sums.by_layer.empty()) report.tables.push_back(range_layers().of(profile, by_total(sums.by_layer)));
  for (const ReportTable& table : report.tables) {
    Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
    panel.empty = "Nothing ran in this range on these lanes.";
    report.panels.push_back(std::move(panel));
  }
  return report;
}

std::optional<std::string> range_unavailable(const Profile& profile) {
  if (profile.slices.rows() != 0) return std::nullopt;
  return "nothing in this profile has a time";
}

std::vector<ReportTable> range_tables() {
  return {names().blank(), range_categories().blank(), lanes().blank(), range_operators().blank(), range_layers().blank()};
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
           {"lanes", "Lanes", ParameterType::text, "", {}, "Numbers of the timeline's lanes, separated by commas; empty: all"}},
      .unavailable = range_unavailable,
      .run = run_range,
      .tables = range_tables};
}

}  // namespace sightline::analyses
