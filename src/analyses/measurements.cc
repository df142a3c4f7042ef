// Ranges by name, counters by name: both in the order in which the file has them.
#include "analyses/measurements.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/fact_columns.h"
#include "analyses/search.h"

namespace sightline {

namespace {

constexpr std::string_view kCounterSource = "counters that the profiler read for each range";

struct Sum {
  double value = 0;
  std::int64_t ranges = 0;
};

struct MeasuredGroup {
  StringId name;
  std::int64_t ranges = 0;
  std::map<StringId, Sum> counters;
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
  ReportColumn column = real_column("total_" + fact_key(counter).substr(5), title, Unit::count,
                                    {"What was counted in all ranges of the row.", "sum of values", kCounterSource});
  column.unknown = "not counted in these ranges";
  return column;
}

ReportColumn counter_mean_column(std::string_view counter) {
  const Message title = say("Mean {}", counter);
  ReportColumn column =
      real_column("mean_" + fact_key(counter).substr(5), title, Unit::none,
                  {"What was counted in a range, on average.", "sum of values / ranges that have one", kCounterSource});
  column.unknown = "not counted in these ranges";
  return column;
}

void add_first_columns(ReportTable& table) {
  table.columns = {label_column("name", "Name", "Name of the range, or of the kernel if each kernel was a range"),
                   integer_column("ranges", "Ranges", Unit::count, {"Ranges of this name.", "number of ranges", kCounterSource})};
  table.sort_column = "";
}

}  // namespace

bool has_measurements(const Profile& profile) {
  const auto& kinds = profile.slices.kind;
  return std::find(kinds.begin(), kinds.end(), SliceKind::measurement) != kinds.end();
}

ReportTable blank_measurements() {
  ReportTable table{.key = "measurements", .title = "Counters by range"};
  add_first_columns(table);
  table.columns.push_back(total_column("(counter of the file)"));
  table.columns.push_back(counter_mean_column("(counter of the file)"));
  return table;
}

ReportTable measurement_table(const Profile& profile, std::string_view search, bool single) {
  ReportTable table{.key = "measurements", .title = "Counters by range"};
  add_first_columns(table);
  const Counted counted = count(profile, search, single);
  for (const StringId counter : counted.counters) {
    if (counted.whole.at(counter)) table.columns.push_back(total_column(profile.text(counter)));
    table.columns.push_back(counter_mean_column(profile.text(counter)));
  }
  for (const MeasuredGroup& group : counted.groups) {
    std::vector<Cell> cells{cell(profile.text(group.name)), Cell{group.ranges}};
    for (const StringId counter : counted.counters) {
      const auto known = group.counters.find(counter);
      const Sum sum = known == group.counters.end() ? Sum{kUnknownReal, 1} : known->second;
      if (counted.whole.at(counter)) cells.push_back(cell(sum.value));
      cells.push_back(cell(sum.value / static_cast<double>(sum.ranges)));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace sightline
