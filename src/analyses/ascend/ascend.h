// What only Ascend NPUs have. registry.cc adds it to the analyses that every vendor shares.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyses/advice/recommendations.h"

namespace sightline::analyses {

// Advice about kernels, from the columns that msprof records for the AI Cores.
std::span<const AdviceRule> ascend_kernel_advice_rules();

// Advice about links between ranks, from what HCCL reports about its transfers.
std::span<const AdviceRule> ascend_link_advice_rules();

// "aic_mte2_ratio" -> "Cube core MTE2 share": a readable title of a column that msprof records for the AI Cores; empty for other
// names.
std::string ascend_column_title(std::string_view name);

}  // namespace sightline::analyses
