// How alike profiles are, and the report that proposes one.
#include "analyses/diff/similar_profiles.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/table_of.h"

namespace sightline::analyses {

namespace {

constexpr double kHalf = 0.5;

double shared_operators(const RankSummary& a, const RankSummary& b) {
  if (a.operators.empty() || b.operators.empty()) return kUnknownNumber;
  std::vector<std::uint64_t> both;
  std::set_intersection(a.operators.begin(), a.operators.end(), b.operators.begin(), b.operators.end(), std::back_inserter(both));
  const std::size_t all = a.operators.size() + b.operators.size() - both.size();
  return static_cast<double>(both.size()) / static_cast<double>(all);
}

// "2 x NVIDIA H100"; empty: not known.
std::string devices_words(const RankSummary& rank) {
  std::map<std::string, int> counts;
  for (const RankDevice& device : rank.devices) {
    if (!device.name.empty()) ++counts[device.name];
  }
  std::string words;
  for (const auto& [name, count] : counts) {
    if (!words.empty()) words += ", ";
    words += count == 1 ? name : std::to_string(count) + " x " + name;
  }
  return words;
}

std::int64_t count_of_steps(const RankSummary& rank) { return rank.has_recorded_steps ? std::ssize(rank.steps) : kUnknown; }

template <typename Value>
double equal_or_unknown(const Value& a, const Value& b, const Value& unknown) {
  if (a == unknown || b == unknown) return kUnknownNumber;
  return a == b ? 1 : 0;
}

// Without device activity it is another program than with it; neither has any: nothing is known of devices.
double same_devices(const RankSummary& a, const RankSummary& b) {
  if (a.devices.empty() != b.devices.empty()) return 0;
  return equal_or_unknown(devices_words(a), devices_words(b), std::string());
}

double step_ratio(std::int64_t a, std::int64_t b) {
  if (a == kUnknown || b == kUnknown || std::max(a, b) == 0) return kUnknownNumber;
  return static_cast<double>(std::min(a, b)) / static_cast<double>(std::max(a, b));
}

}  // namespace

Likeness likeness_of(const RankSummary& a, const RankSummary& b) {
  Likeness like{.operators = shared_operators(a, b),
                .devices = same_devices(a, b),
                .world = equal_or_unknown(a.world_size, b.world_size, std::int64_t{kUnknown}),
                .steps = step_ratio(count_of_steps(a), count_of_steps(b))};
  double weights = 0, sum = 0;
  for (const auto& [part, weight] :
       {std::pair{like.operators, 0.5}, {like.devices, 0.2}, {like.world, 0.15}, {like.steps, 0.15}}) {
    if (std::isnan(part)) continue;
    weights += weight;
    sum += weight * part;
  }
  like.share = weights == 0 ? kUnknownNumber : sum / weights;
  return like;
}

std::vector<std::size_t> by_likeness(const ProfileSketch& baseline, std::span<const ProfileSketch> others) {
  std::vector<double> rating;
  for (const ProfileSketch& other : others) {
    const double share = likeness_of(*baseline.rank, *other.rank).share;
    const bool same_job = other.place.run == baseline.place.run && other.place.span == baseline.place.span;
    // 2 to 3: alike; 1 to 2: another rank; below 1: the rest.
    const double known = std::isnan(share) ? 0 : share;
    rating.push_back(same_job ? 1 + known / 2 : known >= kHalf ? 2 + known : known);
  }
  std::vector<std::size_t> order(others.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_down(order, [&](std::size_t each) { return rating[each]; });
  return order;
}

// ---- the report ----

namespace {

struct LikeRow {
  const ProfileSketch* profile;
  Likeness like;
};

TableOf<LikeRow> like_profiles() {
  TableOf<LikeRow> table({.key = "profiles", .title = "Profiles to compare with"});
  table.add(label_column("run", "Run", "Name of the run"), [](const LikeRow& row) { return row.profile->place.run; });
  table.add(code_column("worker", "Worker", "Name of the worker"), [](const LikeRow& row) { return row.profile->place.worker; });
  table.add(code_column("span", "Span name", "Name of the span"), [](const LikeRow& row) { return row.profile->place.span; });
  table.add(
      real_column("share", "Alike", Unit::share,
                  {"How alike it is to the baseline.",
                   "0.5 * shared operators + 0.2 * same devices + 0.15 * same number of ranks + 0.15 * smaller / larger number "
                   "of steps; what is unknown does not count",
                   "names of operators, devices, world size, steps", kNew})
          .with_bar("share")
          .with_unknown("the two profiles have nothing in common that is known"),
      [](const LikeRow& row) { return row.like.share; });
  table.add(real_column("operators", "Same operators", Unit::share,
                        {"Share of the names of operators that both profiles have.",
                         "names that both have / names that either has; of kernels where there are no operators",
                         "names of operators, else of kernels", kNew})
                .with_unknown("one of the two has no operators"),
            [](const LikeRow& row) { return row.like.operators; });
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps without those that are cut off.", "number of steps", "steps"})
                .with_unknown("recorded without steps"),
            [](const LikeRow& row) { return count_of_steps(*row.profile->rank); });
  table.add(code_column("devices", "Devices", "Devices that did work").with_unknown("no device is named"),
            [](const LikeRow& row) { return devices_words(*row.profile->rank); });
  table.add(integer_column("world_size", "Ranks", Unit::count, {"Ranks of the job.", "as stated", "metadata of the recording"})
                .with_unknown("the file does not state it"),
            [](const LikeRow& row) { return row.profile->rank->world_size; });
  return table;
}

}  // namespace

ReportTable blank_proposal_table() { return like_profiles().blank(); }

namespace {

LinkParameters link_to(const ProfilePlace& place) {
  return {{"other_run", place.run}, {"other_worker", place.worker}, {"other_span", place.span}};
}

// "run / worker / span", without what all profiles have in common.
Message place_words(const ProfileSketch& profile, const ProfileSketch& baseline, std::span<const ProfileSketch> others) {
  const auto differs = [&](std::string ProfilePlace::*part) {
    return std::any_of(others.begin(), others.end(),
                       [&](const ProfileSketch& other) { return other.place.*part != baseline.place.*part; });
  };
  std::string words = profile.place.run;
  if (differs(&ProfilePlace::worker)) words += " / " + profile.place.worker;
  if (differs(&ProfilePlace::span)) words += " / " + profile.place.span;
  return Message::verbatim(words);
}

// Why: each part that is known, whether it speaks for the profile or against it.
Message reasons(const ProfileSketch& baseline, const LikeRow& row) {
  const RankSummary &before = *baseline.rank, &after = *row.profile->rank;
  std::vector<Message> said;
  if (!std::isnan(row.like.operators))
    said.push_back(say("{} of their operators are the same.", share_words(row.like.operators)));
  if (row.like.devices == 1) said.push_back(say("Both ran on {}.", devices_words(before)));
  if (before.devices.empty() && !after.devices.empty()) said.push_back("Only it has device activity.");
  if (after.devices.empty() && !before.devices.empty()) said.push_back("Only the baseline has device activity.");
  if (row.like.devices == 0 && !before.devices.empty() && !after.devices.empty())
    said.push_back(say("It ran on {}, the baseline on {}.", devices_words(after), devices_words(before)));
  if (row.like.world == 1) said.push_back(say("Both have {}.", count_words(before.world_size, "{} rank", "{} ranks")));
  if (row.like.world == 0) {
    said.push_back(
        say("It has {}, the baseline {}.", count_words(after.world_size, "{} rank", "{} ranks"), count_words(before.world_size)));
  }
  if (row.like.steps == 1) said.push_back(say("Both have {}.", count_words(count_of_steps(before), "{} step", "{} steps")));
  if (row.like.steps < 1) {
    said.push_back(say("It has {}, the baseline {}.", count_words(count_of_steps(after), "{} step", "{} steps"),
                       count_words(count_of_steps(before))));
  }
  if (said.empty()) return "How similar the two are is not known.";
  return sentences(said);
}

}  // namespace

Report proposal(std::string_view view, const Message& title, const ProfileSketch& baseline, std::span<const ProfileSketch> others,
                std::size_t reading) {
  std::vector<LikeRow> rows;
  for (const std::size_t i : by_likeness(baseline, others))
    rows.push_back({&others[i], likeness_of(*baseline.rank, *others[i].rank)});
  const LikeRow& first = rows.front();
  Report report{.view = std::string(view), .title = title};
  report.scope = "nothing is compared yet";
  if (reading > 0) {
    report.notes.push_back(
        {Note::Level::info, say("{} not listed: still being read, or unreadable.",
                                count_words(static_cast<std::int64_t>(reading), "{} profile is", "{} profiles are"))});
  }
  Advice best;
  best.id = "proposal";
  best.title = say("Most alike: {}", place_words(*first.profile, baseline, others));
  best.evidence = reasons(baseline, first);
  best.link_view = std::string(view);
  best.link_title = "Compare with it";
  best.link_parameters = link_to(first.profile->place);
  report.panels.push_back({.id = "proposal", .title = "Proposal", .content = AdviceList{{best}}});
  ReportTable table = like_profiles().of(rows);
  RowLink link{
      "Compare with it", std::string(view), {{"other_run", "$run"}, {"other_worker", "$worker"}, {"other_span", "$span"}}};
  link.direct = true;
  table.row_links.push_back(std::move(link));
  report.panels.push_back({.id = table.key, .title = table.title, .content = PlainTable{table.key}});
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace sightline::analyses
