// Hangs: which collective of which group does not end, and which rank is the cause. A group whose missing ranks wait in no other
// group is where the job began to hang; the others wait for it.
#include <algorithm>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/ranks/hang_tables.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kMostAdvice = 20;

std::string operation_where(const Profile& p, const StuckGroup& group) {
  const Row call = group.usual_call(group.number);
  return call == kNoRow ? std::string("?") : std::string(operation_of(p.text(p.collective_records.name[call])));
}

std::string innermost_frame(const Profile& p, Row call) {
  if (call == kNoRow) return {};
  std::string_view stack = p.text(p.collective_records.call_stack[call]);
  // Frames of the framework itself say nothing about the program.
  while (!stack.empty()) {
    const std::string_view frame = stack.substr(0, stack.find(';'));
    if (frame.find("site-packages") == std::string_view::npos && frame.find("torch/distributed") == std::string_view::npos)
      return std::string(frame);
    stack.remove_prefix(std::min(frame.size() + 1, stack.size()));
  }
  return {};
}

Message rank_list(const std::vector<std::int64_t>& ranks) {
  if (ranks.size() != 1) return say("ranks {}", rank_words(ranks));
  return ranks.front() == kUnknown ? Message("a rank whose number is not known") : say("rank {}", rank_words(ranks));
}

std::vector<std::int64_t> waiting_ranks(const StuckGroup& group) {
  std::vector<std::int64_t> ranks = group.ranks_in(RankState::enqueued);
  const std::vector<std::int64_t> started = group.ranks_in(RankState::started);
  ranks.insert(ranks.end(), started.begin(), started.end());
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

bool differs_where_stuck(const StuckGroup& group) {
  return std::any_of(group.differences.begin(), group.differences.end(),
                     [&](const Difference& one) { return one.number == group.number; });
}

// ---- causes ----

Advice severe(const char* id, Message title) {
  Advice advice;
  advice.id = id;
  advice.severity = Advice::Level::high;
  advice.title = std::move(title);
  return advice;
}

Advice absent_advice(const Profile& p, const Hangs& hangs, const StuckGroup& group, const std::vector<std::int64_t>& absent) {
  Advice advice = severe("absent_ranks", "A rank never called a collective");
  const std::vector<std::int64_t> waiting = waiting_ranks(group);
  advice.evidence =
      sentences({say("In the process group {}, {} never called {}, number {}.", group_title(p, group), rank_list(absent),
                     operation_where(p, group), std::to_string(group.number)),
                 waiting.empty() ? Message() : say("It has not ended on {}.", rank_list(waiting)),
                 say("Where it is (rank {}): {}.", rank_words({absent.front()}), whereabouts(p, hangs, absent.front()))});
  advice.where = innermost_frame(p, last_call_of(p, absent.front()));
  advice.brief = "look at what that rank did after its last call";
  advice.action =
      "Look at the call stack of its last collective and at what the program does after it: an exception, a wait for data, a "
      "branch that only this rank takes, or a process that has died. If it waits in another group, that group comes first.";
  return advice;
}

Advice difference_advice(const Profile& p, const StuckGroup& group, const Difference& one) {
  Advice advice = severe("ranks_differ", "Ranks call different collectives");
  const std::string number = std::to_string(one.number);
  advice.evidence =
      say("Number {} of the process group {}: {} of {} is {}, and of {} it is {}.", number, group_title(p, group),
          property_words(one.property), rank_list(one.other_ranks), one.other, rank_list(one.usual_ranks), one.usual);
  advice.where = innermost_frame(p, one.call);
  advice.brief = "compare the call stacks of these ranks";
  advice.action =
      "Compare the call stacks of the two sides. Which of them is wrong does not follow from the records: the value of most "
      "ranks "
      "is only the usual one.";
  return advice;
}

Advice called_by_all_advice(const Profile& p, const StuckGroup& group) {
  const bool all_known = !group.lacks_files();
  Advice advice = severe("no_progress", all_known ? "All ranks called a collective that does not end"
                                                  : "All ranks with a file called a collective that does not end");
  if (!all_known) advice.severity = Advice::Level::medium;
  advice.evidence = sentences({say("In the process group {}, all ranks with a file called {}, number {}, alike.",
                                   group_title(p, group), operation_where(p, group), std::to_string(group.number)),
                               say("It has not ended on {}.", rank_list(waiting_ranks(group)))});
  advice.where = innermost_frame(p, group.usual_call(group.number));
  advice.brief = all_known ? "check the links and devices of these ranks" : "look at the ranks without a file";
  if (!all_known) {
    advice.action =
        "A rank without a file may be the cause: look for its file, and whether its process still runs. If all ranks called the "
        "collective, check links, network cards and devices.";
    return advice;
  }
  advice.action =
      "The program is not the cause: check links, network cards and devices of these ranks, and work before it on the same "
      "stream. If the job was healthy when it wrote the records, this collective was simply running.";
  return advice;
}

Advice circular_advice(const Profile& p, const std::vector<const StuckGroup*>& groups) {
  Advice advice = severe("circular_wait", "Process groups wait for each other");
  std::string names;
  for (const StuckGroup* group : groups) names += (names.empty() ? "" : ", ") + group_title(p, *group);
  advice.evidence = say("In each of these process groups, a rank is missing that waits in another of them: {}.", names);
  advice.brief = "call collectives of these groups in one order";
  advice.action = "Ranks call collectives of these groups in different orders. Let all of them use the same order.";
  return advice;
}

void add_causes(const Profile& p, const Hangs& hangs, const StuckGroup& group, std::vector<Advice>& found) {
  const std::vector<std::int64_t> absent = group.ranks_in(RankState::never_called);
  if (!absent.empty()) found.push_back(absent_advice(p, hangs, group, absent));
  for (const Difference& one : group.differences) {
    if (one.number == group.number) found.push_back(difference_advice(p, group, one));
  }
  if (absent.empty() && !differs_where_stuck(group)) found.push_back(called_by_all_advice(p, group));
}

// By group: whether it is stuck and waits for no other, or waits, through others, for such a one. A stuck group that does not,
// waits in a circle or for one.
std::vector<bool> lead_to_a_first(const Hangs& hangs) {
  std::vector<bool> leads(hangs.groups.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < hangs.groups.size(); ++i) {
      const std::vector<std::size_t>& others = hangs.groups[i].waits_for;
      if (leads[i] || !hangs.groups[i].is_stuck()) continue;
      leads[i] = others.empty() || std::any_of(others.begin(), others.end(), [&](std::size_t other) { return leads[other]; });
      more |= leads[i];
    }
  }
  return leads;
}

