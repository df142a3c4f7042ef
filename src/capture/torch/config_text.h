// The text of a configuration as libkineto reads it: KEY=VALUE lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/capture.h"

namespace sightline::capture {

inline constexpr Milliseconds kTorchWarmUp{1000};  // tracing runs and is thrown away: switching it on is slow

// `file`: the process inserts _PID before its ending .json. `start`: ms since 1970.
std::string torch_config(const CaptureOptions& options, const std::string& file, std::optional<std::int64_t> start);

}  // namespace sightline::capture
