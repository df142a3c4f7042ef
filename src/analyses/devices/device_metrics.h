// The metrics of one device as a list: each with its formula, its source and, where it is unknown, the reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/devices/device_totals.h"
#include "model/unit.h"

namespace sightline::analyses {

struct DeviceMetric {
  Message group;
  std::string key;  // its name in tools, and in files that state it
  Message title;
  Unit unit = Unit::none;
  double value = kUnknownReal;  // in `unit`
  Message doc;
  std::string formula;
  Message unknown;          // why
  bool is_stated = false;   // the value is the one that the file states: nothing to compare it with
  bool of_engines = false;  // only devices of engines have it
  double slack = 0;         // how far a stated value may be off: times are of whole ns a row

  struct Text {
    std::string_view meaning, formula, source, unknown;
  };
};

DeviceMetric device_metric(Message group, std::string key, Message title, Unit unit, double value, const DeviceMetric::Text& text,
                           double slack = 0);

// part / whole; NaN where there is no whole.
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : static_cast<double>(kUnknownReal); }

// Number of instructions and copies: a sum of times over them may be off by 1 ns each.
double rows_of(const DeviceTotals& totals);

// A group of metrics that only one vendor's devices have. Its panel is shown where its first metric is known.
struct DeviceMetricGroup {
  std::string_view title;
  std::vector<DeviceMetric> (*metrics)(const Profile&, const DeviceTotals&, const std::string& word);
  std::vector<DeviceMetric> (*example)();  // for the metrics page
};

// Those groups, after all others: registry.cc lists them.
std::span<const DeviceMetricGroup> vendor_metric_groups();

// `word`: the name of the device, such as GPU.
std::vector<DeviceMetric> device_metrics(const Profile& profile, const DeviceTotals& totals, const std::string& word);

// Examples of all metrics, with one engine and one type of queue, for the metrics page.
std::vector<DeviceMetric> example_device_metrics();

}  // namespace sightline::analyses
