// Several ranks on one axis, on the wire: the rows, what they did in a window, and one collective with all its ranks
// (docs/http.md, "Ranks on one axis").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/ranks/rank_activity.h"
#include "base/result.h"
#include "engine/rank_axis.h"
#include "output/tiles.h"
#include "output/timeline_json.h"
#include "output/wire.h"

namespace sightline::output {

// ---- the rows ----

// How the clock of a rank is known. A time t of the rank is t + shift - drift * (t - at) on the axis.
struct SentRankClock {
  std::string_view rule;
  Message title;
  bool known = false;
  Time shift = 0, at = 0;
  std::optional<double> drift{}, offset{}, spread{};
  std::int64_t ends = 0;
  Message why{};
};

struct SentRankStep {
  std::int64_t number = 0;
  Time start = 0, end = 0;
};

// Its place in a group of ranks, such as those that hold parts of one layer.
struct SentRankPlace {
  std::size_t dimension = 0, group = 0, place = 0;
};

struct SentAxisRank {
  std::string run{}, worker{}, span{};
  std::size_t job = 0;
  std::string_view status;
  std::optional<std::int64_t> rank{};
  std::string role{}, host{};
  Time start = 0, end = 0;
  std::optional<SentRankClock> clock{};
  std::vector<SentRankStep> steps{};
  std::optional<double> caused{};
  std::vector<SentRankPlace> places{};
};

struct SentRankAxis {
  std::vector<SentAxisRank> ranks{};
  std::vector<std::string> dimensions{};
  std::vector<std::string_view> activities{};
};

template <typename Wire>
void describe(Wire& wire, const SentRankClock& clock) {
  wire.type("RankClock", "A time t of the rank is t + shift - drift * (t - at) on the axis.");
  wire.must("rule", clock.rule, "reference, one_clock, collective_ends, order_of_ends or unknown.");
  wire.must("title", clock.title);
  wire.must("known", clock.known, "Else `shift` is from the Unix times of the files, or 0.");
  wire.must("shift", clock.shift);
  wire.must("at", clock.at);
  wire.must("drift", clock.drift);
  wire.must("offset", clock.offset, "Ns that it is ahead of the reference, after the Unix times of the files.");
  wire.must("spread", clock.spread, "Ns.");
  wire.must("ends", clock.ends);
  wire.some("why", clock.why, "It is not known.");
}

template <typename Wire>
void describe(Wire& wire, const SentRankStep& step) {
  wire.type("RankStep");
  wire.must("number", step.number);
  wire.must("start", step.start);
  wire.must("end", step.end);
}

template <typename Wire>
void describe(Wire& wire, const SentRankPlace& place) {
  wire.type("RankPlace");
  wire.must("dimension", place.dimension);
  wire.must("group", place.group);
  wire.must("place", place.place, "Within the group.");
}

template <typename Wire>
void describe(Wire& wire, const SentAxisRank& rank) {
  wire.type("AxisRank", "Times are of its own clock.");
  wire.must("run", rank.run);
  wire.must("worker", rank.worker);
  wire.must("span", rank.span);
  wire.must("job", rank.job, "0: the span of the request; 1: the added one.");
  wire.must("status", rank.status);
  wire.must("rank", rank.rank);
  wire.must("role", rank.role);
  wire.must("host", rank.host);
  wire.must("start", rank.start);
  wire.must("end", rank.end);
  wire.must("clock", rank.clock, "Null unless it is read.");
  wire.must("steps", rank.steps);
  wire.must("caused", rank.caused, "Ns per step that others waited for it; null if unknown.");
  wire.must("places", rank.places);
}

template <typename Wire>
void describe(Wire& wire, const SentRankAxis& axis) {
  wire.type("RankAxis");
  wire.must("ranks", axis.ranks);
  wire.must("dimensions", axis.dimensions, "Kinds of groups that the ranks are divided into.");
  wire.must("activities", axis.activities, "By code; 8 is added to those that overlap with communication.");
  wire.messages();
}

std::string rank_axis_json(const engine::RankAxis& axis);

// ---- what they did ----

struct SentActivityRow {
  std::size_t rank = 0, first = 0, count = 0;
  Time start = 0;
  Time pixel = 0;
};

struct SentActivityHeader {
  Window window{};
  std::size_t runs = 0;
  std::vector<SentActivityRow> rows{};
  std::vector<SentColumnPlace> columns{};
};

template <typename Wire>
void describe(Wire& wire, const SentActivityRow& row) {
  wire.type("ActivityRow");
  wire.must("rank", row.rank);
  wire.must("first", row.first);
  wire.must("count", row.count);
  wire.must("start", row.start, "Where its first run begins, in pixels from the start of the window.");
  wire.must("pixel", row.pixel, "Ns; more than that of the window if nothing finer is known.");
}

template <typename Wire>
void describe(Wire& wire, const SentActivityHeader& header) {
  wire.type("ActivityHeader");
  wire.must("start", header.window.start);
  wire.must("end", header.window.end);
  wire.must("pixel", header.window.pixel);
  wire.must("runs", header.runs);
  wire.must("rows", header.rows);
  wire.must("columns", header.columns);
}

inline constexpr Time kMostActivityPixels = 16'384;

// One rank of a request: its row, and what is added to its times.
struct RankShift {
  std::uint32_t rank = 0;
  Time shift = 0;
};

// ranks=0,1 shifts=0,-1200: as many of each.
Result<std::vector<RankShift>> parse_rank_shifts(std::string_view ranks, std::string_view shifts, std::size_t count);

// `activity_of(rank)`: a Result of what the rank did. A JSON header and raw little-endian columns; the window is widened to whole
// pixels of a power of two ns.
std::string encode_activity(const std::vector<RankShift>& ranks,
                            const std::vector<std::shared_ptr<const RankActivity>>& activities, const Window& window);

// ---- one collective ----

struct SentCollectiveRank {
  std::size_t rank = 0;
  Time start = 0, end = 0;
  Row slice = 0;
};

struct SentCollective {
  std::string_view kind;
  std::string name{}, group{}, about{};
  std::optional<std::int64_t> sequence{}, bytes{}, size{}, step{};
  std::vector<SentCollectiveRank> ranks{};
  std::optional<std::size_t> last{};
  std::optional<Time> transfer{}, waited{};
};

struct SentCollectiveAnswer {
  std::optional<SentCollective> collective{};
};

template <typename Wire>
void describe(Wire& wire, const SentCollectiveRank& rank) {
  wire.type("CollectiveRank", "Times are of its own clock.");
  wire.must("rank", rank.rank);
  wire.must("start", rank.start);
  wire.must("end", rank.end);
  wire.must("slice", rank.slice);
}

template <typename Wire>
void describe(Wire& wire, const SentCollective& one) {
  wire.type("AxisCollective");
  wire.must("kind", one.kind);
  wire.must("name", one.name);
  wire.must("group", one.group);
  wire.must("about", one.about);
  wire.must("sequence", one.sequence);
  wire.must("bytes", one.bytes, "That the rank contributed.");
  wire.must("size", one.size, "Ranks of the group.");
  wire.must("step", one.step);
  wire.must("ranks", one.ranks, "On which it is known; the requested one alone if it is not matched.");
  wire.must("last", one.last, "The row of the rank that came last.");
  wire.must("transfer", one.transfer, "Ns.");
  wire.must("waited", one.waited, "Ns, over all its ranks.");
}

template <typename Wire>
void describe(Wire& wire, const SentCollectiveAnswer& answer) {
  wire.type("CollectiveAnswer");
  wire.must("collective", answer.collective, "Null: none is there.");
}

// The collective of a rank at a time of its clock, or the nearest one within `reach` ns. REQUIRES: the rank has a summary.
std::string collective_json(const engine::RankAxis& axis, std::uint32_t rank, Time time, Time reach);

}  // namespace sightline::output
