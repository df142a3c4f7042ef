// The thresholds are those of the advisor of msprof-analyze, which finds slow ranks by the same spreads.
#include "analyses/advice/rank_advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "analyses/advice/recommendations.h"
#include "analyses/ranks/distributed_stated.h"
#include "analyses/ranks/rank_imbalance.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kSlowLink = 0.05;
constexpr double kNearlyAll = 0.99;

std::string gigabytes(double bytes_per_second) { return number_words(bytes_per_second / 1e9, 2) + " GB/s"; }

std::optional<Advice> judge_part(const Distributed& all, RankPart part, Message title, Message action) {
  const std::vector<PartSpread> spreads = part_spreads(all);
  const PartSpread* one = spread_of(spreads, part);
  if (one == nullptr || !one->is_slow()) return std::nullopt;
  const Spread& s = one->spread;
  Advice advice;
  advice.gain = s.difference();
  advice.share = one->share();
  advice.severity = severity_of(one->share());
  advice.title = std::move(title);
  using Text = Template<7>;
  const Text text = one->stated
                        ? Text("{} takes {} a step, {} takes {}: {} more, {} of the mean step ({}), by the sums in the files.")
                        : Text("{} takes {} a step, {} takes {}: {} more, {} of the mean step ({}).");
  advice.evidence = say(text, all.ranks[s.most_rank]->worker, time_words(s.most), all.ranks[s.least_rank]->worker,
                        time_words(s.least), time_words(s.difference()), share_words(one->share()), time_words(one->step));
  advice.brief = say("compare {} with {}", all.ranks[s.most_rank]->worker, all.ranks[s.least_rank]->worker);
  advice.link_view = "distributed";
  advice.action = std::move(action);
  return advice;
}

std::optional<Advice> judge_slow_computing(const Distributed& all) {
  return judge_part(
      all, RankPart::computing, "A rank computes longer than the others",
      "Compare the two workers' kernels: the same ones slower points to the device (clock, temperature, other users of "
      "it), more or larger ones to an uneven split of the work (sequence lengths, experts, pipeline stages).");
}

std::optional<Advice> judge_slow_communicating(const Distributed& all) {
  return judge_part(all, RankPart::communicating, "Ranks communicate for different times",
                    "The rank that communicates shortest is often the slow one: the others wait in collectives for it. See which "
                    "worker the others waited for, then check its computing, its host and its links.");
}

std::optional<Advice> judge_slow_host(const Distributed& all) {
  return judge_part(
      all, RankPart::free, "A rank idles longer than the others",
      "Its device waits for the host: compare the host's operators, data loading, garbage collection and the load of the "
      "machine with those of another worker.");
}

// What a worker waits for in collectives; ns per step.
struct CollectiveWait {
  double waiting = 0;         // data does not move
  double in_collectives = 0;  // by the files; NaN where they do not state it
  double moving = 0;          // of that
  double for_worst = 0;       // of the waiting: for the rank that it waits for longest
  std::size_t worst = 0;      // that rank, if for_worst > 0
  Row longest = kNoRow;       // slice of its profile
};

CollectiveWait wait_of(const Distributed& all, std::size_t own) {
  const StatedTimes stated = stated_times(all.ranks[own]->stated, all.step);
  CollectiveWait wait{.waiting = all.times_of(own)->waiting, .in_collectives = stated.elapsed, .moving = stated.transit};
  if (!std::isnan(stated.elapsed - stated.transit)) wait.waiting = std::max(wait.waiting, stated.elapsed - stated.transit);
  std::vector<double> for_rank(all.ranks.size(), 0);
  Time longest = 0;
  for (std::size_t i = 0; i < all.ranks[own]->collectives.size(); ++i) {
    const RankCollective& one = all.ranks[own]->collectives[i];
    if (!is_in_step(*all.ranks[own], one, all.step) || one.step == kNoStep) continue;
    const std::uint32_t match = all.match.match_of[own][i];
    if (one.interval.length() > longest) {
      longest = one.interval.length();
      wait.longest = one.slice;
    }
    if (match == kNoMatch) continue;
    const MatchedCollective& matched = all.match.matched[match];
    for_rank[matched.last_rank] += static_cast<double>(one.interval.length() - matched.transfer);
  }
  wait.worst = static_cast<std::size_t>(std::max_element(for_rank.begin(), for_rank.end()) - for_rank.begin());
  wait.for_worst = for_rank[wait.worst] / (all.step ? 1 : static_cast<double>(all.times[own].counted));
  return wait;
}

