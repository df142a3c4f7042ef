// ExactTimes: times of slices as finely as the file states them, ns or ps. A sum of whole ns of many short slices falls short of
// what they took by up to a ns each.
#pragma once

#include <algorithm>

#include "model/interval.h"
#include "model/profile.h"

namespace sightline::analyses {

class ExactTimes {
 public:
  explicit ExactTimes(const Profile& profile) : p_(profile), unit_(profile.fine_times.rows() == 0 ? 1 : kPicoseconds) {}

  // In units(): a thousandth of a ns, where the profile has times so fine of any slice, else a ns. Fastest in the order of
  // slices.
  Interval of(Row slice) {
    const Interval ns{p_.slices.start[slice], p_.end_of(slice)};
    if (unit_ == 1) return ns;
    const Column<Row>& slices = p_.fine_times.slice;
    if (at_ == slices.size() || slices[at_] > slice) at_ = 0;
    at_ = static_cast<std::size_t>(std::lower_bound(slices.begin() + at_, slices.end(), slice) - slices.begin());
    const bool fine = at_ < slices.size() && slices[at_] == slice;
    const auto beyond = [&](const Column<std::int32_t>& ps) { return fine ? std::max(0, ps[at_]) : 0; };
    const Time start = ns.start * unit_ + beyond(p_.fine_times.start);
    return {start, start + ns.length() * unit_ + beyond(p_.fine_times.duration)};
  }

  // Of a ns.
  double units() const { return static_cast<double>(unit_); }

 private:
  static constexpr Time kPicoseconds = 1000;

  const Profile& p_;
  Time unit_;
  std::size_t at_ = 0;  // of fine_times, where the last was found
};

}  // namespace sightline::analyses
