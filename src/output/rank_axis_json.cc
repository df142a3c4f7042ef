#include "output/rank_axis_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analyses/ranks/clock_table.h"
#include "base/text.h"
#include "model/kind_names.h"
#include "output/timeline_query.h"

namespace sightline::output {

using engine::AxisJob;
using engine::AxisRank;
using engine::RankAxis;

// ---- the rows ----

namespace {

std::string_view rule_key(ClockRule rule) {
  switch (rule) {
    case ClockRule::reference: return "reference";
    case ClockRule::one_clock: return "one_clock";
    case ClockRule::collective_ends: return "collective_ends";
    case ClockRule::order_of_ends: return "order_of_ends";
    case ClockRule::unknown: break;
  }
  return "unknown";
}

std::optional<double> known(double value) { return std::isnan(value) ? std::nullopt : std::optional(value); }
std::optional<std::int64_t> known(std::int64_t value) { return value == kUnknown ? std::nullopt : std::optional(value); }

SentRankClock sent_clock(const RankClock& clock) {
  SentRankClock sent{.rule = rule_key(clock.rule), .title = clock_rule_title(clock.rule)};
  sent.known = clock.is_known();
  sent.shift = clock.origin - (clock.is_known() ? static_cast<Time>(std::llround(clock.offset)) : 0);
  sent.at = clock.at;
  sent.ends = clock.ends;
  sent.why = clock.why;
  if (!clock.is_known()) return sent;
  sent.drift = known(clock.drift);
  sent.offset = known(clock.offset);
  sent.spread = known(clock.spread);
  return sent;
}

Interval extent_of(const RankSummary& rank) {
  Interval extent = rank.activity.extent();
  for (const RankStep& step : rank.steps) {
    const bool empty = extent.length() <= 0;
    extent.start = empty ? step.window.start : std::min(extent.start, step.window.start);
    extent.end = empty ? step.window.end : std::max(extent.end, step.window.end);
  }
  return extent;
}

// Groups of ranks by their use ("tp"), as the collectives tell it; a use with one group only divides nothing.
class Places {
 public:
  void add(const AxisJob& job) {
    std::map<std::string, std::map<std::string, std::vector<std::uint32_t>>> groups;  // by use and list of ranks: in the job
    for (std::uint32_t i = 0; i < job.ranks.size(); ++i) {
      const RankSummary& rank = *job.ranks[i];
      std::map<std::uint32_t, std::uint32_t> seen;  // use -> list of ranks: the first of each use
      for (const RankCollective& one : rank.collectives) seen.try_emplace(one.group_about, one.group_ranks);
      for (const auto& [about, list] : seen) {
        if (!rank.texts[about].empty()) groups[rank.texts[about]][rank.role + '\n' + rank.texts[list]].push_back(i);
      }
    }
    for (const auto& [about, lists] : groups) {
      if (lists.size() > 1) add_dimension(job, about, lists);
    }
  }

  const std::vector<std::string>& dimensions() const { return dimensions_; }
  std::vector<SentRankPlace> of(std::uint32_t row) const {
    const auto at = places_.find(row);
    return at == places_.end() ? std::vector<SentRankPlace>() : at->second;
  }

 private:
  // Groups are in the order of their first ranks.
  void add_dimension(const AxisJob& job, const std::string& about,
                     const std::map<std::string, std::vector<std::uint32_t>>& lists) {
    auto at = std::find(dimensions_.begin(), dimensions_.end(), about);
    if (at == dimensions_.end()) at = dimensions_.insert(dimensions_.end(), about);
    const auto dimension = static_cast<std::size_t>(at - dimensions_.begin());
    std::vector<const std::vector<std::uint32_t>*> ordered;
    for (const auto& [list, ranks] : lists) ordered.push_back(&ranks);
    std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) { return a->front() < b->front(); });
    for (std::size_t group = 0; group < ordered.size(); ++group) {
      for (std::size_t place = 0; place < ordered[group]->size(); ++place) {
        places_[job.rows[(*ordered[group])[place]]].push_back({dimension, group, place});
      }
    }
  }

  std::vector<std::string> dimensions_;
  std::map<std::uint32_t, std::vector<SentRankPlace>> places_;  // by row
};

SentAxisRank sent_rank(const RankAxis& axis, const AxisRank& rank) {
  SentAxisRank sent{.run = rank.name.run,
                    .worker = rank.name.worker,
                    .span = rank.name.span,
                    .job = rank.job,
                    .status = engine::load_status_name(rank.status)};
  if (rank.summary == nullptr) return sent;
  const RankSummary& summary = *rank.summary;
  const AxisJob& job = axis.jobs[rank.job];
  sent.rank = known(summary.rank);
  sent.role = summary.role;
  sent.host = summary.host;
  const Interval extent = extent_of(summary);
  sent.start = extent.start;
  sent.end = extent.end;
  sent.clock = sent_clock(job.clocks[rank.in_job]);
  if (summary.has_recorded_steps) {
    for (const RankStep& step : summary.steps) sent.steps.push_back({step.number, step.window.start, step.window.end});
  }
  const TimesOfRank& times = job.times[rank.in_job];
  if (!job.match.matched.empty() && times.counted > 0) sent.caused = times.mean.caused;
  return sent;
}

}  // namespace