std::vector<Advice> causes(const Profile& p, const Hangs& hangs) {
  std::vector<Advice> found;
  const std::vector<bool> explained = lead_to_a_first(hangs);
  std::vector<const StuckGroup*> circular;
  for (std::size_t i = 0; i < hangs.groups.size(); ++i) {
    const StuckGroup& group = hangs.groups[i];
    if (!group.is_stuck()) continue;
    if (!explained[i]) circular.push_back(&group);
    if (group.waits_for.empty() && found.size() < kMostAdvice) add_causes(p, hangs, group, found);
  }
  if (!circular.empty()) {
    found.push_back(circular_advice(p, circular));
    for (const StuckGroup* group : circular) {
      if (found.size() < kMostAdvice) add_causes(p, hangs, *group, found);
    }
  }
  // What all ranks called alike may be under way; what is wrong with certainty comes first.
  const auto unsure =
      std::stable_partition(found.begin(), found.end(), [](const Advice& one) { return one.id != "no_progress"; });
  if (unsure != found.begin()) {
    std::for_each(unsure, found.end(), [](Advice& one) { one.severity = Advice::Level::medium; });
  }
  return found;
}

// ---- the report ----

std::vector<Fact> facts(const Profile& p, const Hangs& hangs) {
  const auto stuck = std::count_if(hangs.groups.begin(), hangs.groups.end(), [](const auto& one) { return one.is_stuck(); });
  FactValue lost;
  const auto& of_ranks = p.job_ranks.lost;
  if (!of_ranks.empty() && std::find(of_ranks.begin(), of_ranks.end(), kUnknown) == of_ranks.end())
    lost = std::accumulate(of_ranks.begin(), of_ranks.end(), std::int64_t{0});
  FactValue world;
  if (p.world_size > 0 && p.world_size != kUnknown) world = std::int64_t{p.world_size};
  return {{"Ranks with a file", std::ssize(hangs.files), Unit::count, "Ranks of the job whose records are here"},
          {"Ranks of the job", world, Unit::count, "As the files state it", "the files do not state it"},
          {"Process groups", std::ssize(hangs.groups), Unit::count, "Groups in which a collective is recorded"},
          {"Stuck groups", std::int64_t{stuck}, Unit::count,
           "Groups with a collective that some rank called and that has not ended on all ranks with a file"},
          {"Records", std::ssize(p.collective_records.rank), Unit::count, "Calls of all ranks that are recorded"},
          {"Records that were replaced", lost, Unit::count,
           "Older calls, whose records newer ones had replaced when the files were written",
           "a file does not tell its number of records"}};
}

