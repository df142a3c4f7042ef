// What only Ascend NPUs have. registry.cc adds it to the analyses that every vendor shares.
#pragma once

#include <span>

#include "analyses/advice/recommendations.h"

namespace sightline::analyses {

// Advice about kernels, from the columns that msprof records for the AI Cores.
std::span<const AdviceRule> ascend_kernel_advice_rules();

// Advice about links between ranks, from what HCCL reports about its transfers.
std::span<const AdviceRule> ascend_link_advice_rules();

}  // namespace sightline::analyses
