// Figures of whole profiles, taken from the data of their own views.
#include "analyses/diff/diff_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analyses/diff/diff_columns.h"
#include "analyses/diff/diff_sums.h"
#include "analyses/steps/step_summary.h"

namespace sightline {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

ReportTable table_of(std::string_view key, Message title) {
  ReportTable table{.key = std::string(key), .title = title};
  table.columns.push_back(label_column("name", "Name", "What is compared"));
  table.columns.back().code = false;
  table.columns.back().words = kAllRows;
  return table;
}

void add_metric_column(ReportTable& table) {
  table.columns.push_back(code_column("metric", "Metric", "Its name in a limit of `sightline diff --fail-on`"));
  table.columns.back().hidden = true;
}

ReportTable blank_steps() {
  ReportTable table = table_of("step_time", "Mean step");
  add_pair_columns(
      table.columns, "time", "", Unit::ns,
      {"How long a step takes on average, and how the time is spent.",
       "sum over steps / number of steps; each instant of a step counts for one category, as in the overview",
       "start and duration of steps, host ranges and device work; steps that the end of the recording cut off are left out"},
      "recorded without steps, or without the host or device activity for it", CellType::real);
  add_metric_column(table);
  return table;
}

ReportTable blank_step_sums() {
  ReportTable table = table_of("sums", "Sums");
  add_pair_columns(table.columns, "time", "", Unit::ns,
                   {"Time of the whole recording.",
                    "device time: sum of the durations of all device work; kernel time: of kernels and collectives alone; host "
                    "time: sum of the durations of the outermost ranges other than steps",
                    "start and duration of host ranges and device work"},
                   "recorded without it");
  add_metric_column(table);
  return table;
}

ReportTable blank_counts() {
  ReportTable table = table_of("counts", "Counts");
  add_pair_columns(table.columns, "count", "", Unit::count,
                   {"How often something happened in the whole recording.",
                    "number of rows; an operator whose only child is one of the same name counts once",
                    "steps, operators, launching "
                    "calls, device work"},
                   "recorded without it");
  add_metric_column(table);
  return table;
}

ReportTable blank_memory() {
  ReportTable table = table_of("memory", "Peak memory");
  add_pair_columns(table.columns, "bytes", "", Unit::bytes,
                   {"The most that was allocated on a device at one time.", "largest total of the allocator after an event",
                    "totals that the allocator's events carry"},
                   "recorded without memory events of this device");
  add_metric_column(table);
  return table;
}

void add_diff_row(ReportTable& table, std::string name, std::string metric, const Cell& baseline, const Cell& compared) {
  std::vector<Cell> cells{Cell{std::move(name)}};
  append_pair_cells(cells, baseline, compared);
  cells.emplace_back(std::move(metric));
  table.add_row(std::move(cells));
}

ReportTable steps_table(const DiffTree& tree) {
  ReportTable table = blank_steps();
  const auto before = step_summary(tree.side(kBaseline).pointer()), after = step_summary(tree.side(kCompared).pointer());
  const bool known = !tree.side(kBaseline).steps().empty() && !tree.side(kCompared).steps().empty();
  const auto shown = [&](double value) { return cell(known ? value : kNone); };
  const auto part = [&](const StepSummary& side, Role role) {
    return shown(side.roles.is_known(role) ? side.mean_of(role) : kNone);
  };
  add_diff_row(table, "Step", "step_time", shown(before->mean_total), shown(after->mean_total));
  for (std::size_t i = 0; i < kRoles; ++i) {
    const auto role = static_cast<Role>(i);
    if (before->mean_of(role) == 0 && after->mean_of(role) == 0) continue;
    add_diff_row(table, std::string(role_title(role)), fmt::format("step_{}", role_key(role)), part(*before, role),
                 part(*after, role));
  }
  return table;
}

struct Sums {
  Time device = kUnknown, kernel = kUnknown, host = kUnknown;
  std::int64_t steps = 0, operators = 0, launches = 0, kernels = 0, copies = 0;
};

Sums sums_of(const DiffSide& side) {
  Sums sums;
  const Profile& profile = side.profile();
  const HostTree& tree = side.tree();
  sums.steps = std::ssize(side.steps());
  sums.launches = static_cast<std::int64_t>(profile.launches.rows());
  std::vector<bool> only_steps_around(tree.nodes());  // of each node: whether it is in nothing but steps
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (tree.is_operator(node)) ++sums.operators;
    const Row around = tree.parent[node];
    only_steps_around[node] = around == kNoRow || (only_steps_around[around] && side.kind(around) == SliceKind::step);
    if (tree.absorbed(node) || side.kind(node) == SliceKind::step || !only_steps_around[node]) continue;
    sums.host = (sums.host == kUnknown ? 0 : sums.host) + side.duration(node);
  }
  for (Row i = 0; i < profile.device_work.rows(); ++i) {
    const Row slice = profile.device_work.slice[i];
    if (i == 0) sums.device = sums.kernel = 0;
    sums.device += profile.slices.duration[slice];
    if (!is_kernel(profile.slices.kind[slice])) {
      ++sums.copies;
      continue;
    }
    ++sums.kernels;
    sums.kernel += profile.slices.duration[slice];
  }
  return sums;
}

