// Distributed: how the ranks of a job spend their steps, how long they wait for one another, and for whom.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analyses/advice/rank_advice.h"
#include "analyses/columns.h"
#include "analyses/ranks/clock_table.h"
#include "analyses/ranks/distributed_stated.h"
#include "analyses/ranks/distributed_tables.h"
#include "analyses/ranks/rank_imbalance.h"
#include "analyses/ranks/roles.h"
#include "analyses/ranks/step_choice.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kSideBySide = 16;  // workers: charts of more have the full width

// ---- parameters ----

// What the map of workers by steps can show: columns of worker_steps.
const std::vector<ParameterChoice>& map_choices() {
  static const std::vector<ParameterChoice> choices{{"caused", "Waiting caused"},
                                                    {"waiting", "Waiting"},
                                                    {"total", "Step time"},
                                                    {"computation", "Computation"},
                                                    {"overlap", "Overlapped"},
                                                    {"communication", "Communication"},
                                                    {"other", "Other"}};
  return choices;
}

// What the map of links between ranks can show: columns of route_map.
const std::vector<ParameterChoice>& link_choices() {
  static const std::vector<ParameterChoice> choices{{"bandwidth", "Bandwidth"}, {"bytes", "Bytes moved"}, {"duration", "Time"}};
  return choices;
}

std::vector<Parameter> parameters() {
  return {step_of_ranks(),
          {"map", "Map shows", ParameterType::choice, "caused", map_choices(), "What the map of workers by steps is coloured by"},
          {"links", "Links show", ParameterType::choice, "bandwidth", link_choices(),
           "What the map of links between ranks is coloured by, if the files report links"},
          {"group", "Links of", ParameterType::choice, "", {}, "The process group whose links the map of links shows"}};
}

// "" represents the ranks of the job, or the first group if no group's ranks are known in the job.
Result<std::string> wanted_group(const std::vector<std::string>& groups, const std::string& given) {
  if (groups.empty()) return std::string();
  if (std::find(groups.begin(), groups.end(), given) != groups.end()) return given;
  if (given.empty()) return groups.front();
  std::string list;
  for (const std::string& each : groups) list += (list.empty() ? "" : ", ") + (each.empty() ? "\"\"" : each);
  return Error{ErrorCode::invalid_argument, say("no links of a group {}; there are {}", given, list), ""};
}

Parameter declared(std::string_view key) {
  const auto all = parameters();
  return *std::find_if(all.begin(), all.end(), [&](const Parameter& each) { return each.key == key; });
}

// Without a choice, its value is the only choice.
Parameter without_choice(std::string_view key) {
  Parameter parameter = declared(key);
  parameter.choices = {{parameter.value, parameter.value}};
  return parameter;
}

Parameter group_parameter(const std::vector<std::string>& groups, const std::string& chosen) {
  if (groups.empty()) return without_choice("group");
  Parameter parameter = declared("group");
  parameter.value = chosen;
  for (const std::string& group : groups) {
    parameter.choices.push_back({group, group.empty() ? Message("the job's ranks") : say("group {}", group)});
  }
  return parameter;
}

// ---- facts ----

struct WaitSums {
  RankTimes times;
  std::size_t workers = 0;  // that have times
};

WaitSums sum_of(const Distributed& all) {
  WaitSums sums;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankTimes* times = all.times_of(i);
    if (times == nullptr) continue;
    ++sums.workers;
    for (const auto member : {&RankTimes::total, &RankTimes::computation, &RankTimes::overlap, &RankTimes::communication,
                              &RankTimes::transfer, &RankTimes::waiting, &RankTimes::caused}) {
      sums.times.*member += times->*member;
    }
  }
  return sums;
}

Cell share(double part, double whole) { return whole > 0 ? Cell{part / whole} : Cell{}; }

// The worker for which `value` is largest; none when it is 0 everywhere.
template <typename Value>
std::optional<std::size_t> most(const Distributed& all, Value&& value) {
  std::optional<std::size_t> found;
  double largest = 0;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankTimes* times = all.times_of(i);
    if (times == nullptr || value(*times) <= largest) continue;
    largest = value(*times);
    found = i;
  }
  return found;
}

