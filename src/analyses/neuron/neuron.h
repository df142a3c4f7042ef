// What only Neuron devices have. registry.cc adds it to the analyses that every vendor shares.
#pragma once

#include <span>

#include "analyses/advice/recommendations.h"
#include "analyses/devices/device_metrics.h"

namespace sightline::analyses {

// Advice about a program (NEFF) on the engines of a NeuronCore.
std::span<const AdviceRule> neuron_program_advice_rules();

// How far the hardware throttled the device: the records of its activity monitor.
DeviceMetricGroup neuron_throttling_metrics();

}  // namespace sightline::analyses
