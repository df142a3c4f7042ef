// What the views of joined ranks share.
#pragma once

#include "analyses/analysis.h"
#include "analyses/whatif/rank_graph.h"

namespace sightline::analyses {

// The ranks in the order of their numbers, joined.
Result<RankGraph> rank_graph_of(const AnalysisInput& input);

// What is missing or not modelled.
std::vector<Note> rank_notes(const RankGraph& graph);

// "3 ranks, steps 1 to 4".
Message rank_scope(const RankGraph& graph);

// "rank 3", else the worker's name.
std::string rank_name(const GraphRank& rank);

// How the ranks were joined, and by how much the replay without a change moves any node.
FactSheet rank_facts(const RankGraph& graph);

std::optional<Message> joined_ranks_unavailable(const Profile& profile);

}  // namespace sightline::analyses
