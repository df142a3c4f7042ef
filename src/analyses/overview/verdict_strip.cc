// The items of the strip: the step, what bounds it, how busy the devices are, the first advice and its gain.
#include "analyses/overview/verdict_strip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "analyses/advice/rank_advice.h"
#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/ranks/rank_imbalance.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr const char* kCommunication = "communication";

Message bound_words(const Profile& profile, const Verdict& verdict) {
  switch (verdict.bound()) {
    case Bound::device: return say("kernels on the {}", device_words(profile).device);
    case Bound::copies: return "memory copies";
    case Bound::communication: return kCommunication;
    case Bound::data_loading: return "data loading";
    case Bound::launches: return "launches";
    case Bound::host: return verdict.has_device ? "the host" : "the host's operators";
    case Bound::unknown: break;
  }
  return "not known";
}

// Mean over the devices that ran kernels; NaN without any.
double mean_utilization(const StepSummary& summary) {
  double sum = 0;
  std::size_t devices = 0;
  for (const DeviceActivity& device : summary.devices) {
    if (device.kernels == 0 || std::isnan(device.utilization)) continue;
    sum += device.utilization;
    ++devices;
  }
  return devices == 0 ? kUnknownNumber : sum / static_cast<double>(devices);
}

// The largest kernel, or the largest operator of a host without devices, as "gemm (40.0% of the kernel time)".
Message largest_item(const Profile& profile, const StepSummary& summary, const Verdict& verdict) {
  if (verdict.has_device) {
    std::map<StringId, Time> names;
    for (const Row slice : profile.device_work.slice) {
      if (profile.slices.kind[slice] == SliceKind::kernel) names[profile.slices.name[slice]] += profile.slices.duration[slice];
    }
    const auto largest =
        std::max_element(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const Time all = kernel_time(profile);
    if (all == 0) return {};
    return say("{}, with {} of the kernel time", short_name(profile.text(largest->first)),
               share_words(static_cast<double>(largest->second) / static_cast<double>(all)));
  }
  const std::vector<NamedTime> operators = host_time_within(profile, *summary.tree, verdict.host_stretches);
  if (operators.empty()) return {};
  return say("{}, with {} of {whole}", short_name(operators.front().name),
             share_words(static_cast<double>(operators.front().time) /
                         static_cast<double>(std::max<Time>(1, total_length(verdict.host_stretches)))),
             verdict.whole());
}

std::string minus(const std::string& amount) { return "\u2212" + amount; }

// The first advice that can win 1% of the step, in place of what the strip says to do first.
void add_first(VerdictStrip& strip, const std::vector<Advice>& advice) {
  const auto first = std::find_if(advice.begin(), advice.end(), [](const Advice& a) { return a.share >= 0.01; });
  if (first == advice.end()) return;
  std::erase_if(strip.items, [](const VerdictItem& item) { return item.id == "first" || item.id == "gain"; });
  strip.items.push_back({"first", "First", first->brief, {}, first->title});
  strip.items.push_back({"gain", "At most", Message::verbatim(minus(time_words(first->gain))),
                         Message::verbatim(minus(share_words(first->share))),
                         "Largest possible gain per step: the time that the advice is about"});
}

}  // namespace

Message no_pattern_words(const Profile& profile, const StepSummary& summary, const Verdict& verdict) {
  const Message item = largest_item(profile, summary, verdict);
  return item.empty() ? Message("No known bottleneck pattern matched.")
                      : say("No known bottleneck pattern matched. Largest item: {}.", item);
}

Panel verdict_panel(const Profile& profile, const StepSummary& summary, const Recommendations& found) {
  const Verdict& verdict = found.verdict;
  VerdictStrip strip{.table = "bounds", .label = "part", .value = "time", .hue = "hue"};
  const bool recorded = summary.steps.source == StepSource::recorded;
  strip.items.push_back(
      {"step", recorded ? "Step time" : "Recorded", Message::verbatim(verdict.step > 0 ? time_words(verdict.step) : "\u2013"),
       recorded && verdict.steps > 1 ? say("mean of {} steps", verdict.steps) : Message(),
       recorded ? "Mean length of the kept steps that are not empty" : "No steps were recorded: all of the recording"});
  const Message reason = verdict.reason();
  strip.items.push_back(
      {"bound", "Bound by", bound_words(profile, verdict),
       reason.empty() ? say("{} of {whole}", share_words(verdict.share(verdict.bound())), verdict.whole()) : reason,
       bounds_doc()});
  if (const double busy = mean_utilization(summary); !std::isnan(busy)) {
    strip.items.push_back({"busy",
                           say("{} busy", device_words(profile).device),
                           Message::verbatim(share_words(busy)),
                           {},
                           "Share of the steps' time in which a kernel runs on the device; mean over devices: see utilization"});
  }
  add_first(strip, found.advice);
  if (strip.items.back().id != "gain") {
    const Message item = largest_item(profile, summary, verdict);
    if (!item.empty())
      strip.items.push_back({"first", "First", say("look at {}", item), {}, "No known bottleneck pattern matched"});
  }
  Panel panel{.id = "verdict", .title = "Verdict", .content = std::move(strip)};
  panel.doc = bounds_doc();
  return panel;
}

