#include "sql/work_order.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace sightline::sql {

namespace {

struct Item {
  std::int64_t device;
  Row stream;  // its main lane
  Row work, slice;
  Time start;
};

bool is_earlier(const Item& a, const Item& b) {
  return std::tie(a.device, a.stream, a.start, a.slice) < std::tie(b.device, b.stream, b.start, b.slice);
}

bool on_same_stream(const Item& a, const Item& b) { return a.device == b.device && a.stream == b.stream; }

std::vector<Item> ordered_work(const Profile& p) {
  std::vector<Item> items;
  items.reserve(p.device_work.rows());
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row slice = p.device_work.slice[work];
    items.push_back({p.device_work.device[work], p.main_lane(p.slices.lane[slice]), work, slice, p.slices.start[slice]});
  }
  if (!std::is_sorted(items.begin(), items.end(), is_earlier)) std::sort(items.begin(), items.end(), is_earlier);
  return items;
}

}  // namespace

WorkOrder::WorkOrder(std::size_t rows) {
  before.resize(rows);
  before_end.resize(rows);
  free_at.resize(rows);
}

void order_work(const Profile& profile, WorkOrder& order) {
  std::fill(order.before.begin(), order.before.end(), kNoRow);
  std::fill(order.before_end.begin(), order.before_end.end(), kUnknown);
  std::fill(order.free_at.begin(), order.free_at.end(), kUnknown);
  const std::vector<Item> items = ordered_work(profile);
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Item &last = items[i - 1], &next = items[i];
    if (!on_same_stream(last, next)) continue;
    order.before[next.work] = last.work;
    order.before_end[next.work] = profile.end_of(last.slice);
    order.free_at[next.work] = std::max(order.free_at[last.work], order.before_end[next.work]);  // unknown is less than any time
  }
}

}  // namespace sightline::sql
