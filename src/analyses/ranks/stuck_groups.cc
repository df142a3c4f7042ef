// Groups by name and ranks, their members' calls by number, and what differs.
#include "analyses/ranks/stuck_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyses/ranks/rank_summary.h"
#include "base/sort.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kMostDifferences = 1000;  // of a group
constexpr std::size_t kMostRanks = 1 << 20;     // that the files state, of all groups together

using GroupKey = std::pair<std::string_view, std::string_view>;  // name; ranks, or nothing

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view one) { return text.starts_with(one); });
}

// Operations whose ranks may have inputs, or outputs, of different sizes or types.
bool inputs_may_differ(std::string_view operation) { return starts_with_any(operation, {"all_to_all", "alltoall", "scatter"}); }
bool outputs_may_differ(std::string_view operation) { return starts_with_any(operation, {"all_to_all", "alltoall", "gather"}); }
bool in_types_may_differ(std::string_view operation) { return starts_with_any(operation, {"scatter", "broadcast"}); }
bool out_types_may_differ(std::string_view operation) { return operation.starts_with("gather"); }
bool exchanges_all(std::string_view operation) { return starts_with_any(operation, {"all_to_all", "alltoall"}); }

// Elements of "[[16, 4], []]"; nullopt if they are more than a number holds, or it is no such list.
std::optional<std::int64_t> elements_of(std::string_view shapes) {
  std::int64_t sum = 0, product = 1, size = 0;
  bool digits = false, in_shape = false;
  int depth = 0;
  for (const char c : shapes) {
    if (c >= '0' && c <= '9') {
      if (__builtin_mul_overflow(size, 10, &size) || __builtin_add_overflow(size, c - '0', &size)) return std::nullopt;
      digits = true;
      continue;
    }
    if (digits && __builtin_mul_overflow(product, size, &product)) return std::nullopt;
    digits = false;
    size = 0;
    if (c == '[' && ++depth == 2) {
      product = 1;
      in_shape = true;
    }
    if (c == ']' && depth-- == 2 && in_shape && __builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

class Collector {
 public:
  explicit Collector(const Profile& profile) : p_(profile), calls_(profile.collective_records) {}

  std::vector<StuckGroup> groups() {
    for (const std::int64_t rank : p_.job_ranks.rank) files_.insert(rank);
    add_stated_groups();
    add_calls();
    std::vector<StuckGroup> all;
    for (auto& [key, group] : groups_) all.push_back(std::move(group));
    for (StuckGroup& group : all) {
      for (GroupMember& one : group.members) std::sort(one.calls.begin(), one.calls.end());
      find_stuck(group);
      add_differences(group);
    }
    link(all);
    return all;
  }

 private:
  // ---- members ----

  GroupMember& member(StuckGroup& group, std::int64_t rank) {
    const auto at = std::lower_bound(group.members.begin(), group.members.end(), rank,
                                     [](const GroupMember& one, std::int64_t number) { return one.rank < number; });
    if (at != group.members.end() && at->rank == rank) return *at;
    return *group.members.insert(at, {.rank = rank, .has_file = files_.contains(rank)});
  }

  StuckGroup& group_of(StringId name, StringId about, StringId ranks) {
    StuckGroup& group = groups_[{p_.text(name), p_.text(ranks)}];
    group.name = name;
    if (group.about == StringId::none) group.about = about;
    return group;
  }

  // Groups may share a list, so that a small file states any number of members.
  void add_stated_ranks(StuckGroup& group, StringId list) {
    group.cut = too_long_.contains(list);
    if (group.cut) return;
    const std::vector<std::int64_t> ranks = ranks_in(p_.text(list));
    group.cut = ranks.size() > room_;
    if (group.cut) {
      too_long_.insert(list);
      return;
    }
    room_ -= ranks.size();
    for (const std::int64_t rank : ranks) member(group, rank);
    group.stated = !group.members.empty();
  }

  void add_stated_groups() {
    const ProcessGroups& stated = p_.process_groups;
    for (Row row = 0; row < stated.rows(); ++row) {
      StuckGroup& group = group_of(stated.name[row], stated.about[row], stated.ranks[row]);
      if (stated.ranks[row] != StringId::none) ranks_of_[{stated.rank[row], stated.name[row]}] = stated.ranks[row];
      if (group.members.empty()) add_stated_ranks(group, stated.ranks[row]);
      if (stated.rank[row] == kUnknown) continue;
      GroupMember& one = member(group, stated.rank[row]);
      one.last_called = std::max(one.last_called, stated.last_enqueued[row]);
      one.last_ended = std::max(one.last_ended, stated.last_completed[row]);
      if (stated.last_completed[row] != kUnknown) states_ends_.insert({stated.rank[row], stated.name[row]});
    }
  }

  bool has_ended(Row call) const {
    if (p_.text(calls_.state[call]) == "completed" || calls_.completed[call] != kUnknown) return true;
    return calls_.retired[call] && !states_ends_.contains({calls_.rank[call], calls_.group[call]});
  }

  void add_calls() {
    for (Row call = 0; call < calls_.rows(); ++call) {
      if (calls_.point_to_point[call] || calls_.sequence[call] == kUnknown) continue;
      const auto ranks = ranks_of_.find({calls_.rank[call], calls_.group[call]});
      StuckGroup& group =
          group_of(calls_.group[call], calls_.group_about[call], ranks == ranks_of_.end() ? StringId::none : ranks->second);
      GroupMember& one = member(group, calls_.rank[call]);
      const std::int64_t number = calls_.sequence[call];
      one.calls.push_back({number, call});
      one.first_kept = one.first_kept == kUnknown ? number : std::min(one.first_kept, number);
      one.last_called = std::max(one.last_called, number);
      if (has_ended(call)) one.last_ended = std::max(one.last_ended, number);
    }
  }

  // ---- the collective at which a group is stuck ----

  static void find_stuck(StuckGroup& group) {
    bool any = false;
    for (const GroupMember& one : group.members) {
      if (!one.has_file) continue;
      group.all_ended = any ? std::min(group.all_ended, one.last_ended) : one.last_ended;
      any = true;
    }
    if (!any) return;
    for (const GroupMember& one : group.members) {
      const auto next = std::upper_bound(one.calls.begin(), one.calls.end(), NumberedCall{group.all_ended, kNoRow});
      std::int64_t number = next == one.calls.end() ? kUnknown : next->number;
      if (number == kUnknown && one.last_called > group.all_ended) number = group.all_ended + 1;  // its record is lost
      if (number != kUnknown) group.number = group.number == kUnknown ? number : std::min(group.number, number);
    }
    if (group.is_stuck()) set_states(group);
  }

  static void set_states(StuckGroup& group) {
    for (GroupMember& one : group.members) {
      if (!one.has_file) continue;
      one.state = one.last_ended >= group.number    ? RankState::ended
                  : one.last_called >= group.number ? RankState::enqueued
                                                    : RankState::never_called;
    }
  }

  // ---- differences ----

  // The usual case, which needs no texts.
  static bool all_same(std::int64_t number, const std::vector<const GroupMember*>& callers, const Column<StringId>& column) {
    const auto first = callers.front()->calls_of(number);
    return std::all_of(callers.begin(), callers.end(), [&](const GroupMember* one) {
      const auto calls = one->calls_of(number);
      return calls.size() == 1 && first.size() == 1 && column[calls.front().row] == column[first.front().row];
    });
  }

  // The texts of all calls of one number, which are several where calls were coalesced.
  std::string texts_of(std::span<const NumberedCall> calls, const Column<StringId>& column, bool operation) const {
    std::string all;
    for (const NumberedCall& call : calls) {
      if (!all.empty()) all += "; ";
      const std::string_view text = p_.text(column[call.row]);
      all += operation ? operation_of(text) : text;
    }
    return all;
  }

  void add_differences(StuckGroup& group) const {
    std::vector<std::pair<std::int64_t, const GroupMember*>> all;  // by number, then by rank
    for (const GroupMember& one : group.members) {
      for (const NumberedCall& call : one.calls) {
        if (all.empty() || all.back() != std::pair(call.number, &one)) all.emplace_back(call.number, &one);
      }
    }
    sort_up(all, [](const auto& each) { return each.first; });
    std::vector<const GroupMember*> callers;
    for (std::size_t at = 0; at < all.size();) {
      const std::int64_t number = all[at].first;
      callers.clear();
      for (; at < all.size() && all[at].first == number; ++at) callers.push_back(all[at].second);
      const bool has_room = group.differences.size() < kMostDifferences || number == group.number;
      if (callers.size() > 1 && has_room) add_differences_at(number, callers, group);
    }
  }

  void add_differences_at(std::int64_t number, const std::vector<const GroupMember*>& callers, StuckGroup& group) const {
    const std::size_t before = group.differences.size();
    compare(number, callers, Property::operation, calls_.name, group);
    if (group.differences.size() != before) return;
    const std::string_view operation = operation_of(p_.text(calls_.name[callers.front()->calls_of(number).front().row]));
    if (!inputs_may_differ(operation)) compare(number, callers, Property::in_shapes, calls_.in_shapes, group);
    if (!in_types_may_differ(operation)) compare(number, callers, Property::in_types, calls_.in_types, group);
    if (!outputs_may_differ(operation)) compare(number, callers, Property::out_shapes, calls_.out_shapes, group);
    if (!out_types_may_differ(operation)) compare(number, callers, Property::out_types, calls_.out_types, group);
    if (exchanges_all(operation) && callers.size() == group.members.size()) compare_elements(number, callers, group);
  }

  void compare(std::int64_t number, const std::vector<const GroupMember*>& callers, Property property,
               const Column<StringId>& column, StuckGroup& group) const {
    if (all_same(number, callers, column)) return;
    std::map<std::string, std::vector<const GroupMember*>> by_value;
    for (const GroupMember* one : callers) {
      const std::string value = texts_of(one->calls_of(number), column, property == Property::operation);
      if (!value.empty()) by_value[value].push_back(one);
    }
    if (by_value.size() < 2) return;
    const auto usual = std::max_element(by_value.begin(), by_value.end(), [](const auto& a, const auto& b) {
      if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
      return a.second.front()->rank > b.second.front()->rank;
    });
    const auto ranks_of = [](const std::vector<const GroupMember*>& members) {
      std::vector<std::int64_t> ranks;
      for (const GroupMember* one : members) ranks.push_back(one->rank);
      return ranks;
    };
    for (const auto& [value, members] : by_value) {
      if (value == usual->first) continue;
      group.differences.push_back({number, property, usual->first, value, ranks_of(usual->second), ranks_of(members),
                                   members.front()->calls_of(number).front().row});
    }
  }

  // All that is sent must be received.
  void compare_elements(std::int64_t number, const std::vector<const GroupMember*>& callers, StuckGroup& group) const {
    std::int64_t sent = 0, received = 0;
    std::vector<std::int64_t> ranks;
    for (const GroupMember* one : callers) {
      const Row call = one->calls_of(number).front().row;
      const auto in = elements_of(p_.text(calls_.in_shapes[call])), out = elements_of(p_.text(calls_.out_shapes[call]));
      if (!in || !out || __builtin_add_overflow(sent, *in, &sent) || __builtin_add_overflow(received, *out, &received)) return;
      ranks.push_back(one->rank);
    }
    if (sent == received) return;
    group.differences.push_back({number, Property::elements, std::to_string(sent), std::to_string(received), ranks, ranks,
                                 callers.front()->calls_of(number).front().row});
  }

  // ---- which group waits for which ----

  static void link(std::vector<StuckGroup>& all) {
    std::map<std::int64_t, std::vector<std::size_t>> waits_in;  // by rank
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const GroupMember& one : all[i].members) {
        if (one.state == RankState::enqueued || one.state == RankState::started) waits_in[one.rank].push_back(i);
      }
    }
    for (StuckGroup& group : all) {
      std::set<std::size_t> others;
      for (const GroupMember& one : group.members) {
        if (one.state != RankState::never_called) continue;
        const auto known = waits_in.find(one.rank);
        if (known != waits_in.end()) others.insert(known->second.begin(), known->second.end());
      }
      group.waits_for.assign(others.begin(), others.end());
    }
  }

  const Profile& p_;
  const CollectiveRecords& calls_;
  std::set<std::int64_t> files_;
  std::map<GroupKey, StuckGroup> groups_;
  std::size_t room_ = kMostRanks;                                   // for members that the files state
  std::set<StringId> too_long_;                                     // lists of ranks for which there was none
  std::map<std::pair<std::int64_t, StringId>, StringId> ranks_of_;  // of a rank's group
  std::set<std::pair<std::int64_t, StringId>> states_ends_;         // ranks that tell what has ended in a group
};

// Whether the record of the collective says that it has started.
bool has_started(const Profile& profile, const GroupMember& member, std::int64_t number) {
  const CollectiveRecords& all = profile.collective_records;
  const std::span<const NumberedCall> calls = member.calls_of(number);
  return std::any_of(calls.begin(), calls.end(), [&](const NumberedCall& call) {
    return profile.text(all.state[call.row]) == "started" || all.started[call.row] != kUnknown;
  });
}

}  // namespace

