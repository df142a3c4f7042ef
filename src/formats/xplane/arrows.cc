// Ends of one context, id and process are taken in the order of time: what is produced is for those that begin to consume after
// it, until the same id is produced again behind them; for ids are used again, as addresses are.
#include "formats/xplane/arrows.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kCrowd = 64;                            // ends on both sides from which on equal ids say nothing
constexpr std::int64_t kFlowContexts = std::int64_t{1} << 32;  // contexts of `flow` stand behind the others
constexpr std::uint64_t kFlowId = (std::uint64_t{1} << 56) - 1;

constexpr std::string_view kContexts[] = {"generic",
                                          "legacy",
                                          "TF executor",
                                          "TFRT executor",
                                          "shared batch scheduler",
                                          "PJRT",
                                          "adaptive shared batch scheduler",
                                          "TFRT TPU runtime",
                                          "TPU embedding engine",
                                          "GPU launch",
                                          "batcher",
                                          "TPU stream",
                                          "TPU launch",
                                          "Pathways executor",
                                          "PJRT library call",
                                          "thread pool event",
                                          "JAX serving executor",
                                          "SparseCore offload"};

// What consumes and then produces (a link of a chain) consumes first.
int order_of(const FlowEnd& end, bool is_link) { return end.producer ? 1 : is_link ? 0 : 2; }

}  // namespace

std::string_view context_name(std::int64_t context) {
  return context >= 0 && context < std::ssize(kContexts) ? kContexts[context] : "";
}

std::span<const Arrow> arrows_to(const Builder& b, Row slice) {
  const auto first =
      std::lower_bound(b.arrows.begin(), b.arrows.end(), slice, [](const Arrow& arrow, Row row) { return arrow.to < row; });
  auto last = first;
  while (last != b.arrows.end() && last->to == slice) ++last;
  return {first, last};
}

Flow flow_of(std::int64_t bits) {
  const auto all = static_cast<std::uint64_t>(bits);
  return {(all & 1) != 0, (all & 2) != 0, static_cast<std::int64_t>(all >> 2 & kFlowId), static_cast<std::int64_t>(all >> 58)};
}

void Builder::add_ends(Row slice, const Facts& facts) {
  const std::int64_t process = facts[Number::flow_process];
  const auto add = [&](std::int64_t context, std::int64_t id, bool producer) {
    flow_ends.push_back({context, id, process, slice, producer});
  };
  if (facts[Number::consumer] != kUnknown) add(facts[Number::consumer_type], facts[Number::consumer], false);
  if (facts[Number::producer] != kUnknown) add(facts[Number::producer_type], facts[Number::producer], true);
  if (facts[Number::flow] != kUnknown) {
    const Flow flow = flow_of(facts[Number::flow]);
    if (flow.in) add(kFlowContexts + flow.context, flow.id, false);
    if (flow.out) add(kFlowContexts + flow.context, flow.id, true);
  }
}

void add_arrows(Builder& b) {
  const Profile& p = b.profile();
  struct End {
    const FlowEnd* end;
    Time start;
    int order;
  };
  std::vector<End> ends;
  ends.reserve(b.flow_ends.size());
  const auto key = [](const FlowEnd& end) { return std::tie(end.context, end.id, end.process); };
  for (std::size_t i = 0; i < b.flow_ends.size(); ++i) {
    const FlowEnd& end = b.flow_ends[i];
    const auto is_other_end = [&](std::size_t j) {
      return j < b.flow_ends.size() && b.flow_ends[j].slice == end.slice && key(b.flow_ends[j]) == key(end);
    };
    ends.push_back({&end, p.slices.start[end.slice], order_of(end, is_other_end(i + 1) || is_other_end(i - 1))});
  }
  std::stable_sort(ends.begin(), ends.end(), [&](const End& x, const End& y) {
    const auto of_x = key(*x.end), of_y = key(*y.end);
    return of_x != of_y ? of_x < of_y : std::tie(x.start, x.order) < std::tie(y.start, y.order);
  });
  for (std::size_t at = 0; at < ends.size();) {
    const std::size_t producers = at;
    const auto same = [&](std::size_t i, bool producer) {
      return i < ends.size() && ends[i].end->producer == producer && key(*ends[i].end) == key(*ends[producers].end);
    };
    while (same(at, true)) ++at;
    const std::size_t consumers = at;
    while (same(at, false)) ++at;
    const auto crowd = [](std::size_t count) { return static_cast<std::int64_t>(count) >= kCrowd; };
    if (crowd(consumers - producers) && crowd(at - consumers)) continue;
    for (std::size_t to = consumers; to < at; ++to) {
      for (std::size_t from = producers; from < consumers; ++from) {
        if (ends[from].end->slice != ends[to].end->slice) b.arrows.push_back({ends[from].end->slice, ends[to].end->slice});
      }
    }
  }
  std::stable_sort(b.arrows.begin(), b.arrows.end(), [](const Arrow& x, const Arrow& y) { return x.to < y.to; });
  for (const Arrow& arrow : b.arrows) b.add_flow(FlowKind::other, arrow.from, arrow.to);
}

}  // namespace sightline::formats::xplane
