// The vendor's vocabulary. Source: docs/formats/ascend.md.
#include "formats/ascend/layers.h"

#include <algorithm>
#include <array>

namespace sightline::formats::ascend {

using trace_events::Category;

Layer layer_of(std::string_view process_name) {
  if (process_name.starts_with("Python") || process_name.starts_with("python")) return Layer::host;
  if (process_name == "CANN") return Layer::driver;
  if (process_name.starts_with("Ascend Hardware")) return Layer::hardware;
  if (process_name == "HCCL" || process_name == "Communication") return Layer::communication;
  if (process_name == "Overlap Analysis") return Layer::analysis;
  return Layer::other;
}

Category task_category(std::string_view name, std::string_view type) {
  constexpr std::array<std::string_view, 7> kWaits = {"EVENT_RECORD", "EVENT_WAIT",    "Notify Wait", "Notify Record",
                                                      "NOTIFY_WAIT",  "NOTIFY_RECORD", "Notify_Wait"};
  constexpr std::array<std::string_view, 8> kMarks = {"PLACE_HOLDER", "PROFILING_ENABLE", "PROFILING_DISABLE",
                                                      "Write Value",  "WRITE_VALUE",      "CAPTURE_RECORD",
                                                      "CAPTURE_WAIT", "MODEL_MAINTAINCE"};
  const auto is_one_of = [&](const auto& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return type.starts_with(word) || (type.empty() && name.starts_with(word)); });
  };
  if (is_one_of(kWaits)) return Category::sync;
  if (is_one_of(kMarks) || type == "SDMA" || type == "RDMA") return Category::unknown;
  if (name.starts_with("MEMCPY") || type.starts_with("MEMCPY") || type.starts_with("PCIE_DMA") || type == "SDMA_SQE") {
    return Category::memcpy;
  }
  return Category::engine_task;
}

CoreType core_type(std::string_view core) {
  if (core.starts_with("KERNEL_")) core.remove_prefix(7);
  if (core == "AI_CORE" || core == "AICORE" || core == "AIC") return CoreType::matrix;
  if (core == "AI_VECTOR_CORE" || core == "AIVEC" || core == "AIV") return CoreType::vector;
  if (core.starts_with("MIX_")) return CoreType::mixed;
  if (core.starts_with("AI_CPU") || core == "AICPU") return CoreType::host;
  if (core.empty() || core == "N/A") return CoreType::unknown;
  return CoreType::general;
}

}  // namespace sightline::formats::ascend
