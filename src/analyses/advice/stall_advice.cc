// Advice about single events of the host that stall the device: batches that come late, garbage collection, allocating on the
// device, synchronizing, settings of the environment. The thresholds are those of the advisor of msprof-analyze.
#include <algorithm>
#include <array>

#include "analyses/advice/recommendations.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr Time kSlowBatch = 10'000'000;         // ns
constexpr Time kSlowCollection = 1'000'000;     // ns
constexpr Time kSilence = 200'000'000;          // ns: an idle stretch in which garbage may have been collected
constexpr double kSilentCalls = 1e-4 / 1000.0;  // calls per ns
constexpr double kSilentShare = 0.01;
constexpr Time kAllocations = 10'000'000;  // ns
constexpr double kSynchronizing = 0.5;     // calls per launch
constexpr std::int64_t kNormalizations = 20;
constexpr double kCompilingShare = 0.05;
constexpr std::string_view kCompilePhase =
    " (dynamo_timed)";  // the end of the names that the framework's compiler gives its ranges

bool has_any(std::string_view name, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Advice about slices of the host, with a link to the longest. `gain`: ns per step.
Advice about_slices(double gain, const FoundSlices& found, Message title, Message evidence, Message brief, Message action) {
  Advice advice;
  advice.gain = gain;
  advice.title = std::move(title);
  advice.evidence = std::move(evidence);
  advice.brief = std::move(brief);
  advice.action = std::move(action);
  go_to_slice(advice, found.longest);
  return advice;
}

// The scenario without such slices.
template <typename Is>
std::string change_without(const Profile& profile, Is&& is) {
  std::vector<StringId> names;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (is(slice) && std::find(names.begin(), names.end(), profile.slices.name[slice]) == names.end())
      names.push_back(profile.slices.name[slice]);
  }
  return change_of_names(profile, "host", names, "*0");
}

// ns per step in which such slices run inside the kept steps and no device works.
template <typename Is>
double exposed_time(const AdviceInput& input, Is&& is) {
  std::vector<Interval> found;
  const Profile& profile = input.profile;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (is(slice)) found.push_back({profile.slices.start[slice], profile.end_of(slice)});
  }
  return input.verdict.per_step(static_cast<double>(total_length(intersect(merge(std::move(found)), input.idle_set))));
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
      input.verdict.of(Bound::data_loading), found, "Slow data-loader calls",
      say("{} took longer than {}; the longest, {}, took {} and begins at {}.",
          count_words(found.count, "{} call of the data loader", "{} calls of the data loader"), time_words(kSlowBatch),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest]),
          time_words(profile.slices.start[found.longest])),
      "raise num_workers",
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
  const auto is_slow = [&](Row slice) {
    return profile.slices.duration[slice] > kSlowCollection && is_collection(profile.text(profile.slices.name[slice]));
  };
  Advice advice = about_slices(
      exposed_time(input, is_slow), found, "Garbage collection stops the program",
      say("{} took longer than {}, {} together; the longest took {} and begins at {}.",
          count_words(found.count, "{} collection", "{} collections"), time_words(kSlowCollection), time_words(found.time),
          time_words(profile.slices.duration[found.longest]), time_words(profile.slices.start[found.longest])),
      "collect garbage at fixed steps",
      "Collect at fixed steps instead: gc.disable() or gc.freeze() once the model is built, and gc.collect() every N steps, at "
      "the same step on all ranks.");
  advice.change = change_without(profile, is_slow);
  return advice;
}

