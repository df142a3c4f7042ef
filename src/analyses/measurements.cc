// Ranges by name, counters by name: both in the order in which the file has them.
#include "analyses/measurements.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/fact_columns.h"
#include "analyses/search.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kCounterSource = "counters that the profiler read for each range";

struct Sum {
  double value = 0;
  std::int64_t ranges = 0;
};
constexpr Sum kNotCounted{kUnknownReal, 1};

struct MeasuredGroup {
  StringId name;
  std::int64_t ranges = 0;
  std::map<StringId, Sum> counters;

  Sum of(StringId counter) const { return counters.contains(counter) ? counters.at(counter) : kNotCounted; }
};

struct Counted {
  std::vector<MeasuredGroup> groups;
  std::vector<StringId> counters;
  std::map<StringId, bool> whole;  // by counter: all its values are whole numbers, so they count something
};

Counted count(const Profile& p, std::string_view search, bool single) {
  Counted counted;
  std::map<StringId, std::size_t> group_of;
  const WorkFacts& facts = p.work_facts;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::measurement) continue;
    const StringId name = p.slices.name[slice];
    if (!contains_text(p.text(name), search)) continue;
    const auto [at, is_new] = group_of.try_emplace(name, counted.groups.size());
    if (is_new || single) {
      at->second = counted.groups.size();
      counted.groups.push_back({name, 0, {}});
    }
    MeasuredGroup& group = counted.groups[at->second];
    ++group.ranges;
    const auto [first, last] = std::equal_range(facts.slice.begin(), facts.slice.end(), slice);
    for (auto fact = first - facts.slice.begin(); fact != last - facts.slice.begin(); ++fact) {
      const auto row = static_cast<std::size_t>(fact);
      const double number = facts.number[row];
      if (std::isnan(number)) continue;
      const auto [known, is_first] = counted.whole.try_emplace(facts.name[row], true);
      if (is_first) counted.counters.push_back(facts.name[row]);
      known->second &= number == std::floor(number);
      Sum& sum = group.counters[facts.name[row]];
      sum.value += number;
      ++sum.ranges;
    }
  }
  return counted;
}

ReportColumn total_column(std::string_view counter) {
  const Message title = say("Total {}", counter);
  return real_column("total_" + fact_key(counter).substr(5), title, Unit::count,
                     {"What was counted in all ranges of the row.", "sum of values", kCounterSource})
      .with_unknown("not counted in these ranges");
}

ReportColumn counter_mean_column(std::string_view counter) {
  const Message title = say("Mean {}", counter);
  return real_column("mean_" + fact_key(counter).substr(5), title, Unit::none,
                     {"What was counted in a range, on average.", "sum of values / ranges that have one", kCounterSource})
      .with_unknown("not counted in these ranges");
}

using MeasuredTable = TableOf<MeasuredGroup, Profile>;

MeasuredTable measured_ranges() {
  MeasuredTable table({.key = "measurements", .title = "Counters by range"});
  table.add(label_column("name", "Name", "Name of the range, or of the kernel if each kernel was a range"), &MeasuredGroup::name);
  table.add(integer_column("ranges", "Ranges", Unit::count, {"Ranges of this name.", "number of ranges", kCounterSource}),
            &MeasuredGroup::ranges);
  return table;
}

// `with_total`: the counter counts something, so its values add up.
void add_counter(MeasuredTable& table, std::string_view title, StringId counter, bool with_total) {
  if (with_total) table.add(total_column(title), [counter](const MeasuredGroup& group) { return group.of(counter).value; });
  table.add(counter_mean_column(title), [counter](const MeasuredGroup& group) {
    const Sum sum = group.of(counter);
    return sum.value / static_cast<double>(sum.ranges);
  });
}

}  // namespace

bool has_measurements(const Profile& profile) {
  const auto& kinds = profile.slices.kind;
  return std::find(kinds.begin(), kinds.end(), SliceKind::measurement) != kinds.end();
}

ReportTable blank_measurements() {
  MeasuredTable table = measured_ranges();
  add_counter(table, "(counter of the file)", StringId::none, true);
  return table.blank();
}

ReportTable measurement_table(const Profile& profile, std::string_view search, bool single) {
  const Counted counted = count(profile, search, single);
  MeasuredTable table = measured_ranges();
  for (const StringId counter : counted.counters) add_counter(table, profile.text(counter), counter, counted.whole.at(counter));
  return table.of(profile, counted.groups);
}

}  // namespace sightline::analyses
