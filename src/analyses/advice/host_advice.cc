// Advice about the host and about the whole step: data loading, launches, gaps, communication, copies, balance of steps; and
// single events of the host that stall the device.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "analyses/advice/recommendations.h"
#include "analyses/devices/device_activity.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- the whole step ----

namespace {

constexpr double kLoadingShare = 0.05;
constexpr double kCommunicationShare = 0.10;
constexpr double kIdleShare = 0.10;  // also of copies
constexpr double kOperatorShare = 0.15;
constexpr double kNamedShare = 0.3;   // an operator with this share of a wait is named
constexpr Time kShortDelay = 20'000;  // ns: the device starts right after the launch
constexpr double kUnbalanced = 1.2;
constexpr std::size_t kFewestSteps = 3;

Message part_of_step(const StepSummary& summary, Role role) {
  return say("{} of the step time ({} of {} per step)", share_words(summary.share_of(role)), time_words(summary.mean_of(role)),
             time_words(summary.mean_total));
}

// The operator of the host with most time, if it has this share of `whole` or more.
std::optional<NamedTime> leading(const std::vector<NamedTime>& operators, Time whole, double share) {
  if (operators.empty() || static_cast<double>(operators.front().time) < share * static_cast<double>(whole)) return std::nullopt;
  return operators.front();
}

// "aten::item 92.3 ms, aten::copy_ 4.56 ms".
Message largest_names(const std::vector<NamedTime>& operators) {
  std::vector<Message> shown;
  for (std::size_t i = 0; i < std::min<std::size_t>(operators.size(), 3); ++i)
    shown.push_back(say("{} {}", operators[i].name, time_words(operators[i].time)));
  return listed_messages(", ", std::move(shown));
}

std::optional<Advice> judge_data_loading(const AdviceInput& input) {
  if (input.summary.share_of(Role::data_loading) <= kLoadingShare) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::data_loading);
  advice.title = "Steps wait for data loading";
  advice.evidence =
      say("{} is spent in data loading while nothing else happens.", part_of_step(input.summary, Role::data_loading));
  advice.brief = "load batches in worker processes (num_workers)";
  advice.action =
      "Load batches in background workers (num_workers of a DataLoader, num_parallel_calls of tf.data), prefetch more "
      "of them, or make decoding and augmentation cheaper.";
  FoundSlices found;
  each_of_kind(input.profile, SliceKind::data_loading, [&](Row slice) { found.add(input.profile, slice); });
  if (found.longest != kNoRow) go_to_slice(advice, found.longest);
  advice.doc_url = "https://pytorch.org/docs/stable/data.html#single-and-multi-process-data-loading";
  return advice;
}

std::optional<Advice> judge_exposed_communication(const AdviceInput& input) {
  if (input.summary.share_of(Role::communication) <= kCommunicationShare) return std::nullopt;
  const IntervalSet& exposed = input.verdict.exposed_communication;
  Advice advice;
  advice.gain = input.verdict.of(Bound::communication);
  advice.title = "Communication is not hidden behind computation";
  advice.evidence =
      say("{} is spent in communication while no device computes or copies.", part_of_step(input.summary, Role::communication));
  const Time whole = total_length(exposed);
  if (const auto wait = leading(host_time_within(input.profile, *input.summary.tree, exposed), whole, kNamedShare)) {
    advice.evidence =
        sentences({advice.evidence, say("Meanwhile the host is in {} for {}.", wait->name, time_words(wait->time))});
  }
  advice.brief = "find the rank that the others wait for, then overlap communication";
  advice.action =
      "Part of it may be waiting for a slower rank: the Distributed view names the rank that arrives last. Overlap the rest with "
      "the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch with an optimizer "
      "made for it; the latter three can change convergence.";
  const auto longest = std::max_element(exposed.begin(), exposed.end(),
                                        [](const Interval& a, const Interval& b) { return a.length() < b.length(); });
  if (longest != exposed.end()) go_to_window(advice, *longest, "Go to the longest wait");
  return advice;
}

