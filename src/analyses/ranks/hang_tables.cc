// A row per process group, per rank of a stuck group, per difference, per call stack, and per send or receive that has not ended.
#include "analyses/ranks/hang_tables.h"

#include <algorithm>
#include <map>

#include "analyses/columns.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kRecords = "the records of all ranks that have a file";
constexpr std::string_view kStatus = "the records, and what each rank states about the group";

std::string_view operation_at(const Profile& p, const StuckGroup& group, std::int64_t number) {
  const Row call = number == kUnknown ? kNoRow : group.usual_call(number);
  return call == kNoRow ? std::string_view() : operation_of(p.text(p.collective_records.name[call]));
}

std::int64_t count_in(const StuckGroup& group, RankState state) { return std::ssize(group.ranks_in(state)); }

std::int64_t files_of(const StuckGroup& group) {
  return std::count_if(group.members.begin(), group.members.end(), [](const GroupMember& one) { return one.has_file; });
}

// ---- groups ----

Message group_state_words(const StuckGroup& group) {
  const std::int64_t files = files_of(group);
  if (!group.is_stuck() && files == 0) return "not known";
  if (!group.is_stuck()) return files < std::ssize(group.members) || group.cut ? "all ended on ranks with a file" : "all ended";
  if (count_in(group, RankState::never_called) > 0) return "a rank never called it";
  const bool differs = std::any_of(group.differences.begin(), group.differences.end(),
                                   [&](const Difference& one) { return one.number == group.number; });
  if (differs) return "ranks differ";
  if (group.lacks_files()) return "called by all that have a file";
  return "called by all ranks";
}

std::string names_of_groups(const Profile& p, const Hangs& hangs, const std::vector<std::size_t>& groups) {
  std::string names;
  for (const std::size_t i : groups) names += (names.empty() ? "" : ", ") + group_title(p, hangs.groups[i]);
  return names;
}

using GroupTable = TableOf<const StuckGroup*, Profile, Hangs>;

void add_ranks_column(GroupTable& table, std::string_view key, Message title, Message doc, std::vector<RankState> states) {
  table.add(text_column(key, std::move(title), std::move(doc)),
            [states = std::move(states)](const Profile&, const Hangs&, const StuckGroup* group) {
              std::vector<std::int64_t> ranks;
              for (const GroupMember& one : group->members) {
                const bool is_one = std::find(states.begin(), states.end(), one.state) != states.end();
                if (group->is_stuck() && is_one) ranks.push_back(one.rank);
              }
              return rank_words(ranks);
            });
}

GroupTable group_columns() {
  GroupTable table({.key = "groups", .title = "Process groups"});
  table.add(label_column("group", "Process group", "Description and name of the group, as recorded"),
            [](const Profile& p, const Hangs&, const StuckGroup* group) { return group_title(p, *group); });
  table.add(words_column("state", "State", "Whether every collective that was called has ended on all ranks, and if not, why"),
            [](const StuckGroup* group) { return group_state_words(*group); });
  table.add(integer_column("size", "Ranks", Unit::count, {"Ranks of the group.", "number of ranks", kStatus})
                .with_unknown("all groups together have too many ranks"),
            [](const StuckGroup* group) { return group->size(); });
  table.add(integer_column("files", "With a file", Unit::count,
                           {"Ranks of the group that have a file.", "number of ranks with a file", kRecords}),
            [](const StuckGroup* group) { return files_of(*group); });
  table.add(integer_column("all_ended", "Last ended on all", Unit::id,
                           {"Number of the last collective of the group that has ended on all ranks with a file.",
                            "minimum over ranks of the last number that ended", kStatus})
                .with_unknown("none has ended on all ranks"),
            [](const StuckGroup* group) { return group->all_ended < 0 ? kUnknown : group->all_ended; });
  table.add(integer_column("stuck", "Stuck at", Unit::id,
                           {"Number of the first collective after it that any rank called.",
                            "smallest number called by any rank above the last that ended on all", kStatus})
                .with_unknown("every collective that was called has ended"),
            [](const StuckGroup* group) { return group->number; });
  table.add(code_column("operation", "Operation", "What most ranks called there"),
            [](const Profile& p, const Hangs&, const StuckGroup* group) {
              return std::string(operation_at(p, *group, group->number));
            });
  add_ranks_column(table, "absent", "Never called by", "Ranks that never called it", {RankState::never_called});
  add_ranks_column(table, "waiting", "Waiting", "Ranks that called it and on which it has not ended",
                   {RankState::enqueued, RankState::started});
  add_ranks_column(table, "ended", "Ended on", "Ranks on which it has ended", {RankState::ended});
  add_ranks_column(table, "no_file", "No file of", "Ranks of the group without a file: how far they are is not known",
                   {RankState::no_file});
  table.add(
      text_column("waits_for", "Waits for", "Groups in which those ranks are stuck that never called it"),
      [](const Profile& p, const Hangs& hangs, const StuckGroup* group) { return names_of_groups(p, hangs, group->waits_for); });
  return table;
}

