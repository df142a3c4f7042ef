// Advice about links between ranks, from the transfers that HCCL reports: packets that are too small, copies that compete with
// kernels for the device's memory, sizes that are not aligned. The thresholds are those of the advisor of msprof-analyze.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analyses/advice/recommendations.h"
#include "analyses/ascend/ascend.h"
#include "analyses/ranks/rank_summary.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kSmallTraffic = 0.2;
constexpr double kContended = 0.8;        // of the link's rated bandwidth
constexpr std::int64_t kAlignment = 512;  // bytes

std::string rate_words(double bytes_per_second) { return number_words(bytes_per_second / 1e9, 1) + " GB/s"; }

// ns per step: the exposed communication in which data moves. What collectives spend in waiting, faster copies do not win.
double moving_time(const AdviceInput& input) {
  const auto& transit = input.profile.communications.transit;
  const double exposed = input.verdict.of(Bound::communication);
  Time moving = 0;
  for (const Time each : transit) moving += each == kUnknown ? 0 : each;
  const bool known = std::any_of(transit.begin(), transit.end(), [](Time each) { return each != kUnknown; });
  return known ? std::min(exposed, input.verdict.per_step(static_cast<double>(moving))) : exposed;
}

// ns per step: the part's share of the time in which data moves; unknown without a whole.
double part_of_moving(const AdviceInput& input, double part, double whole) {
  return whole > 0 ? part / whole * moving_time(input) : kUnknownReal;
}

// ---- packets ----

struct Traffic {
  std::int64_t bytes = 0, small_bytes = 0, packets = 0, small_packets = 0;
};

std::optional<Advice> judge_small_packets(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const Packets& sizes = profile.packets;
  std::map<LinkReach, Traffic> traffic;
  for (Row i = 0; i < sizes.rows(); ++i) {
    const LinkReach reach = link_reach(profile.text(profile.transfers.transport[sizes.transfer[i]]));
    const std::int64_t limit = small_packet_limit(reach);
    if (limit == 0 || sizes.bytes[i] == kUnknown || sizes.count[i] == kUnknown) continue;
    Traffic& sum = traffic[reach];
    const bool small = sizes.bytes[i] < limit;
    const std::int64_t bytes = sizes.bytes[i] * sizes.count[i];
    sum.bytes += bytes;
    sum.packets += sizes.count[i];
    sum.small_bytes += small ? bytes : 0;
    sum.small_packets += small ? sizes.count[i] : 0;
  }
  Message evidence;
  std::int64_t bytes = 0, small_bytes = 0;
  for (const auto& [reach, sum] : traffic) {
    bytes += sum.bytes;
    small_bytes += sum.small_bytes;
    if (sum.bytes == 0 || static_cast<double>(sum.small_bytes) <= kSmallTraffic * static_cast<double>(sum.bytes)) continue;
    evidence = sentences({evidence, say("{}, {} of the traffic is in {} below {} MB, of {} in all.",
                                        reach == LinkReach::node ? "Within a node" : "Between nodes",
                                        share_words(static_cast<double>(sum.small_bytes) / static_cast<double>(sum.bytes)),
                                        count_words(sum.small_packets, "{} packet", "{} packets"),
                                        count_words(small_packet_limit(reach) / 1'000'000), count_words(sum.packets))});
  }
  if (evidence.empty()) return std::nullopt;
  Advice advice;
  advice.gain = part_of_moving(input, static_cast<double>(small_bytes), static_cast<double>(bytes));
  advice.title = "Data moves in small packets";
  advice.evidence = std::move(evidence);
  advice.brief = "let each collective carry more";
  advice.action =
      "Let each collective carry more: larger gradient buckets (bucket_cap_mb), accumulating gradients, fusing parameters into "
      "one "
      "tensor, larger shards of sharded optimizers, a larger HCCL_BUFFSIZE.";
  advice.link_view = "distributed";
  return advice;
}

// ---- copies beside kernels ----

// Rated bytes per second of one link; 0 if unknown.
double rated_bandwidth(std::string_view transport) { return transport == "HCCS" || transport == "SDMA" ? 18e9 : 0; }

