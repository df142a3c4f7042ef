// RankStated: what a worker's files themselves state of its steps, collectives and links. It is beside what is computed from
// slices, and in its place where there are none. Times are ns, sizes bytes; kUnknown where nothing is stated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

struct StatedStep {
  std::string step;  // as the file names it; empty: the whole recording
  std::int64_t device = kUnknown;
  Time computing = kUnknown, overlapped = kUnknown, communication = kUnknown, free = kUnknown;
  Time exposed = kUnknown;  // communication that nothing computes beside
};

// The collectives of one operation in one process group and step. idle = elapsed - transit - wait.
struct StatedOperation {
  std::string step, name, group;
  std::int64_t calls = 0;
  Time elapsed = kUnknown, transit = kUnknown, wait = kUnknown, synchronization = kUnknown;
  std::int64_t bytes = kUnknown;  // over all links, each counted once
};

// One kind of link in one step.
struct StatedLink {
  std::string step, transport;
  std::int64_t bytes = 0;
  Time duration = 0;
  std::int64_t packets = 0, packet_bytes = 0, small_packet_bytes = 0;  // where their sizes are stated
};

// From one rank to another. `ranks`: of the group in the job, by rank within the group; empty when not stated.
struct StatedRoute {
  std::string step, group, transport;
  std::vector<std::int64_t> ranks;
  std::int64_t source = kUnknown, target = kUnknown;  // within the group
  std::int64_t bytes = 0;
  Time duration = 0;
};

// A collective that took so long that its packets may have been sent again.
inline constexpr Time kLongCollective = 4'000'000'000;
struct StatedLong {
  std::string step, name, group;
  Time elapsed = 0, transit = 0;
};

struct RankStated {
  std::vector<StatedStep> steps;
  std::vector<StatedOperation> operations;
  std::vector<StatedLink> links;
  std::vector<StatedRoute> routes;
  std::vector<StatedLong> long_collectives;  // elapsed above kLongCollective, over links between nodes

  bool any_times() const { return !steps.empty() || !operations.empty(); }
};

RankStated stated_of(const Profile& profile);

// Whether what is stated of this step belongs to the step of this number; everything does to none.
bool is_stated_step(const std::string& step, std::optional<std::int64_t> number);

// The operation that a collective is a call of: its name up to the first digit or blank, "hcom_allReduce__271_0_1" is a
// "hcom_allReduce__".
std::string_view operation_name(std::string_view collective);

}  // namespace sightline::analyses
