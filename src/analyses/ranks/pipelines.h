// Pipelines: ranks that pass activations from one to the next (pipeline parallelism), as stages in order; and for each step, how
// many micro-batches went through and how long each stage was busy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "base/message.h"

namespace sightline::analyses {

// Stages are ranks of one process group for pipelines, or of groups of two that follow one another. A group whose description
// names another purpose (tp, dp, cp, ...) is none. The order is that of the group's list of ranks, else that of the chain; if the
// last one sends first and the first one receives first, it is reversed.
struct Pipeline {
  std::string name;                 // of the process group; of several: of the first
  std::vector<std::size_t> stages;  // index of the ranks, by stage
  std::int64_t listed = 0;          // stages that the group's list names; more than there are: some ranks are missing

  bool is_whole() const { return listed <= std::ssize(stages); }
};

struct StageOfStep {
  StageWork work;
  std::int64_t sends = 0, receives = 0, undirected = 0;  // transfers in the pipeline's groups
  std::int64_t early_sends = 0;                          // of the sends, those before the first backward work: activations
};

// One step that all stages have.
struct PipelineStep {
  std::int64_t number = 0;
  std::vector<StageOfStep> stages;
  std::int64_t micro_batches = kUnknown;
  std::int64_t chunks = kUnknown;  // parts of the model on each rank: above 1, the schedule is interleaved
  Message why_unknown;             // if these two cannot be counted

  // The longest time from the first to the last work of a stage. The first stage begins first and ends last, so this is the time
  // of the whole pipeline, and no two clocks are compared.
  Time span() const;
  double bubble(std::size_t stage) const;  // 1 - busy / span
  double bubble() const;                   // mean over the stages
  double ideal() const;                    // (stages - 1) / (chunks * micro-batches + stages - 1); NaN: unknown
  double balance() const;                  // most / mean of the stages' work; NaN without work
};

// Time of the passes; without passes, of all work.
Time time_of(const StageWork& work);

std::vector<Pipeline> pipelines_of(std::span<const RankSummaryPtr> ranks);

// Of `step` only, if it is given.
std::vector<PipelineStep> steps_of(const Pipeline& pipeline, std::span<const RankSummaryPtr> ranks,
                                   std::optional<std::int64_t> step);

Analysis pipeline_analysis();  // the view

}  // namespace sightline::analyses