// ---- ranks of stuck groups ----

struct StuckRank {
  const StuckGroup* group;
  const GroupMember* member;
  Row call;  // of the collective at which the group is stuck; kNoRow: none is kept
  bool differs;
};

using RankTable = TableOf<StuckRank, Profile, Hangs>;

template <typename Value>
auto of_call(Value CollectiveRecords::*column) {
  return [column](const Profile& p, const Hangs&, const StuckRank& row) {
    return row.call == kNoRow ? typename Value::value_type{} : (p.collective_records.*column)[row.call];
  };
}

Time waited(const Profile& p, const Hangs& hangs, const StuckRank& row) {
  if (row.call == kNoRow || row.member->state == RankState::ended) return kUnknown;
  const Time created = p.collective_records.created[row.call];
  return created == kUnknown || hangs.last == kUnknown ? kUnknown : hangs.last - created;
}

RankTable rank_columns() {
  RankTable table({.key = "ranks", .title = "Ranks of stuck groups"});
  table.add(label_column("group", "Process group", "Description and name of the group, as recorded"),
            [](const Profile& p, const Hangs&, const StuckRank& row) { return group_title(p, *row.group); });
  table.add(integer_column("rank", "Rank", Unit::id, {"Index in the job", "", ""}),
            [](const StuckRank& row) { return row.member->rank; });
  table.add(words_column("state", "State", "How far the rank is with the collective at which the group is stuck"),
            [](const StuckRank& row) { return rank_state_words(row.member->state); });
  table.add(flag_column("differs", "Differs",
                        {"Whether its operation, sizes or types differ from those of most ranks.",
                         "any difference listed for this rank and number", kRecords}),
            &StuckRank::differs);
  table.add(
      integer_column("called", "Last called", Unit::id,
                     {"Number of the last collective of the group that the rank called.", "maximum of the numbers", kStatus})
          .with_unknown("the rank has no file, or called none"),
      [](const StuckRank& row) { return row.member->last_called < 0 ? kUnknown : row.member->last_called; });
  table.add(integer_column("ended", "Last ended", Unit::id,
                           {"Number of the last one that has ended on the rank.", "maximum of the numbers that ended", kStatus})
                .with_unknown("none has ended, or the rank has no file"),
            [](const StuckRank& row) { return row.member->last_ended < 0 ? kUnknown : row.member->last_ended; });
  table.add(code_column("operation", "Operation", "What the rank called"),
            [](const Profile& p, const Hangs&, const StuckRank& row) {
              return row.call == kNoRow ? std::string() : std::string(operation_of(p.text(p.collective_records.name[row.call])));
            });
  table.add(code_column("in_shapes", "Inputs", "Shapes of the inputs"), of_call(&CollectiveRecords::in_shapes));
  table.add(code_column("in_types", "Types", "Element types of the inputs"), of_call(&CollectiveRecords::in_types));
  table.add(code_column("out_shapes", "Outputs", "Shapes of the outputs").hide(), of_call(&CollectiveRecords::out_shapes));
  table.add(integer_column("waited", "Waiting for", Unit::ns,
                           {"From the call to the last time in any file; clocks of hosts may differ.",
                            "last time of all files - time of the call", kRecords})
                .with_unknown("the rank did not call it, or it has ended"),
            waited);
  table.add(words_column("where", "Where it is",
                         "For a rank that never called the collective: the collective in which it waits, else its last call"),
            [](const Profile& p, const Hangs& hangs, const StuckRank& row) {
              return row.member->state == RankState::never_called ? whereabouts(p, hangs, row.member->rank) : Message();
            });
  table.add(code_column("stack", "Call stack",
                        "Call stack of the call, innermost frame first; for a rank that never called it, of its last call"),
            [](const Profile& p, const Hangs&, const StuckRank& row) {
              const Row call = row.call != kNoRow                             ? row.call
                               : row.member->state == RankState::never_called ? last_call_of(p, row.member->rank)
                                                                              : kNoRow;
              return call == kNoRow ? StringId::none : p.collective_records.call_stack[call];
            });
  table.add(integer_column("slice", "Slice", Unit::id, {"Row of slices", "", ""}).hide(),
            [](const Profile& p, const Hangs&, const StuckRank& row) {
              return row.call == kNoRow ? kNoRow : p.collective_records.slice[row.call];
            });
  return table;
}

