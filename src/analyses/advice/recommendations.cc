// Advice: the rules of all subjects, judged one by one.
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

Advice::Level severity_of(double share_of_step) {
  if (share_of_step >= 0.30) return Advice::Level::high;
  return share_of_step >= 0.15 ? Advice::Level::medium : Advice::Level::low;
}

std::span<const AdviceRule> advice_rules() {
  static const std::vector<AdviceRule> all = [] {
    std::vector<AdviceRule> rules;
    for (const auto& of_subject : {host_advice_rules(), stall_advice_rules(), device_advice_rules(), kernel_advice_rules(),
                                   link_advice_rules(), program_advice_rules()}) {
      rules.insert(rules.end(), of_subject.begin(), of_subject.end());
    }
    return rules;
  }();
  return all;
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