std::vector<Note> notes_of(const Profile& p, const Hangs& hangs) {
  std::vector<Note> notes;
  const std::int64_t world = p.world_size;
  if (world != kUnknown && world > std::ssize(hangs.files)) {
    notes.push_back({Note::Level::warning,
                     say("{} of {} ranks have a file here: how far the others are is not known, and a rank without a file may be "
                         "the cause.",
                         count_words(std::ssize(hangs.files)), count_words(world))});
  }
  if (std::find(hangs.files.begin(), hangs.files.end(), kUnknown) != hangs.files.end()) {
    notes.push_back({Note::Level::warning,
                     "The name of a file does not state its rank, which is shown as ?: it is one of the ranks that have no file "
                     "here."});
  }
  const auto cut = std::count_if(hangs.groups.begin(), hangs.groups.end(), [](const StuckGroup& one) { return one.cut; });
  if (cut > 0) {
    notes.push_back({Note::Level::warning,
                     say("The ranks of {} are left out, except those with a file: all groups together have too many ranks.",
                         count_words(cut, "{} process group", "{} process groups"))});
  }
  if (p.origin_unix_ns != kUnknown && hangs.files.size() > 1) {
    notes.push_back({Note::Level::info,
                     "Times of ranks on different hosts are on different clocks; which collective a rank has reached does not "
                     "depend on them."});
  }
  return notes;
}

Panel hang_panel(const ReportTable& table, Message empty) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
  panel.empty = std::move(empty);
  return panel;
}

Result<Report> run_hangs(const AnalysisInput& input) {
  const Profile& p = *input.profiles.front();
  const Hangs hangs = find_hangs(p);
  Report report{.view = "hangs", .title = "Hangs"};
  report.scope = count_words(std::ssize(hangs.files), "{} rank", "{} ranks");
  report.notes = notes_of(p, hangs);
  report.tables = {groups_table(p, hangs), stuck_ranks_table(p, hangs), differences_table(p, hangs), stacks_table(p, hangs),
                   pending_transfers_table(p)};
  Panel about{.id = "summary", .title = "Summary", .content = FactSheet{facts(p, hangs)}};
  Panel why{.id = "causes", .title = "Where it began", .content = AdviceList{causes(p, hangs)}};
  why.empty = "Every collective that was called has ended on all ranks with a file.";
  report.panels = {std::move(about),
                   std::move(why),
                   hang_panel(report.tables[0], "No collective is recorded."),
                   hang_panel(report.tables[1], "No group is stuck."),
                   hang_panel(report.tables[3], "No group is stuck, or the files have no call stacks."),
                   hang_panel(report.tables[2], "All ranks agree about every collective that several of them recorded.")};
  if (report.tables[4].rows() > 0) report.panels.push_back(hang_panel(report.tables[4], ""));
  return report;
}

std::optional<Message> hangs_unavailable(const Profile& profile) {
  const auto& stated_by = profile.process_groups.rank;  // a rank says how far it is; the job only lists the group
  const bool has_state = std::any_of(stated_by.begin(), stated_by.end(), [](std::int64_t rank) { return rank != kUnknown; });
  if (profile.collective_records.rows() > 0 || has_state) return std::nullopt;
  return "no records of a communication library: this view reads the files that its flight recorder writes, one per rank";
}

}  // namespace

Analysis hangs_analysis() {
  return {.id = "hangs",
          .title = "Hangs",
          .group = ViewGroup::across_ranks,
          .doc = "Which collective does not end, which rank never called it, and where the ranks are in the program.",
          .parameters = {},
          .unavailable = hangs_unavailable,
          .run = run_hangs,
          .tables = hang_tables,
          .of_one_profile = true};
}

}  // namespace sightline::analyses