FactValue slowest_words(const Distributed& all) {
  const std::vector<PartSpread> spreads = part_spreads(all);
  const PartSpread* const computing = spread_of(spreads, RankPart::computing);
  if (computing == nullptr || !(computing->spread.most > 0)) return {};
  const Spread& s = computing->spread;
  return say("{}: {} a step, {} above the median{}", all.ranks[s.most_rank]->worker, time_words(s.most),
             time_words(s.most - s.median), Message(computing->is_slow() ? "" : ", which is not significant"));
}

FactValue waited_for_words(const Distributed& all, const WaitSums& sums) {
  const auto worst = most(all, [](const RankTimes& times) { return times.caused; });
  if (!worst) return {};
  const RankTimes& times = *all.times_of(*worst);
  return say("{}: {} a step, {} of all waiting; {} later than the rank before it", all.ranks[*worst]->worker,
             time_words(times.caused), share_words(times.caused / sums.times.caused), time_words(times.delay));
}

Message per_world(const Distributed& all) {
  const std::int64_t world = world_size_of(all.ranks);
  const std::string count = count_words(std::ssize(all.ranks));
  return world == kUnknown ? Message::verbatim(count) : say("{} of {ranks}", count, count_words(world));
}

std::vector<Fact> facts(const Distributed& all, const ReportTable& hierarchy) {
  const WaitSums sums = sum_of(all);
  const double communicating = sums.times.overlap + sums.times.communication;
  std::int64_t nodes = 0, devices = 0;
  bool nodes_known = true;
  for (const RankSummaryPtr& rank : all.ranks) devices += std::ssize(rank->devices);
  for (std::size_t row = 0; row < hierarchy.rows(); ++row) {
    if (!is_unknown(hierarchy.find("parent")->values[row])) continue;
    ++nodes;
    nodes_known = nodes_known && hierarchy.find("name")->values[row] != Cell{std::string(kUnknownNode)};
  }
  const Cell waiting = all.know_waits() ? share(sums.times.waiting, communicating) : Cell{};
  return {{"Workers", per_world(all), Unit::none, "Workers of this span, and ranks of the job as recorded"},
          {"Nodes", nodes_known ? Cell{nodes} : Cell{}, Unit::count, "By recorded host name, else by the workers' names",
           "the files do not say"},
          {"Devices", devices > 0 ? Cell{devices} : Cell{}, Unit::count, "Devices that did any work", "no device did any work"},
          {"Communicating", share(communicating, sums.times.total), Unit::share,
           "Share of the step in which at least one collective runs, over all workers\nFormula: (overlap + communication) / step",
           "no step with a duration"},
          {"Hidden by computation", share(sums.times.overlap, communicating), Unit::share,
           "Share of the communication time in which the worker also computes\nFormula: overlap / (overlap + communication)",
           "no rank communicates"},
          {"Waiting for others", waiting, Unit::share,
           "Share of the communication time in which a worker only waits\nFormula: synchronizing / (overlap + communication)",
           "no collective was recorded on two workers"},
          {"Slowest to compute", slowest_words(all), Unit::none,
           "The worker that computes longest\nFormula: computation + overlap", "there is no other rank to compare with"},
          {"Waited for most", waited_for_words(all, sums), Unit::none, "The worker that the others waited for longest",
           "no rank waited for another"}};
}

// ---- notes ----

// A note on the worker whose slices cover the smallest share of the sums in its files; empty if they agree.
Message missing_slices_words(const Distributed& all) {
  constexpr double kAgreeing = 0.95;
  Message words;
  double least = kAgreeing;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) {
    const RankTimes* times = all.times_of(i);
    const StatedTimes stated = stated_times(all.ranks[i]->stated, all.step);
    const double computing = stated.computation + stated.overlap;
    if (times == nullptr || !(computing > 0) || (times->computation + times->overlap) / computing >= least) continue;
    least = (times->computation + times->overlap) / computing;
    words = sentences({say("Slices are missing: by its slices, {} computes for {} per step, by its files for {}.",
                           all.ranks[i]->worker, time_words(times->computation + times->overlap), time_words(computing)),
                       "Values computed from slices are too low; see the stated values."});
  }
  return words;
}