ReportTable step_sums_panel(const OnBothSides<Sums>& of) {
  ReportTable table = blank_step_sums();
  add_diff_row(table, "Device time", "device_time", cell(of[kBaseline].device), cell(of[kCompared].device));
  add_diff_row(table, "Kernel time", "kernel_time", cell(of[kBaseline].kernel), cell(of[kCompared].kernel));
  add_diff_row(table, "Host time", "host_time", cell(of[kBaseline].host), cell(of[kCompared].host));
  return table;
}

// What was not recorded at all was not counted either.
ReportTable counts_table(const OnBothSides<Sums>& of) {
  ReportTable table = blank_counts();
  const auto add = [&](std::string name, std::string metric, std::int64_t Sums::*member, Time Sums::*recorded) {
    OnBothSides<Cell> cells;
    for (std::size_t side = 0; side < 2; ++side) {
      if (of[side].*recorded != kUnknown) cells[side] = Cell{of[side].*member};
    }
    add_diff_row(table, std::move(name), std::move(metric), cells[kBaseline], cells[kCompared]);
  };
  add("Steps", "steps", &Sums::steps, &Sums::host);
  add("Operator calls", "operators", &Sums::operators, &Sums::host);
  add("Launching calls", "launches", &Sums::launches, &Sums::host);
  add("Kernels", "kernels", &Sums::kernels, &Sums::device);
  add("Copies and fills", "copies", &Sums::copies, &Sums::device);
  return table;
}

// By device: the largest total; the host last.
std::map<std::pair<bool, std::string>, std::int64_t> peak_by_device(const Profile& profile) {
  std::map<std::pair<bool, std::string>, std::int64_t> peaks;
  const MemoryEvents& events = profile.memory_events;
  for (std::size_t i = 0; i < events.rows(); ++i) {
    if (events.total_allocated[i] == kUnknown) continue;
    const bool host = events.device_type[i] == 0;
    std::int64_t& peak = peaks.try_emplace({host, std::string(profile.text(events.device_name[i]))}, 0).first->second;
    peak = std::max(peak, events.total_allocated[i]);
  }
  return peaks;
}

ReportTable memory_table(const DiffTree& tree) {
  ReportTable table = blank_memory();
  OnBothSides<std::map<std::pair<bool, std::string>, std::int64_t>> peaks;
  std::map<std::pair<bool, std::string>, OnBothSides<Cell>> rows;
  OnBothSides<Cell> largest;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const auto& [device, peak] : peak_by_device(tree.side(side).profile())) {
      rows[device][side] = Cell{peak};
      if (!device.first && !(number_of(largest[side]) >= static_cast<double>(peak))) largest[side] = Cell{peak};
    }
  }
  if (!is_unknown(largest[kBaseline]) || !is_unknown(largest[kCompared])) {
    add_diff_row(table, "Largest of the devices", "peak_memory", largest[kBaseline], largest[kCompared]);
  }
  for (const auto& [device, cells] : rows) {
    add_diff_row(table, device.second, "peak_memory:" + device.second, cells[kBaseline], cells[kCompared]);
  }
  return table;
}

void add_summary_panel(Report& report, ReportTable table, std::string_view width) {
  Panel panel{.kind = PanelKind::table, .id = table.key, .title = table.title, .table = table.key};
  panel.width = width;
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(table));
}

}  // namespace

std::vector<ReportTable> blank_summary_tables() { return {blank_steps(), blank_step_sums(), blank_counts(), blank_memory()}; }

void add_summary(Report& report, const DiffTree& tree) {
  ReportTable steps = steps_table(tree);
  steps.columns[1].category = "baseline";
  steps.columns[2].category = "compared";
  if (!tree.side(kBaseline).steps().empty() && !tree.side(kCompared).steps().empty()) {
    Panel bars{.kind = PanelKind::bars, .id = "step_bars", .title = "Mean step by category", .table = steps.key};
    bars.x = "name";
    bars.series = {"baseline_time", "compared_time"};
    bars.width = "half";
    bars.doc = steps.find("baseline_time")->doc;
    report.panels.push_back(std::move(bars));
    add_summary_panel(report, std::move(steps), "half");
  } else {
    add_summary_panel(report, std::move(steps), "full");
  }
  const OnBothSides<Sums> sums{sums_of(tree.side(kBaseline)), sums_of(tree.side(kCompared))};
  add_summary_panel(report, step_sums_panel(sums), "half");
  add_summary_panel(report, counts_table(sums), "half");
  if (ReportTable memory = memory_table(tree); memory.rows() > 0) add_summary_panel(report, std::move(memory), "half");
}

}  // namespace sightline
