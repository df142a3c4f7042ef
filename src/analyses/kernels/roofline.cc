// Roofline: how far each kernel or operator is from what the device's peaks allow at its arithmetic intensity.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/devices/device_totals.h"
#include "analyses/kernels/memory_tiers.h"
#include "analyses/kernels/operator_roofline.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kWorthSaying = 0.01;
constexpr std::string_view kCostSource = "operations and bytes of each work item, and its slices";

// One point: the work of a name.
struct RooflinePoint {
  std::string name;
  std::int64_t calls = 0;
  double flops = kUnknownReal, bytes = kUnknownReal;
  double time = 0;   // ns
  IntervalSet busy;  // while it is gathered: unsorted
  Row longest = kNoRow;
  Traffic traffic;
  std::int64_t with_traffic = 0;  // calls of which the file states it
  ClosestLimit closest;           // if it states that of all
};

void add_to(double& sum, double value) {
  if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
}

double bytes_of_work(const WorkCosts& costs, Row row) {
  if (costs.bytes[row] != kUnknown) return static_cast<double>(costs.bytes[row]);
  double sum = kUnknownReal;
  for (const auto* column : {&costs.bytes_read, &costs.bytes_written}) {
    if ((*column)[row] != kUnknown) add_to(sum, static_cast<double>((*column)[row]));
  }
  return sum;
}

// Device work by group. Copies are left out: their bytes count with the work that requested them.
class Gathering {
 public:
  Gathering(const Profile& profile, std::int64_t device, bool by_operator)
      : p_(profile), tiers_(profile, device), device_(device), by_operator_(by_operator) {}

  std::vector<RooflinePoint> run() {
    Row cost = 0, work = 0;
    for (const Row slice : p_.device_work.slice) {
      if (!is_kernel(p_.slices.kind[slice]) || p_.lanes.device[p_.slices.lane[slice]] != device_) continue;
      while (work < p_.program_work.rows() && p_.program_work.slice[work] < slice) ++work;
      const bool of_operator = work < p_.program_work.rows() && p_.program_work.slice[work] == slice;
      while (cost < p_.work_costs.rows() && p_.work_costs.slice[cost] < slice) ++cost;
      const bool known = cost < p_.work_costs.rows() && p_.work_costs.slice[cost] == slice;
      if (p_.lanes.kind[p_.slices.lane[slice]] ==
          LaneKind::device_stream) {  // on an engine, most work is known to compute nothing
        time_ += static_cast<double>(p_.slices.duration[slice]);
        if (!known) unknown_ += static_cast<double>(p_.slices.duration[slice]);
      }
      if (by_operator_ && !of_operator) continue;
      const StringId name =
          by_operator_ ? p_.program_operators.name[p_.program_work.program_operator[work]] : p_.slices.name[slice];
      RooflinePoint& point = point_of(name);
      ++point.calls;
      point.busy.push_back({p_.slices.start[slice], p_.end_of(slice)});
      if (point.longest == kNoRow || p_.slices.duration[slice] > p_.slices.duration[point.longest]) point.longest = slice;
      if (of_operator) point.with_traffic += tiers_.add(p_.program_work.program_operator[work], point.traffic);
      if (!known) continue;
      add_to(point.flops, p_.work_costs.flops[cost]);
      add_to(point.bytes, bytes_of_work(p_.work_costs, cost));
    }
    for (RooflinePoint& point : points_) point.time = static_cast<double>(total_length(merge(std::move(point.busy))));
    return std::move(points_);
  }

  // What moved to and from each memory, of points whose calls all state it. Sets their limits.
  std::vector<MemoryUse> memory_uses(const DeviceTotals& device, std::vector<RooflinePoint>& points) const;

  // Share of the kernel time for which no cost is known.
  double unknown_share() const { return time_ > 0 ? unknown_ / time_ : 0; }

 private:
  RooflinePoint& point_of(StringId name) {
    const auto [at, is_new] = at_.try_emplace(name, points_.size());
    if (is_new) {
      points_.emplace_back();
      points_.back().name = p_.text(name);
    }
    return points_[at->second];
  }

