// The tables of the device summary.
#pragma once

#include <string>
#include <vector>

#include "analyses/devices/device_metrics.h"
#include "analyses/devices/device_totals.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

ReportTable blank_engines();
ReportTable engines_table(const DeviceTotals& totals);

// What would limit the program, were nothing else in its way.
ReportTable blank_bounds();
ReportTable bounds_table(const DeviceTotals& totals);

ReportTable blank_queues();
ReportTable queues_table(const DeviceTotals& totals);

ReportTable blank_tensors();
ReportTable tensors_table(const Profile& profile);

// What each part of the program took of each engine; one column per engine. See device_layers.cc.
ReportTable blank_layers();
ReportTable layers_table(const Profile& profile, const DeviceTotals& totals);

// Every metric, beside what the file states of it; what the file alone states follows. Notes say where the two differ.
ReportTable blank_metrics();
ReportTable metrics_table(const Profile& profile, const std::vector<DeviceMetric>& metrics, std::vector<Note>& notes);

}  // namespace sightline::analyses