Message rank_state_words(RankState state) {
  switch (state) {
    case RankState::no_file: return "no file of this rank";
    case RankState::never_called: return "never called it";
    case RankState::enqueued: return "called, not started";
    case RankState::started: return "started, not ended";
    case RankState::ended: return "ended";
  }
  return "";
}

Message property_words(Property property) {
  switch (property) {
    case Property::operation: return "operation";
    case Property::in_shapes: return "shapes of the inputs";
    case Property::in_types: return "element types of the inputs";
    case Property::out_shapes: return "shapes of the outputs";
    case Property::out_types: return "element types of the outputs";
    case Property::elements: return "elements sent and received";
  }
  return "";
}

std::span<const NumberedCall> GroupMember::calls_of(std::int64_t number) const {
  const auto first = std::lower_bound(calls.begin(), calls.end(), NumberedCall{number, 0});
  auto last = first;
  while (last != calls.end() && last->number == number) ++last;
  return {first, last};
}

std::int64_t StuckGroup::size() const {
  if (cut) return kUnknown;
  const bool has_unknown = !members.empty() && members.front().rank == kUnknown;
  return std::ssize(members) - (stated && has_unknown ? 1 : 0);
}

bool StuckGroup::lacks_files() const {
  return cut || std::any_of(members.begin(), members.end(), [](const GroupMember& one) { return !one.has_file; });
}

