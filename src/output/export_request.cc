// Windows of a timeline, row by row: of a row, one slice that was open before it and those that start in it.
#include "output/export_request.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "output/timeline_query.h"

namespace sightline::output {

namespace {

// The slices of a row that touch the range: no two overlap, so they are a stretch of it.
std::span<const Row> touching(const Timeline& timeline, std::uint32_t row, Interval range) {
  const Profile& p = timeline.profile();
  const std::span<const Row> slices = timeline.slices_of(row);
  auto from = std::partition_point(slices.begin(), slices.end(), [&](Row i) { return p.slices.start[i] < range.start; });
  const auto to = std::partition_point(from, slices.end(), [&](Row i) { return p.slices.start[i] < range.end; });
  if (from != slices.begin() && p.end_of(*(from - 1)) > range.start) --from;
  return {from, to};
}

}  // namespace

std::vector<std::uint32_t> lanes_of(const Timeline& timeline, const ExportRequest& request) {
  std::vector<std::uint32_t> lanes = request.lanes;
  if (lanes.empty()) {
    for (const DrawnLane& lane : timeline.lanes()) lanes.push_back(lane.lane);
  }
  std::sort(lanes.begin(), lanes.end());
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  return lanes;
}

std::vector<Row> slices_touching(const Timeline& timeline, const DrawnLane& lane, Interval range) {
  const Slices& s = timeline.profile().slices;
  std::vector<Row> slices;
  for (const std::uint32_t row : lane.rows) {
    const std::span<const Row> of_row = touching(timeline, row, range);
    slices.insert(slices.end(), of_row.begin(), of_row.end());
  }
  std::sort(slices.begin(), slices.end(), [&](Row a, Row b) {
    if (s.start[a] != s.start[b]) return s.start[a] < s.start[b];
    return s.duration[a] != s.duration[b] ? s.duration[a] > s.duration[b] : a < b;
  });
  return slices;
}

std::uint64_t count_export(const Timeline& timeline, const ExportRequest& request) {
  std::uint64_t count = 0;
  for (const std::uint32_t lane : lanes_of(timeline, request)) {
    for (const std::uint32_t row : timeline.lanes()[lane].rows) count += touching(timeline, row, request.range).size();
  }
  return count;
}

Result<bool> check_export_window(std::string_view lanes, std::string_view start, std::string_view end) {
  const Result<std::vector<std::uint32_t>> numbers =
      parse_numbers("lanes", lanes, std::numeric_limits<std::uint32_t>::max(), "lane");
  if (!numbers) return numbers.error();
  std::optional<Time> first;
  for (const auto& [name, text] : {std::pair{"start", start}, std::pair{"end", end}}) {
    if (text.empty()) continue;
    const Result<Time> time = parse_time(name, text);
    if (!time) return time.error();
    if (first && *time <= *first) return Error{ErrorCode::invalid_argument, "a window needs start < end", ""};
    first = *time;
  }
  return true;
}

Result<ExportRequest> parse_export_request(const Timeline& timeline, std::string_view lanes, std::string_view start,
                                           std::string_view end) {
  ExportRequest request;
  Result<std::vector<std::uint32_t>> numbers = parse_numbers("lanes", lanes, timeline.lanes().size(), "lane");
  if (!numbers) return numbers.error();
  request.lanes = *std::move(numbers);
  request.range = {timeline.profile().span_start, timeline.profile().span_end};
  for (const DrawnLane& lane : timeline.lanes()) {
    request.range.start = std::min(request.range.start, lane.start);
    request.range.end = std::max(request.range.end, lane.end + 1);
  }
  for (const auto& [name, text, into] :
       {std::tuple{"start", start, &request.range.start}, std::tuple{"end", end, &request.range.end}}) {
    if (text.empty()) continue;
    const Result<Time> time = parse_time(name, text);
    if (!time) return time.error();
    *into = *time;
  }
  if (request.range.start < request.range.end) return request;
  return Error{ErrorCode::invalid_argument, "a window needs start < end", ""};
}

}  // namespace sightline::output
