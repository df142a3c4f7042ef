// The most, the least and the mean over workers.
#include "analyses/ranks/rank_imbalance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "analyses/columns.h"
#include "analyses/ranks/distributed_stated.h"
#include "analyses/ranks/roles.h"

namespace sightline::analyses {

namespace {

constexpr std::array<RankPart, 3> kImbalanceParts = {RankPart::computing, RankPart::communicating, RankPart::free};

using ImbalanceParts = std::array<double, 3>;  // one of each of kImbalanceParts

// By rank; nothing where the worker has no such step.
std::vector<std::optional<ImbalanceParts>> computed_parts(const Distributed& all) {
  std::vector<std::optional<ImbalanceParts>> parts(all.ranks.size());
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankTimes* times = all.times_of(i);
    if (times == nullptr) continue;
    parts[i] = ImbalanceParts{times->computation + times->overlap, times->communication + times->overlap, times->other};
  }
  return parts;
}

std::vector<std::optional<ImbalanceParts>> stated_parts(const Distributed& all) {
  std::vector<std::optional<ImbalanceParts>> parts(all.ranks.size());
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const StatedTimes t = stated_times(all.ranks[i]->stated, all.step);
    if (!std::isnan(t.step())) parts[i] = ImbalanceParts{t.computation + t.overlap, t.communication + t.overlap, t.free};
  }
  return parts;
}

// Adds one figure; `mean` is the sum until finish().
void add(Spread& spread, double value, std::size_t rank) {
  if (spread.workers == 0 || value > spread.most) {
    spread.most = value;
    spread.most_rank = rank;
  }
  if (spread.workers == 0 || value < spread.least) {
    spread.least = value;
    spread.least_rank = rank;
  }
  spread.mean += value;
  ++spread.workers;
}

void finish(Spread& spread) { spread.mean /= static_cast<double>(spread.workers); }

// Of the ranks of one role.
void add_spreads(const Distributed& all, const std::string& role, const std::vector<std::optional<ImbalanceParts>>& parts,
                 bool stated, std::vector<PartSpread>& found) {
  std::array<Spread, 3> spreads;
  std::array<std::vector<double>, 3> values;
  double step = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (!parts[rank] || all.ranks[rank]->role != role) continue;
    for (std::size_t p = 0; p < kImbalanceParts.size(); ++p) {
      add(spreads[p], (*parts[rank])[p], rank);
      values[p].push_back((*parts[rank])[p]);
      step += (*parts[rank])[p];
    }
  }
  if (spreads[0].workers < 2) return;
  for (std::size_t p = 0; p < kImbalanceParts.size(); ++p) {
    finish(spreads[p]);
    const auto middle = values[p].begin() + static_cast<std::ptrdiff_t>((values[p].size() - 1) / 2);
    std::nth_element(values[p].begin(), middle, values[p].end());
    spreads[p].median = *middle;
    found.push_back({kImbalanceParts[p], stated, spreads[p], step / static_cast<double>(spreads[p].workers), role});
  }
}

const std::string& worker_of(const Distributed& all, std::size_t rank) { return all.ranks[rank]->worker; }

