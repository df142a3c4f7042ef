// Counters: values that hold until they change, drawn under the lanes of the timeline. Derived counters (how busy a device is,
// how many launches wait, how fast it copies, how much memory is allocated) and those of the file itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "model/interval.h"
#include "model/profile.h"
#include "model/unit.h"

namespace sightline::analyses {

// ---- all counters ----

// A step function: value[i] holds from time[i] to time[i + 1]. Times ascend strictly, neighbouring values differ; NaN: unknown.
struct CounterSeries {
  Message title;
  std::vector<Time> time;
  std::vector<double> value;

  // From `at` on. REQUIRES: at is not before the last time.
  void set(Time at, double to);
};

struct Counter {
  Message title;
  Message doc;  // as of a metric: meaning, Formula, Source, Differs
  Unit unit = Unit::none;
  Row process = kNoRow;  // row of processes that it is shown with, or none
  std::vector<CounterSeries> series;
  bool named = false;  // its series have names from the file: engines, streams
};

// All counters of a profile that have points: by device, then those of the file. Made once per profile, when first requested.
// Thread-safe.
std::shared_ptr<const std::vector<Counter>> counters(const ProfilePtr& profile);

// The width of the buckets that utilization is counted in: the least power of ten us of which at most 100 make up the window.
Time utilization_bucket(Interval window);

}  // namespace sightline::analyses
