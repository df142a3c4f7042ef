// Advice about communication that no computing hides.
#include <algorithm>

#include "analyses/advice/recommendations.h"
#include "analyses/columns.h"
#include "analyses/ranks/rank_summary.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kExposedShare = 0.10;
constexpr double kWaitShare = 0.3;               // an operator with this share of the wait is named
constexpr std::int64_t kSmallMessage = 1 << 20;  // bytes
constexpr Time kShortCollective = 1'000'000;     // ns: where the file states no size
constexpr double kManyCollectives = 50;          // per step
constexpr double kSmallShare = 0.05;

Interval longest_of(const IntervalSet& set) {
  return *std::max_element(set.begin(), set.end(), [](const Interval& a, const Interval& b) { return a.length() < b.length(); });
}

std::optional<Advice> judge_exposed_communication(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const IntervalSet& exposed = input.verdict.exposed_communication;
  if (input.verdict.share(Bound::communication) <= kExposedShare || exposed.empty()) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::communication);
  advice.title = "Communication is not hidden behind computation";
  advice.evidence =
      say("{} is spent in communication while no device computes or copies.", input.verdict.part_words(advice.gain));
  const auto operators = host_time_within(profile, *input.summary.tree, exposed);
  if (const auto wait = leading(operators, total_length(exposed), kWaitShare)) {
    advice.evidence = sentences({advice.evidence, say("Meanwhile the host is in {} for {}; the longest call takes {}.",
                                                      profile.text(profile.slices.name[wait->call]), time_words(wait->time),
                                                      time_words(profile.slices.duration[wait->call]))});
  }
  advice.brief = "find the rank that the others wait for, then overlap communication";
  advice.action =
      "Part of it may be waiting for a slower rank: the Distributed view names the rank that arrives last. Overlap the rest with "
      "the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch with an optimizer "
      "made for it; the latter three can change convergence.";
  go_to_window(advice, longest_of(exposed), "Go to the longest wait");
  return advice;
}

// Collectives that several small ones could be merged into one of.
bool merges(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::all_gather;
}

struct SmallCollectives {
  std::int64_t count = 0, all = 0;  // in the kept steps; `all`: large ones too
  std::int64_t bytes = 0, sized = 0;
  std::vector<Time> durations;
  std::vector<Interval> intervals;
};

SmallCollectives small_collectives(const Profile& profile, const IntervalSet& steps) {
  SmallCollectives found;
  const Collectives& c = profile.collectives;
  for (const Row slice : collective_slices(profile)) {
    const auto at = std::lower_bound(c.slice.begin(), c.slice.end(), slice);
    if (at == c.slice.end() || *at != slice) continue;
    const auto row = static_cast<Row>(at - c.slice.begin());
    const Interval interval{profile.slices.start[slice], profile.end_of(slice)};
    if (!merges(c.kind[row]) || length_within(steps, interval) == 0) continue;
    ++found.all;
    const std::int64_t bytes = std::max(c.in_bytes[row], c.out_bytes[row]);  // kUnknown is below any size
    if (bytes == kUnknown ? interval.length() >= kShortCollective : bytes >= kSmallMessage) continue;
    ++found.count;
    found.durations.push_back(interval.length());
    found.intervals.push_back(interval);
    if (bytes == kUnknown) continue;
    ++found.sized;
    found.bytes += bytes;
  }
  return found;
}

std::optional<Advice> judge_small_collectives(const AdviceInput& input) {
  const Verdict& verdict = input.verdict;
  if (verdict.steps == 0 || verdict.exposed_communication.empty()) return std::nullopt;
  SmallCollectives found = small_collectives(input.profile, merge(input.summary.windows()));
  const double per_step = verdict.per_step(static_cast<double>(found.count));
  if (per_step < kManyCollectives) return std::nullopt;
  const IntervalSet exposed = intersect(merge(std::move(found.intervals)), verdict.exposed_communication);
  Advice advice;
  advice.gain = verdict.per_step(static_cast<double>(total_length(exposed)));
  if (advice.gain < kSmallShare * verdict.step) return std::nullopt;
  const auto middle = found.durations.begin() + static_cast<std::ptrdiff_t>(found.durations.size() / 2);
  std::nth_element(found.durations.begin(), middle, found.durations.end());
  const Message size =
      found.sized == found.count
          ? say("of {} on average", bytes_words(static_cast<double>(found.bytes) / static_cast<double>(found.sized)))
          : say("shorter than {}", time_words(kShortCollective));
  advice.title = "Collectives are many and small";
  advice.evidence =
      say("{} collectives per step are small ({size}; {} in all): half of them take {} or less. While only they "
          "run, {} passes.",
          number_words(per_step, 0), size, number_words(verdict.per_step(static_cast<double>(found.all)), 0), time_words(*middle),
          verdict.part_words(advice.gain));
  advice.brief = "merge small collectives into buckets";
  advice.action =
      "Each collective has a fixed cost: reduce gradients in buckets of 25 MB or more (DistributedDataParallel with "
      "bucket_cap_mb), flatten or fuse parameters, coalesce calls that do not depend on one another, or communicate less often.";
  go_to_window(advice, longest_of(exposed), "Go to small collectives");
  return advice;
}

}  // namespace

std::span<const AdviceRule> communication_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"exposed_communication",
       "mean(communication) / mean(step) > 10%, where communication is what no kernel, copy or fill covers",
       "communication of the step",
       "The TensorBoard plugin's communication was host-side time without collective kernels; here it is communicating without "
       "computing.",
       judge_exposed_communication, "category:communication hidden"},
      {"small_collectives",
       "50 or more all-reduces, reduce-scatters and all-gathers per step of less than 1 MiB each (of unknown size: shorter than "
       "1 "
       "ms), and the time in which only these run >= 5% of the step",
       "that time", kNew, judge_small_collectives, "category:communication hidden"},
  };
  return rules;
}

}  // namespace sightline::analyses
