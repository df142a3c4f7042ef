// The tables of the overview: steps, the average step, devices. Their `blank_` makers hold every column's meaning.
#pragma once

#include "analyses/devices/device_words.h"
#include "analyses/steps/step_summary.h"
#include "model/report.h"

namespace sightline::analyses {

ReportTable blank_steps();
ReportTable blank_average();
ReportTable blank_devices(const DeviceWords& words = {});

ReportTable steps_table(const Profile& profile, const StepSummary& summary);
ReportTable average_table(const Profile& profile, const StepSummary& summary);
ReportTable devices_table(const Profile& profile, const StepSummary& summary);

// What the whole step breakdown means, for the charts of it.
std::string step_breakdown_doc();

// The row of `devices` with this ordinal, or kNoRow.
Row device_row(const Profile& profile, std::int64_t ordinal);

}  // namespace sightline::analyses