std::vector<Note> notes_of(const Distributed& all) {
  std::vector<Note> notes;
  const auto add_note = [&](Note::Level level, Message text) { notes.push_back({level, std::move(text)}); };
  const CollectiveMatch& match = all.match;
  const std::int64_t world = world_size_of(all.ranks);
  bool any_times = false;
  for (std::size_t i = 0; i < all.ranks.size(); ++i) any_times |= all.times_of(i) != nullptr;
  if (all.step && !any_times) {
    add_note(
        Note::Level::info,
        say("Step {} is known only from sums in the files: the recording does not say which slices belong to it.", *all.step));
  }
  if (Message missing = missing_slices_words(all); !missing.empty()) add_note(Note::Level::warning, std::move(missing));
  if (world > std::ssize(all.ranks) && all.ranks.size() > 1) {
    add_note(
        Note::Level::info,
        say("Only {} of the job's {} ranks were recorded. The waits of the other ranks, and the waits for them, are unknown.",
            count_words(std::ssize(all.ranks)), count_words(world)));
  }
  if (all.ranks.size() < 2) {
    add_note(Note::Level::info,
             "This span has one worker. Waiting and transfer need several workers. Put the files of "
             "all workers into one folder.");
    return notes;
  }
  if (match.unmatched() > 0) {
    std::vector<Message> why;
    const auto add = [&](std::int64_t count, Template<1> text) {
      if (count > 0) why.push_back(say(text, count_words(count)));
    };
    add(match.alone, "{} seen on one worker only");
    add(match.unequal, "{} without sequence number in steps where workers have different numbers of them");
    add(match.point_to_point, "{} from rank to rank in larger groups");
    add_note(match.matched.empty() ? Note::Level::warning : Note::Level::info,
             say("{} of {} are not matched across workers and count neither as transfer nor as waiting: {}.",
                 count_words(match.unmatched()), count_words(match.collectives, "{} collective", "{} collectives"),
                 listed_messages("; ", std::move(why))));
  }
  if (match.by_order > 0) {
    add_note(Note::Level::info, say("{} carry no sequence number and are matched by their order in each step.",
                                    count_words(match.by_order, "{} collective", "{} collectives")));
  }
  const auto partial = std::count_if(match.matched.begin(), match.matched.end(), [](const auto& one) { return one.partial; });
  if (partial > 0 && world <= std::ssize(all.ranks)) {
    add_note(Note::Level::info,
             say("{} of {} matched collectives have ranks that were not recorded: waiting for the missing ranks is unknown.",
                 count_words(partial), count_words(std::ssize(match.matched))));
  }
  return notes;
}

// ---- panels ----

Panel bars(std::string id, Message title, const char* table, std::vector<std::string> series, Message doc) {
  Panel panel{.id = std::move(id),
              .title = std::move(title),
              .content = BarChart{.table = table, .x = "worker", .series = std::move(series), .stacked = true}};
  panel.doc = std::move(doc);
  return panel;
}

Panel table_panel(const ReportTable& table, Message empty) {
  Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
  panel.empty = std::move(empty);
  return panel;
}

Panel map_panel(const std::string& value) {
  Panel panel{.id = "map",
              .title = "Workers by steps",
              .content = HeatmapChart{.table = "worker_steps", .value = value, .x = "step", .y = "worker"}};
  panel.empty = "No step has a duration.";
  panel.doc = "One cell per worker and step. A worker that others wait for shows as a row, a slow step as a column.";
  return panel;
}

Panel link_map_panel(const std::string& value) {
  Panel panel{.id = "links_map",
              .title = "Links between ranks",
              .content = HeatmapChart{.table = "route_map", .value = value, .x = "to", .y = "from"}};
  panel.doc =
      "What each rank sent to each other rank, as stated in the files. A slow link shows as one outlying cell, a slow network "
      "card as a row or a column.";
  return panel;
}

