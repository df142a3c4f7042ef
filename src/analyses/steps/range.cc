// Range: what fills a range of time on the lanes of the timeline, by name, category, lane, and operator of a compiled program.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/steps/range_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/whole_number.h"
#include "model/slice_kind_name.h"

namespace sightline {

namespace {

constexpr std::string_view kPart = "start and duration of slices, cut to the range";

ReportColumn sum_column(std::string_view key, Message title, const MetricDoc& doc) {
  return integer_column(key, title, Unit::ns, doc);
}

ReportColumn count_column() {
  return integer_column(
      "count", "Count", Unit::count,
      {"How many slices are in the range.",
       "number of slices with a part in the range; a slice of no length counts if its time is in the range", "slices"});
}

ReportColumn total_column() {
  return sum_column("total", "Total", {"Their time in the range.", "sum over slices of the length of slice ∩ range", kPart});
}

ReportColumn self_column() {
  return sum_column(
      "self", "Self",
      {"Their time in the range, excluding slices directly inside them.",
       "total - sum of the lengths of child ∩ range, over the slices directly inside theirs on the same drawn lane", kPart});
}

ReportTable blank_names() {
  ReportTable table{.key = "names", .title = "By name"};
  table.columns = {
      label_column("name", "Name", "Name of the slices"),
      words_column("category", "Category", "What they are: operator, kernel, Python function and so on"),
      count_column(),
      total_column(),
      self_column(),
      real_column("mean", "Average", Unit::ns, {"Average time of one of them in the range.", "total / count", kPart}),
      sum_column("min", "Least", {"Shortest part of one in the range.", "least length of slice ∩ range", kPart}),
      sum_column("max", "Most", {"Longest part of one in the range.", "greatest length of slice ∩ range", kPart}),
      longest_slice_column("part in the range")};
  table.sort_column = "total";
  table.row_links = timeline_links();
  return table;
}

ReportTable blank_range_categories() {
  ReportTable table{.key = "categories", .title = "By category"};
  table.columns = {
      words_column("category", "Category", "What the slices are: operator, kernel, Python function and so on"),
      count_column(),
      total_column(),
      self_column(),
      sum_column("wall", "Wall",
                 {"Elapsed time in the range during which at least one of them was open.",
                  "length of the union of slice ∩ range, over all chosen lanes", kPart}),
      real_column("share", "Share", Unit::share, {"Wall as a share of the range.", "wall / length of the range", kPart})};
  table.columns.front().role = ColumnRole::label;
  table.sort_column = "total";
  return table;
}

// Sums by what slices belong to.
ReportTable blank_groups(std::string_view key, Message title, std::vector<ReportColumn> labels) {
  ReportTable table{.key = std::string(key), .title = title};
  table.columns = std::move(labels);
  std::vector<ReportColumn> sums{
      count_column(), total_column(),
      sum_column("max", "Most", {"Longest part of one in the range.", "greatest length of slice ∩ range", kPart})};
  std::move(sums.begin(), sums.end(), std::back_inserter(table.columns));
  table.sort_column = "total";
  return table;
}

ReportTable blank_lanes() {
  ReportTable table = blank_groups("lanes", "By lane",
                                   {label_column("lane", "Lane", "Engine, queue, stream or thread, as the timeline calls it"),
                                    text_column("process", "Process", "What it belongs to")});
  table.columns.push_back(sum_column("wall", "Wall",
                                     {"Elapsed time in the range during which at least one slice of the lane was open.",
                                      "length of the union of slice ∩ range, over the lane", kPart}));
  table.columns.push_back(
      real_column("share", "Share", Unit::share, {"Wall as a share of the range.", "wall / length of the range", kPart}));
  table.sort_column = "wall";
  return table;
}

ReportTable blank_range_operators() {
  return blank_groups("operators", "By operator of a program",
                      {label_column("name", "Operator", "Name of the operator within its program")});
}

ReportTable blank_layers() {
  return blank_groups("layers", "By layer",
                      {label_column("name", "Framework operator", "Path of the operator in the framework's program")});
}

template <typename Sums>
std::vector<std::size_t> by_total(const Sums& sums) {
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sums[a].total > sums[b].total; });
  return order;
}