// Of one worker; nothing where it waits for at most 5% of its step.
std::optional<Advice> waiting_advice(const Distributed& all, std::size_t own) {
  const RankTimes* const times = all.times_of(own);
  if (times == nullptr || !(times->total > 0)) return std::nullopt;
  const CollectiveWait wait = wait_of(all, own);
  if (wait.waiting <= kSlowRank * times->total) return std::nullopt;
  const std::string& worker = all.ranks[own]->worker;
  const std::int64_t job = ranks_of_job(all.ranks);
  const bool by_files = !std::isnan(wait.in_collectives - wait.moving);
  const bool is_missing = job > std::ssize(all.ranks) && wait.for_worst < wait.waiting / 2;
  std::vector<Message> evidence{
      by_files ? say("{} is in collectives for {} a step; data moves for only {} of it, by the sums in its files.", worker,
                     time_words(wait.in_collectives), time_words(wait.moving))
               : say("{} waits in collectives for {} a step ({} of the step).", worker, time_words(wait.waiting),
                     share_words(wait.waiting / times->total))};
  const std::string& last = all.ranks[wait.worst]->worker;
  if (wait.for_worst >= kNearlyAll * wait.waiting)
    evidence.push_back(say("All of this waiting is for {}, which arrives last.", last));
  else if (wait.for_worst > 0)
    evidence.push_back(say("It waits {} of that for {}, which comes last.", time_words(wait.for_worst), last));
  if (const std::string here = count_words(std::ssize(all.ranks)); job > std::ssize(all.ranks)) {
    evidence.push_back(all.ranks[own]->world_size == job
                           ? say("{} of the job's {} ranks were recorded.", here, count_words(job))
                           : say("{} ranks were recorded; the files mention {}.", here, count_words(job)));
  }
  Advice advice;
  advice.gain = std::min(wait.waiting, times->communication);
  advice.share = advice.gain / times->total;
  advice.severity = severity_of(advice.share);
  advice.title = "Ranks wait for each other in collectives";
  advice.evidence = sentences(std::move(evidence));
  advice.brief = is_missing           ? Message("record all ranks: the rank that these wait for was not recorded")
                 : wait.for_worst > 0 ? say("find out why {} comes late to collectives", last)
                                      : Message("find the rank that comes last to collectives");
  advice.action =
      "See what the last rank does before the collective: computing longer, a slow host, data loading, or an uneven split of the "
      "work.";
  if (wait.longest != kNoRow) go_to_slice(advice, wait.longest);
  return advice;
}

// The worker that waits for the largest share of its step.
std::optional<std::size_t> most_waiting(const Distributed& all) {
  std::optional<std::size_t> most;
  double share = 0;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const std::optional<Advice> one = waiting_advice(all, i);
    if (!one || one->share <= share) continue;
    most = i;
    share = one->share;
  }
  return most;
}

std::optional<Advice> judge_waiting(const Distributed& all) {
  const std::optional<std::size_t> most = most_waiting(all);
  std::optional<Advice> advice = most ? waiting_advice(all, *most) : std::nullopt;
  if (advice) {  // the slice is one of another profile
    advice->link_view.clear();
    advice->link_title = "";
    advice->link_parameters.clear();
  }
  return advice;
}

