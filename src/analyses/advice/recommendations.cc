// Advice: applies the rules of all subjects.
#include "analyses/advice/recommendations.h"

#include <algorithm>

#include "analyses/derived_data.h"

namespace sightline::model {

static std::int64_t held_bytes(const Advice& advice) {
  using analyses::held_bytes;
  return held_bytes(advice.id, advice.title, advice.evidence, advice.action, advice.link_view, advice.doc_url);
}

}  // namespace sightline::model

namespace sightline::analyses {

// ---- rules ----

Advice::Level severity_of(double share_of_step) {
  if (share_of_step >= 0.30) return Advice::Level::high;
  return share_of_step >= 0.15 ? Advice::Level::medium : Advice::Level::low;
}

bool runs_programs(const Profile& profile) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] == LaneKind::host_thread || profile.lanes.kind[lane] == LaneKind::device_stream) return false;
  }
  return std::find(profile.lanes.kind.begin(), profile.lanes.kind.end(), LaneKind::engine) != profile.lanes.kind.end();
}

static std::vector<DeviceTotals> program_totals(const Profile& profile) {
  std::vector<DeviceTotals> programs;
  if (!runs_programs(profile)) return programs;
  for (const std::int64_t device : devices_with_work(profile)) programs.push_back(device_totals(profile, device));
  return programs;
}

std::vector<Advice> recommend(const Profile& profile, const StepSummary& summary) {
  const AdviceInput input{profile, summary, idle_time(summary), kernel_medians(profile), program_totals(profile)};
  std::vector<Advice> found;
  for (const AdviceRule& rule : advice_rules()) {
    std::optional<Advice> advice = rule.judge(input);
    if (!advice) continue;
    advice->id = rule.id;
    if (!profile.program_operators.name.empty())
      advice->doc_url.clear();  // the pages are of a framework that compiles no programs
    found.push_back(std::move(*advice));
  }
  std::stable_sort(found.begin(), found.end(), [](const Advice& a, const Advice& b) { return a.severity < b.severity; });
  return found;
}

std::shared_ptr<const std::vector<Advice>> recommend(const ProfilePtr& profile) {
  return derived<std::vector<Advice>>(profile, [](const ProfilePtr& of) { return recommend(*of, *step_summary(of)); });
}

}  // namespace sightline::analyses