std::vector<StuckRank> stuck_ranks(const Hangs& hangs) {
  std::vector<StuckRank> rows;
  for (const StuckGroup& group : hangs.groups) {
    if (!group.is_stuck()) continue;
    for (const GroupMember& one : group.members) {
      const std::span<const NumberedCall> calls = one.calls_of(group.number);
      const bool differs = std::any_of(group.differences.begin(), group.differences.end(), [&](const Difference& other) {
        return other.number == group.number &&
               std::find(other.other_ranks.begin(), other.other_ranks.end(), one.rank) != other.other_ranks.end();
      });
      rows.push_back({&group, &one, calls.empty() ? kNoRow : calls.front().row, differs});
    }
  }
  return rows;
}

// ---- differences ----

struct GroupDifference {
  const StuckGroup* group;
  const Difference* difference;
};

TableOf<GroupDifference, Profile> difference_columns() {
  TableOf<GroupDifference, Profile> table({.key = "differences", .title = "Collectives about which ranks differ"});
  table.add(label_column("group", "Process group", "Description and name of the group, as recorded"),
            [](const Profile& p, const GroupDifference& row) { return group_title(p, *row.group); });
  table.add(integer_column("number", "Number", Unit::id, {"Number of the collective in its group", "", ""}),
            [](const GroupDifference& row) { return row.difference->number; });
  table.add(code_column("operation", "Operation", "What most ranks called"), [](const Profile& p, const GroupDifference& row) {
    return std::string(operation_at(p, *row.group, row.difference->number));
  });
  table.add(words_column("property", "Property", "What differs"),
            [](const GroupDifference& row) { return property_words(row.difference->property); });
  table.add(code_column("usual", "Usual value", "The value of most ranks; on ties, that of the lowest rank"),
            [](const GroupDifference& row) { return row.difference->usual; });
  table.add(text_column("usual_ranks", "Its ranks", "Ranks with that value"),
            [](const GroupDifference& row) { return rank_words(row.difference->usual_ranks); });
  table.add(code_column("other", "Other value", "The value of the others"),
            [](const GroupDifference& row) { return row.difference->other; });
  table.add(text_column("other_ranks", "Ranks that differ", "Ranks with the other value"),
            [](const GroupDifference& row) { return rank_words(row.difference->other_ranks); });
  table.add(code_column("stack", "Call stack", "Of the first of these ranks, innermost first"),
            [](const Profile& p, const GroupDifference& row) { return p.collective_records.call_stack[row.difference->call]; });
  return table;
}

