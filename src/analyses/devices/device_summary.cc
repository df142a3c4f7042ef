// Device summary: how much of a device a program used, as metrics by group, each with its formula; and tables of engines, bounds,
// layers, queues and tensors.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/devices/device_metrics.h"
#include "analyses/devices/device_tables.h"
#include "analyses/devices/device_totals.h"
#include "analyses/steps/step_summary.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

std::string device_title(const Profile& profile, std::int64_t device) {
  const std::string word = device_words(profile).device;
  return device == kUnknown ? word : fmt::format("{} {}", word, device);
}

// ---- metrics ----

// A metric that only devices of engines have, and that neither the slices nor the file of this one know, is left out.
bool exists(const DeviceMetric& metric, const Profile& profile, const DeviceTotals& totals) {
  if (!std::isnan(metric.value) || totals.has_engines()) return true;
  return !metric.of_engines || !std::isnan(stated_number(profile, std::string(stated::kSummary) + metric.key));
}

// ---- panels ----

Fact fact_of(const DeviceMetric& metric) {
  Cell value = std::isnan(metric.value) ? Cell{} : Cell{metric.value};
  const bool whole = metric.unit == Unit::ns || metric.unit == Unit::count || metric.unit == Unit::bytes;
  if (whole && !std::isnan(metric.value) && std::abs(metric.value) < 9e15)
    value = Cell{static_cast<std::int64_t>(std::llround(metric.value))};
  return {metric.title, std::move(value), metric.unit, metric.doc, metric.unknown};
}

// The metrics of one group. The engines' are in their table.
Panel group_panel(const std::vector<DeviceMetric>& metrics, const std::string& group) {
  FactSheet sheet;
  for (const DeviceMetric& metric : metrics) {
    if (metric.group == group) sheet.facts.push_back(fact_of(metric));
  }
  Panel panel{.id = group, .title = group, .content = std::move(sheet)};
  std::transform(panel.id.begin(), panel.id.end(), panel.id.begin(),
                 [](char c) { return c == ' ' ? '_' : static_cast<char>(c | 0x20); });
  panel.width = "half";
  return panel;
}

// The product name and the peaks of the device; the facts' docs give the source of the peaks.
void add_device_facts(FactSheet& sheet, const DeviceTotals& totals) {
  constexpr std::string_view kNone = "the peaks of this device are not known";
  const std::string source = totals.peak_source.empty() ? "" : "\nSource: " + totals.peak_source;
  const auto fact = [&](std::string_view label, double value, Unit unit, Message doc) {
    sheet.facts.push_back({std::string(label), cell(value), unit, doc + source, std::string(kNone)});
  };
  sheet.facts.insert(sheet.facts.begin(), {"Device", cell(std::string_view(totals.name)), Unit::none, "Product name",
                                           "the file does not describe this device"});
  fact("Peak operations", totals.peak_flops, Unit::flops_per_second, "Peak floating-point operations per second");
  fact("Peak bandwidth", totals.peak_bandwidth, Unit::bytes_per_second, "Peak bytes per second to and from device memory");
  fact("Clock", totals.clock, Unit::hertz, "Clock rate of the cores");
}

// Rows without a value in the column `known` are folded.
Panel table_panel(const ReportTable& table, Message empty, std::string known = "") {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key, std::move(known)}};
  panel.empty = std::move(empty);
  return panel;
}

Panel engines_chart(const ReportTable& engines) {
  Panel panel{.id = "engines_chart",
              .title = engines.title,
              .content = BarChart{.table = engines.key, .x = "engine", .series = {"active"}}};
  panel.width = "half";
  panel.doc = engines.find("active")->doc;
  return panel;
}

Parameter device_parameter(const Profile& profile, const Parameters& given, std::int64_t chosen) {
  Parameter parameter = given.all().front();
  parameter.value = chosen == kUnknown ? "" : std::to_string(chosen);
  for (const std::int64_t device : devices_with_work(profile))
    parameter.choices.push_back({device == kUnknown ? "" : std::to_string(device), device_title(profile, device)});
  return parameter;
}