// The charts of stated figures, and the tables behind them: each only if something is stated.
void add_stated_panels(Report& report, const std::string& links) {
  const auto has = [&](std::string_view key) {
    const ReportTable* table = report.find_table(key);
    return table != nullptr && table->rows() > 0;
  };
  if (has("stated")) {
    Panel steps =
        bars("stated_overview", "Computation and communication, as stated", "stated",
             {"computation", "overlap", "communication", "free"}, "The parts of each worker's step, as stated in the files.");
    Panel collectives =
        bars("stated_collectives", "Transit and synchronization, as stated", "stated",
             {"transit", "synchronization", "waiting", "idle"},
             "The parts of the time in collectives, as stated in the files. Collectives that run at the same time are counted "
             "separately.");
    for (Panel* panel : {&steps, &collectives}) {
      panel->scope = report.scope;
      panel->empty = "The files do not state it.";
      if (report.find_table("stated")->rows() <= kSideBySide) panel->width = "half";
      report.panels.push_back(std::move(*panel));
    }
    report.panels.push_back(table_panel(*report.find_table("stated"), ""));
  }
  if (has("route_map")) {
    report.panels.push_back(link_map_panel(links));
    report.panels.push_back(table_panel(*report.find_table("routes"), ""));
  }
  for (const std::string_view key : {"slow_links", "links", "stated_operations", "process_groups"}) {
    if (has(key)) report.panels.push_back(table_panel(*report.find_table(key), ""));
  }
}

void add_panels(Report& report, const Distributed& all, const Parameters& given) {
  Panel about{.id = "summary", .title = "Summary", .content = FactSheet{facts(all, *report.find_table("hierarchy"))}};
  Panel tree{.id = "hierarchy", .title = "Nodes, processes, devices", .content = TreeTable{"hierarchy", "parent"}};
  Panel computing =
      bars("overview", "Computation and communication", "workers", {"computation", "overlap", "communication", "other"},
           "The parts of each worker's step; they sum to the step.");
  Panel waiting = bars("synchronizing", "Data transfer and synchronizing", "workers", {"transfer", "waiting", "unmatched"},
                       "The parts of the communication time; they sum to Overlapped and Communication of the other chart.");
  if (all.ranks.size() <= kSideBySide) {
    for (Panel* panel : {&computing, &waiting}) panel->width = "half";
  }
  for (Panel* panel : {&computing, &waiting}) panel->scope = report.scope;
  for (Panel* panel : {&about, &computing, &waiting}) report.panels.push_back(std::move(*panel));
  if (all.ranks.size() > 1) {
    Panel advice{.id = "advice", .title = "Slow ranks and links", .content = AdviceList{advise_ranks(all)}};
    advice.scope = report.scope;
    advice.empty = "No rank and no link is significantly slower than the others.";
    report.panels.push_back(std::move(advice));
  }
  if (report.find_table("roles")->rows() > 0) {
    report.panels.push_back(table_panel(*report.find_table("roles"), ""));
    report.panels.back().doc =
        "What each role of the job did, and when. Ranks of different roles have the same numbers; their collectives are matched "
        "only inside their role.";
  }
  report.panels.push_back(map_panel(given.text("map")));
  report.panels.push_back(table_panel(*report.find_table("workers"), ""));
  if (all.ranks.size() > 1) {
    report.panels.push_back(table_panel(*report.find_table("slow_ranks"), "No two workers have steps with a duration."));
    report.panels.push_back(table_panel(*report.find_table("clocks"), ""));
    report.panels.back().doc =
        "Whether times of the ranks can be compared. The timeline shows ranks on one axis by these offsets; a rank whose clock "
        "is "
        "not known is shown there on its own clock.";
  }
  if (report.find_table("experts")->rows() > 0) {
    report.panels.push_back(table_panel(*report.find_table("experts"), ""));
    report.panels.back().doc =
        "How evenly the ranks of a group share the tokens of a mixture of experts. Traces state no tokens: see the bytes that "
        "each "
        "rank receives.";
  }
  add_stated_panels(report, given.text("links"));
  report.panels.push_back(table_panel(*report.find_table("bandwidth"), "No collective was recorded on two workers."));
  report.panels.push_back(table_panel(
      *report.find_table("waits"), all.ranks.size() < 2 ? "Who waited for whom is known only with the files of several workers."
                                                        : "No rank waited for another in a collective."));
  report.panels.push_back(table_panel(*report.find_table("operations"), "No collective."));
  report.panels.push_back(std::move(tree));
}

