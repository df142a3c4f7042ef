// Taken from what the views declare, and a line here for tables that are not metrics; registry_test.cc compares with the reports.
#include "analyses/view_tables.h"

#include <algorithm>
#include <array>

#include "analyses/analysis.h"

namespace sightline::analyses {

namespace {

struct PlainTables {
  std::string_view view;
  std::vector<std::string_view> keys;
};

// Tables that `Analysis::tables` leaves out, since they hold no metric of their own.
const std::vector<PlainTables>& plain_tables() {
  static const std::vector<PlainTables> all{{"metadata", {"metadata", "processes", "devices", "lanes", "columns"}},
                                            {"problems", {"problems"}},
                                            {"call_stack", {"frames"}},
                                            {"memory", {"components_reserved", "components_allocated"}}};
  return all;
}

}  // namespace

std::vector<std::string> possible_tables(std::string_view view) {
  const Analysis* analysis = find_analysis(view);
  std::vector<std::string> keys;
  const auto add = [&](std::string_view key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
  };
  if (analysis == nullptr || analysis->scope() == Scope::none) return keys;
  if (analysis->tables != nullptr) {
    for (const ReportTable& table : analysis->tables()) add(table.key);
  }
  for (const PlainTables& plain : plain_tables()) {
    if (plain.view == view) std::for_each(plain.keys.begin(), plain.keys.end(), add);
  }
  return keys;
}

bool always_has_several_tables(std::string_view view) {
  constexpr std::array<std::string_view, 5> kViews{"overview", "device_summary", "range", "distributed", "diff"};
  return std::find(kViews.begin(), kViews.end(), view) != kViews.end();
}

}  // namespace sightline::analyses
