// Advice about the host and about the whole step: data loading, launches, gaps, communication, balance of steps; and single
// events of the host that stall the device.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "analyses/advice/recommendations.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- the whole step ----

namespace {

constexpr double kLoadingShare = 0.05;
constexpr double kCommunicationShare = 0.10;
constexpr double kLaunchBoundShare = 0.20;
constexpr double kGapShare = 0.10;
constexpr Time kGap = 100'000;         // ns: a gap long enough to report
constexpr Time kShortDelay = 20'000;   // ns: the device starts right after the launch
constexpr Time kShortKernel = 20'000;  // ns
constexpr double kUnbalanced = 1.2;
constexpr std::size_t kFewestSteps = 3;

Message part_of_step(const StepSummary& summary, Role role) {
  return say("{} of the step time ({} of {} per step)", share_words(summary.share_of(role)), time_words(summary.mean_of(role)),
             time_words(summary.mean_total));
}

std::optional<Advice> judge_data_loading(const AdviceInput& input) {
  const double share = input.summary.share_of(Role::data_loading);
  if (share <= kLoadingShare) return std::nullopt;
  Advice advice;
  advice.severity = severity_of(share);
  advice.title = "Steps wait for data loading";
  advice.evidence =
      say("{} is spent in data loading while nothing else happens.", part_of_step(input.summary, Role::data_loading));
  advice.action =
      "Load batches in background workers (num_workers of a DataLoader, num_parallel_calls of tf.data), prefetch more "
      "of them, or make decoding and augmentation cheaper.";
  advice.link_view = "operators";
  advice.doc_url = "https://pytorch.org/docs/stable/data.html#single-and-multi-process-data-loading";
  return advice;
}

std::optional<Advice> judge_exposed_communication(const AdviceInput& input) {
  const double share = input.summary.share_of(Role::communication);
  if (share <= kCommunicationShare) return std::nullopt;
  Advice advice;
  advice.severity = severity_of(share);
  advice.title = "Communication is not hidden behind computation";
  advice.evidence =
      say("{} is spent in communication while no device computes or copies.", part_of_step(input.summary, Role::communication));
  advice.action =
      "Overlap communication with the backward pass, accumulate gradients over several batches, compress gradients, or use a "
      "larger batch with an optimizer made for it; the latter three can change convergence.";
  advice.link_view = input.profile.device_work.rows() > 0 ? "kernels" : "operators";
  return advice;
}

std::optional<Advice> judge_launch_bound(const AdviceInput& input) {
  const IdleTime& time = input.idle;
  const auto& medians = input.kernels;
  if (!medians || !medians->launch_delay || time.steps == 0) return std::nullopt;
  const double share = static_cast<double>(time.host) / static_cast<double>(time.steps);
  const bool waits = *medians->launch_delay <= kShortDelay && medians->duration <= kShortKernel;
  if (share < kLaunchBoundShare || !waits) return std::nullopt;
  Advice advice;
  advice.severity = severity_of(share);
  advice.title = "The device waits for launches";
  advice.evidence = say(
      "During {} of the steps no device works while the host does; the median kernel takes {} and starts {} after its launching "
      "call.",
      share_words(share), time_words(medians->duration), time_words(*medians->launch_delay));
  advice.action =
      "Launch less often: fuse operators (compile the model), capture the step in a graph and replay it, or use a larger batch.";
  advice.link_view = "kernels";
  return advice;
}

std::optional<Advice> judge_host_gaps(const AdviceInput& input) {
  if (input.profile.device_work.rows() == 0 || judge_launch_bound(input)) return std::nullopt;
  const IdleTime& time = input.idle;
  Time sum = 0;
  std::int64_t count = 0;
  const IdleStretch* longest = nullptr;
  for (const IdleStretch& stretch : time.stretches) {
    if (stretch.host < kGap) continue;
    sum += stretch.host;
    ++count;
    if (longest == nullptr || stretch.host > longest->host) longest = &stretch;
  }
  if (longest == nullptr || static_cast<double>(sum) < kGapShare * static_cast<double>(time.steps)) return std::nullopt;
  const double share = static_cast<double>(sum) / static_cast<double>(time.steps);
  Advice advice;
  advice.severity = severity_of(share);
  advice.title = "The device idles while the host works";
  advice.evidence = say("{} with at least {} of host work took {} of the steps; the longest lasts {} and begins at {}.",
                        count_words(count, "{} gap", "{} gaps"), time_words(kGap), share_words(share),
                        time_words(longest->interval.length()), time_words(longest->interval.start));
  advice.action =
      "See what the host does there: copies back to the host, waiting for results, logging, or Python code between launches. "
      "Move it off the step's path or do it less often.";
  advice.link_view = "operators";
  return advice;
}

std::optional<Advice> judge_unbalanced_steps(const AdviceInput& input) {
  std::vector<StepWindow> steps = input.summary.steps.kept;
  if (steps.size() < kFewestSteps) return std::nullopt;
  const auto shorter = [](const StepWindow& a, const StepWindow& b) { return a.window.length() < b.window.length(); };
  std::sort(steps.begin(), steps.end(), shorter);
  const std::size_t middle = steps.size() / 2;
  const auto length = [&](std::size_t i) { return static_cast<double>(steps[i].window.length()); };
  const double median = steps.size() % 2 == 1 ? length(middle) : (length(middle - 1) + length(middle)) / 2;
  const double slowest = length(steps.size() - 1);
  if (median <= 0 || slowest <= kUnbalanced * median) return std::nullopt;
  const std::string number = std::to_string(steps.back().number);
  Advice advice;
  advice.severity = slowest > 2 * median ? Advice::Level::medium : Advice::Level::low;
  advice.title = say("Step {} is much slower than the others", number);
  advice.evidence = say("It takes {}, {} times the median of {} ({}).", time_words(slowest), number_words(slowest / median, 2),
                        count_words(std::ssize(steps), "{} step", "{} steps"), time_words(median));
  advice.action =
      "Compare its parts with its neighbours': checkpoints, evaluation, a recompilation, garbage collection or an unlucky batch "
      "show up there.";
  if (input.profile.device_work.rows() > 0) {
    advice.link_view = "kernels";
    advice.link_parameters = {{"step", number}};
  }
  return advice;
}

}  // namespace