TableOf<PartSpread, Distributed> slow_ranks(bool with_roles) {
  constexpr std::string_view kSource =
      "from slices: as in Workers; stated: the sums of steps in the files; without a chosen step, means over steps";
  TableOf<PartSpread, Distributed> table({.key = "slow_ranks", .title = "Slow ranks"});
  table.add(words_column("part", "Part of the step", "Computing, communicating (also while computing), or neither"),
            [](const PartSpread& one) { return part_title(one.part); });
  table.add(words_column("source", "From", "Slices, or the sums that the files state"),
            [](const PartSpread& one) { return one.stated ? "as stated" : "slices"; });
  if (with_roles) table.add(role_column(), &PartSpread::role);
  table.add(real_column("mean", "Mean", Unit::ns, {"Mean over the workers.", "mean(part)", kSource}),
            [](const PartSpread& one) { return one.spread.mean; });
  table.add(real_column("most", "Most", Unit::ns, {"Time of the worker that spends most in it.", "max(part)", kSource}),
            [](const PartSpread& one) { return one.spread.most; });
  table.add(code_column("most_worker", "Worker with most", "The worker that spends most in it"),
            [](const Distributed& all, const PartSpread& one) { return worker_of(all, one.spread.most_rank); });
  table.add(real_column("least", "Least", Unit::ns, {"Time of the worker that spends least in it.", "min(part)", kSource}),
            [](const PartSpread& one) { return one.spread.least; });
  table.add(code_column("least_worker", "Worker with least", "The worker that spends least in it"),
            [](const Distributed& all, const PartSpread& one) { return worker_of(all, one.spread.least_rank); });
  table.add(real_column("difference", "Difference", Unit::ns, {"Difference between the two.", "max(part) - min(part)", kSource}),
            [](const PartSpread& one) { return one.spread.difference(); });
  table.add(real_column("share", "Of the step", Unit::share,
                        {"The difference as a share of the mean step.",
                         "(max(part) - min(part)) / mean(computing + communicating + neither)",
                         "the rule of msprof-analyze's advisor; communicating includes communication hidden by computing"}),
            &PartSpread::share);
  table.add(flag_column("slow", "Significant",
                        {"Whether the share is above 5%; of computing, also whether the difference is above a tenth of the mean.",
                         "share > 0.05, or for computing: difference > 0.1 x mean and share >= 0.01", "the values beside it"}),
            &PartSpread::is_slow);
  return table;
}

TableOf<LinkSpread, Distributed> slow_links() {
  constexpr std::string_view kSource =
      "what the files state for each collective and kind of link: bytes and the time in which they moved";
  TableOf<LinkSpread, Distributed> table({.key = "slow_links", .title = "Slow links"});
  table.add(words_column("reach", "Links", "Between nodes (RDMA), or within a node (SDMA: HCCS, PCIE and SIO together)"),
            [](const LinkSpread& one) { return reach_title(one.reach); });
  table.add(text_column("transports", "Kinds", "Kinds of link that it includes"), &LinkSpread::transports);
  table.add(integer_column("workers", "Workers", Unit::count, {"Workers that use these links", "", kSource}),
            [](const LinkSpread& one) { return static_cast<std::int64_t>(one.spread.workers); });
  table.add(
      real_column("mean", "Mean bandwidth", Unit::bytes_per_second, {"Mean over the workers.", "mean(bytes / time)", kSource}),
      [](const LinkSpread& one) { return one.spread.mean; });
  table.add(real_column("most", "Fastest", Unit::bytes_per_second,
                        {"Bandwidth of the worker with the fastest links.", "max(bytes / time)", kSource}),
            [](const LinkSpread& one) { return one.spread.most; });
  table.add(code_column("most_worker", "Fastest worker", "The worker with the fastest links"),
            [](const Distributed& all, const LinkSpread& one) { return worker_of(all, one.spread.most_rank); });
  table.add(real_column("least", "Slowest", Unit::bytes_per_second,
                        {"Bandwidth of the worker with the slowest links.", "min(bytes / time)", kSource}),
            [](const LinkSpread& one) { return one.spread.least; });
  table.add(code_column("least_worker", "Slowest worker", "The worker with the slowest links"),
            [](const Distributed& all, const LinkSpread& one) { return worker_of(all, one.spread.least_rank); });
  table.add(real_column("difference", "Difference", Unit::bytes_per_second,
                        {"Difference between the two.", "fastest - slowest", kSource}),
            [](const LinkSpread& one) { return one.spread.difference(); });
  table.add(
      real_column("share", "Of the mean", Unit::share, {"The difference as a share.", "(fastest - slowest) / mean", kSource}),
      [](const LinkSpread& one) { return quotient(one.spread.difference(), std::max(0.0, one.spread.mean)); });
  return table;
}