std::string rank_axis_json(const RankAxis& axis) {
  SentRankAxis sent;
  Places places;
  for (const AxisJob& job : axis.jobs) places.add(job);
  for (std::uint32_t row = 0; row < axis.ranks.size(); ++row) {
    sent.ranks.push_back(sent_rank(axis, axis.ranks[row]));
    sent.ranks.back().places = places.of(row);
  }
  sent.dimensions = places.dimensions();
  for (std::size_t does = 0; does < kRankDoes; ++does) sent.activities.push_back(rank_does_key(static_cast<RankDoes>(does)));
  return wire_json(sent);
}

// ---- what they did ----

Result<std::vector<RankShift>> parse_rank_shifts(std::string_view ranks, std::string_view shifts, std::size_t count) {
  const auto numbers = parse_numbers("ranks", ranks, count, "rank");
  if (!numbers) return numbers.error();
  std::vector<RankShift> parsed;
  for (const std::uint32_t rank : *numbers) {
    if (shifts.empty()) return Error{ErrorCode::invalid_argument, "shifts takes as many numbers as ranks", ""};
    const std::size_t comma = std::min(shifts.find(','), shifts.size());
    const Result<Time> shift = parse_time("shifts", shifts.substr(0, comma));
    if (!shift) return shift.error();
    parsed.push_back({rank, *shift});
    shifts.remove_prefix(std::min(comma + 1, shifts.size()));
  }
  return parsed;
}

std::string encode_activity(const std::vector<RankShift>& ranks,
                            const std::vector<std::shared_ptr<const RankActivity>>& activities, const Window& requested) {
  SentActivityHeader header{.window = aligned(requested)};
  const auto& [start, end, pixel] = header.window;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint8_t> codes, shares;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Interval own{start - ranks[i].shift, end - ranks[i].shift};
    const RankActivity runs = joined(*activities[i], own, pixel);
    header.rows.push_back({ranks[i].rank, ends.size(), runs.runs(), (runs.start - own.start) / pixel, runs.pixel});
    for (const Time run_end : runs.end) ends.push_back(static_cast<std::uint32_t>((run_end - own.start + pixel - 1) / pixel));
    codes.insert(codes.end(), runs.code.begin(), runs.code.end());
    shares.insert(shares.end(), runs.share.begin(), runs.share.end());
  }
  header.runs = ends.size();
  const std::size_t end_bytes = padded_column(ends.size() * sizeof(std::uint32_t)), byte_column = padded_column(codes.size());
  header.columns = {{"end", "u32", 0}, {"code", "u8", end_bytes}, {"share", "u8", end_bytes + byte_column}};
  std::string body = framed_columns(wire_json(header), end_bytes + 2 * byte_column);
  const auto append = [&](const void* data, std::size_t bytes) {
    body.append(static_cast<const char*>(data), bytes).append(padded_column(bytes) - bytes, '\0');
  };
  append(ends.data(), ends.size() * sizeof(std::uint32_t));
  append(codes.data(), codes.size());
  append(shares.data(), shares.size());
  return body;
}

// ---- one collective ----

namespace {

// Of several at that time the shortest; else the nearest one.
std::optional<std::size_t> collective_at(const RankSummary& rank, Time time, Time reach) {
  std::optional<std::size_t> best;
  const auto away = [&](const Interval& i) { return std::max({i.start - time, time - i.end, Time{0}}); };
  for (std::size_t i = 0; i < rank.collectives.size() && rank.collectives[i].interval.start <= time + reach; ++i) {
    const Interval& own = rank.collectives[i].interval;
    if (away(own) > reach) continue;
    if (!best) {
      best = i;
      continue;
    }
    const Interval& other = rank.collectives[*best].interval;
    if (std::pair(away(own), own.length()) < std::pair(away(other), other.length())) best = i;
  }
  return best;
}

}  // namespace

std::string collective_json(const RankAxis& axis, std::uint32_t row, Time time, Time reach) {
  const AxisRank& rank = axis.ranks[row];
  const RankSummary& summary = *rank.summary;
  const AxisJob& job = axis.jobs[rank.job];
  const std::optional<std::size_t> at = collective_at(summary, time, reach);
  if (!at) return wire_json(SentCollectiveAnswer{});
  const RankCollective& one = summary.collectives[*at];
  SentCollective sent{.kind = collective_kind_name(one.kind),
                      .name = summary.texts[one.name],
                      .group = summary.texts[one.group],
                      .about = summary.texts[one.group_about],
                      .sequence = known(one.sequence),
                      .bytes = known(one.in_bytes),
                      .size = known(one.group_size)};
  if (one.step != kNoStep && summary.has_recorded_steps) sent.step = summary.steps[one.step].number;
  const std::uint32_t matched = job.match.match_of[rank.in_job][*at];
  if (matched == kNoMatch) {
    sent.ranks.push_back({row, one.interval.start, one.interval.end, one.slice});
    return wire_json(SentCollectiveAnswer{std::move(sent)});
  }
  const MatchedCollective& all = job.match.matched[matched];
  for (const CollectiveMember& member : job.match.of(all)) {
    const RankCollective& other = job.ranks[member.rank]->collectives[member.index];
    sent.ranks.push_back({job.rows[member.rank], other.interval.start, other.interval.end, other.slice});
  }
  sent.last = job.rows[all.last_rank];
  sent.transfer = all.transfer;
  sent.waited = all.waited;
  return wire_json(SentCollectiveAnswer{std::move(sent)});
}

}  // namespace sightline::output
