// Sums of the costs of operator calls over groups of calls or of device work, compared with the peaks of the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

enum class CostLimit : std::uint8_t { unknown, computing, memory, latency };

// A limit as a word; empty: unknown.
std::string_view limit_words(CostLimit limit);

// Of calls with a cost, or of one. Each sum is over the calls for which the value is known, and comes with the time of the device
// work of those. Times are ns.
struct CostSums {
  std::int64_t calls = 0;
  Time time = 0;
  double flops = 0, bytes = 0;
  Time flops_time = 0, bytes_time = 0;
  double attainable = 0;  // the least time that the peaks allow
  Time attainable_time = 0;
  double to_win = 0;                  // time - attainable, where it is above 0
  double computing = 0;               // attainable time of calls that are limited by computing
  double memory = 0;                  // the same, by memory
  double latency = 0;                 // the same, of calls so short that starting them takes most of the time
  double products = 0;                // time that the calls on matrix units take at the peak of their precision
  std::int64_t unknown_products = 0;  // calls on matrix units for which that is not known
  std::int64_t impossible = 0;        // calls that took less time than computing takes at the peak
  std::int64_t beyond_memory = 0;     // calls that took less time than moving their bytes takes at the peak
  bool at_least = false;              // some calls may need more

  double flops_per_second() const;
  double bytes_per_second() const;
  double intensity() const;      // operations per byte; unknown unless both are known of the same calls
  double of_attainable() const;  // attainable / time
  double time_to_win() const;    // to_win
  CostLimit limit() const;       // what limits most of the attainable time
  void add(const CostSums& more);
};

// A call whose attainable time is shorter is limited by the time that starting work takes.
inline constexpr double kShortestWork = 2000;  // ns

// The costs of the calls of a profile.
class CallCosts {
 public:
  // The profile must outlive it.
  explicit CallCosts(const Profile& profile);

  bool any() const { return profile_.costed_calls.rows() > 0; }
  // Of a row of costed_calls.
  CostSums of(Row call) const;

 private:
  // The shortest times that the peaks allow, in ns.
  struct Least {
    double computing = kUnknownNumber, memory = kUnknownNumber;
    bool is_product = false;  // on matrix units
  };
  const Profile& profile_;
  std::vector<std::int64_t> devices_;  // ordinals
  std::vector<Least> least_;           // by device and row of operator_costs
};

// Of all calls of the profile.
CostSums all_costs(const Profile& profile);

// Device time; the part that no recorded range caused; the part that can have a cost and that one caused; and what of that has
// one.
struct CostCoverage {
  Time device_time = 0, without_range = 0, caused = 0, with_cost = 0;
  double share() const;  // with_cost / caused
};
CostCoverage cost_coverage(const Profile& profile, std::optional<std::int64_t> device = std::nullopt);

}  // namespace sightline::analyses