std::optional<Advice> judge_exposed_copies(const AdviceInput& input) {
  if (input.verdict.share(Bound::copies) < kIdleShare) return std::nullopt;
  FoundSlices found;
  each_of_kind(input.profile, SliceKind::memcpy, [&](Row slice) { found.add(input.profile, slice); });
  if (found.longest == kNoRow) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::copies);
  advice.title = "Copies are not hidden behind computation";
  advice.evidence =
      say("In {} of the step ({} per step) a device copies or fills memory and does not compute; the longest copy, "
          "{}, takes {}.",
          share_words(input.verdict.share(Bound::copies)), time_words(advice.gain),
          input.profile.text(input.profile.slices.name[found.longest]), time_words(input.profile.slices.duration[found.longest]));
  advice.brief = "copy asynchronously from pinned memory, or not at all";
  advice.action =
      "Keep data on the device; copy what is left from pinned memory on a separate stream (non_blocking=True) while kernels run.";
  go_to_slice(advice, found.longest);
  return advice;
}

std::optional<Advice> judge_launch_bound(const AdviceInput& input) {
  const double share = input.verdict.share(Bound::launches);
  const Waits& waits = input.verdict.launches;
  if (share < kIdleShare || !input.kernels || runs_programs(input.profile) || !waits.longest) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::launches);
  advice.title = "The device waits for launches";
  advice.evidence = say(
      "During {} of the steps no device works until the next launch, in {} shorter than {}; the median kernel takes {}{delay}.",
      share_words(share), count_words(waits.count, "{} gap", "{} gaps"), time_words(kLongGap),
      time_words(input.kernels->duration),
      input.kernels->launch_delay.value_or(kLongGap) <= kShortDelay
          ? say(" and starts {} after its launching call", time_words(*input.kernels->launch_delay))
          : Message(""));
  advice.brief = "launch less often: compile the model, or replay a graph";
  advice.action =
      "Launch less often: fuse operators (compile the model), capture the step in a graph and replay it, or use a larger batch.";
  go_to_window(advice, *waits.longest, "Go to the longest gap");
  return advice;
}

std::optional<Advice> judge_host_gaps(const AdviceInput& input) {
  const double share = input.verdict.share(Bound::host);
  const Waits& waits = input.verdict.host;
  if (!input.verdict.has_device || share < kIdleShare || !waits.longest) return std::nullopt;
  const auto operators = host_time_within(input.profile, *input.summary.tree, input.verdict.host_stretches);
  Advice advice;
  advice.gain = input.verdict.of(Bound::host);
  advice.title = "The device idles while the host works";
  advice.evidence =
      say("{} of {} or longer, in which the host works, took {} of the steps; the longest lasts {} and begins at {}.",
          count_words(waits.count, "{} gap", "{} gaps"), time_words(kLongGap), share_words(share),
          time_words(waits.longest->length()), time_words(waits.longest->start));
  if (!operators.empty()) {
    advice.evidence =
        sentences({advice.evidence, say("Most of the host's time in these gaps is in {}.", largest_names(operators))});
  }
  const auto first = leading(operators, waits.time, kNamedShare);
  advice.brief = first ? say("shorten {} on the host", first->name) : Message("shorten the host's work between launches");
  advice.action =
      "See what the host does there: copies back to the host, waiting for results, logging, or Python code between launches. "
      "Move it off the step's path or do it less often.";
  go_to_window(advice, *waits.longest, "Go to the longest gap");
  return advice;
}

// Of a recording without devices: the operator with the largest part of the host's time.
std::optional<Advice> judge_host_operators(const AdviceInput& input) {
  if (input.verdict.has_device || input.verdict.share(Bound::host) < kOperatorShare) return std::nullopt;
  const auto operators = host_time_within(input.profile, *input.summary.tree, input.verdict.host_stretches);
  const Time steps = total_length(input.verdict.host_stretches);
  const auto first = leading(operators, steps, kOperatorShare);
  if (!first) return std::nullopt;
  Advice advice;
  advice.gain = std::min(input.verdict.of(Bound::host), input.verdict.per_step(static_cast<double>(first->time)));
  advice.title = say("{} takes the largest part of the host's time", first->name);
  advice.evidence = say("No device was recorded: the host computes. The largest parts of its own time: {}, of {} in all steps.",
                        largest_names(operators), time_words(steps));
  advice.brief = say("make {} cheaper, or move it to a device", first->name);
  advice.action =
      "See which calls take it and from where they are made: more threads, a lower precision, fewer calls, or a device.";
  advice.link_view = "operators";
  advice.link_parameters = {{"search", first->name}};
  return advice;
}

