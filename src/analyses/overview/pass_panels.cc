// One line per column and per fact.
#include "analyses/overview/pass_panels.h"

#include <cmath>

#include "analyses/columns.h"
#include "analyses/costs/cost_columns.h"
#include "analyses/steps/step_passes.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kPassSource =
    "the ranges that caused the device work of the kept steps: optimizers, evaluations of autograd nodes, modules, links from "
    "forward to backward operators";

struct PassRow {
  Pass pass;
  const StepPasses* all;

  const PassSums& sums() const { return all->of(pass); }
};

TableOf<PassRow> pass_table() {
  TableOf<PassRow> table({.key = "passes", .title = "Passes of a step"});
  table.add(words_column("pass", "Pass", "What the device work was for").with_role(ColumnRole::label),
            [](const PassRow& row) { return pass_title(row.pass); });
  table.add(real_column("time", "Device time", Unit::ns,
                        {"Device time per step; parallel work on several streams is added.",
                         "sum of durations / number of kept steps", kPassSource, kNew})
                .with_bar("share"),
            [](const PassRow& row) { return quotient(row.sums().time, row.all->steps); });
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the device time of the steps.", "device time / sum over all passes", kPassSource, kNew}),
            [](const PassRow& row) { return quotient(row.sums().time, row.all->time()); });
  table.add(real_column("work", "Kernels and copies", Unit::count,
                        {"Pieces of device work per step.", "number / number of kept steps", kPassSource, kNew}),
            [](const PassRow& row) { return quotient(row.sums().work, row.all->steps); });
  table.add_all(cost_columns(), [](const PassRow& row) { return row.sums().costs; });
  table.add(words_column("about", "What it is", "What belongs to it"), [](const PassRow& row) { return pass_doc(row.pass); });
  return table;
}

std::vector<PassRow> rows_of(const StepPasses& passes) {
  std::vector<PassRow> rows;
  for (std::size_t i = 0; i < kPasses; ++i) {
    const auto pass = static_cast<Pass>(i);
    if (passes.of(pass).work > 0) rows.push_back({pass, &passes});
  }
  return rows;
}

Panel utilization_panel(const StepPasses& passes) {
  const auto fact = [](Message label, double value, const MetricDoc& doc) {
    return Fact{std::move(label), cell(value), Unit::share, doc.text(),
                "the operations of some calls on matrix units, or the peak of their precision, are not known"};
  };
  FactSheet sheet;
  sheet.facts = {
      fact("Model FLOPs utilization", passes.model_utilization(),
           {"MFU: share of the steps' time that the model's matrix products and convolutions would take at the dense peak of "
            "their "
            "precision, without what was computed again.",
            "sum of (operations / peak of the precision) of the calls on matrix units in the steps, without recomputation / (sum "
            "of the steps' lengths x devices that computed)",
            "shapes and types of the operators' inputs; peaks of the device", kNew}),
      fact(
          "Hardware FLOPs utilization", passes.hardware_utilization(),
          {"HFU: the same, with what was computed again.",
           "sum of (operations / peak of the precision) of all calls on matrix units in the steps / (sum of the steps' lengths x "
           "devices that computed)",
           "shapes and types of the operators' inputs; peaks of the device", kNew}),
  };
  return {.id = "utilization", .title = "Utilization of the matrix units", .content = std::move(sheet)};
}

}  // namespace

void add_pass_panels(Report& report, const ProfilePtr& profile) {
  if (profile->device_work.rows() == 0 || profile->operators.rows() == 0) return;
  const auto passes = step_passes(profile);
  if (profile->costed_calls.rows() > 0) report.panels.push_back(utilization_panel(*passes));
  if (!passes->has_backward()) return;
  report.tables.push_back(pass_table().of(rows_of(*passes)));
  Panel panel{.id = "passes", .title = "Passes of a step", .content = PlainTable{"passes"}};
  panel.doc = report.tables.back().find("time")->doc;
  report.panels.push_back(std::move(panel));
}

ReportTable blank_passes() { return pass_table().blank(); }

}  // namespace sightline::analyses
