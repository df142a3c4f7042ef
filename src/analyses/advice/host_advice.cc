// Advice about the host and about the whole step: data loading, copies, launches, gaps, balance of steps.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "analyses/advice/recommendations.h"
#include "analyses/devices/device_activity.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kLoadingShare = 0.05;
constexpr double kIdleShare = 0.10;  // also of copies
constexpr double kOperatorShare = 0.15;
constexpr std::string_view kCollectiveCalls = "c10d::";
constexpr double kNamedShare = 0.3;   // an operator with this share of a wait is named
constexpr Time kShortDelay = 20'000;  // ns: the device starts right after the launch
constexpr double kUnbalanced = 1.2;
constexpr std::size_t kFewestSteps = 3;

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
  advice.evidence = say("{} is spent in data loading while nothing else happens.", input.verdict.part_words(advice.gain));
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

std::optional<Advice> judge_exposed_copies(const AdviceInput& input) {
  if (input.verdict.share(Bound::copies) < kIdleShare) return std::nullopt;
  FoundSlices found;
  each_of_kind(input.profile, SliceKind::memcpy, [&](Row slice) { found.add(input.profile, slice); });
  if (found.longest == kNoRow) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::copies);
  advice.title = "Copies are not hidden behind computation";
  advice.evidence = say("In {} a device copies or fills memory and does not compute; the longest copy, {}, takes {}.",
                        input.verdict.part_words(advice.gain), input.profile.text(input.profile.slices.name[found.longest]),
                        time_words(input.profile.slices.duration[found.longest]));
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
  advice.evidence =
      say("During {} of {whole} no device works until the next launch, in {} shorter than {}; the median kernel takes {}{delay}.",
          share_words(share), input.verdict.whole(), count_words(waits.count, "{} gap", "{} gaps"), time_words(kLongGap),
          time_words(input.kernels->duration),
          input.kernels->launch_delay.value_or(kLongGap) <= kShortDelay
              ? say(" and starts {} after its launching call", time_words(*input.kernels->launch_delay))
              : Message(""));
  advice.brief = "launch less often: compile the model, or replay a graph";
  advice.action =
      "Launch less often: fuse operators (compile the model), capture the step in a graph and replay it, or use a larger batch.";
  go_to_window(advice, *waits.longest, say("Go to the longest gap under {}", time_words(kLongGap)));
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
  advice.evidence = say("{} of {} or longer, in which the host works, took {} of {whole}; the longest lasts {} and begins at {}.",
                        count_words(waits.count, "{} gap", "{} gaps"), time_words(kLongGap), share_words(share),
                        input.verdict.whole(), time_words(waits.longest->length()), time_words(waits.longest->start));
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
  const bool communicates = first->name.starts_with(kCollectiveCalls);
  if (communicates && input.verdict.share(Bound::communication) >= kIdleShare) return std::nullopt;  // exposed_communication
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
  advice.change = change_of_names(input.profile, "host", {input.profile.strings.find(first->name)}, "*0");
  return advice;
}

std::optional<Advice> judge_unexplained_idle(const AdviceInput& input) {
  const Verdict& verdict = input.verdict;
  const Waits& waits = verdict.unknown;
  if (!verdict.has_device || runs_programs(input.profile) || !input.summary.unrecorded.empty()) return std::nullopt;
  if (verdict.share(Bound::unknown) < kIdleShare || !waits.longest) return std::nullopt;
  const Message device = device_words(input.profile).device;
  Advice advice;
  advice.gain = verdict.of(Bound::unknown);
  advice.title = say("The {} idles, and the recording does not show why", device);
  advice.evidence = say("{}; the longest gap with such time lasts {} and begins at {}.", verdict.part_words(advice.gain),
                        time_words(waits.longest->length()), time_words(waits.longest->start));
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
  advice.evidence =
      say("{}: {}. The longest stretch lasts {} and begins at {}.", verdict.part_words(idle),
          listed_messages(", ", std::move(parts)), time_words(longest->longest->length()), time_words(longest->longest->start));
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
  advice.evidence =
      say("Step {} takes {}, {} times the median of {} ({}).", number, time_words(slowest), number_words(slowest / median, 2),
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
      {"data_loading", "mean(data loading) / mean(step) > 5%", "data loading of the step", "", judge_data_loading,
       "data-loading*0"},
      {"exposed_copies", "memory copies >= 10% of the step", "memory copies of the step", kNew, judge_exposed_copies,
       "category:copy free"},
      {"launch_bound", "launches >= 10% of the step", "launches of the step", kNew, judge_launch_bound, "one-graph"},
      {"host_gaps", "host >= 10% of the step, and a device worked", "host of the step", kNew, judge_host_gaps, "host*0"},
      {"host_operators",
       "no device worked, and the innermost operator of one name takes >= 15% of the steps on the host's threads; no collective "
       "that exposed_communication is about",
       "that operator's time", kNew, judge_host_operators, "host:NAME*0"},
      {"unexplained_idle", "unexplained >= 10% of the step, and a device worked that a host launches work for",
       "unexplained of the step", kNew, judge_unexplained_idle},
      {"idle_device",
       "the sum of launches, host and unexplained, without those >= 10% of the step, is >= 10% of the step, and a device as "
       "above",
       "that sum", kNew, judge_idle_device, "host*0; no-sync"},
      {"unbalanced_steps", "slowest step > 1.2 x median step, with 3 steps or more", "(slowest - median step) / steps", kNew,
       judge_unbalanced_steps},
  };
  return rules;
}

}  // namespace sightline::analyses
