#include "server/rank_routes.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/text.h"
#include "output/rank_axis_json.h"
#include "output/timeline_query.h"

namespace sightline::server {

namespace {

Result<RankAxisPtr> axis_of(const Answers& answers, const Request& request) {
  const ProfileSelector own{request.parameter("run"), request.parameter("worker"), request.parameter("span")};
  const ProfileSelector other{request.parameter("other_run"), request.parameter("other_worker"), request.parameter("other_span")};
  const bool has_other = !other.run.empty() || !other.worker.empty() || !other.span.empty();
  Result<RankAxisPtr> axis = answers.rank_axis(own, has_other ? std::optional(other) : std::nullopt);
  if (!axis) return axis;
  // Rows are numbers in one list of ranks: of another list they would be other ranks.
  const std::string of = request.parameter("of");
  if (!of.empty() && whole_number<std::size_t>(of) != (*axis)->ranks.size())
    return Error{ErrorCode::unavailable, "the ranks have changed: load them again", ""};
  return axis;
}

std::optional<Error> not_read(const RankAxis& axis, std::uint32_t rank) {
  if (axis.ranks[rank].summary != nullptr) return std::nullopt;
  return Error{ErrorCode::unavailable, say("worker {} is not read", axis.ranks[rank].name.worker), ""};
}

Result<Answer> tiles(const Answers& answers, const RankAxis& axis, const Request& request) {
  const auto wanted = parse_rank_shifts(request.parameter("ranks"), request.parameter("shifts"), axis.ranks.size());
  if (!wanted) return wanted.error();
  const Result<Window> window = parse_window(request.parameter("start"), request.parameter("end"), request.parameter("pixel"));
  if (!window) return window.error();
  const Window whole = aligned(*window);
  if ((whole.end - whole.start) / whole.pixel > kMostActivityPixels)
    return Error{ErrorCode::invalid_argument, say("a window has at most {} pixels", kMostActivityPixels), ""};
  std::vector<std::shared_ptr<const RankActivity>> activities;
  for (const RankShift& each : *wanted) {
    if (std::optional<Error> error = not_read(axis, each.rank)) return *std::move(error);
    auto activity = answers.activity(axis.ranks[each.rank], whole.pixel);
    if (!activity) return activity.error();
    activities.push_back(*std::move(activity));
  }
  return Answer{"application/octet-stream", encode_activity(*wanted, activities, *window), {}};
}

Result<Answer> collective(const RankAxis& axis, const Request& request) {
  const auto ranks = parse_numbers("rank", request.parameter("rank"), axis.ranks.size(), "rank");
  if (!ranks) return ranks.error();
  if (ranks->size() != 1) return Error{ErrorCode::invalid_argument, "rank takes one number", ""};
  const Result<Time> time = parse_time("time", request.parameter("time"));
  if (!time) return time.error();
  const std::string given = request.parameter("reach");
  const Result<Time> reach = given.empty() ? Result<Time>(0) : parse_time("reach", given);
  if (!reach) return reach.error();
  if (std::optional<Error> error = not_read(axis, ranks->front())) return *std::move(error);
  return Answer{"application/json", collective_json(axis, ranks->front(), *time, std::max<Time>(0, *reach)), {}};
}

}  // namespace

std::optional<Result<Answer>> rank_answer(const Answers& answers, const Request& request) {
  constexpr std::string_view kRoutes[] = {"/api/ranks", "/api/rank_tiles", "/api/rank_collective"};
  if (std::find(std::begin(kRoutes), std::end(kRoutes), request.path) == std::end(kRoutes)) return std::nullopt;
  const Result<RankAxisPtr> axis = axis_of(answers, request);
  if (!axis) return axis.error();
  if (request.path == "/api/rank_tiles") return tiles(answers, **axis, request);
  if (request.path == "/api/rank_collective") return collective(**axis, request);
  return Answer{"application/json", rank_axis_json(**axis), {}};
}

}  // namespace sightline::server
