// Names of operators and modules are those of all ranges from the one that caused the work outwards.
#include "analyses/whatif/work_selection.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analyses/costs/costed_calls.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/modules.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kListed = 5;          // names in an error
constexpr std::size_t kLongestListed = 60;  // letters of each

std::string_view kind_words(SliceKind kind) {
  switch (kind) {
    case SliceKind::collective: return "communication";
    case SliceKind::memcpy: return "copy";
    case SliceKind::memset: return "fill";
    default: return "other kernels";
  }
}

}  // namespace

WorkSelection::WorkSelection(const ProfilePtr& profile, const DependencyGraph& graph)
    : profile_(profile),
      graph_(graph),
      work_of_(graph.nodes(), kNoRow),
      modules_(enclosing_modules(*profile)),
      costed_(calls_of_work(*profile)) {
  const auto& slices = profile->device_work.slice;
  // Nodes are in the order of time, so the next one of a lane is most often the row after the one before it.
  std::vector<Row> next(profile->lanes.rows(), 0);  // by lane
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (graph.kind[node] != NodeKind::work) continue;
    const Row slice = graph.slice[node];
    Row& row = next[profile->slices.lane[slice]];
    if (row == slices.size() || slices[row] != slice) {
      row = static_cast<Row>(std::lower_bound(slices.begin(), slices.end(), slice) - slices.begin());
    }
    work_of_[node] = row++;
    time_ += graph.length[node];
  }
}

std::string_view WorkSelection::category_of(Row work) const {
  const Profile& p = *profile_;
  if (costed_[work] != kNoRow) return p.text(p.operator_costs.family[p.costed_calls.cost[costed_[work]]]);
  return kind_words(p.slices.kind[p.device_work.slice[work]]);
}

// The name of a range of the group; none for other ranges.
StringId WorkSelection::host_name(WorkGroup group, Row slice) const {
  const SliceKind kind = profile_->slices.kind[slice];
  const bool fits = group == WorkGroup::module ? kind == SliceKind::module : kind == SliceKind::op;
  return fits ? profile_->slices.name[slice] : StringId::none;
}

// Calls visit(name) for the names of the group that the work has; a name may come several times.
template <typename Visit>
void WorkSelection::each_name(WorkGroup group, Row work, Visit&& visit) const {
  const Profile& p = *profile_;
  const Row slice = p.device_work.slice[work];
  switch (group) {
    case WorkGroup::category: return visit(category_of(work));
    case WorkGroup::collective:
      if (p.slices.kind[slice] != SliceKind::collective) return;
      [[fallthrough]];
    case WorkGroup::kernel: return visit(p.text(p.slices.name[slice]));
    default: break;
  }
  const Row cause = group == WorkGroup::module ? (modules_.empty() ? kNoRow : modules_[slice]) : p.device_work.owner[work];
  for (Row range = cause; range != kNoRow; range = p.slices.parent[range]) {
    const StringId name = host_name(group, range);
    if (name != StringId::none) visit(p.text(name));
  }
}

std::vector<NamedWork> WorkSelection::names(WorkGroup group, std::size_t top) const {
  std::unordered_map<std::string_view, std::size_t> index;
  std::vector<NamedWork> all;
  std::vector<Node> counted;  // by row of `all`: the last node that was counted
  for (Node node = 0; node < graph_.nodes(); ++node) {
    if (work_of_[node] == kNoRow) continue;
    each_name(group, work_of_[node], [&](std::string_view name) {
      const auto [at, is_new] = index.try_emplace(name, all.size());
      if (is_new) {
        all.push_back({group, std::string(name)});
        counted.push_back(kNoNode);
      }
      if (std::exchange(counted[at->second], node) == node) return;
      ++all[at->second].works;
      all[at->second].time += graph_.length[node];
    });
  }
  sort_down(all, &NamedWork::time);
  index.clear();
  for (std::size_t i = 0; i < std::min(top, all.size()); ++i) index.emplace(all[i].name, i);
  for (Node node = 0; node < graph_.nodes() && !index.empty(); ++node) {
    if (work_of_[node] == kNoRow) continue;
    each_name(group, work_of_[node], [&](std::string_view name) {
      const auto at = index.find(name);
      if (at == index.end()) return;
      std::vector<Node>& nodes = all[at->second].nodes;
      if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    });
  }
  return all;
}

Result<SelectedWork> WorkSelection::select(WorkGroup group, std::string_view text) const {
  const bool is_product = group == WorkGroup::category && (text == "gemm" || text == "matmul");
  const std::string_view wanted = is_product ? "product" : text;
  for (const bool exact : {true, false}) {
    SelectedWork selected;
    std::unordered_map<std::string_view, bool> fits;
    for (Node node = 0; node < graph_.nodes(); ++node) {
      if (work_of_[node] == kNoRow) continue;
      bool any = false;
      each_name(group, work_of_[node], [&](std::string_view name) {
        const auto [at, is_new] = fits.try_emplace(name, false);
        if (is_new) at->second = exact ? name == wanted : contains_text(name, wanted);
        any |= at->second;
      });
      if (any) selected.nodes.push_back(node);
    }
    for (const auto& [name, is_fit] : fits) selected.names += is_fit;
    if (!selected.nodes.empty()) return selected;
  }
  std::string known;
  std::vector<NamedWork> all = names(group, 0);
  for (std::size_t i = 0; i < std::min(all.size(), kListed); ++i) {
    if (!known.empty()) known += ", ";
    known += to_utf8(std::string_view(all[i].name).substr(0, kLongestListed));
  }
  return Error{ErrorCode::invalid_argument, say("nothing fits '{}:{}'; those with most device time: {}",
                                                std::string(kWorkGroupNames[static_cast<std::size_t>(group)]), std::string(text),
                                                known.empty() ? "-" : known)};
}

}  // namespace sightline::analyses