  const Profile& p_;
  MemoryTiers tiers_;
  std::int64_t device_;
  bool by_operator_;
  double time_ = 0, unknown_ = 0;  // ns
  std::vector<RooflinePoint> points_;
  std::unordered_map<StringId, std::size_t> at_;
};

// The point of a row over the peaks of the device.
double intensity_of(const RooflinePoint& point) {
  return point.bytes > 0 ? point.flops / point.bytes : static_cast<double>(kUnknownReal);
}
double rate_of(const RooflinePoint& point) {
  return point.time > 0 ? point.flops / point.time * 1e9 : static_cast<double>(kUnknownReal);
}
double roof_of(const DeviceTotals& device, const RooflinePoint& point) { return intensity_of(point) * device.peak_bandwidth; }

bool has_roof(const DeviceTotals& device, const RooflinePoint& point) {
  return !std::isnan(roof_of(device, point)) && !std::isnan(device.peak_flops);
}

double share_of_peak(double rate, double peak) { return peak > 0 ? rate / peak : static_cast<double>(kUnknownReal); }

std::vector<MemoryUse> Gathering::memory_uses(const DeviceTotals& device, std::vector<RooflinePoint>& points) const {
  std::vector<MemoryUse> all;
  for (RooflinePoint& point : points) {
    if (point.with_traffic == 0 || point.with_traffic != point.calls) continue;
    std::vector<MemoryUse> uses = tiers_.uses(point.traffic);
    for (MemoryUse& use : uses) {
      use.name = point.name;
      use.calls = point.calls;
      use.time = point.time;
      use.flops = point.flops;
      use.longest = point.longest;
    }
    point.closest = closest_limit(share_of_peak(rate_of(point), device.peak_flops), uses);
    all.insert(all.end(), std::make_move_iterator(uses.begin()), std::make_move_iterator(uses.end()));
  }
  return all;
}

TableOf<RooflinePoint, DeviceTotals> points() {
  TableOf<RooflinePoint, DeviceTotals> table(
      {.key = "points", .title = "Operations and bytes", .sort_column = "time", .row_links = timeline_links()});
  table.add(label_column("name", "Name", "Kernel or operator"), even_empty(&RooflinePoint::name));
  table.add(integer_column("calls", "Calls", Unit::count, {"Work items of this name.", "number of slices", kCostSource}),
            &RooflinePoint::calls);
  table.add(integer_column("time", "Time", Unit::ns,
                           {"Time with at least one of these running; overlaps are counted once.",
                            "length of the union of slices", kCostSource}),
            [](const RooflinePoint& point) { return static_cast<std::int64_t>(std::llround(point.time)); });
  table.add(real_column("flops", "Operations", Unit::flops,
                        {"Floating-point operations.", "sum; a multiplication with an addition is two", kCostSource})
                .with_unknown("its floating-point operations are unknown"),
            &RooflinePoint::flops);
  table.add(real_column("bytes", "Bytes", Unit::bytes, {"Moved to and from device memory.", "sum", kCostSource})
                .with_unknown("the file does not say how much device memory it moved"),
            &RooflinePoint::bytes);
  table.add(real_column("intensity", "Arithmetic intensity", Unit::flops_per_byte,
                        {"Operations per byte of device memory.", "operations / bytes", kCostSource})
                .with_unknown("its operations or its bytes are not known"),
            intensity_of);
  table.add(real_column("rate", "Rate", Unit::flops_per_second, {"How fast it computed.", "operations / time", kCostSource})
                .with_unknown("its operations are not known, or it took no time"),
            rate_of);
  table.add(
      real_column("of_peak", "Of peak", Unit::share, {"Share of the device's peak.", "rate / peak operations", kCostSource})
          .with_unknown("its rate or the device's peak is not known"),
      [](const DeviceTotals& device, const RooflinePoint& point) { return share_of_peak(rate_of(point), device.peak_flops); });
  table.add(real_column("of_roof", "Of roof", Unit::share,
                        {"Share of the rate that the peaks allow at this intensity.",
                         "rate / min(peak operations, intensity x peak bandwidth); with bytes by memory, the largest of "
                         "rate / peak operations and the shares of the memories' peaks",
                         kCostSource})
                .with_unknown("its rate, its intensity or the device's peaks are not known"),
            [](const DeviceTotals& device, const RooflinePoint& point) {
              if (!point.closest.words.empty()) return point.closest.share;
              if (!has_roof(device, point)) return static_cast<double>(kUnknownReal);
              return share_of_peak(rate_of(point), std::min(roof_of(device, point), device.peak_flops));
            });
  table.add(words_column("limit", "Limited by", "Which of the peaks is the lowest at this intensity")
                .with_unknown("its intensity or the device's peaks are not known"),
            [](const DeviceTotals& device, const RooflinePoint& point) -> std::string_view {
              if (!point.closest.words.empty()) return point.closest.words;
              if (!has_roof(device, point)) return {};
              return roof_of(device, point) < device.peak_flops ? "memory" : "computing";
            });
  table.add(longest_slice_column("of them"), &RooflinePoint::longest);
  return table;
}