// ---- the view ----

Result<Report> run_device_summary(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const Result<std::int64_t> device = chosen_device(profile, input.parameters.text("device"));
  if (!device) return device.error();
  const DeviceTotals totals = device_totals(profile, *device);
  std::vector<DeviceMetric> metrics = device_metrics(profile, totals, device_words(profile).device);
  std::erase_if(metrics, [&](const DeviceMetric& metric) { return !exists(metric, profile, totals); });

  Report report{.view = "device_summary", .title = "Device summary"};
  report.scope = device_title(profile, *device);
  report.parameters.push_back(device_parameter(profile, input.parameters, *device));
  if (Message words = unrecorded_graph_words(profile); !words.empty())
    report.notes.push_back({Note::Level::warning, std::move(words)});
  report.tables = {engines_table(totals), program_bounds_table(totals), layers_table(profile, totals), queues_table(totals),
                   tensors_table(profile)};
  report.tables.push_back(sensors_table(profile, *device));
  report.tables.push_back(metrics_table(profile, metrics, report.notes));

  Panel overall = group_panel(metrics, "Overall");
  add_device_facts(*overall.as<FactSheet>(), totals);
  report.panels.push_back(std::move(overall));
  report.panels.push_back(group_panel(metrics, "Computing"));
  report.panels.push_back(engines_chart(report.tables[0]));
  report.panels.push_back(table_panel(report.tables[1], "", "time"));
  report.panels.back().width = "half";
  for (const char* group : {"Device memory", "Data movement"}) report.panels.push_back(group_panel(metrics, group));
  if (totals.collectives.count > 0) report.panels.push_back(group_panel(metrics, "Communication"));
  for (const DeviceMetricGroup& group : vendor_metric_groups()) {
    Panel panel = group_panel(metrics, std::string(group.title));
    const std::vector<Fact>& facts = panel.as<FactSheet>()->facts;
    if (!facts.empty() && !is_unknown(facts.front().value)) report.panels.push_back(std::move(panel));
  }
  for (const ReportTable& table : report.tables) {
    const bool nothing =
        table.rows() == 0 && (table.key == "tensors" || table.key == "queues" || table.key == "layers" || table.key == "sensors");
    const char* known = table.key == "metrics" ? "shown" : "";
    if (!nothing && table.key != "bounds") report.panels.push_back(table_panel(table, "Nothing was recorded.", known));
  }
  return report;
}

std::optional<Message> device_summary_unavailable(const Profile& profile) {
  if (profile.device_work.rows() > 0) return std::nullopt;
  return "no work of a device in this profile: record device activity as well";
}

// Each metric is a column here, so that it has its own line in the metrics page.
std::vector<ReportTable> device_summary_tables() {
  TableOf<DeviceMetric> each({.key = "metrics", .title = "Metrics, one a row"});
  for (const DeviceMetric& metric : example_device_metrics())
    each.add(real_column(metric.key, metric.title, metric.unit, {metric.doc, "", ""}), &DeviceMetric::value);
  return {blank_engines(), blank_program_bounds(), blank_layers(),  blank_queues(),
          blank_tensors(), blank_sensors(),        blank_metrics(), each.blank()};
}

}  // namespace

Analysis device_summary_analysis() {
  return {.id = "device_summary",
          .title = "Device summary",
          .group = ViewGroup::where_time_went,
          .doc = "How hard a program used the device: engines, operations, memory, copies, throttling, and what limits it.",
          .parameters = {{"device", "Device", ParameterType::choice, "", {}, "Which device, by its number"}},
          .unavailable = device_summary_unavailable,
          .run = run_device_summary,
          .tables = device_summary_tables};
}

}  // namespace sightline::analyses