std::optional<Advice> judge_late_rank(const Distributed& all) {
  std::size_t worst = 0;
  double most = 0, sum = 0;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    double late = 0;
    for (std::size_t step = 0; step < all.times[i].steps.size(); ++step) {
      if (!all.step || all.ranks[i]->steps[step].number == *all.step) late += all.times[i].steps[step].outlying;
    }
    sum += late;
    if (late <= most) continue;
    most = late;
    worst = i;
  }
  if (most == 0) return std::nullopt;
  Advice advice;
  advice.severity = Advice::Level::medium;
  advice.title = "A rank comes late to collectives";
  advice.evidence =
      say("{} arrived later than chance explains in {} (some rank did in {}): its time in these is an outlier below the times of "
          "the other ranks.",
          all.ranks[worst]->worker, count_words(static_cast<std::int64_t>(most), "{} collective", "{} collectives"),
          count_words(static_cast<std::int64_t>(sum)));
  advice.brief = say("find out why {} comes late to collectives", all.ranks[worst]->worker);
  advice.action = "See what this worker does before them on its timeline: computing longer, idling, or a slow host.";
  advice.link_view = "timeline";
  advice.link_title = "Open the timeline";
  return advice;
}

std::optional<Advice> judge_slow_link(const Distributed& all) {
  std::optional<Advice> advice;
  for (const LinkSpread& one : link_spreads(all)) {
    const Spread& s = one.spread;
    if (s.workers < 2 || s.difference() <= kSlowLink * s.mean) continue;
    if (!advice) {
      advice.emplace();
      advice->severity = Advice::Level::low;
      advice->title = "Links of one worker are slower";
      advice->brief = "look at the slowest link";
      advice->link_view = "distributed";
      advice->action =
          "Between nodes, look at the network (congestion, cables, which card the rank uses, settings of RDMA); within a node, "
          "at "
          "the topology and at copies that run beside kernels. The map of links shows which pair it is.";
    }
    advice->evidence =
        sentences({advice->evidence, say("{} ({}): {} on average, {} for {} and {} for {}, {} of the average apart.",
                                         one.reach == LinkReach::node ? "Within a node" : "Between nodes", one.transports,
                                         gigabytes(s.mean), gigabytes(s.most), all.ranks[s.most_rank]->worker, gigabytes(s.least),
                                         all.ranks[s.least_rank]->worker, share_words(s.difference() / s.mean))});
  }
  return advice;
}

std::optional<Advice> judge_retransmission(const Distributed& all) {
  struct Seen {
    std::size_t workers = 0;
    Time elapsed = 0, transit = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Seen> seen;  // step, name, group
  for (const RankSummaryPtr& rank : all.ranks) {
    for (const StatedLong& one : rank->stated.long_collectives) {
      if (!is_stated_step(one.step, all.step)) continue;
      Seen& of = seen[{one.step, one.name, one.group}];
      ++of.workers;
      of.elapsed = std::max(of.elapsed, one.elapsed);
      of.transit = std::max(of.transit, one.transit);
    }
  }
  // Every worker that states anything of the group has to have seen it.
  std::map<std::string, std::size_t> members;
  for (const RankSummaryPtr& rank : all.ranks) {
    std::set<std::string> groups;
    for (const StatedOperation& one : rank->stated.operations) groups.insert(one.group);
    for (const std::string& group : groups) ++members[group];
  }
  for (const auto& [key, of] : seen) {
    if (of.workers < members[std::get<2>(key)] || of.transit <= kLongCollective) continue;
    Advice advice;
    advice.severity = Advice::Level::high;
    advice.title = "Packets were probably sent again";
    advice.brief = "look for lost packets";
    advice.link_view = "distributed";
    advice.evidence =
        say("{} took {} on every available rank, {} of that to move data: above the {} after which a network "
            "card sends a packet again.",
            std::get<1>(key), time_words(of.elapsed), time_words(of.transit), time_words(kLongCollective));
    advice.action =
        "Look for lost packets: flow control on the switches, errors of ports and optical modules, RDMA traffic class and "
        "service "
        "level (HCCL_RDMA_TC, HCCL_RDMA_SL).";
    return advice;
  }
  return std::nullopt;
}

}  // namespace