ReportTable names_table(const Profile& profile, const WindowSums& sums) {
  ReportTable table = blank_names();
  for (const std::size_t i : by_total(sums.by_name)) {
    const RangeSum& sum = sums.by_name[i];
    table.add_row({Cell{std::string(profile.text(sum.name))}, Cell{std::string(slice_kind_name(sum.kind))}, Cell{sum.count},
                   Cell{sum.total}, Cell{sum.self}, Cell{static_cast<double>(sum.total) / static_cast<double>(sum.count)},
                   Cell{sum.least}, Cell{sum.most}, Cell{std::int64_t{sum.longest}}});
  }
  return table;
}

ReportTable categories_table(const WindowSums& sums, Interval range) {
  ReportTable table = blank_range_categories();
  for (const std::size_t i : by_total(sums.by_kind)) {
    const RangeSum& sum = sums.by_kind[i];
    table.add_row({Cell{std::string(slice_kind_name(sum.kind))}, Cell{sum.count}, Cell{sum.total}, Cell{sum.self}, Cell{sum.wall},
                   share_cell(sum.wall, range.length())});
  }
  return table;
}

ReportTable lanes_table(const Profile& profile, const WindowSums& sums, const std::vector<DrawnLaneSource>& lanes,
                        Interval range) {
  ReportTable table = blank_lanes();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const RangeSum& sum = sums.by_lane[i];
    if (sum.count == 0) continue;
    const Row lane = lanes[i].lanes.front(), process = profile.lanes.process[lane];
    const StringId name = profile.lanes.name[lane] == StringId::none ? profile.lanes.track[lane] : profile.lanes.name[lane];
    table.add_row({Cell{std::string(profile.text(name)) + (lanes[i].part == LanePart::python ? ", Python" : "")},
                   process == kNoRow ? Cell{} : cell(profile.text(profile.processes.name[process])), Cell{sum.count},
                   Cell{sum.total}, Cell{sum.most}, Cell{sum.wall}, share_cell(sum.wall, range.length())});
  }
  return table;
}

ReportTable groups_table(const Profile& profile, const std::vector<RangeSum>& sums, ReportTable table) {
  for (const std::size_t i : by_total(sums)) {
    const RangeSum& sum = sums[i];
    table.add_row({Cell{std::string(profile.text(sum.name))}, Cell{sum.count}, Cell{sum.total}, Cell{sum.most}});
  }
  return table;
}

Panel facts_panel(const WindowSums& sums, Interval range, std::size_t lanes) {
  Panel panel{.kind = PanelKind::facts, .id = "range", .title = "Range"};
  panel.facts = {{"Start", Cell{range.start}, Unit::ns, "Since the run's origin."},
                 {"Length", Cell{range.length()}, Unit::ns, "Formula: end - start."},
                 {"Lanes", Cell{static_cast<std::int64_t>(lanes)}, Unit::count, "The lanes that are summed."},
                 {"Slices", Cell{sums.slices}, Unit::count, "Slices of which a part is in the range."},
                 {"Busy", share_cell(sums.busy, range.length()), Unit::share,
                  "The share of the range during which anything was open on the lanes.\n"
                  "Formula: length of the union of slice ∩ range / length of the range.\n"
                  "Source: start and duration of slices."}};
  return panel;
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
  const auto lanes = chosen_lanes(profile, input.parameters.text("lanes"));
  if (!lanes) return lanes.error();
  const WindowSums sums = range_sums(profile, *range, *lanes);

  Report report{.view = "range", .title = "Range"};
  report.scope = say("{} from {}, {}", time_words(range->length()), time_words(range->start),
                     count_words(std::ssize(*lanes), "{} lane", "{} lanes"));
  report.panels.push_back(facts_panel(sums, *range, lanes->size()));
  report.tables.push_back(names_table(profile, sums));
  report.tables.push_back(categories_table(sums, *range));
  report.tables.push_back(lanes_table(profile, sums, *lanes, *range));
  if (!sums.by_operator.empty()) report.tables.push_back(groups_table(profile, sums.by_operator, blank_range_operators()));
  if (!sums.by_layer.empty()) report.tables.push_back(groups_table(profile, sums.by_layer, blank_layers()));
  for (const ReportTable& table : report.tables) {
    Panel panel{.kind = PanelKind::table, .id = table.key, .title = table.title, .table = table.key};
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
  return {blank_names(), blank_range_categories(), blank_lanes(), blank_range_operators(), blank_layers()};
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

}  // namespace sightline
