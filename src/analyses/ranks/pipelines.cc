// Groups of ranks are joined to chains; transfers are counted per stage and step, and the counts of the stages checked against
// one another.
#include "analyses/ranks/pipelines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/fields.h"

namespace sightline::analyses {

namespace {

// A process group as one rank names it; its description may be stated for the whole job.
struct TransferGroup {
  std::string name, list;
  std::int64_t size = kUnknown;
  std::set<std::size_t> members;  // index of the ranks that transfer in it

  bool is_pair() const { return size == 2 || ranks_in(list).size() == 2; }
};

using TransferGroupKey = std::tuple<std::string, std::string, std::string>;  // role of the ranks, name, list of ranks

// Whether transfers in a group of this description may be those of a pipeline.
bool may_be_pipeline(std::string_view about) {
  constexpr std::array<std::string_view, 4> kNone = {"", "undefined", "default_pg", "default"};
  if (std::find(kNone.begin(), kNone.end(), about) != kNone.end()) return true;
  const std::string words = lower_case(std::string(about));
  return words.find("pipe") != std::string::npos || words.find("pp") != std::string::npos;
}

// By group id: descriptions that the job states.
std::map<std::string, StatedGroup> stated_groups(std::span<const RankSummaryPtr> ranks) {
  std::map<std::string, StatedGroup> groups;
  for (const RankSummaryPtr& rank : ranks) {
    for (const StatedGroup& group : rank->stated.groups) groups.emplace(group.name, group);
  }
  return groups;
}

class Chains {
 public:
  explicit Chains(std::span<const RankSummaryPtr> ranks) : ranks_(ranks), parent_(ranks.size()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    const std::map<std::string, StatedGroup> stated = stated_groups(ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      for (const RankCollective& one : ranks[i]->collectives) {
        if (is_transfer(one.kind)) add(i, one, stated);
      }
    }
    for (const auto& [key, group] : groups_) {
      for (const std::size_t member : group.members) parent_[root(member)] = root(*group.members.begin());
    }
  }

  std::vector<Pipeline> pipelines() {
    std::map<std::size_t, std::vector<const TransferGroup*>> by_root;
    for (const auto& [key, group] : groups_) by_root[root(*group.members.begin())].push_back(&group);
    std::vector<Pipeline> found;
    for (const auto& [at, groups] : by_root) found.push_back(pipeline_of(groups));
    return found;
  }

 private:
  void add(std::size_t rank, const RankCollective& one, const std::map<std::string, StatedGroup>& stated) {
    const std::vector<std::string>& texts = ranks_[rank]->texts;
    TransferGroup group{.name = texts[one.group], .list = texts[one.group_ranks], .size = one.group_size, .members = {}};
    std::string about = texts[one.group_about];
    if (const auto known = stated.find(group.name); known != stated.end()) {
      if (about.empty()) about = known->second.about;
      if (group.list.empty()) group.list = known->second.ranks;
      if (group.size == kUnknown) group.size = known->second.size;
    }
    if (!may_be_pipeline(about)) return;
    groups_.try_emplace({ranks_[rank]->role, group.name, group.list}, group).first->second.members.insert(rank);
  }

  std::size_t root(std::size_t rank) const {
    while (parent_[rank] != rank) rank = parent_[rank];
    return rank;
  }

  Pipeline pipeline_of(const std::vector<const TransferGroup*>& groups) const {
    Pipeline made{.name = groups.front()->name, .stages = {}};
    std::set<std::size_t> all;
    bool pair_is_cut = false;
    for (const TransferGroup* group : groups) {
      all.insert(group->members.begin(), group->members.end());
      pair_is_cut = pair_is_cut || (group->is_pair() && group->members.size() < 2);
    }
    made.stages = listed_order(groups, all, made.listed);
    if (made.stages.empty()) {
      made.stages = chain_order(groups, all);
      made.listed = std::ssize(all) + (pair_is_cut ? 1 : 0);
    }
    if (is_reversed(made.stages)) std::reverse(made.stages.begin(), made.stages.end());
    return made;
  }

