// enclosing_modules sweeps each lane together with the module calls of its thread, then follows flows and owners.
#include "model/modules.h"

#include <algorithm>
#include <map>

namespace sightline::model {

namespace {

// By thread (its first lane): its module calls by start, outer ones first.
std::map<Row, std::vector<Row>> modules_by_thread(const Profile& p) {
  std::map<Row, std::vector<Row>> calls;
  const Slices& s = p.slices;
  for (Row i = 0; i < s.rows(); ++i) {
    if (s.kind[i] == SliceKind::module && !is_replayed(p, i)) calls[p.main_lane(s.lane[i])].push_back(i);
  }
  const auto before = [&](Row a, Row b) {
    return s.start[a] != s.start[b] ? s.start[a] < s.start[b] : s.duration[a] > s.duration[b];
  };
  for (auto& [thread, rows] : calls) std::stable_sort(rows.begin(), rows.end(), before);
  return calls;
}

void sweep_lane(const Profile& p, Row lane, const std::vector<Row>& calls, std::vector<Row>& module_of) {
  std::vector<Row> open;
  std::size_t next = 0;
  for (Row i = p.lanes.first[lane]; i < p.lanes.last[lane]; ++i) {
    const Time now = p.slices.start[i];
    for (; next < calls.size() && p.slices.start[calls[next]] <= now; ++next) {
      while (!open.empty() && p.end_of(open.back()) <= p.slices.start[calls[next]]) open.pop_back();
      open.push_back(calls[next]);
    }
    while (!open.empty() && p.end_of(open.back()) <= now) open.pop_back();
    // When a slice and a module call start at the same time, the longer one encloses the other.
    auto at = open.rbegin();
    while (at != open.rend() && *at != i && p.slices.start[*at] == now && p.slices.duration[*at] < p.slices.duration[i]) ++at;
    if (at != open.rend()) module_of[i] = *at;
  }
}

}  // namespace

std::vector<Row> enclosing_modules(const Profile& p) {
  const std::map<Row, std::vector<Row>> calls = modules_by_thread(p);
  const Column<Row>& replayed = p.replayed_ranges.slice;
  const bool any_replayed =
      std::any_of(replayed.begin(), replayed.end(), [&](Row slice) { return p.slices.kind[slice] == SliceKind::module; });
  if (calls.empty() && !any_replayed) return {};
  std::vector<Row> module_of(p.slices.rows(), kNoRow);
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const auto found = calls.find(p.main_lane(lane));
    if (found != calls.end()) sweep_lane(p, lane, found->second, module_of);
  }
  for (std::size_t f = 0; f < p.flows.rows(); ++f) {
    if (p.flows.kind[f] != FlowKind::forward_backward) continue;
    Row& backward = module_of[p.flows.to[f]];
    if (backward == kNoRow) backward = module_of[p.flows.from[f]];
  }
  for (Row i = 0; i < p.slices.rows(); ++i) {  // parents come before their children
    const Row parent = p.slices.parent[i];
    if (module_of[i] == kNoRow && parent != kNoRow) module_of[i] = module_of[parent];
  }
  for (const Row i : replayed) {  // instants, so only their parents show what encloses them
    const Row parent = p.slices.parent[i];
    module_of[i] = p.slices.kind[i] == SliceKind::module ? i : parent == kNoRow ? kNoRow : module_of[parent];
  }
  for (std::size_t w = 0; w < p.device_work.rows(); ++w) {
    const Row launch = p.device_work.launch[w];
    const Row cause = p.device_work.owner[w] != kNoRow ? p.device_work.owner[w]
                      : launch != kNoRow               ? p.launches.slice[launch]
                                                       : kNoRow;
    if (cause != kNoRow) module_of[p.device_work.slice[w]] = module_of[cause];
  }
  return module_of;
}

std::vector<std::string_view> path_parts(std::string_view path) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const char c = i == path.size() ? '/' : path[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != '/' || (depth > 0 && i < path.size())) continue;
    if (i > first) parts.push_back(path.substr(first, i - first));
    first = i + 1;
  }
  return parts;
}

}  // namespace sightline::model