double balance(const std::optional<Spread>& spread) { return spread ? quotient(spread->most, spread->mean) : kUnknownNumber; }

TableOf<ExpertBalance, Distributed> experts() {
  constexpr std::string_view kSource = "all-to-alls of the group; without a chosen step, means over steps";
  constexpr std::string_view kNoBytes = "the files do not say how much each rank received";
  TableOf<ExpertBalance, Distributed> table({.key = "experts", .title = "Balance of experts"});
  table.add(label_column("group", "Process group", "Its name"), &ExpertBalance::group);
  table.add(text_column("about", "Purpose", "What the program calls it"), &ExpertBalance::about);
  table.add(integer_column("workers", "Workers", Unit::count, {"Its workers in this span", "", kSource}),
            [](const ExpertBalance& one) { return static_cast<std::int64_t>(one.moving->workers); });
  table.add(integer_column("calls", "Calls", Unit::count, {"Its all-to-alls on all workers", "", kSource}),
            &ExpertBalance::calls);
  const auto add_spread = [&](const std::string& key, Message mean, Message most, Message balanced, Unit unit, Message what,
                              std::optional<Spread> ExpertBalance::*spread, const char* unknown) {
    const auto doc = [&](const char* formula) { return MetricDoc{what, formula, kSource, kNew}; };
    table.add(real_column(key + "_mean", std::move(mean), unit, doc("mean over the workers")).with_unknown(unknown),
              [spread](const ExpertBalance& one) { return one.*spread ? (one.*spread)->mean : kUnknownNumber; });
    table.add(real_column(key + "_most", std::move(most), unit, doc("max over the workers")).with_unknown(unknown),
              [spread](const ExpertBalance& one) { return one.*spread ? (one.*spread)->most : kUnknownNumber; });
    table.add(real_column(key + "_balance", std::move(balanced), Unit::none, doc("max / mean")).with_unknown(unknown),
              [spread](const ExpertBalance& one) { return balance(one.*spread); });
  };
  add_spread(
      "received", "Received, mean", "Received, most", "Received, most / mean", Unit::bytes,
      "Bytes that a worker receives in the all-to-alls of a step: they are proportional to its tokens, which traces do not "
      "state.",
      &ExpertBalance::received, kNoBytes.data());
  table.add(code_column("received_worker", "Worker with most", "The worker that receives most"),
            [](const Distributed& all, const ExpertBalance& one) {
              return one.received ? worker_of(all, one.received->most_rank) : std::string();
            });
  add_spread("moving", "In all-to-alls, mean", "In all-to-alls, most", "In all-to-alls, most / mean", Unit::ns,
             "Time of a worker in the all-to-alls of a step, waits included: the worker that others wait for has least.",
             &ExpertBalance::moving, "");
  add_spread("computing", "Computing, mean", "Computing, most", "Computing, most / mean", Unit::ns,
             "Time in which a worker computes in a step, experts included.", &ExpertBalance::computing, "no step has a duration");
  return table;
}

}  // namespace