std::optional<Advice> judge_bandwidth_contention(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const IntervalSet& computing = input.summary.roles[Role::kernel];
  const Transfers& t = profile.transfers;
  FoundSlices found;
  double slowest = 0;
  Row slowest_slice = kNoRow;
  Time slowest_overlap = 0;
  std::string transport_of_slowest;
  for (Row i = 0; i < t.rows(); ++i) {
    const Row slice = t.communication[i] == kNoRow ? kNoRow : profile.communications.slice[t.communication[i]];
    const std::string_view transport = profile.text(t.transport[i]);
    const double rated = rated_bandwidth(transport);
    if (slice == kNoRow || rated == 0 || t.bytes[i] == kUnknown || t.bytes[i] == 0 || t.duration[i] == kUnknown ||
        t.duration[i] == 0)
      continue;
    const double bandwidth = static_cast<double>(t.bytes[i]) / (static_cast<double>(t.duration[i]) * 1e-9);
    const Time overlap = length_within(computing, {profile.slices.start[slice], profile.end_of(slice)});
    if (overlap == 0 || bandwidth >= kContended * rated) continue;
    found.add(profile, slice);
    if (slowest_slice != kNoRow && bandwidth >= slowest) continue;
    slowest = bandwidth;
    slowest_slice = slice;
    slowest_overlap = overlap;
    transport_of_slowest = transport;
  }
  if (found.count == 0) return std::nullopt;
  Advice advice;
  advice.gain = std::min(input.verdict.per_step(static_cast<double>(found.time)), moving_time(input));
  advice.title = "Copies between ranks compete with kernels";
  advice.evidence = say(
      "{} ran beside kernels with less than {} of what a link can do (18 GB/s); the slowest, {}, moved {} over {} and kernels "
      "ran "
      "during {} of its {}.",
      count_words(found.count, "{} collective", "{} collectives"), share_words(kContended),
      profile.text(profile.slices.name[slowest_slice]), rate_words(slowest), transport_of_slowest, time_words(slowest_overlap),
      time_words(profile.slices.duration[slowest_slice]));
  advice.brief = "change what overlaps with communication";
  advice.action =
      "Both use the device's memory: change what overlaps with what (order of buckets, when gathering begins), or compute while "
      "smaller collectives run.";
  go_to_slice(advice, slowest_slice);
  advice.link_title = "Go to the slowest collective";
  return advice;
}

// ---- sizes ----

std::optional<Advice> judge_byte_alignment(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const Packets& packets = profile.packets;
  std::int64_t odd = 0, all = 0;
  double odd_time = 0, all_time = 0;  // ns
  Row longest = kNoRow;               // of the odd ones: row of packets
  for (Row i = 0; i < packets.rows(); ++i) {
    const LinkReach reach = link_reach(profile.text(profile.transfers.transport[packets.transfer[i]]));
    const bool counts = reach == LinkReach::node && packets.bytes[i] > kAlignment && packets.count[i] != kUnknown;
    if (!counts) continue;
    all += packets.count[i];
    const double time = packets.duration[i] == kUnknown ? 0 : static_cast<double>(packets.duration[i]);
    all_time += time;
    if (packets.bytes[i] % kAlignment == 0) continue;
    odd += packets.count[i];
    odd_time += time;
    if (longest == kNoRow || packets.duration[i] > packets.duration[longest]) longest = i;
  }
  if (longest == kNoRow) return std::nullopt;
  Advice advice;
  advice.gain = part_of_moving(input, odd_time, all_time);
  advice.title = "Copies between ranks are not aligned";
  advice.evidence =
      say("{} of {} over {} B within a node had a size that is not a multiple of {} B; most time is in those of {} B of {}.",
          count_words(odd), count_words(all, "{} packet", "{} packets"), count_words(kAlignment), count_words(kAlignment),
          count_words(packets.bytes[longest]), profile.text(profile.transfers.name[packets.transfer[longest]]));
  advice.brief = "pad communicated data to multiples of 512 B";
  advice.action =
      "Pad the communicated data so that each rank's part is a multiple of 512 B (sizes of shards, of buckets, of sequence "
      "parallel "
      "parts).";
  advice.link_view = "distributed";
  return advice;
}

}  // namespace

std::span<const AdviceRule> ascend_link_advice_rules() {
  constexpr std::string_view kHidden = "category:communication hidden";
  static const std::vector<AdviceRule> rules{
      {"small_packets",
       "within a node, bytes in packets < 16 MB / bytes in packets > 20%; between nodes the same with 1 MB (MB = 10^6)",
       "bytes in such packets / bytes x moving (stated transit of the collectives, at most communication of the step)", kNew,
       judge_small_packets, kHidden},
      {"bandwidth_contention",
       "a collective over HCCS or SDMA that runs beside kernels, with bytes / time of the link < 0.8 x 18 GB/s",
       "time of these collectives per step, at most moving", kNew, judge_bandwidth_contention, kHidden},
      {"byte_alignment", "a packet > 512 B over a link within a node, and its bytes mod 512 != 0",
       "time of such packets / time of all x moving", kNew, judge_byte_alignment, kHidden},
  };
  return rules;
}

}  // namespace sightline::analyses
