// The metrics of one device as a list: each with its formula, its source and, where it is unknown, the reason.
#pragma once

#include <string>
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
};

// `word`: what the device is called, such as GPU.
std::vector<DeviceMetric> device_metrics(const DeviceTotals& totals, const std::string& word);

// One engine and one type of queue represent all: what the metrics page lists.
std::vector<DeviceMetric> example_device_metrics();

}  // namespace sightline::analyses