// ---- call stacks ----

struct StackRow {
  const StuckGroup* group;
  std::string operation;
  Message what;
  StringId stack;
  std::vector<std::int64_t> ranks;
};

TableOf<StackRow, Profile> stack_columns() {
  TableOf<StackRow, Profile> table({.key = "stacks", .title = "Where ranks are in the program", .sort_column = "count"});
  table.add(label_column("group", "Process group", "Description and name of the group, as recorded"),
            [](const Profile& p, const StackRow& row) { return group_title(p, *row.group); });
  table.add(words_column("what", "Call", "Whether it is the collective at which the group is stuck, or the last call before"),
            [](const StackRow& row) { return row.what; });
  table.add(code_column("operation", "Operation", "What was called"), &StackRow::operation);
  table.add(integer_column("count", "Ranks", Unit::count, {"Ranks with this call stack.", "number of ranks", kRecords}),
            [](const StackRow& row) { return std::ssize(row.ranks); });
  table.add(text_column("ranks", "Which", "Their numbers"), [](const StackRow& row) { return rank_words(row.ranks); });
  table.add(code_column("stack", "Call stack", "Innermost frame first"), &StackRow::stack);
  return table;
}

std::vector<StackRow> stack_rows(const Profile& p, const Hangs& hangs) {
  const CollectiveRecords& all = p.collective_records;
  std::vector<StackRow> rows;
  for (const StuckGroup& group : hangs.groups) {
    if (!group.is_stuck()) continue;
    std::map<std::tuple<bool, StringId, StringId>, std::vector<std::int64_t>> ranks;
    for (const GroupMember& one : group.members) {
      if (one.state == RankState::no_file || one.state == RankState::ended) continue;
      const bool absent = one.state == RankState::never_called;
      const std::span<const NumberedCall> calls = one.calls_of(group.number);
      const Row call = absent ? last_call_of(p, one.rank) : calls.empty() ? kNoRow : calls.front().row;
      if (call != kNoRow && all.call_stack[call] != StringId::none)
        ranks[{absent, all.name[call], all.call_stack[call]}].push_back(one.rank);
    }
    for (auto& [key, which] : ranks) {
      const auto& [absent, name, stack] = key;
      rows.push_back(
          {&group, std::string(operation_of(p.text(name))), absent ? "last call before" : "stuck here", stack, std::move(which)});
    }
  }
  return rows;
}

// ---- sends and receives ----

TableOf<Row, Profile> transfer_columns() {
  const auto of = [](auto column) { return [column](const Profile& p, Row row) { return (p.collective_records.*column)[row]; }; };
  TableOf<Row, Profile> table({.key = "transfers", .title = "Sends and receives that have not ended"});
  table.add(label_column("name", "Operation", "As recorded: the sending and the receiving rank, within the group"),
            [](const Profile& p, Row row) { return std::string(operation_of(p.text(p.collective_records.name[row]))); });
  table.add(integer_column("rank", "Rank", Unit::id, {"Index in the job", "", ""}), of(&CollectiveRecords::rank));
  table.add(text_column("group", "Process group", "As recorded"), of(&CollectiveRecords::group));
  table.add(text_column("about", "Description", "Of the group in the program"), of(&CollectiveRecords::group_about));
  table.add(integer_column("sequence", "Number", Unit::id, {"Among sends and receives of the group", "", ""}),
            of(&CollectiveRecords::sequence));
  table.add(text_column("state", "State", "As recorded"), of(&CollectiveRecords::state));
  table.add(code_column("in_shapes", "Sent", "Shapes"), of(&CollectiveRecords::in_shapes));
  table.add(code_column("out_shapes", "Received", "Shapes"), of(&CollectiveRecords::out_shapes));
  table.add(code_column("stack", "Call stack", "Innermost frame first"), of(&CollectiveRecords::call_stack));
  return table;
}

}  // namespace

