// Memory that is allocated step after step and never released: what may be a leak.
#pragma once

#include <string>
#include <vector>

#include "analyses/memory/memory_records.h"
#include "model/report.h"

namespace sightline::analyses {

// The parts of a recording that are compared: its steps, or ten equal times if there are fewer than three.
struct KeptPeriods {
  std::vector<Time> begins;  // of each period
  Time end = 0;              // of the last
  bool are_steps = false;
};

KeptPeriods kept_periods(const Profile& profile);

ReportTable blank_kept_table();

// Lines that allocated, in at least two periods after the first, memory that outlived two later periods and the recording.
// Those with most growth first.
ReportTable kept_table(const MemoryScope& scope, const KeptPeriods& periods);

}  // namespace sightline::analyses
