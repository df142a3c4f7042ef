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
  std::string key;  // what tools call it; a file that states it has it under this name
  Message title;
  Unit unit = Unit::none;
  double value = kUnknownReal;  // in `unit`
  Message doc;
  std::string formula;
  Message unknown;         // why
  bool is_stated = false;  // the value is the one that the file states: nothing to compare it with
  double slack = 0;        // how far a stated value may be off: times are of whole ns a row

  struct Text {
    std::string_view meaning, formula, source, unknown;
  };
};

DeviceMetric device_metric(Message group, std::string key, Message title, Unit unit, double value, const DeviceMetric::Text& text,
                           double slack = 0);

// part / whole; NaN where there is no whole.
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : static_cast<double>(kUnknownReal); }

// Instructions and copies: the rows of which a sum of times consists.
double rows_of(const DeviceTotals& totals);

// A group of metrics that only one vendor's devices have. Its panel is shown where its first metric is known.
struct DeviceMetricGroup {
  std::string_view title;
  std::vector<DeviceMetric> (*metrics)(const Profile&, const DeviceTotals&, const std::string& word);
  std::vector<DeviceMetric> (*example)();  // what the metrics page lists
};

// Those groups, after all others: registry.cc lists them.
std::span<const DeviceMetricGroup> vendor_metric_groups();

// `word`: what the device is called, such as GPU.
std::vector<DeviceMetric> device_metrics(const Profile& profile, const DeviceTotals& totals, const std::string& word);

// One engine and one type of queue represent all: what the metrics page lists.
std::vector<DeviceMetric> example_device_metrics();

}  // namespace sightline::analyses
