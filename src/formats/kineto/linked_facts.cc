// Two passes over the facts, one per name.
#include "formats/kineto/linked_facts.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "formats/trace_events/slice_facts.h"

namespace sightline::formats::kineto {

namespace {

using trace_events::SliceFact;

constexpr double kMostExactId = 9007199254740992;  // 2^53: facts are reals

void add_arrows(Profile& p) {
  const StringId recorded_by = p.strings.find("wait_on_cuda_event_record_corr_id");
  if (recorded_by == StringId::none) return;
  std::unordered_map<std::int64_t, Row> calls;  // by correlation id
  for (Row i = 0; i < p.launches.rows(); ++i) calls.try_emplace(p.launches.correlation[i], p.launches.slice[i]);
  for (Row fact = 0; fact < p.work_facts.rows(); ++fact) {
    const double id = p.work_facts.number[fact];
    const bool is_wait = p.slices.kind[p.work_facts.slice[fact]] == SliceKind::sync;  // else a counter of this name
    if (p.work_facts.name[fact] != recorded_by || !is_wait || !(id >= 0 && id < kMostExactId)) continue;
    const auto call = calls.find(static_cast<std::int64_t>(id));
    if (call == calls.end()) continue;
    p.flows.kind.push_back(FlowKind::other);
    p.flows.from.push_back(call->second);
    p.flows.to.push_back(p.work_facts.slice[fact]);
  }
}

void describe_kernels(Profile& p) {
  constexpr std::string_view kOfKernel[] = {"kernel_file", "kernel_hash", "kernel_kwargs"};
  std::vector<StringId> names;
  for (const std::string_view name : kOfKernel) {
    if (const StringId id = p.strings.find(name); id != StringId::none) names.push_back(id);
  }
  if (names.empty()) return;
  const WorkFacts& facts = p.work_facts;
  std::vector<SliceFact> added;
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row owner = p.device_work.owner[work], slice = p.device_work.slice[work];
    if (owner == kNoRow || p.slices.kind[slice] != SliceKind::kernel) continue;
    auto at = std::lower_bound(facts.slice.begin(), facts.slice.end(), owner);
    for (; at != facts.slice.end() && *at == owner; ++at) {
      const auto fact = static_cast<Row>(at - facts.slice.begin());
      const bool of_kernel = std::find(names.begin(), names.end(), facts.name[fact]) != names.end();
      if (of_kernel) added.push_back({slice, facts.name[fact], facts.number[fact], facts.text[fact]});
    }
  }
  trace_events::put_facts(std::move(added), p);
}

}  // namespace

void link_facts(Profile& profile) {
  add_arrows(profile);
  describe_kernels(profile);
}

}  // namespace sightline::formats::kineto