// The sum of all work is no point: its time is that of the recording, in which the device also idles and does other work.
Panel whole_program(const DeviceTotals& device, const std::vector<RooflinePoint>& rows) {
  RooflinePoint whole{.name = {},
                      .flops = device.flops,
                      .bytes = device.bytes_moved,
                      .time = device.total,
                      .busy = {},
                      .traffic = {},
                      .closest = {}};
  for (const RooflinePoint& point : rows) whole.calls += point.calls;
  FactSheet sheet;
  for (const ReportColumn& column : points().of(device, std::vector{whole}).columns) {
    if (column.key == "name" || column.key == "limit" || column.key == "longest_slice") continue;
    sheet.facts.push_back({column.title, column.values[0], column.unit, column.doc, column.unknown});
    if (column.key == "calls") sheet.facts.back().doc = "Work items whose operations or bytes are known";
    if (column.key != "time") continue;
    sheet.facts.back().label = "Total time";
    sheet.facts.back().doc = "Time of the recording, the device's idle time included";
  }
  return {.id = "whole_program", .title = "Whole program", .content = std::move(sheet), .scope = "sum of all work"};
}

Panel scatter_panel(const ReportTable& table, const DeviceTotals& device) {
  ScatterChart chart{.table = table.key, .label = "name", .value = "time", .x = "intensity", .y = "rate"};
  if (!std::isnan(device.peak_flops)) {
    Ceiling ceiling;
    ceiling.label = "peak operations";
    ceiling.flat = device.peak_flops;
    chart.ceilings.push_back(ceiling);
  }
  if (!std::isnan(device.peak_bandwidth)) {
    Ceiling ceiling;
    ceiling.label = "peak bandwidth";
    ceiling.slope = device.peak_bandwidth;
    chart.ceilings.push_back(ceiling);
  }
  Panel panel{.id = "roofline", .title = "Roofline", .content = std::move(chart)};
  panel.doc =
      MetricDoc{"Operations per second of each, over its operations per byte of device memory. No point can be above the lines.",
                "y = operations / time; x = operations / bytes; y <= peak operations; y <= x x peak bandwidth", kCostSource}
          .text();
  panel.empty = "No work here has both known operations and known bytes of device memory.";
  return panel;
}

// `unknown`: share of the kernel time for which neither operations nor bytes are known.
void add_roofline_notes(Report& report, const DeviceTotals& device, double unknown) {
  if (unknown > kWorthSaying) {
    report.notes.push_back(
        {Note::Level::warning,
         say("Operations and bytes are unknown for kernels that take {} of the kernels' time. The whole program's values "
             "cover the other kernels only, so its rate is at least the one shown.",
             share_words(unknown))});
  }
  if (std::isnan(device.peak_flops) || std::isnan(device.peak_bandwidth)) {
    report.notes.push_back({Note::Level::warning, "The peaks of this device are unknown, so no limits are drawn."});
  }
  if (std::isnan(device.bytes_moved)) {
    report.notes.push_back(
        {Note::Level::info,
         "The file does not say how many bytes of device memory the work moved, so the intensity is unknown."});
  }
  if (!std::isnan(device.transpose_flops) && device.transpose_flops > 0) {
    report.notes.push_back({Note::Level::info, say("{} of the operations only transpose; they count here.",
                                                   share_words(device.transpose_flops / device.flops))});
  }
}

