// Relations: the references between tables in the other direction. A
// column has the call that launched a kernel; this finds the kernels that
// a call launched, without a scan. It takes four bytes for each reference.
#pragma once

#include <span>
#include <vector>

#include "model/profile.h"

namespace sightline::timeline {

class Relations {
 public:
  explicit Relations(const Profile& profile);

  // Rows of device_work, in order: those that the row of launches enqueued, and those attributed to the slice.
  std::span<const Row> launched_by(Row launch) const;
  std::span<const Row> owned_by(Row slice) const;

  // Rows of flows that lead from the slice, or to it.
  std::span<const Row> flows_from(Row slice) const;
  std::span<const Row> flows_to(Row slice) const;

  // The same for a range of slices [first, last), by slice; and device work by the slice of the call that launched it.
  std::span<const Row> launched_by_calls(Row first, Row last) const;
  std::span<const Row> flows_from_range(Row first, Row last) const;
  std::span<const Row> flows_to_range(Row first, Row last) const;

  std::size_t bytes() const;

 private:
  const Profile& profile_;
  std::vector<Row> work_by_launch_;  // only work with a known launch
  std::vector<Row> work_by_owner_;   // only work with an owner
  std::vector<Row> flows_by_from_;
  std::vector<Row> flows_by_to_;
};

}  // namespace sightline::timeline