std::span<const RankAdviceRule> rank_advice_rules() {
  static const std::vector<RankAdviceRule> rules{
      {"slow_computing",
       "(max - min) of computing over workers / mean(computing + communicating + neither) > 5%, or >= 1% while (max - min) > 10% "
       "of mean(computing); from stated sums, else from slices",
       judge_slow_computing},
      {"slow_communicating",
       "(max - min) of communicating over workers / mean(computing + communicating + neither) > 5%; from stated sums, else from "
       "slices",
       judge_slow_communicating},
      {"slow_host",
       "(max - min) of the rest of the step over workers / mean(computing + communicating + neither) > 5%; from stated sums, "
       "else from slices",
       judge_slow_host},
      {kWaitingRule,
       "waiting of a worker in collectives > 5% of its step; waiting: of matched collectives, or elapsed - transit as stated, "
       "whichever is longer",
       judge_waiting},
      {"late_rank",
       "a collective that all its ranks recorded, in which one rank spent an outlying short time (Times last by far)",
       judge_late_rank},
      {"slow_link", "(fastest - slowest bandwidth over workers) > 5% of the mean, for links within a node or between nodes",
       judge_slow_link},
      {"retransmission",
       "a collective over links between nodes with elapsed > 4 s on every worker of its group, and transit > 4 s on one",
       judge_retransmission},
  };
  return rules;
}

static std::vector<Advice> found_by_rules(const Distributed& all) {
  std::vector<Advice> found;
  for (const RankAdviceRule& rule : rank_advice_rules()) {
    std::optional<Advice> advice = rule.judge(all);
    if (!advice) continue;
    advice->id = rule.id;
    found.push_back(std::move(*advice));
  }
  return found;
}

void add_slow_rank(Advice& cause, Advice slow) {
  slow.evidence = say("{}: {}", slow.title, slow.evidence);
  add_finding(cause, slow);
}

// What makes the rank slow that `own` waits for longest is a part of why it waits.
static void join_slow_rank(const Distributed& all, std::size_t own, std::vector<Advice>& found) {
  constexpr std::array kSlow{std::pair{RankPart::computing, "slow_computing"}, std::pair{RankPart::free, "slow_host"}};
  const CollectiveWait wait = wait_of(all, own);
  if (wait.for_worst <= wait.waiting / 2) return;
  const std::vector<PartSpread> spreads = part_spreads(all);
  for (const auto& [part, id] : kSlow) {
    const PartSpread* one = spread_of(spreads, part);
    const auto waiting = std::ranges::find(found, kWaitingRule, &Advice::id), slow = std::ranges::find(found, id, &Advice::id);
    if (one == nullptr || waiting == found.end() || slow == found.end() || one->spread.most_rank != wait.worst) continue;
    add_slow_rank(*waiting, *slow);
    found.erase(slow);
  }
}

std::vector<Advice> advise_ranks(const Distributed& all) {
  std::vector<Advice> found = found_by_rules(all);
  if (const std::optional<std::size_t> most = most_waiting(all)) join_slow_rank(all, *most, found);
  for (Advice& advice : found) {
    if (advice.link_view == "distributed") advice.link_view.clear();  // it is shown there
    std::erase_if(advice.more_links, [](const AdviceLink& link) { return link.view == "distributed"; });
  }
  sort_by_gain(found);
  return found;
}

static void lead_to_distributed(Advice& advice) {
  advice.link_view = "distributed";
  advice.link_title = "";
  advice.link_parameters.clear();
}

// What waits is shown on the timeline of this worker, and why in Distributed.
static void lead_to_distributed_first(Advice& waiting) {
  const AdviceLink own{waiting.link_view, waiting.link_title, waiting.link_parameters};
  lead_to_distributed(waiting);
  waiting.more_links.clear();
  if (own.view == "timeline") waiting.more_links.push_back(own);
}

std::vector<Advice> advise_rank(const Distributed& all, std::size_t own) {
  std::vector<Advice> found = found_by_rules(all);
  std::erase_if(found, [](const Advice& advice) { return advice.id == kWaitingRule; });
  if (std::optional<Advice> waiting = waiting_advice(all, own)) {
    waiting->id = kWaitingRule;
    found.push_back(*std::move(waiting));
    const std::size_t findings = found.size();
    join_slow_rank(all, own, found);
    // Then the cause is in the other rank, which Distributed shows.
    if (found.size() < findings) lead_to_distributed_first(*std::ranges::find(found, kWaitingRule, &Advice::id));
  }
  for (Advice& advice : found) {
    if (advice.link_view == "timeline" && advice.id != kWaitingRule) lead_to_distributed(advice);  // that of another worker
  }
  return found;
}

}  // namespace sightline::analyses