std::span<const AdviceRule> host_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"data_loading", "mean(data loading) / mean(step) > 5%", "", judge_data_loading},
      {"exposed_communication",
       "mean(communication) / mean(step) > 10%, where communication is what no kernel, copy or fill covers",
       "The TensorBoard plugin's communication was host-side time without collective kernels; here it is communicating without "
       "computing.",
       judge_exposed_communication},
      {"launch_bound",
       "time without device work while the host works / sum of steps >= 20%, and median launch delay <= 20 us, and median kernel "
       "<= 20 us",
       kNew, judge_launch_bound},
      {"host_gaps",
       "gaps in device work with at least 100 us of host work in them take >= 10% of the steps, and launch_bound does not hold",
       kNew, judge_host_gaps},
      {"unbalanced_steps", "slowest step > 1.2 x median step, with 3 steps or more", kNew, judge_unbalanced_steps},
  };
  return rules;
}

// ---- single events that stall the device ----
// Batches that come late, garbage collection, allocating on the device, synchronizing, settings of the environment. The
// thresholds are those of the advisor of msprof-analyze.

namespace {

constexpr Time kSlowBatch = 10'000'000;         // ns
constexpr Time kSlowCollection = 1'000'000;     // ns
constexpr Time kSilence = 200'000'000;          // ns: an idle stretch in which garbage may have been collected
constexpr double kSilentCalls = 1e-4 / 1000.0;  // calls per ns
constexpr double kSilentShare = 0.01;
constexpr Time kAllocations = 10'000'000;  // ns
constexpr double kSynchronizing = 0.5;     // calls per launch
constexpr std::int64_t kNormalizations = 20;

bool has_any(std::string_view name, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Of a share of the steps; low where their length is not known.
Advice::Level severity_in_steps(const AdviceInput& input, Time time) {
  if (input.idle.steps <= 0) return Advice::Level::low;
  return severity_of(static_cast<double>(time) / static_cast<double>(input.idle.steps));
}

LinkParameters timeline_at(Row slice) { return {{"slice", std::to_string(slice)}}; }

// Advice about slices of the host: as severe as their share of the steps, with a link to the longest.
Advice about_slices(const AdviceInput& input, const FoundSlices& found, Message title, Message evidence, Message action) {
  Advice advice;
  advice.severity = severity_in_steps(input, found.time);
  advice.title = std::move(title);
  advice.evidence = std::move(evidence);
  advice.action = std::move(action);
  advice.link_view = "timeline";
  advice.link_parameters = timeline_at(found.longest);
  return advice;
}

std::optional<Advice> judge_slow_batch(const AdviceInput& input) {
  const Profile& profile = input.profile;
  FoundSlices found;
  each_of_kind(profile, SliceKind::data_loading, [&](Row slice) {
    const Row parent = profile.slices.parent[slice];
    const bool outermost = parent == kNoRow || profile.slices.kind[parent] != SliceKind::data_loading;
    if (outermost && profile.slices.duration[slice] > kSlowBatch) found.add(profile, slice);
  });
  if (found.count == 0) return std::nullopt;
  return about_slices(
      input, found, "Slow data-loader calls",
      say("{} took longer than {}; the longest, {}, took {} and begins at {}.",
          count_words(found.count, "{} call of the data loader", "{} calls of the data loader"), time_words(kSlowBatch),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest]),
          time_words(profile.slices.start[found.longest])),
      "Raise num_workers and prefetch_factor, keep workers between epochs (persistent_workers=True), or look at the storage that "
      "the data comes from.");
}

