// put_facts: what is there and what is new, sorted together.
#include "formats/trace_events/slice_facts.h"

#include <algorithm>

namespace sightline::formats::trace_events {

void put_facts(std::vector<SliceFact> facts, Profile& profile) {
  if (facts.empty()) return;
  WorkFacts& table = profile.work_facts;
  std::vector<SliceFact> all;
  all.reserve(table.rows() + facts.size());
  for (Row i = 0; i < table.rows(); ++i) all.push_back({table.slice[i], table.name[i], table.number[i], table.text[i]});
  all.insert(all.end(), facts.begin(), facts.end());
  std::stable_sort(all.begin(), all.end(), [](const SliceFact& a, const SliceFact& b) { return a.slice < b.slice; });
  table.for_each_column([&](const ColumnInfo&, auto& column) { column.resize(all.size()); });
  for (Row i = 0; i < all.size(); ++i) {
    table.slice[i] = all[i].slice;
    table.name[i] = all[i].name;
    table.number[i] = all[i].number;
    table.text[i] = all[i].text;
  }
}

}  // namespace sightline::formats::trace_events