std::vector<ExpertBalance> expert_balances(const Distributed& all) {
  struct Sums {
    std::int64_t calls = 0, bytes = 0;
    bool sized = true;
    Time time = 0;
  };
  struct Group {
    std::string name, about;
    std::map<std::size_t, Sums> by_rank;
  };
  std::map<std::string, Group> groups;  // by group_key
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankSummary& rank = *all.ranks[i];
    for (const RankCollective& one : rank.collectives) {
      const bool counts = one.kind == CollectiveKind::all_to_all && one.step != kNoStep &&
                          (!all.step || rank.steps[one.step].number == *all.step);
      if (!counts) continue;
      const Group named{.name = rank.texts[one.group], .about = rank.texts[one.group_about], .by_rank = {}};
      Sums& sums = groups.try_emplace(group_key(rank, one), named).first->second.by_rank[i];
      ++sums.calls;
      sums.time += one.interval.length();
      sums.sized = sums.sized && one.out_bytes != kUnknown;
      if (one.out_bytes != kUnknown) sums.bytes += one.out_bytes;
    }
  }
  std::vector<ExpertBalance> found;
  for (const auto& [key, group] : groups) {
    const auto& [name, about, by_rank] = group;
    if (by_rank.size() < 2) continue;
    ExpertBalance one{.group = name, .about = about};
    Spread received, moving, computing;
    for (const auto& [rank, sums] : by_rank) {
      const auto steps = all.step ? 1.0 : static_cast<double>(all.ranks[rank]->steps.size());
      one.calls += sums.calls;
      if (sums.sized) add(received, static_cast<double>(sums.bytes) / steps, rank);
      add(moving, static_cast<double>(sums.time) / steps, rank);
      if (const RankTimes* times = all.times_of(rank)) add(computing, times->computation + times->overlap, rank);
    }
    for (const auto& [spread, to] :
         {std::pair(&received, &one.received), std::pair(&moving, &one.moving), std::pair(&computing, &one.computing)}) {
      if (spread->workers != by_rank.size()) continue;  // of some it is not known
      finish(*spread);
      *to = *spread;
    }
    found.push_back(std::move(one));
  }
  return found;
}

ReportTable blank_experts() { return experts().blank(); }

ReportTable experts_table(const Distributed& all) { return experts().of(all, expert_balances(all)); }

std::string_view part_title(RankPart part) {
  switch (part) {
    case RankPart::computing: return "Computing";
    case RankPart::communicating: return "Communicating";
    case RankPart::free: return "Neither";
  }
  return "";
}

std::vector<PartSpread> part_spreads(const Distributed& all) {
  std::vector<PartSpread> found;
  const auto computed = computed_parts(all), stated = stated_parts(all);
  const std::vector<std::string> roles = roles_of(all.ranks);
  for (const std::string& role : roles) add_spreads(all, role, computed, false, found);
  for (const std::string& role : roles) add_spreads(all, role, stated, true, found);
  return found;
}

const PartSpread* spread_of(const std::vector<PartSpread>& all, RankPart part) {
  for (const bool stated : {true, false}) {
    const PartSpread* widest = nullptr;
    for (const PartSpread& one : all) {
      if (one.part != part || one.stated != stated) continue;
      if (widest == nullptr || one.spread.difference() > widest->spread.difference()) widest = &one;
    }
    if (widest != nullptr) return widest;
  }
  return nullptr;
}

std::vector<LinkSpread> link_spreads(const Distributed& all) {
  struct Sum {
    std::int64_t bytes = 0;
    Time duration = 0;
  };
  std::vector<LinkSpread> found;
  for (const LinkReach reach : {LinkReach::network, LinkReach::node}) {
    LinkSpread link{.reach = reach, .transports = {}, .spread = {}};
    std::set<std::string> transports;
    for (std::size_t i = 0; i < all.ranks.size(); ++i) {
      Sum sum;
      for (const StatedLink& one : all.ranks[i]->stated.links) {
        if (link_reach(one.transport) != reach || !is_stated_step(one.step, all.step)) continue;
        transports.insert(one.transport);
        sum.bytes += one.bytes;
        sum.duration += one.duration;
      }
      if (sum.duration > 0) add(link.spread, static_cast<double>(sum.bytes) / (static_cast<double>(sum.duration) * 1e-9), i);
    }
    if (link.spread.workers == 0) continue;
    finish(link.spread);
    for (const std::string& transport : transports) link.transports += (link.transports.empty() ? "" : ", ") + transport;
    found.push_back(std::move(link));
  }
  return found;
}

ReportTable blank_slow_ranks() { return slow_ranks(true).blank(); }

ReportTable slow_ranks_table(const Distributed& all) { return slow_ranks(has_roles(all.ranks)).of(all, part_spreads(all)); }

ReportTable blank_slow_links() { return slow_links().blank(); }

ReportTable slow_links_table(const Distributed& all) { return slow_links().of(all, link_spreads(all)); }

}  // namespace sightline::analyses
