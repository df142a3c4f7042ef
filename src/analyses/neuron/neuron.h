// What only Neuron devices have. registry.cc adds it to the analyses that every vendor shares.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyses/advice/recommendations.h"
#include "analyses/devices/device_metrics.h"
#include "model/profile.h"

namespace sightline::analyses {

// Advice about a program (NEFF) on the engines of a NeuronCore.
std::span<const AdviceRule> neuron_program_advice_rules();

// ---- throttling: how far the hardware limited the device's speed ----

// States of throttling of one kind.
struct ThrottlingKind {
  std::string name;  // as the file names it
  double time = 0;
  double limit = 0;  // sum of share of full speed x length, ns; a state of unknown share allows all
};

// States with the share of full speed that they allow. Times are ns.
struct Throttling {
  bool is_known = false;              // some state has a limit
  double time = 0;                    // allowing less than all
  double limit_while_throttled = 0;   // sum of share x length of those states
  double limit = 0;                   // the same of all states; a state of unknown share allows all
  std::vector<ThrottlingKind> kinds;  // of states with a kind
};

Throttling throttling_of(const Profile& profile, std::int64_t device);

// The metrics of it for the device summary.
DeviceMetricGroup neuron_throttling_metrics();

}  // namespace sightline::analyses
