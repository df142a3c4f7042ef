// What the history of runs needs of one profile: a few KB, so that the profiles of a thousand runs need not be open together.
#pragma once

#include <string>
#include <vector>

#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

struct OperatorTime {
  std::string name;
  double time = 0;  // ns per step
};

struct RunFigures {
  std::string run;                      // its name among the runs
  ProfilePlace place;                   // the profile
  std::int64_t recorded = kUnknown;     // Unix time of the recording, ns
  std::vector<double> steps;            // lengths of the kept steps, ascending; without recorded steps, of the whole recording
  double utilization = kUnknownNumber;  // of the model's FLOPs (MFU); NaN: unknown
  std::int64_t peak_memory = kUnknown;
  bool on_device = false;               // whether `operators` has times on the device, else on the host
  std::vector<OperatorTime> operators;  // self time, by name; without operators, the kernels

  double step(double quantile) const;             // of the lengths; 0.5: the median
  double time_of(const std::string& name) const;  // 0: it did not run; NaN: nothing has a time
};

RunFigures figures_of(const ProfilePtr& profile, std::string run);

}  // namespace sightline::analyses
