// RankSummary: what the views across ranks need of one worker, a few KB to a few MB, so that a thousand workers fit in memory
// though their profiles do not. Times are ns on the worker's own clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/ranks/rank_activity.h"
#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- kinds of links between ranks, by the names in the files ----

// How far a link reaches. Within a node, ranks copy from memory to memory; between nodes they go through network cards.
enum class LinkReach : std::uint8_t { device, node, network, unknown };

LinkReach link_reach(std::string_view transport);

// "within the device", "within a node", "between nodes", "not known".
std::string_view reach_title(LinkReach reach);

// Packets below this size, in bytes, do not use the link well: 16 MB within a node, 1 MB between nodes (MB = 10^6). 0: not known.
std::int64_t small_packet_limit(LinkReach reach);

// ---- RankStated: what a worker's files state about its steps, collectives and links ----
// Shown beside what is computed from slices, and instead of it where there are no slices. Times are ns, sizes bytes; kUnknown
// where the file states nothing.

struct StatedStep {
  std::string step;  // as the file names it; empty: the whole recording
  std::int64_t device = kUnknown;
  Time computing = kUnknown, overlapped = kUnknown, communication = kUnknown, free = kUnknown;
  Time exposed = kUnknown;  // communication without computing at the same time
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

// A process group of the job: its description, such as tp, and its ranks as a list.
struct StatedGroup {
  std::string name, about, ranks;
  std::int64_t size = kUnknown;
};

struct RankStated {
  std::vector<StatedStep> steps;
  std::vector<StatedOperation> operations;
  std::vector<StatedLink> links;
  std::vector<StatedRoute> routes;
  std::vector<StatedGroup> groups;           // of the job; the first rank has them
  std::vector<StatedLong> long_collectives;  // elapsed above kLongCollective, over links between nodes

  bool any_times() const { return !steps.empty() || !operations.empty(); }
};

RankStated stated_of(const Profile& profile);

// Whether stated figures of this step belong to the step of this number; true without a number.
bool is_stated_step(const std::string& step, std::optional<std::int64_t> number);

// The operation that a collective is a call of: its name up to the first digit or blank, "hcom_allReduce__271_0_1" is a
// "hcom_allReduce__".
std::string_view operation_name(std::string_view collective);

// ---- one worker ----

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

// What a rank did in one step, as a stage of a pipeline. Times are those of its devices' work.
struct StageWork {
  Interval extent;  // from the first to the last work of the forward and backward pass; without a backward pass, of all work
  Time busy = 0;    // inside `extent`: any work runs that is no transfer from rank to rank
  Time forward = kUnknown, backward = kUnknown, recomputing = kUnknown;  // inside `extent`; unknown without a backward pass
  Time backward_start = kUnknown;                                        // of the first backward work; likewise
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
  std::int64_t in_bytes = kUnknown, out_bytes = kUnknown;  // that this rank contributed and received
};

struct RankSummary {
  std::string worker;
  // In a job whose folders are roles, such as actor and critic, each of which numbers its ranks separately; else empty.
  std::string role = {};
  std::string host;     // empty when unknown
  std::string process;  // its id; empty when unknown
  std::int64_t rank = kUnknown, world_size = kUnknown;
  std::int64_t origin_unix_ns = kUnknown;  // Unix time of its Time 0
  bool computes_on_device = false;         // else the host's work counts as computation
  bool has_recorded_steps = false;         // else one step, numbered 0, represents the whole recording
  std::vector<RankDevice> devices;         // that did any work
  std::vector<RankStep> steps;
  std::vector<StageWork> stage_work;        // by step; empty if it sends nothing to single ranks, or no device works
  std::vector<RankCollective> collectives;  // by start
  std::vector<std::string> texts;
  RankStated stated;
  RankActivity activity;                 // an overview: at most kMostRuns runs
  std::vector<std::uint64_t> operators;  // hashes of the names of operators, else of kernels, ascending
};

// `worker` is the profile's name among those of its run.
RankSummary summarise_rank(const Profile& profile, std::string worker);

// From one rank to another, and not over all of a group.
constexpr bool is_transfer(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive || kind == CollectiveKind::send_receive;
}

// "[0, 8]" as 0 and 8, in this order; empty if it is no such list, as where the writer cut it ("[0, 1, ..., 7]").
std::vector<std::int64_t> ranks_in(std::string_view list);

// Whether the profile has sums of several ranks and not slices of one: then it is a job and not one worker.
bool states_sums_of_ranks(const Profile& profile);

// Its ranks, by job_ranks. REQUIRES: states_sums_of_ranks.
std::vector<RankSummary> summarise_job(const Profile& profile);

// The slices that represent collectives, by start: those on a device, and host ranges of process groups that have none on a
// device. A range inside another one of these is left out.
std::vector<Row> collective_slices(const Profile& profile);

}  // namespace sightline::analyses
