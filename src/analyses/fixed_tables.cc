// One line for each view; registry_test.cc compares them with what the views answer.
#include "analyses/fixed_tables.h"

#include <array>
#include <utility>

namespace sightline {

std::string_view fixed_tables(std::string_view view) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTables{{
      {"overview", "steps, average, devices"},
      {"device_summary", "engines, bounds, layers, queues, tensors, metrics"},
      {"range", "names, categories, lanes"},
      {"distributed", "hierarchy, workers, worker_steps, operations"},
      {"diff", "step_time, sums, counts, operators"},
  }};
  for (const auto& [id, tables] : kTables) {
    if (id == view) return tables;
  }
  return {};
}

}  // namespace sightline