std::optional<Advice> judge_unexplained_idle(const AdviceInput& input) {
  const Verdict& verdict = input.verdict;
  const Waits& waits = verdict.unknown;
  if (!verdict.has_device || runs_programs(input.profile)) return std::nullopt;
  if (verdict.share(Bound::unknown) < kIdleShare || !waits.longest) return std::nullopt;
  const Message device = device_words(input.profile).device;
  Advice advice;
  advice.gain = verdict.of(Bound::unknown);
  advice.title = say("The {} idles, and the recording does not show why", device);
  advice.evidence = say("{} of the step ({} per step); the longest stretch lasts {} and begins at {}.",
                        share_words(verdict.share(Bound::unknown)), time_words(advice.gain), time_words(waits.longest->length()),
                        time_words(waits.longest->start));
  if (verdict.waits_for_first) {
    advice.evidence =
        sentences({advice.evidence, say("Nothing runs on the {} before its end: this is the start of the program, or "
                                        "its warm-up.",
                                        device)});
    advice.brief = "record after the warm-up, and look at the rest";
    advice.action =
        "Begin the recording when the program runs evenly (schedule(wait, warmup) of torch.profiler), or look only at the time "
        "after this gap: drag over it on the timeline.";
  } else {
    advice.brief = "record what the host does meanwhile";
    advice.action =
        "Record the host as well, with Python functions (with_stack=True), and more steps; look for input, waiting for other "
        "processes, and for events between streams.";
  }
  go_to_window(advice, *waits.longest, "Go to the longest gap");
  return advice;
}

// Idle time that no other rule is about.
std::optional<Advice> judge_idle_device(const AdviceInput& input) {
  const Verdict& verdict = input.verdict;
  double idle = 0;
  const Waits* longest = nullptr;
  std::vector<Message> parts;
  const auto add = [&](Bound bound, const Waits& waits, Message words) {
    if (verdict.share(bound) >= kIdleShare || !waits.longest) return;
    idle += verdict.of(bound);
    parts.push_back(std::move(words));
    if (longest == nullptr || waits.longest->length() > longest->longest->length()) longest = &waits;
  };
  add(Bound::launches, verdict.launches, say("{} waiting for launches", time_words(verdict.of(Bound::launches))));
  add(Bound::host, verdict.host, say("{} waiting for the host", time_words(verdict.of(Bound::host))));
  add(Bound::unknown, verdict.unknown, say("{} without a recorded cause", time_words(verdict.of(Bound::unknown))));
  if (!verdict.has_device || runs_programs(input.profile)) return std::nullopt;
  if (longest == nullptr || idle < kIdleShare * verdict.step) return std::nullopt;
  Advice advice;
  advice.gain = idle;
  advice.title = say("The {} idles at times", device_words(input.profile).device);
  advice.evidence = say("{} of the step ({} per step): {}. The longest stretch lasts {} and begins at {}.",
                        share_words(idle / verdict.step), time_words(idle), listed_messages(", ", std::move(parts)),
                        time_words(longest->longest->length()), time_words(longest->longest->start));
  advice.brief = "let the host run ahead of the device";
  advice.action =
      "Let the host run ahead: avoid waiting for results (item(), printing tensors), launch less often, and prefetch the next "
      "batch.";
  go_to_window(advice, *longest->longest, "Go to the longest gap");
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
  advice.gain = (slowest - median) / static_cast<double>(input.verdict.steps);
  advice.title = say("Step {} is much slower than the others", number);
  advice.evidence = say("It takes {}, {} times the median of {} ({}).", time_words(slowest), number_words(slowest / median, 2),
                        count_words(std::ssize(steps), "{} step", "{} steps"), time_words(median));
  advice.brief = say("find out why step {} is slow", number);
  advice.action =
      "Compare its parts with its neighbours': checkpoints, evaluation, a recompilation, garbage collection or an unlucky batch "
      "show up there.";
  go_to_window(advice, steps.back().window, "Go to the step");
  return advice;
}

}  // namespace