// Phases of compiling that no other phase encloses.
std::optional<Advice> judge_compiling(const AdviceInput& input) {
  const Profile& profile = input.profile;
  std::vector<std::int8_t> known(profile.strings.size(), -1);
  const auto is_phase = [&](Row slice) {
    std::int8_t& is = known[static_cast<std::size_t>(profile.slices.name[slice])];
    if (is < 0) is = profile.text(profile.slices.name[slice]).ends_with(kCompilePhase) ? 1 : 0;
    return is == 1;
  };
  FoundSlices found;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (!is_phase(slice)) continue;
    Row around = profile.slices.parent[slice];
    while (around != kNoRow && !is_phase(around)) around = profile.slices.parent[around];
    if (around == kNoRow) found.add(profile, slice);
  }
  if (found.count == 0) return std::nullopt;
  const double exposed = exposed_time(input, is_phase);
  if (exposed < kCompilingShare * input.verdict.step) return std::nullopt;
  Advice advice = about_slices(
      exposed, found, "The framework compiles while the device waits",
      say("{} took {} together; the longest, {}, took {} and begins at {}.",
          count_words(found.count, "{} compilation", "{} compilations"), time_words(found.time),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest]),
          time_words(profile.slices.start[found.longest])),
      "find out why code is compiled again",
      "Record after the warm-up, when all code is compiled. If it is compiled again and again, the view Compiled code counts the "
      "compilations of each frame: mark sizes that change as dynamic, or keep them constant.");
  advice.change = change_without(profile, is_phase);
  return advice;
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
  advice.gain = input.verdict.per_step(static_cast<double>(time));
  advice.title = "Host and device are both idle";
  advice.evidence =
      say("In {} longer than {}, the device idles and the host makes almost no calls; the longest lasts {} and begins at {}.",
          count_words(count, "{} stretch", "{} stretches"), time_words(kSilence), time_words(longest->interval.length()),
          time_words(longest->interval.start));
  advice.brief = "find what stops the host: garbage collection, input, logging, checkpoints";
  advice.action =
      "Unrecorded garbage collection looks like this: try gc.disable() during steps, or record it (gc_detect_threshold). "
      "Otherwise, look for input, logging or checkpoints.";
  go_to_window(advice, longest->interval, "Go to the longest gap");
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
  const auto is_call = [&](Row slice) {
    return profile.slices.kind[slice] == SliceKind::runtime && has_any(profile.text(profile.slices.name[slice]), kCalls);
  };
  Advice advice = about_slices(
      exposed_time(input, is_call), found, "Device memory is allocated and released in between",
      say("{} to allocate or release memory of the device took {}; the longest, {}, took {}.",
          count_words(found.count, "{} call", "{} calls"), time_words(found.time),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest])),
      "let the framework's allocator keep device memory",
      "The framework's allocator should keep memory: avoid empty_cache() in steps, let segments grow (expandable_segments:True "
      "in the allocator's settings), or use less memory so that it need not release and retry.");
  advice.change = change_without(profile, is_call);
  return advice;
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
  const Verdict& verdict = input.verdict;
  return about_slices(
      verdict.of(Bound::launches) + verdict.of(Bound::host), found, "The host waits for the device again and again",
      say("{} waited for a stream, {} for each piece of device work, and took {}.",
          count_words(found.count, "{} call", "{} calls"), number_words(static_cast<double>(found.count) / launched, 2),
          time_words(found.time)),
      "find what requests results from the device",
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
  advice.gain = input.verdict.of(Bound::communication);
  advice.title = "Batch normalization synchronizes all ranks";
  advice.evidence = say("SyncBatchNorm was recorded in {}; each makes every rank wait for the slowest.",
                        count_words(found.count, "{} call", "{} calls"));
  advice.brief = "normalize within each rank";
  advice.action = "Normalize within each rank (BatchNorm), or by group or layer, where convergence allows.";
  advice.link_view = "operators";
  advice.link_parameters = {{"search", "SyncBatchNorm"}};
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
  advice.gain = input.verdict.step - input.verdict.of(Bound::device);
  advice.title = "Settings of the environment slow the program down";
  advice.evidence = sentences(std::move(evidence));
  advice.brief = "change these settings";
  advice.action = sentences(std::move(action));
  advice.link_view = "metadata";
  return advice;
}

}  // namespace

std::span<const AdviceRule> stall_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"slow_batch", "a call of the data loader > 10 ms", "data loading of the step", kNew, judge_slow_batch, "data-loading*0"},
      {"garbage_collection", "a recorded garbage collection > 1 ms", "their time in which no device works", kNew,
       judge_garbage_collection, "host:NAME*0"},
      {"compiling", "ranges of the framework's compiler (dynamo_timed) in which no device works >= 5% of the step", "that time",
       kNew, judge_compiling, "host:NAME*0"},
      {"silent_gap",
       "no device work for > 200 ms, with at most 1 host call per 10 ms and host calls in at most 1% of that time; no "
       "garbage_collection",
       "length of these gaps", kNew, judge_silent_gap},
      {"device_allocations", "sum of host calls that allocate or release device memory > 10 ms",
       "their time in which no device works", kNew, judge_device_allocations, "host:NAME*0"},
      {"synchronizing", "host calls that wait for a stream / pieces of device work >= 0.5", "launches + host of the step", kNew,
       judge_synchronizing, "no-sync"},
      {"sync_batch_norm", "more than 20 operators named SyncBatchNorm", "communication of the step", kNew, judge_sync_batch_norm,
       "category:communication hidden"},
      {"environment",
       "a recorded ASCEND_LAUNCH_BLOCKING or CUDA_LAUNCH_BLOCKING of 1, ASCEND_GLOBAL_LOG_LEVEL of 0 or 1, TASK_QUEUE_ENABLE of "
       "0, NCCL_P2P_DISABLE of 1",
       "the step without computing", kNew, judge_environment, "host*0; no-sync"},
  };
  return rules;
}

}  // namespace sightline::analyses