bool is_collection(std::string_view name) { return name == "GC" || name == "Python GC" || name == "gc"; }

std::optional<Advice> judge_garbage_collection(const AdviceInput& input) {
  const Profile& profile = input.profile;
  FoundSlices found;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (profile.slices.duration[slice] > kSlowCollection && is_collection(profile.text(profile.slices.name[slice]))) {
      found.add(profile, slice);
    }
  }
  if (found.count == 0) return std::nullopt;
  return about_slices(
      input, found, "Garbage collection stops the program",
      say("{} took longer than {}, {} together; the longest took {} and begins at {}.",
          count_words(found.count, "{} collection", "{} collections"), time_words(kSlowCollection), time_words(found.time),
          time_words(profile.slices.duration[found.longest]), time_words(profile.slices.start[found.longest])),
      "Collect at fixed steps instead: gc.disable() or gc.freeze() once the model is built, and gc.collect() every N steps, at "
      "the same step on all ranks.");
}

// Whether the host hardly called anything in it: fewer than one call in 10 ms, for at most 1% of the time.
bool is_silent(const Profile& profile, const IdleStretch& stretch) {
  std::int64_t calls = 0;
  Time time = 0;
  each_of_kind(profile, SliceKind::runtime, [&](Row slice) {
    const Interval call{profile.slices.start[slice], profile.end_of(slice)};
    if (call.start < stretch.interval.start || call.start >= stretch.interval.end) return;
    ++calls;
    time += std::min(call.end, stretch.interval.end) - call.start;
  });
  const auto length = static_cast<double>(stretch.interval.length());
  return static_cast<double>(calls) <= kSilentCalls * length && static_cast<double>(time) <= kSilentShare * length;
}

std::optional<Advice> judge_silent_gap(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const auto& kinds = profile.slices.kind;
  const bool calls = std::find(kinds.begin(), kinds.end(), SliceKind::runtime) != kinds.end();
  if (profile.device_work.rows() == 0 || !calls || judge_garbage_collection(input)) return std::nullopt;
  std::int64_t count = 0;
  Time time = 0;
  const IdleStretch* longest = nullptr;
  for (const IdleStretch& stretch : input.idle.stretches) {
    if (stretch.interval.length() <= kSilence || !is_silent(profile, stretch)) continue;
    ++count;
    time += stretch.interval.length();
    if (longest == nullptr || stretch.interval.length() > longest->interval.length()) longest = &stretch;
  }
  if (longest == nullptr) return std::nullopt;
  Advice advice;
  advice.severity = severity_in_steps(input, time);
  advice.title = "Host and device are both idle";
  advice.evidence =
      say("In {} over {} the device idles and the host calls almost nothing; the longest lasts {} and begins at {}.",
          count_words(count, "{} stretch", "{} stretches"), time_words(kSilence), time_words(longest->interval.length()),
          time_words(longest->interval.start));
  advice.action =
      "Garbage collection looks like this if it is not recorded: try gc.disable() during steps (and record it, "
      "gc_detect_threshold). Else look for input, logging or checkpoints.";
  advice.link_view = "timeline";
  return advice;
}

std::optional<Advice> judge_device_allocations(const AdviceInput& input) {
  const Profile& profile = input.profile;
  // vendor: each runtime has its own names for these calls
  constexpr std::array<std::string_view, 8> kCalls = {"aclrtMalloc", "aclrtFree", "cudaMalloc", "cudaFree",
                                                      "hipMalloc",   "hipFree",   "cuMemAlloc", "cuMemFree"};
  FoundSlices found;
  each_of_kind(profile, SliceKind::runtime, [&](Row slice) {
    if (has_any(profile.text(profile.slices.name[slice]), kCalls)) found.add(profile, slice);
  });
  if (found.time <= kAllocations) return std::nullopt;
  return about_slices(
      input, found, "Device memory is allocated and released in between",
      say("{} to allocate or release memory of the device took {}; the longest, {}, took {}.",
          count_words(found.count, "{} call", "{} calls"), time_words(found.time),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest])),
      "The framework's allocator should keep memory: avoid empty_cache() in steps, let segments grow (expandable_segments:True "
      "in the allocator's settings), or use less memory so that it need not release and retry.");
}