std::string group_title(const Profile& profile, const StuckGroup& group) {
  const std::string_view about = profile.text(group.about), name = profile.text(group.name);
  return about.empty() ? std::string(name) : std::string(about) + " (" + std::string(name) + ")";
}

Hangs find_hangs(const Profile& profile) {
  Hangs hangs{.groups = stuck_groups(profile)};
  const CollectiveRecords& all = profile.collective_records;
  for (const auto* times : {&all.created, &all.started, &all.completed}) {
    for (const Time time : *times) {
      if (time != kUnknown) hangs.last = hangs.last == kUnknown ? time : std::max(hangs.last, time);
    }
  }
  hangs.files.assign(profile.job_ranks.rank.begin(), profile.job_ranks.rank.end());
  return hangs;
}

Row last_call_of(const Profile& profile, std::int64_t rank) {
  const auto& ranks = profile.collective_records.rank;
  const auto end = std::upper_bound(ranks.begin(), ranks.end(), rank);
  return end == ranks.begin() || *std::prev(end) != rank ? kNoRow : static_cast<Row>(end - ranks.begin() - 1);
}

Message whereabouts(const Profile& profile, const Hangs& hangs, std::int64_t rank) {
  for (const StuckGroup& group : hangs.groups) {
    const GroupMember* one = group.is_stuck() ? group.member(rank) : nullptr;
    if (one == nullptr || (one->state != RankState::enqueued && one->state != RankState::started)) continue;
    return say("waits in {}, number {} of {}", operation_at(profile, group, group.number), std::to_string(group.number),
               group_title(profile, group));
  }
  const Row last = last_call_of(profile, rank);
  if (last == kNoRow) return "it has no record";
  const CollectiveRecords& all = profile.collective_records;
  const std::string operation(operation_of(profile.text(all.name[last])));
  if (all.created[last] == kUnknown || hangs.last == kUnknown) return say("after {}, its last call", operation);
  return say("after {}, its last call, {} before the last time of all files", operation,
             time_words(hangs.last - all.created[last]));
}

ReportTable groups_table(const Profile& profile, const Hangs& hangs) {
  std::vector<const StuckGroup*> rows;
  for (const bool stuck : {true, false}) {
    for (const StuckGroup& group : hangs.groups) {
      if (group.is_stuck() == stuck) rows.push_back(&group);
    }
  }
  ReportTable table = group_columns().of(profile, hangs, rows);
  hide_unknown_columns(table);
  return table;
}

ReportTable stuck_ranks_table(const Profile& profile, const Hangs& hangs) {
  return rank_columns().of(profile, hangs, stuck_ranks(hangs));
}

ReportTable differences_table(const Profile& profile, const Hangs& hangs) {
  std::vector<GroupDifference> rows;
  for (const StuckGroup& group : hangs.groups) {
    for (const Difference& one : group.differences) rows.push_back({&group, &one});
  }
  return difference_columns().of(profile, rows);
}

ReportTable stacks_table(const Profile& profile, const Hangs& hangs) {
  return stack_columns().of(profile, stack_rows(profile, hangs));
}

ReportTable pending_transfers_table(const Profile& profile) {
  const CollectiveRecords& all = profile.collective_records;
  std::vector<Row> rows;
  for (Row row = 0; row < all.rows(); ++row) {
    const bool ended = all.completed[row] != kUnknown || all.retired[row] || profile.text(all.state[row]) == "completed";
    if (all.point_to_point[row] && !ended) rows.push_back(row);
  }
  return transfer_columns().of(profile, rows);
}

std::vector<ReportTable> hang_tables() {
  return {group_columns().blank(), rank_columns().blank(), difference_columns().blank(), stack_columns().blank(),
          transfer_columns().blank()};
}

}  // namespace sightline::analyses