Message scope_words(const Distributed& all) {
  const Message workers = count_words(std::ssize(all.ranks), "{} worker", "{} workers");
  if (all.step) return say("{}, step {}", workers, *all.step);
  const std::set<std::int64_t> numbers = step_numbers(all.ranks);
  if (numbers.empty()) return say("{}, the whole recording (no steps were recorded)", workers);
  if (numbers.size() == 1) return say("{}, step {}", workers, *numbers.begin());
  return say("{}, mean over steps {}-{}", workers, *numbers.begin(), *numbers.rbegin());
}

Result<Report> run_distributed(const AnalysisInput& input) {
  const std::vector<RankSummaryPtr> ranks = by_rank(input.ranks);
  const auto step = wanted_step(ranks, input.parameters);
  if (!step) return step.error();
  const Distributed all = match_ranks(ranks, *step);

  Report report{.view = "distributed", .title = "Distributed"};
  report.scope = scope_words(all);
  report.parameters.push_back(step_parameter(ranks, input.parameters));
  report.notes = notes_of(all);
  const std::vector<Route> routes = routes_of(all);
  const std::vector<std::string> groups = route_groups(routes);
  const Result<std::string> group = wanted_group(groups, input.parameters.text("group"));
  if (!group) return group.error();
  report.parameters.push_back(group_parameter(groups, *group));
  if (groups.empty()) report.parameters.push_back(without_choice("links"));
  const std::vector<RankClock> clocks = align_clocks(ranks, all.match);
  report.tables = {hierarchy_table(ranks),
                   workers_table(all),
                   worker_steps_table(all),
                   operations_table(all),
                   bandwidth_table(all),
                   waits_table(all),
                   stated_table(all),
                   slow_ranks_table(all),
                   experts_table(all),
                   links_table(all),
                   slow_links_table(all),
                   routes_table(routes),
                   route_map_table(routes, *group),
                   stated_operations_table(all),
                   process_groups_table(all),
                   clocks_table(ranks, clocks),
                   roles_table(all, clocks)};
  add_panels(report, all, input.parameters);
  return report;
}

std::optional<Message> distributed_unavailable(const Profile& profile) {
  const SliceKind* const kinds = profile.slices.kind.data();
  const auto is_collective = [&](Row slice) {
    return kinds[slice] == SliceKind::collective || kinds[slice] == SliceKind::host_communication;
  };
  if (std::any_of(profile.collectives.slice.begin(), profile.collectives.slice.end(), is_collective)) return std::nullopt;
  if (profile.communications.rows() > 0 || profile.transfers.rows() > 0) return std::nullopt;  // stated, without slices
  if (states_sums_of_ranks(profile)) return std::nullopt;
  return "no collectives in this profile: its worker did not communicate while it was recorded";
}

std::vector<ReportTable> distributed_tables() {
  return {blank_workers(),        blank_worker_steps(),
          blank_operations(),     blank_bandwidth(),
          blank_waits(),          blank_hierarchy(),
          blank_slow_ranks(),     blank_experts(),
          blank_stated(),         blank_links(),
          blank_slow_links(),     blank_routes(),
          blank_route_map(),      blank_stated_operations(),
          blank_process_groups(), blank_clocks(),
          blank_roles()};
}

}  // namespace

Analysis distributed_analysis() {
  return {.id = "distributed",
          .title = "Distributed",
          .group = ViewGroup::across_ranks,
          .doc = "How the ranks of a job spend their steps, how long they wait for each other, and for which rank.",
          .parameters = parameters(),
          .unavailable = distributed_unavailable,
          .run = run_distributed,
          .tables = distributed_tables};
}

}  // namespace sightline::analyses
