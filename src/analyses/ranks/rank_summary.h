// RankSummary: what the view across ranks needs of one worker, a few KB to a few MB, so that a thousand workers fit in
// memory though their profiles do not. Times are ns on the worker's own clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyses/ranks/rank_stated.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

struct RankDevice {
  std::int64_t ordinal = kUnknown;
  std::string name;
  std::int64_t memory = kUnknown, compute_major = kUnknown, compute_minor = kUnknown, cores = kUnknown;
};

// One kept step. The four parts sum to its window.
struct RankStep {
  std::int64_t number = 0;
  Interval window;
  Time computation = 0;    // only computing
  Time overlap = 0;        // computing and communicating
  Time communication = 0;  // only communicating
  Time other = 0;
};

inline constexpr std::uint32_t kNoStep = 0xFFFFFFFF;

struct RankCollective {
  Interval interval;
  CollectiveKind kind = CollectiveKind::unknown;
  Row slice = kNoRow;            // of the worker's profile
  std::uint32_t step = kNoStep;  // index of steps
  std::uint32_t name = 0;        // index of texts, as are the next three
  std::uint32_t group = 0;       // empty when unknown
  std::uint32_t group_about = 0;
  std::uint32_t group_ranks = 0;
  std::int64_t group_size = kUnknown;
  std::int64_t sequence = kUnknown;
  std::int64_t in_bytes = kUnknown, out_bytes = kUnknown;  // that this rank put in and got
};

struct RankSummary {
  std::string worker;
  std::string host;     // empty when unknown
  std::string process;  // its id; empty when unknown
  std::int64_t rank = kUnknown, world_size = kUnknown;
  bool computes_on_device = false;  // else what the host does counts as computation
  bool has_recorded_steps = false;  // else one step, numbered 0, represents the whole recording
  std::vector<RankDevice> devices;  // that did any work
  std::vector<RankStep> steps;
  std::vector<RankCollective> collectives;  // by start
  std::vector<std::string> texts;
  RankStated stated;
};

// `worker` is the profile's name among those of its run.
RankSummary summarise_rank(const Profile& profile, std::string worker);

// The slices that represent collectives: those on a device, and host ranges whose process group has none there, by start.
// A range inside another one of these is left out.
std::vector<Row> collective_slices(const Profile& profile);

}  // namespace sightline::analyses
