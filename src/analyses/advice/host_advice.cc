// Advice about the host and about the whole step: data loading, launches, gaps, communication, balance of steps.
#include <fmt/core.h>

#include <algorithm>

#include "analyses/advice/recommendations.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kLoadingShare = 0.05;
constexpr double kCommunicationShare = 0.10;
constexpr double kLaunchBoundShare = 0.20;
constexpr double kGapShare = 0.10;
constexpr Time kGap = 100'000;         // ns: a gap long enough to look at by itself
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
       "Not in the TensorBoard plugin.", judge_launch_bound},
      {"host_gaps",
       "gaps in device work with at least 100 us of host work in them take >= 10% of the steps, and launch_bound does not hold",
       "Not in the TensorBoard plugin.", judge_host_gaps},
      {"unbalanced_steps", "slowest step > 1.2 x median step, with 3 steps or more", "Not in the TensorBoard plugin.",
       judge_unbalanced_steps},
  };
  return rules;
}

}  // namespace sightline::analyses