  // In the order of a list that has all of them; empty without one.
  std::vector<std::size_t> listed_order(const std::vector<const TransferGroup*>& groups, const std::set<std::size_t>& all,
                                        std::int64_t& listed) const {
    for (const TransferGroup* group : groups) {
      const std::vector<std::int64_t> list = ranks_in(group->list);
      std::vector<std::size_t> order;
      for (const std::int64_t number : list) {
        for (const std::size_t rank : all) {
          if (ranks_[rank]->rank == number) order.push_back(rank);
        }
      }
      if (order.size() != all.size() || list.size() < all.size()) continue;
      listed = std::ssize(list);
      return order;
    }
    return {};
  }

  // From one end of the chain of pairs to the other; if they are no chain, as the ranks are.
  static std::vector<std::size_t> chain_order(const std::vector<const TransferGroup*>& groups, const std::set<std::size_t>& all) {
    std::map<std::size_t, std::set<std::size_t>> beside;
    for (const TransferGroup* group : groups) {
      if (!group->is_pair() || group->members.size() != 2) continue;
      beside[*group->members.begin()].insert(*group->members.rbegin());
      beside[*group->members.rbegin()].insert(*group->members.begin());
    }
    const auto end = std::find_if(all.begin(), all.end(), [&](std::size_t rank) { return beside[rank].size() == 1; });
    std::vector<std::size_t> order;
    std::set<std::size_t> seen;
    for (std::optional<std::size_t> at = end == all.end() ? std::nullopt : std::optional(*end); at;) {
      order.push_back(*at);
      seen.insert(*at);
      std::optional<std::size_t> next;
      for (const std::size_t other : beside[*at]) {
        if (!seen.contains(other)) next = other;
      }
      at = next;
    }
    return order.size() == all.size() ? order : std::vector<std::size_t>(all.begin(), all.end());
  }

  CollectiveKind first_transfer(std::size_t rank) const {
    for (const RankCollective& one : ranks_[rank]->collectives) {
      if (is_transfer(one.kind) && one.step != kNoStep) return one.kind;
    }
    return CollectiveKind::unknown;
  }

  bool is_reversed(const std::vector<std::size_t>& stages) const {
    return first_transfer(stages.front()) == CollectiveKind::receive && first_transfer(stages.back()) == CollectiveKind::send;
  }

