#include "capture/torch/config_text.h"

namespace sightline::capture {

std::string torch_config(const CaptureOptions& options, const std::string& file, std::optional<std::int64_t> start) {
  std::string text;
  const auto add = [&](const char* key, const std::string& value) { text += std::string(key) + "=" + value + "\n"; };
  const auto add_flag = [&](const char* key, bool value) { add(key, value ? "true" : "false"); };
  add("ACTIVITIES_LOG_FILE", file);
  // A process that counts no steps is recorded for this long, iterations or not.
  add("ACTIVITIES_DURATION_MSECS", std::to_string(options.duration.count()));
  add("ACTIVITIES_WARMUP_PERIOD_SECS", std::to_string(kTorchWarmUp.count() / 1000));
  if (options.iterations > 0) {
    add("PROFILE_START_ITERATION", "0");  // the next that leaves room for the warm-up
    add("ACTIVITIES_WARMUP_ITERATIONS", "1");
    add("ACTIVITIES_ITERATIONS", std::to_string(options.iterations));
  } else if (start) {
    add("PROFILE_START_TIME", std::to_string(*start));
  }
  add_flag("PROFILE_REPORT_INPUT_SHAPES", options.shapes);
  add_flag("PROFILE_PROFILE_MEMORY", options.memory);
  add_flag("PROFILE_WITH_STACK", options.stacks);
  add_flag("PROFILE_WITH_FLOPS", options.flops);
  add_flag("PROFILE_WITH_MODULES", options.stacks);
  return text;
}

}  // namespace sightline::capture