// ---- what other ranks tell ----

namespace {

// The workers of one role of one job, by rank: their ranks are known and differ. Traces that happen to be in one folder are not.
std::vector<RankSummaryPtr> workers_of_job(std::span<const RankSummaryPtr> ranks, const RankSummary& own) {
  std::vector<RankSummaryPtr> job;
  std::set<std::int64_t> known;
  for (const RankSummaryPtr& rank : ranks) {
    if (rank->role != own.role) continue;
    if (rank->rank == kUnknown || !known.insert(rank->rank).second) return {};
    if (rank->world_size == own.world_size) job.push_back(rank);
  }
  return by_rank(job);
}

template <typename Content>
Content* content_of(Report& report, std::string_view id) {
  for (Panel& panel : report.panels) {
    if (panel.id == id) return std::get_if<Content>(&panel.content);
  }
  return nullptr;
}

const Advice* find_advice(const std::vector<Advice>& all, std::string_view id) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Advice& one) { return one.id == id; });
  return at == all.end() ? nullptr : &*at;
}

// If most of the exposed communication is waiting, that is its cause, and what to try first.
void name_cause(std::vector<Advice>& all, const Advice& waiting) {
  for (Advice& one : all) {
    if (one.id != "exposed_communication" || waiting.gain < one.gain / 2) continue;
    one.title = waiting.title;
    one.brief = waiting.brief;
  }
}

// A worker that hardly waits for others moves data in its exposed communication.
void name_transfer(std::vector<Advice>& all, const RankTimes& times) {
  for (Advice& one : all) {
    if (one.id != "exposed_communication") continue;
    one.evidence = sentences({one.evidence, say("It waits for other ranks for only {} a step.", time_words(times.waiting))});
    one.brief = "overlap communication with computation";
    one.action =
        "Overlap it with the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch "
        "with an optimizer made for it; the latter three can change convergence.";
  }
}

// What the device of this worker idles for is why it idles longer than those of others.
void join_own_idle(std::vector<Advice>& all, const Distributed& ranks, std::size_t own) {
  constexpr std::array<std::string_view, 5> kIdle{"data_loading", "launch_bound", "host_gaps", "idle_device", "unexplained_idle"};
  const std::vector<PartSpread> spreads = part_spreads(ranks);
  const PartSpread* const idle = spread_of(spreads, RankPart::free);
  const auto slow = std::ranges::find(all, "slow_host", &Advice::id);
  const auto cause =
      std::ranges::find_if(all, [&](const Advice& one) { return std::ranges::find(kIdle, one.id) != kIdle.end(); });
  if (idle == nullptr || idle->spread.most_rank != own || slow == all.end() || cause == all.end()) return;
  add_slow_rank(*cause, *slow);
  all.erase(slow);
}

bool is_long(double time, const RankTimes& times) { return time > kSlowRank * times.total; }

// What the strip's bound gets as its note: how long this worker waits for others, or others for it.
void add_waits(VerdictStrip& strip, const Advice* waiting, const RankTimes& times) {
  for (VerdictItem& item : strip.items) {
    if (item.id != "bound") continue;
    if (waiting != nullptr && item.value == kCommunication) {
      item.note = say("{}; it waits for other ranks for {}", item.note, time_words(waiting->gain));
    } else if (waiting == nullptr && is_long(times.caused, times)) {
      item.note = say("{}; other ranks wait for it for {}", item.note, time_words(times.caused));
    }
  }
}

}  // namespace

void join_ranks(Report& report, std::span<const RankSummaryPtr> ranks, const RankSummary& own) {
  const std::vector<RankSummaryPtr> job = workers_of_job(ranks, own);
  const auto at = std::find_if(job.begin(), job.end(), [&](const RankSummaryPtr& rank) { return rank.get() == &own; });
  auto* const strip = content_of<VerdictStrip>(report, "verdict");
  auto* const list = content_of<AdviceList>(report, "advice");
  if (job.size() < 2 || at == job.end() || strip == nullptr || list == nullptr) return;
  const Distributed all = match_ranks(job);
  const auto index = static_cast<std::size_t>(at - job.begin());
  if (all.times_of(index) == nullptr) return;
  const RankTimes& times = *all.times_of(index);
  std::vector<Advice> found = advise_rank(all, index);
  for (Advice& advice : found) complete(advice, times.total);
  const bool knows_waits = all.know_waits() && !is_long(times.unmatched, times);
  if (knows_waits) std::erase_if(found, [](const Advice& advice) { return advice.id == "slow_communicating"; });  // waits say why
  const Advice* const waiting = find_advice(found, kWaitingRule);
  if (waiting != nullptr) {
    name_cause(list->items, *waiting);
  } else if (knows_waits) {
    name_transfer(list->items, times);
  }
  add_waits(*strip, waiting, times);
  list->items.insert(list->items.end(), found.begin(), found.end());
  join_causes(list->items);
  sort_by_gain(list->items);
  join_own_idle(list->items, all, index);
  add_first(*strip, list->items);
}

}  // namespace sightline::analyses