Result<Report> run_roofline(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  if (has_formula_costs(profile)) return run_operator_roofline(input);
  const bool operators = profile.program_work.rows() > 0;
  const bool by_operator = operators && input.parameters.text("group_by") == "operator";
  const Result<std::int64_t> found = chosen_device(profile, input.parameters.text("device"));
  if (!found) return found.error();
  const std::int64_t chosen = *found;
  const DeviceTotals device = device_totals(profile, chosen);

  Report report{.view = "roofline", .title = "Roofline"};
  report.scope = device.name.empty() ? say("{} {}", device_words(profile).device, chosen) : Message::verbatim(device.name);
  Parameter group_by = input.parameters.all()[0], of = input.parameters.all()[1];
  group_by.value = by_operator ? "operator" : "kernel";
  for (const std::int64_t each : devices_with_work(profile))
    of.choices.push_back({std::to_string(each), say("{} {}", device_words(profile).device, each)});
  of.value = std::to_string(chosen);
  report.parameters = {std::move(group_by), std::move(of)};

  Gathering gathering(profile, chosen, by_operator);
  std::vector<RooflinePoint> rows = gathering.run();
  std::erase_if(rows, [](const RooflinePoint& point) { return std::isnan(point.flops) && std::isnan(point.bytes); });
  const std::vector<MemoryUse> memories = gathering.memory_uses(device, rows);
  add_roofline_notes(report, device, gathering.unknown_share());
  report.tables.push_back(points().of(device, rows));
  report.panels.push_back(whole_program(device, rows));
  report.panels.push_back(scatter_panel(report.tables.front(), device));
  Panel panel{.id = "points", .title = "Operations and bytes", .content = PlainTable{"points"}};
  panel.empty = "No work with operations or bytes.";
  report.panels.push_back(std::move(panel));
  if (!memories.empty()) {
    report.tables.push_back(memories_table(memories));
    report.panels.push_back({.id = "memories", .title = "Bytes by memory", .content = PlainTable{"memories"}});
  }
  return report;
}

std::optional<Message> roofline_unavailable(const Profile& profile) {
  if (profile.work_costs.rows() > 0 && profile.device_work.rows() > 0) return std::nullopt;
  if (has_formula_costs(profile)) return std::nullopt;
  if (profile.work_costs.rows() > 0)
    return "no device did any work, and only a device has peaks: operations and bytes are in the view HLO operators";
  const auto& shapes = profile.operators.input_shapes;
  const bool has_shapes = std::any_of(shapes.begin(), shapes.end(), [](StringId text) { return text != StringId::none; });
  if (profile.device_work.rows() > 0 && !shapes.empty() && !has_shapes)
    return "the shapes of inputs, which costs are computed from, were not recorded: torch.profiler records them with "
           "record_shapes=True";
  return "operations and bytes are unknown for all work: the file has no costs of its kernels";
}

std::vector<ReportTable> roofline_tables() {
  std::vector<ReportTable> tables{points().blank(), memories_table({})};
  for (ReportTable& table : operator_roofline_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace

Analysis roofline_analysis() {
  return {.id = "roofline",
          .title = "Roofline",
          .group = ViewGroup::where_time_went,
          .doc = "How far each kernel or operator is from what the device's peaks allow.",
          .parameters = {{"group_by",
                          "Group by",
                          ParameterType::choice,
                          "operator",
                          {{"operator", "Operator"}, {"kernel", "Kernel name"}},
                          "What one point is; a kernel, if no operators are known"},
                         {"device", "Device", ParameterType::choice, "", {}, "Which device, by its number"}},
          .unavailable = roofline_unavailable,
          .run = run_roofline,
          .tables = roofline_tables};
}

}  // namespace sightline::analyses