std::span<const AdviceRule> host_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"data_loading", "mean(data loading) / mean(step) > 5%", "data loading of the step", "", judge_data_loading},
      {"exposed_communication",
       "mean(communication) / mean(step) > 10%, where communication is what no kernel, copy or fill covers",
       "communication of the step",
       "The TensorBoard plugin's communication was host-side time without collective kernels; here it is communicating without "
       "computing.",
       judge_exposed_communication},
      {"exposed_copies", "memory copies >= 10% of the step", "memory copies of the step", kNew, judge_exposed_copies},
      {"launch_bound", "launches >= 10% of the step", "launches of the step", kNew, judge_launch_bound},
      {"host_gaps", "host >= 10% of the step, and a device worked", "host of the step", kNew, judge_host_gaps},
      {"host_operators",
       "no device worked, and the innermost operator of one name takes >= 15% of the steps on the host's threads",
       "that operator's time", kNew, judge_host_operators},
      {"unexplained_idle", "unexplained >= 10% of the step, and a device worked that a host launches work for",
       "unexplained of the step", kNew, judge_unexplained_idle},
      {"idle_device",
       "the sum of launches, host and unexplained, without those >= 10% of the step, is >= 10% of the step, and a device as "
       "above",
       "that sum", kNew, judge_idle_device},
      {"unbalanced_steps", "slowest step > 1.2 x median step, with 3 steps or more", "(slowest - median step) / steps", kNew,
       judge_unbalanced_steps},
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
  return about_slices(
      exposed_time(input, is_slow), found, "Garbage collection stops the program",
      say("{} took longer than {}, {} together; the longest took {} and begins at {}.",
          count_words(found.count, "{} collection", "{} collections"), time_words(kSlowCollection), time_words(found.time),
          time_words(profile.slices.duration[found.longest]), time_words(profile.slices.start[found.longest])),
      "collect garbage at fixed steps",
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
  advice.gain = input.verdict.per_step(static_cast<double>(time));
  advice.title = "Host and device are both idle";
  advice.evidence =
      say("In {} over {} the device idles and the host calls almost nothing; the longest lasts {} and begins at {}.",
          count_words(count, "{} stretch", "{} stretches"), time_words(kSilence), time_words(longest->interval.length()),
          time_words(longest->interval.start));
  advice.brief = "find what stops the host: garbage collection, input, logging, checkpoints";
  advice.action =
      "Garbage collection looks like this if it is not recorded: try gc.disable() during steps (and record it, "
      "gc_detect_threshold). Else look for input, logging or checkpoints.";
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
  return about_slices(
      exposed_time(input, is_call), found, "Device memory is allocated and released in between",
      say("{} to allocate or release memory of the device took {}; the longest, {}, took {}.",
          count_words(found.count, "{} call", "{} calls"), time_words(found.time),
          profile.text(profile.slices.name[found.longest]), time_words(profile.slices.duration[found.longest])),
      "let the framework's allocator keep device memory",
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
      {"slow_batch", "a call of the data loader > 10 ms", "data loading of the step", kNew, judge_slow_batch},
      {"garbage_collection", "a recorded garbage collection > 1 ms", "their time in which no device works", kNew,
       judge_garbage_collection},
      {"silent_gap",
       "no device work for > 200 ms, with at most 1 host call per 10 ms and host calls in at most 1% of that time; no "
       "garbage_collection",
       "length of these gaps", kNew, judge_silent_gap},
      {"device_allocations", "sum of host calls that allocate or release device memory > 10 ms",
       "their time in which no device works", kNew, judge_device_allocations},
      {"synchronizing", "host calls that wait for a stream / pieces of device work >= 0.5", "launches + host of the step", kNew,
       judge_synchronizing},
      {"sync_batch_norm", "more than 20 operators named SyncBatchNorm", "communication of the step", kNew, judge_sync_batch_norm},
      {"environment",
       "a recorded ASCEND_LAUNCH_BLOCKING or CUDA_LAUNCH_BLOCKING of 1, ASCEND_GLOBAL_LOG_LEVEL of 0 or 1, TASK_QUEUE_ENABLE of "
       "0, NCCL_P2P_DISABLE of 1",
       "the step without computing", kNew, judge_environment},
  };
  return rules;
}

}  // namespace sightline::analyses
