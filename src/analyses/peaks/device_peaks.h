// What devices can do at most. The figures are of a table of products (device_peaks.txt) and of the user; a profile gets those
// of its devices as rows of device_peaks when it is opened.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::analyses {

// ---- what is known ----

// A peak of all devices as the user gives it: 708e12 of "bf16", 4.9e12 of "bandwidth".
struct GivenPeak {
  std::string name;
  double per_second;
};

// Of "bf16=708T" and "bandwidth=4.9T": a name, and a number with k, M, G, T, P or no letter. An Error says what is wrong.
Result<std::vector<GivenPeak>> parse_peaks(std::span<const std::string> texts);

// The text of device_peaks.txt.
std::string_view known_devices();

// Makes the rows of device_peaks: the given ones, else those of the product's data sheet. Those the file states in `devices` are
// not among them, and have precedence over the data sheet's in PeaksOf.
void add_device_peaks(Profile& profile, std::span<const GivenPeak> given);

// ---- what a view uses ----

// The peaks of a device of a profile. NaN where unknown.
class PeaksOf {
 public:
  // `device`: its ordinal.
  PeaksOf(const Profile& profile, std::int64_t device);

  // Operations per second of a precision ("bf16") on a unit ("matrix", "vector").
  double flops(std::string_view precision, std::string_view unit) const;
  double bandwidth() const { return bandwidth_; }
  bool any() const;

  // The source of what is known, one for each: an address, or that the user gave it.
  std::vector<std::string> sources() const { return sources_; }

  // By precision, in the order of the table.
  const std::vector<std::pair<std::string, double>>& all() const { return flops_; }

 private:
  double find(std::string_view precision) const;

  std::vector<std::pair<std::string, double>> flops_;
  double stated_flops_ = kUnknownReal;  // by the file, of whatever precision
  double bandwidth_ = kUnknownReal;
  std::vector<std::string> sources_;
};

}  // namespace sightline::analyses