std::optional<Advice> judge_synchronizing(const AdviceInput& input) {
  const Profile& profile = input.profile;
  constexpr std::array<std::string_view, 2> kCalls = {"StreamSynchronize", "SynchronizeStream"};
  FoundSlices found;
  each_of_kind(profile, SliceKind::runtime, [&](Row slice) {
    if (has_any(profile.text(profile.slices.name[slice]), kCalls)) found.add(profile, slice);
  });
  const auto launched = static_cast<double>(profile.device_work.rows());
  if (launched == 0 || static_cast<double>(found.count) < kSynchronizing * launched) return std::nullopt;
  return about_slices(
      input, found, "The host waits for the device again and again",
      say("{} waited for a stream, {} for each piece of device work, and took {}.",
          count_words(found.count, "{} call", "{} calls"), number_words(static_cast<double>(found.count) / launched, 2),
          time_words(found.time)),
      "Find what requests results: item(), tolist(), printing tensors, copies to the host, nonzero(), a blocking launch setting "
      "(ASCEND_LAUNCH_BLOCKING, CUDA_LAUNCH_BLOCKING).");
}

std::optional<Advice> judge_sync_batch_norm(const AdviceInput& input) {
  const Profile& profile = input.profile;
  FoundSlices found;
  for (const Row slice : profile.operators.slice) {
    const std::string_view name = profile.text(profile.slices.name[slice]);
    if (name.find("SyncBatchNorm") != std::string_view::npos) found.add(profile, slice);
  }
  if (found.count <= kNormalizations) return std::nullopt;
  Advice advice;
  advice.severity = severity_in_steps(input, found.time);
  advice.title = "Batch normalization synchronizes all ranks";
  advice.evidence = say("SyncBatchNorm was recorded in {}; each makes every rank wait for the slowest.",
                        count_words(found.count, "{} call", "{} calls"));
  advice.action = "Normalize within each rank (BatchNorm), or by group or layer, where convergence allows.";
  advice.link_view = "operators";
  return advice;
}

// A setting that slows the program down; `variable` is the end of a metadata key.
struct Setting {
  std::string_view variable, value;
  const char *effect, *better;
};

constexpr std::array<Setting, 6> kSettings = {{
    {"ASCEND_LAUNCH_BLOCKING", "1", "every launch waits for the device", "unset it: it is for debugging"},
    {"CUDA_LAUNCH_BLOCKING", "1", "every launch waits for the device", "unset it: it is for debugging"},
    {"ASCEND_GLOBAL_LOG_LEVEL", "0", "the driver logs each call", "set it to 3 (errors)"},
    {"ASCEND_GLOBAL_LOG_LEVEL", "1", "the driver logs much", "set it to 3 (errors)"},
    {"TASK_QUEUE_ENABLE", "0", "operators are launched by the thread that runs the model", "set it to 1 or 2"},
    {"NCCL_P2P_DISABLE", "1", "ranks of a node do not copy directly", "unset it"},
}};

std::optional<Advice> judge_environment(const AdviceInput& input) {
  const Metadata& metadata = input.profile.metadata;
  std::vector<Message> evidence, action;
  for (Row i = 0; i < metadata.rows(); ++i) {
    const std::string_view key = input.profile.text(metadata.key[i]);
    const std::string_view variable = key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1);
    for (const Setting& setting : kSettings) {
      if (variable != setting.variable || input.profile.text(metadata.value[i]) != setting.value) continue;
      evidence.push_back(say("{}={}: {}.", setting.variable, setting.value, setting.effect));
      action.push_back(say("{}: {}.", setting.variable, setting.better));
    }
  }
  if (evidence.empty()) return std::nullopt;
  Advice advice;
  advice.severity = Advice::Level::medium;
  advice.title = "Settings of the environment slow the program down";
  advice.evidence = sentences(std::move(evidence));
  advice.action = sentences(std::move(action));
  advice.link_view = "metadata";
  return advice;
}

}  // namespace

std::span<const AdviceRule> stall_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"slow_batch", "a call of the data loader > 10 ms", kNew, judge_slow_batch},
      {"garbage_collection", "a recorded garbage collection > 1 ms", kNew, judge_garbage_collection},
      {"silent_gap",
       "no device work for > 200 ms, with at most 1 host call per 10 ms and host calls in at most 1% of that time; no "
       "garbage_collection",
       kNew, judge_silent_gap},
      {"device_allocations", "sum of host calls that allocate or release device memory > 10 ms", kNew, judge_device_allocations},
      {"synchronizing", "host calls that wait for a stream / pieces of device work >= 0.5", kNew, judge_synchronizing},
      {"sync_batch_norm", "more than 20 operators named SyncBatchNorm", kNew, judge_sync_batch_norm},
      {"environment",
       "a recorded ASCEND_LAUNCH_BLOCKING or CUDA_LAUNCH_BLOCKING of 1, ASCEND_GLOBAL_LOG_LEVEL of 0 or 1, TASK_QUEUE_ENABLE of "
       "0, NCCL_P2P_DISABLE of 1",
       kNew, judge_environment},
  };
  return rules;
}

}  // namespace sightline::analyses
