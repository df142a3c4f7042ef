// Flows: the slices of a flow in the order of time are its steps.
#include "formats/perfetto/flows.h"

#include <algorithm>
#include <tuple>

namespace sightline::formats::perfetto {

using trace_events::EventBatch;
using trace_events::RawArrow;

namespace {

// The entry of that slice in a side table, which is in the order of slices; null if it has none.
template <typename Entry>
Entry* entry_of(std::vector<Entry>& table, std::uint32_t slice) {
  const auto at =
      std::lower_bound(table.begin(), table.end(), slice, [](const Entry& entry, std::uint32_t of) { return entry.slice < of; });
  return at != table.end() && at->slice == slice ? &*at : nullptr;
}

// True if the step repeats, or now states, which call launched which work.
bool is_launch(std::vector<EventBatch>& batches, SliceRef from, SliceRef to, std::uint64_t id) {
  auto* const launch = entry_of(batches[from.batch].launches, from.index);
  auto* const work = entry_of(batches[to.batch].device_work, to.index);
  if (launch == nullptr || work == nullptr) return false;
  if (launch->correlation == kUnknown && work->correlation == kUnknown)
    launch->correlation = static_cast<std::int64_t>(id & INT64_MAX);
  if (work->correlation == kUnknown) work->correlation = launch->correlation;
  if (launch->correlation == kUnknown) launch->correlation = work->correlation;
  return launch->correlation == work->correlation;
}

}  // namespace

std::vector<RawArrow> Flows::resolve(std::vector<EventBatch>& batches) {
  std::vector<RawArrow> arrows;
  std::sort(pairs_.begin(), pairs_.end());
  std::stable_sort(marks_.begin(), marks_.end(),
                   [](const Mark& a, const Mark& b) { return std::tie(a.id, a.time) < std::tie(b.id, b.time); });
  for (std::size_t i = 1; i < marks_.size(); ++i) {
    const Mark &from = marks_[i - 1], &to = marks_[i];
    if (from.id != to.id || from.ends || from.slice == to.slice || is_launch(batches, from.slice, to.slice, to.id)) continue;
    const bool is_pair = std::binary_search(pairs_.begin(), pairs_.end(), to.id);
    arrows.push_back({from.slice.batch, from.slice.index, to.slice.batch, to.slice.index,
                      is_pair ? FlowKind::forward_backward : FlowKind::other});
  }
  std::sort(work_.begin(), work_.end());
  for (const Named& wait : waits_) {
    const auto from =
        std::lower_bound(work_.begin(), work_.end(), wait.id, [](const Named& work, std::uint64_t id) { return work.id < id; });
    if (from == work_.end() || from->id != wait.id || from->slice == wait.slice) continue;
    arrows.push_back({from->slice.batch, from->slice.index, wait.slice.batch, wait.slice.index, FlowKind::other});
  }
  return arrows;
}

}  // namespace sightline::formats::perfetto