std::vector<std::int64_t> StuckGroup::ranks_in(RankState state) const {
  std::vector<std::int64_t> ranks;
  for (const GroupMember& one : members) {
    if (one.state == state) ranks.push_back(one.rank);
  }
  return ranks;
}

const GroupMember* StuckGroup::member(std::int64_t rank) const {
  const auto at = std::find_if(members.begin(), members.end(), [&](const GroupMember& one) { return one.rank == rank; });
  return at == members.end() ? nullptr : &*at;
}

Row StuckGroup::usual_call(std::int64_t at) const {
  const auto differs =
      std::find_if(differences.begin(), differences.end(), [&](const Difference& one) { return one.number == at; });
  const GroupMember* usual = differs == differences.end() ? nullptr : member(differs->usual_ranks.front());
  if (usual != nullptr) return usual->calls_of(at).front().row;
  for (const GroupMember& one : members) {
    const std::span<const NumberedCall> calls = one.calls_of(at);
    if (!calls.empty()) return calls.front().row;
  }
  return kNoRow;
}

std::vector<StuckGroup> stuck_groups(const Profile& profile) {
  std::vector<StuckGroup> all = Collector(profile).groups();
  for (StuckGroup& group : all) {
    for (GroupMember& one : group.members) {
      if (one.state == RankState::enqueued && has_started(profile, one, group.number)) one.state = RankState::started;
    }
  }
  return all;
}

std::string_view operation_of(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string rank_words(const std::vector<std::int64_t>& ranks) {
  std::string words;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!words.empty()) words += ", ";
    words += ranks[first] == kUnknown ? "?" : std::to_string(ranks[first]);
    if (last > first) words += (last == first + 1 ? ", " : "-") + std::to_string(ranks[last]);
    first = last + 1;
  }
  return words;
}

}  // namespace sightline::analyses
