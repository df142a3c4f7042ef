// The analyses of this program, one function per view; registry.cc puts them in order.
#pragma once

#include "analyses/analysis.h"

namespace sightline::analyses {

Analysis overview_analysis();
Analysis operators_analysis();
Analysis operator_stacks_analysis();
Analysis reproduce_analysis();
Analysis call_stack_analysis();
Analysis kernels_analysis();
Analysis idle_analysis();
Analysis data_loading_analysis();
Analysis serving_analysis();
Analysis graphs_analysis();
Analysis runtime_calls_analysis();
Analysis what_if_analysis();
Analysis critical_path_analysis();
Analysis opportunities_analysis();
Analysis device_summary_analysis();
Analysis roofline_analysis();
Analysis modules_analysis();
Analysis framework_operators_analysis();
Analysis program_operators_analysis();
Analysis program_graph_analysis();
Analysis fused_operators_analysis();
Analysis operator_hierarchy_analysis();
Analysis lightning_analysis();
Analysis call_tree_analysis();
Analysis weighted_stacks_analysis();
Analysis compiled_code_analysis();
Analysis memory_analysis();
Analysis memory_stacks_analysis();
Analysis memory_segments_analysis();
Analysis distributed_analysis();
Analysis hangs_analysis();
Analysis what_if_ranks_analysis();
Analysis critical_path_ranks_analysis();
Analysis problems_analysis();
Analysis timeline_analysis();
Analysis query_analysis();
Analysis range_analysis();
Analysis losses_analysis();
Analysis metadata_analysis();
Analysis diff_analysis();
Analysis memory_diff_analysis();
Analysis history_analysis();

}  // namespace sightline::analyses
