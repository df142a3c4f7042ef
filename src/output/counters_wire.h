// The counters of a profile as the timeline shows them, and their binary form on the wire (docs/http.md, "Timeline").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyses/devices/counters.h"
#include "timeline/level_of_detail.h"

namespace sightline::output {

// Counters with a tree over each series. Made once per profile, when first requested. Thread-safe.
class CounterCharts {
 public:
  explicit CounterCharts(std::shared_ptr<const std::vector<Counter>> counters);

  const std::vector<Counter>& counters() const { return *counters_; }
  std::int64_t bytes() const;  // of the trees
  const CounterLevels& levels(std::size_t counter, std::size_t series) const { return levels_[counter][series]; }

 private:
  std::shared_ptr<const std::vector<Counter>> counters_;
  std::vector<std::vector<CounterLevels>> levels_;
};

std::shared_ptr<const CounterCharts> counter_charts(const ProfilePtr& profile);

// A JSON header and raw little-endian columns; the window is widened to whole pixels of a power of two ns. REQUIRES: they exist.
std::string encode_counters(const CounterCharts& charts, const std::vector<std::uint32_t>& counters, const Window& window);

}  // namespace sightline::output
