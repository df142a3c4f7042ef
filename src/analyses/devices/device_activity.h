// What the devices of a profile are called, and what they did over time: device work in order of start, how busy each device
// was in a window, and how well its kernels used it. All metrics of one device cover all its streams.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- what the devices are called ----
// So every view says GPU for a GPU and NPU for an NPU. The reader gives the words; where it has none, they fit any device.

struct DeviceWords {
  Message device = "device";
  Message matrix = "matrix units";  // a plural
  Message core = "core";
};

DeviceWords device_words(const Profile& profile);

// The word as the beginning of a title: "tensor cores" -> "Tensor cores".
Message title_word(std::string_view word);

// ---- what the devices did ----

struct WorkInterval {
  Time start;
  Time end;
  Row work;  // row of device_work
};

// All device work by start; equal starts in the order of rows.
std::vector<WorkInterval> work_by_start(const Profile& profile);

// The same, once per profile.
std::shared_ptr<const std::vector<WorkInterval>> work_by_start(const ProfilePtr& profile);

// The display name of a stream: its name, else "stream 7".
std::string stream_title(const Profile& profile, Row lane);

// Kernels, collectives included; copies and fills are not.
inline bool is_kernel(SliceKind kind) { return kind == SliceKind::kernel || kind == SliceKind::collective; }
bool has_kernels(const Profile& profile);

// One device inside a window. Reals are NaN when they cannot be known.
struct DeviceActivity {
  std::int64_t device = kUnknown;  // ordinal
  std::int64_t kernels = 0;        // in the whole profile
  double utilization = 0;          // 0..1: union of kernels in the window / window
  double core_efficiency = 0;      // 0..1: time-mean of min(1, sum of blocks per core of the running kernels)
  double occupancy = 0;            // percent: mean over kernels in the window, weighted by time
  double matrix_share = 0;         // 0..1: share of the time of all its kernels that ran on matrix units
};

// Devices that did any work, by ordinal. The window is half-open; an empty one leaves the windowed metrics unknown.
std::vector<DeviceActivity> device_activity(const Profile& profile, const std::vector<WorkInterval>& work, Interval window);

// Integral over the window of min(1, sum of the values running at each instant); NaN when no value is known there.
// `running` by start. Values that are not above 0 count as unknown.
struct WeightedInterval {
  Interval interval;
  double value;
};
double capped_integral(const std::vector<WeightedInterval>& running, Interval window);

}  // namespace sightline::analyses
