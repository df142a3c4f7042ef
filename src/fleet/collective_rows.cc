// match_key is the sum of a hash (group, kind and rule: the stream) and a count (the number in sequence, or how many came before
// in the step), so that neighbours in a file differ by 1 and take almost no space.
#include "fleet/collective_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analyses/ranks/collectives.h"
#include "model/kind_names.h"
#include "store/content_key.h"

namespace sightline::fleet {

namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 40;  // of a stream; a larger number is hashed instead

class Rows {
 public:
  explicit Rows(const RankSummary& rank) : rank_(rank) {}

  CollectiveRows make() {
    for (std::uint32_t i = 0; i < rank_.collectives.size(); ++i) add(i);
    set_apart();
    std::stable_sort(made_.rows.begin(), made_.rows.end(), [](const CollectiveRow& a, const CollectiveRow& b) {
      return std::tie(a.group, a.stream, a.match_key) < std::tie(b.group, b.stream, b.match_key);
    });
    return std::move(made_);
  }

 private:
  void add(std::uint32_t index) {
    const RankCollective& one = rank_.collectives[index];
    CollectiveRow row{.index = index, .operation = operation_of(one), .group = group_of(one)};
    if (const auto key = match_key_of(rank_, one)) {
      const std::uint32_t before = seen_[{row.group, *key}]++;
      row.by_order = key->by_order;
      if (key->by_order) {
        row.stream = hash_of(fmt::format("order {} {} {} {}", row.group, static_cast<int>(key->family), key->number, key->bytes));
        row.occurrence = before;
        row.match_key = row.stream + before;
      } else {
        const bool counts = key->number >= 0 && key->number < kMostCount;
        row.stream = hash_of(
            fmt::format("sequence {} {} {} {}", row.group, static_cast<int>(key->family), before, counts ? 0 : key->number));
        row.match_key = row.stream + (counts ? key->number : 0);
      }
    }
    made_.rows.push_back(row);
  }

  std::int64_t group_of(const RankCollective& one) {
    const auto [at, is_new] = groups_.try_emplace({one.group, one.group_ranks}, made_.groups.size());
    if (is_new) {
      const std::int64_t id = hash_of(group_key(rank_, one));
      made_.groups.push_back({id, one.group, one.group_about, one.group_ranks, one.group_size, 0});
    }
    GroupRow& group = made_.groups[at->second];
    ++group.collectives;
    return group.id;
  }

  std::int64_t operation_of(const RankCollective& one) {
    const auto [at, is_new] = operations_.try_emplace({one.name, one.group, one.group_about}, made_.operations.size());
    if (is_new) {
      const std::string& name = rank_.texts[one.name];
      const std::string& about = rank_.texts[one.group_about];
      made_.operations.push_back({one.kind == CollectiveKind::unknown ? name : std::string(collective_kind_name(one.kind)), name,
                                  about.empty() ? rank_.texts[one.group] : about});
    }
    return static_cast<std::int64_t>(at->second);
  }

  // Sets which collectives overlap neither another one nor the edge of a step. They are by start.
  void set_apart() {
    std::vector<Interval> all;
    for (const RankCollective& one : rank_.collectives) all.push_back(one.interval);
    Time covered = std::numeric_limits<Time>::min();  // end of those before
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool before = all[i].start < covered;
      const bool after = i + 1 < all.size() && all[i + 1].start < all[i].end;
      covered = std::max(covered, all[i].end);
      if (!before && !after) set_window(made_.rows[i], all[i]);
    }
  }

  void set_window(CollectiveRow& row, Interval interval) {
    std::int64_t inside = kUnknown;
    for (std::size_t step = 0; step < rank_.steps.size(); ++step) {
      const Interval& window = rank_.steps[step].window;
      if (interval.end <= window.start || interval.start >= window.end) continue;
      const bool whole = interval.start >= window.start && interval.end <= window.end;
      if (!whole || inside != kUnknown) return;
      inside = static_cast<std::int64_t>(step);
    }
    row.apart = true;
    row.window_step = inside;
  }

  const RankSummary& rank_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> groups_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> operations_;
  std::map<std::pair<std::int64_t, MatchKey>, std::uint32_t> seen_;
  CollectiveRows made_;
};

}  // namespace

std::int64_t hash_of(std::string_view text) { return static_cast<std::int64_t>(store::checksum(text) >> 2); }

CollectiveRows collective_rows(const RankSummary& rank) { return Rows(rank).make(); }

}  // namespace sightline::fleet
