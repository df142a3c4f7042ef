// What the Overview measures: the steps and their average, the devices, and the configuration of the recording.
#pragma once

#include <string>
#include <vector>

#include "analyses/steps/step_summary.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- tables ----

// The doc of the whole step breakdown, for its charts.
std::string step_breakdown_doc();

ReportTable blank_steps();
ReportTable steps_table(const Profile& profile, const StepSummary& summary);

ReportTable blank_average();
ReportTable average_table(const Profile& profile, const StepSummary& summary);

ReportTable blank_devices(const DeviceWords& words = {});
ReportTable devices_table(const Profile& profile, const StepSummary& summary);

// ---- facts ----

// Of a profile without kernels: where its compiled programs ran.
enum class ProgramsRan { nowhere, on_host, on_devices };

// A file may state where compiled programs' operators ran without listing kernels. Operators of a host are ranges of its
// threads, and so part of its time.
ProgramsRan programs_ran(const Profile& profile, const StepSummary& summary);

// What is not known, or says nothing here, is left out.
std::vector<Fact> configuration(const Profile& profile, const StepSummary& summary);

}  // namespace sightline::analyses
