// Texts of a query, checked; and the rows of a window: of a row, one slice that was open before it and those that start in it.
#include "output/timeline_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "output/timeline_json.h"

namespace sightline::output {

namespace {

Error refused(TemplateMessage message) { return {ErrorCode::invalid_argument, std::move(message), ""}; }

}  // namespace

Result<std::vector<std::uint32_t>> parse_numbers(std::string_view name, std::string_view text, std::size_t limit,
                                                 std::string_view what) {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view piece = text.substr(0, comma);
    const std::optional<std::int64_t> number = whole_number<std::int64_t>(piece);
    if (!number) return refused(say("{} takes numbers separated by commas, not '{}'", name, piece));
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= limit) return refused(say("no {} {}", Message(what), *number));
    numbers.push_back(static_cast<std::uint32_t>(*number));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return numbers;
}

Result<Time> parse_time(std::string_view name, std::string_view text) {
  const std::optional<std::int64_t> time = whole_number<std::int64_t>(text);
  if (time && *time >= -kMostExactReal && *time <= kMostExactReal) return *time;
  return refused(say("{} takes an integer of ns, at most 2^53, not '{}'", name, text));
}

Result<Window> parse_window(std::string_view start, std::string_view end, std::string_view pixel) {
  const Result<Time> first = parse_time("start", start);
  if (!first) return first.error();
  const Result<Time> last = parse_time("end", end);
  if (!last) return last.error();
  const Result<Time> width = parse_time("pixel", pixel);
  if (!width) return width.error();
  if (*width < 1 || *last <= *first) return refused("a window needs start < end and pixel >= 1");
  return Window{*first, *last, *width};
}

namespace {

constexpr auto kKindNames = WireEnum<FlowKind>::kNames;

Result<std::array<bool, kFlowKinds>> parse_kinds(std::string_view text) {
  std::array<bool, kFlowKinds> kinds{};
  if (text.empty()) kinds.fill(true);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    const auto* const kind = std::find(kKindNames.begin(), kKindNames.end(), name);
    if (kind == kKindNames.end()) {
      return Error{ErrorCode::invalid_argument, say("kinds are launch, forward_backward and other, not '{}'", name), ""};
    }
    kinds[static_cast<std::size_t>(kind - kKindNames.begin())] = true;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return kinds;
}

}  // namespace

Result<FlowRequest> parse_flow_request(const Timeline& timeline, const std::string& lanes, const Window& window,
                                       std::string_view kinds) {
  Result<std::vector<std::uint32_t>> numbers = parse_numbers("lanes", lanes, timeline.lanes().size(), "lane");
  if (!numbers) return numbers.error();
  const auto wanted = parse_kinds(kinds);
  if (!wanted) return wanted.error();
  return FlowRequest{*std::move(numbers), window, *wanted};
}

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