  const std::span<const RankSummaryPtr> ranks_;
  std::map<TransferGroupKey, TransferGroup> groups_;
  std::vector<std::size_t> parent_;
};

// Index of the step of this number; nothing when the rank has none, or did nothing in it.
std::optional<std::size_t> step_at(const RankSummary& rank, std::int64_t number) {
  for (std::size_t i = 0; i < rank.stage_work.size(); ++i) {
    if (rank.steps[i].number == number && rank.stage_work[i].extent.length() > 0) return i;
  }
  return std::nullopt;
}

StageOfStep stage_in(const RankSummary& rank, std::size_t step, const std::map<std::string, StatedGroup>& stated) {
  StageOfStep stage{.work = rank.stage_work[step]};
  for (const RankCollective& one : rank.collectives) {
    if (!is_transfer(one.kind) || one.step != step) continue;
    const auto known = stated.find(rank.texts[one.group]);
    const std::string& own = rank.texts[one.group_about];
    if (!may_be_pipeline(own.empty() && known != stated.end() ? known->second.about : own)) continue;
    const bool early = stage.work.backward_start != kUnknown && one.interval.start < stage.work.backward_start;
    stage.early_sends += one.kind == CollectiveKind::send && early;
    ++(one.kind == CollectiveKind::send ? stage.sends : one.kind == CollectiveKind::receive ? stage.receives : stage.undirected);
  }
  return stage;
}

// What the stages transfer with `chunks` parts of the model on each rank, and `batches` micro-batches. A micro-batch goes round
// the ranks once for each part: every rank sends and receives it `chunks` times, but the first does not receive its input, and
// the last does not send its output. Gradients go the other way. In inference there are none.
bool is_schedule(const PipelineStep& step, std::int64_t chunks, std::int64_t batches, bool backward) {
  const std::int64_t each = chunks * batches, less = (chunks - 1) * batches;
  const auto has = [](const StageOfStep& stage, std::int64_t sends, std::int64_t receives) {
    return stage.sends == sends && stage.receives == receives;
  };
  const StageOfStep &first = step.stages.front(), &last = step.stages.back();
  const std::int64_t gradients = backward ? each : 0, ends = backward ? less : 0;
  return has(first, each + ends, less + gradients) && has(last, less + gradients, each + ends) &&
         std::all_of(step.stages.begin() + 1, step.stages.end() - 1,
                     [&](const StageOfStep& stage) { return has(stage, each + gradients, each + gradients); });
}

void count_micro_batches(PipelineStep& step) {
  const StageOfStep &first = step.stages.front(), &last = step.stages.back();
  const auto any_undirected = [](const StageOfStep& stage) { return stage.undirected > 0; };
  if (std::any_of(step.stages.begin(), step.stages.end(), any_undirected)) {
    step.why_unknown = "the recording does not tell which transfers are sends";
    return;
  }
  // The first stage sends as often as it receives if gradients come back, and one micro-batch more for each if none do.
  const bool backward = first.sends == first.receives;
  if (backward && step.stages.size() == 2 && last.early_sends > 0) {
    step.why_unknown =
        "the stages are interleaved on two ranks, and their transfers do not tell how many parts of the model each rank has";
    return;
  }
  const std::int64_t per_rank = !backward ? first.sends : step.stages.size() == 2 ? 2 * first.sends : step.stages[1].sends;
  const std::int64_t batches = backward ? per_rank - first.sends : first.sends - first.receives;
  const std::int64_t rounds = backward ? 2 * batches : batches;
  if (batches > 0 && per_rank % rounds == 0 && is_schedule(step, per_rank / rounds, batches, backward)) {
    step.micro_batches = batches;
    step.chunks = per_rank / rounds;
  } else {
    step.why_unknown = "the stages have numbers of transfers that fit no schedule";
  }
}

}  // namespace

Time time_of(const StageWork& work) {
  return work.backward == kUnknown ? work.busy : work.forward + work.backward + work.recomputing;
}

Time PipelineStep::span() const {
  Time longest = 0;
  for (const StageOfStep& stage : stages) longest = std::max(longest, stage.work.extent.length());
  return longest;
}

double PipelineStep::bubble(std::size_t stage) const {
  return 1 - static_cast<double>(stages[stage].work.busy) / static_cast<double>(span());
}

double PipelineStep::bubble() const {
  double sum = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) sum += bubble(i);
  return sum / static_cast<double>(stages.size());
}

double PipelineStep::ideal() const {
  if (micro_batches == kUnknown) return kUnknownNumber;
  const std::int64_t fill = std::ssize(stages) - 1;
  return static_cast<double>(fill) / static_cast<double>(chunks * micro_batches + fill);
}

double PipelineStep::balance() const {
  Time sum = 0, most = 0;
  for (const StageOfStep& stage : stages) {
    sum += time_of(stage.work);
    most = std::max(most, time_of(stage.work));
  }
  return sum == 0 ? kUnknownNumber : static_cast<double>(most) * static_cast<double>(stages.size()) / static_cast<double>(sum);
}

std::vector<Pipeline> pipelines_of(std::span<const RankSummaryPtr> ranks) {
  std::vector<Pipeline> all = Chains(ranks).pipelines();
  std::erase_if(all, [](const Pipeline& one) { return one.stages.size() < 2; });
  std::sort(all.begin(), all.end(), [](const Pipeline& a, const Pipeline& b) { return a.stages < b.stages; });
  return all;
}

std::vector<PipelineStep> steps_of(const Pipeline& pipeline, std::span<const RankSummaryPtr> ranks,
                                   std::optional<std::int64_t> step) {
  const std::map<std::string, StatedGroup> stated = stated_groups(ranks);
  std::vector<PipelineStep> all;
  for (const RankStep& each : ranks[pipeline.stages.front()]->steps) {
    if (step && each.number != *step) continue;
    PipelineStep made{.number = each.number, .stages = {}, .why_unknown = {}};
    for (const std::size_t rank : pipeline.stages) {
      if (const auto at = step_at(*ranks[rank], each.number)) made.stages.push_back(stage_in(*ranks[rank], *at, stated));
    }
    if (made.stages.size() != pipeline.stages.size()) continue;
    if (pipeline.is_whole()) {
      count_micro_batches(made);
    } else {
      made.why_unknown = "not all stages are here";
    }
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace sightline::analyses
