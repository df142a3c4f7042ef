// The analyses in display order, and what each vendor adds to them. Adding an analysis = a file, a line in views.h and a line
// here.
#include "analyses/advice/recommendations.h"
#include "analyses/analysis.h"
#include "analyses/ascend/ascend.h"
#include "analyses/devices/device_metrics.h"
#include "analyses/facts.h"
#include "analyses/neuron/neuron.h"
#include "analyses/ranks/pipelines.h"
#include "analyses/views.h"

namespace sightline::analyses {

std::span<const Analysis> all_analyses() {
  static const std::vector<Analysis> all{overview_analysis(),
                                         operators_analysis(),
                                         kernels_analysis(),
                                         idle_analysis(),
                                         data_loading_analysis(),
                                         serving_analysis(),
                                         graphs_analysis(),
                                         runtime_calls_analysis(),
                                         modules_analysis(),
                                         framework_operators_analysis(),
                                         program_operators_analysis(),
                                         program_graph_analysis(),
                                         fused_operators_analysis(),
                                         operator_hierarchy_analysis(),
                                         what_if_analysis(),
                                         critical_path_analysis(),
                                         opportunities_analysis(),
                                         device_summary_analysis(),
                                         roofline_analysis(),
                                         lightning_analysis(),
                                         call_tree_analysis(),
                                         weighted_stacks_analysis(),
                                         compiled_code_analysis(),
                                         operator_stacks_analysis(),
                                         call_stack_analysis(),
                                         reproduce_analysis(),
                                         timeline_analysis(),
                                         range_analysis(),
                                         memory_analysis(),
                                         memory_stacks_analysis(),
                                         memory_segments_analysis(),
                                         distributed_analysis(),
                                         pipeline_analysis(),
                                         hangs_analysis(),
                                         critical_path_ranks_analysis(),
                                         what_if_ranks_analysis(),
                                         diff_analysis(),
                                         memory_diff_analysis(),
                                         history_analysis(),
                                         metadata_analysis(),
                                         query_analysis(),
                                         losses_analysis(),
                                         problems_analysis()};
  return all;
}

const Analysis* find_analysis(std::string_view id) {
  for (const Analysis& analysis : all_analyses()) {
    if (analysis.id == id) return &analysis;
  }
  return nullptr;
}

std::span<const AdviceRule> advice_rules() {
  static const std::vector<AdviceRule> all = [] {
    std::vector<AdviceRule> rules;
    for (const auto& some : {host_advice_rules(), communication_advice_rules(), stall_advice_rules(), device_advice_rules(),
                             ascend_kernel_advice_rules(), ascend_link_advice_rules(), neuron_program_advice_rules()}) {
      rules.insert(rules.end(), some.begin(), some.end());
    }
    return rules;
  }();
  return all;
}

std::string vendor_title(std::string_view name) { return ascend_column_title(name); }

std::span<const DeviceMetricGroup> vendor_metric_groups() {
  static const std::vector<DeviceMetricGroup> all{neuron_throttling_metrics()};
  return all;
}

std::optional<Error> gives_no_report(const Analysis& analysis) {
  if (analysis.scope() != Scope::none) return std::nullopt;
  return Error{ErrorCode::invalid_argument,
               say("the view '{}' is not a report about a profile: use {}", analysis.id, analysis.instead), ""};
}

void prepare_analyses(const ProfilePtr& profile) { recommend(profile); }  // based on all the others

std::string_view group_title(ViewGroup group) {
  switch (group) {
    case ViewGroup::where_time_went: return "Where did time go";
    case ViewGroup::when: return "When";
    case ViewGroup::memory: return "Memory";
    case ViewGroup::across_ranks: return "Across ranks";
    case ViewGroup::fleet: return "Fleet";
    case ViewGroup::compare:
    case ViewGroup::runs: return "Compare";
    case ViewGroup::data: return "Data";
    case ViewGroup::none: return "";
  }
  return "";
}

}  // namespace sightline::analyses
