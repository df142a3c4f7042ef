// The tables of the device summary: engines, what limits the program, layers, queues, tensors and all metrics.
#pragma once

#include <vector>

#include "analyses/devices/device_metrics.h"
#include "analyses/devices/device_totals.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// The engines or streams that the device's work runs on.
ReportTable engines_table(const DeviceTotals& totals);

// What would limit the program if nothing else did.
ReportTable program_bounds_table(const DeviceTotals& totals);

// The time of each layer of the program on each engine; one column per engine.
ReportTable layers_table(const Profile& profile, const DeviceTotals& totals);

ReportTable queues_table(const DeviceTotals& totals);
ReportTable tensors_table(const Profile& profile);

// The counters that the file, or a log beside it, has of the device.
ReportTable sensors_table(const Profile& profile, std::int64_t device);

// Every metric, with the value that the file states for it; then values that only the file states. Notes list the differences.
ReportTable metrics_table(const Profile& profile, const std::vector<DeviceMetric>& metrics, std::vector<Note>& notes);

// Without rows, for the metrics page.
ReportTable blank_engines();
ReportTable blank_program_bounds();
ReportTable blank_layers();
ReportTable blank_queues();
ReportTable blank_tensors();
ReportTable blank_metrics();
ReportTable blank_sensors();

}  // namespace sightline::analyses
