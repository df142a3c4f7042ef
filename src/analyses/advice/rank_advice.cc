// The thresholds are those of the advisor of msprof-analyze, which finds slow ranks by the same spreads.
#include "analyses/advice/rank_advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analyses/advice/recommendations.h"
#include "analyses/ranks/rank_imbalance.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kSlowLink = 0.05;

std::string gigabytes(double bytes_per_second) { return number_words(bytes_per_second / 1e9, 2) + " GB/s"; }

// Stated figures come first: some slices may be missing, while sums cover all of them.
const PartSpread* spread_of(const std::vector<PartSpread>& all, RankPart part) {
  for (const bool stated : {true, false}) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const PartSpread& one) { return one.part == part && one.stated == stated; });
    if (at != all.end()) return &*at;
  }
  return nullptr;
}

std::optional<Advice> judge_part(const Distributed& all, RankPart part, Message title, Message action) {
  const std::vector<PartSpread> spreads = part_spreads(all);
  const PartSpread* one = spread_of(spreads, part);
  if (one == nullptr || !(one->share() > kSlowRank)) return std::nullopt;
  const Spread& s = one->spread;
  Advice advice;
  advice.gain = s.difference();
  advice.share = one->share();
  advice.severity = severity_of(one->share());
  advice.title = std::move(title);
  using Text = Template<std::string, std::string, std::string, std::string, std::string, std::string>;
  const Text text = one->stated ? Text(
                                      "{} spends {} a step in it, {} only {}; the difference is {} of the mean step ({}), by the "
                                      "sums that the files state.")
                                : Text("{} spends {} a step in it, {} only {}; the difference is {} of the mean step ({}).");
  advice.evidence = say(text, all.ranks[s.most_rank]->worker, time_words(s.most), all.ranks[s.least_rank]->worker,
                        time_words(s.least), share_words(one->share()), time_words(one->step));
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
       "(max - min) of computing over workers / mean(computing + communicating + neither) > 5%; from stated sums, else from "
       "slices",
       judge_slow_computing},
      {"slow_communicating",
       "(max - min) of communicating over workers / mean(computing + communicating + neither) > 5%; from stated sums, else from "
       "slices",
       judge_slow_communicating},
      {"slow_host",
       "(max - min) of the rest of the step over workers / mean(computing + communicating + neither) > 5%; from stated sums, "
       "else from slices",
       judge_slow_host},
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

std::vector<Advice> advise_ranks(const Distributed& all) {
  std::vector<Advice> found;
  for (const RankAdviceRule& rule : rank_advice_rules()) {
    std::optional<Advice> advice = rule.judge(all);
    if (!advice) continue;
    advice->id = rule.id;
    found.push_back(std::move(*advice));
  }
  std::stable_sort(found.begin(), found.end(), [](const Advice& a, const Advice& b) { return a.severity < b.severity; });
  return found;
}

}  // namespace sightline::analyses
