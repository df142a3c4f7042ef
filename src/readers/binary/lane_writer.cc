// LaneWriter: sort, nest, and a lane per pile of slices.
#include "readers/binary/lane_writer.h"

#include "model/nesting.h"

namespace sightline {

Row LaneWriter::add_process(std::string_view name) {
  const auto row = static_cast<Row>(p_.processes.rows());
  p_.processes.pid.push_back(p_.strings.intern(name));
  p_.processes.name.push_back(p_.strings.intern(name));
  p_.processes.label.push_back(StringId::none);
  p_.processes.sort_key.push_back(std::int64_t{row});
  return row;
}

Row LaneWriter::open_lane(const NewLane& lane, Row overflow_of) {
  const auto row = static_cast<Row>(p_.lanes.rows());
  p_.lanes.kind.push_back(lane.kind);
  p_.lanes.process.push_back(lane.process);
  p_.lanes.device.push_back(lane.device);
  p_.lanes.track.push_back(p_.strings.intern(lane.track));
  p_.lanes.name.push_back(p_.strings.intern(lane.name));
  p_.lanes.overflow_of.push_back(overflow_of);
  p_.lanes.sort_key.push_back(std::int64_t{overflow_of == kNoRow ? row : overflow_of});
  p_.lanes.first.push_back(static_cast<Row>(p_.slices.rows()));
  p_.lanes.last.push_back(static_cast<Row>(p_.slices.rows()));
  return row;
}

Row LaneWriter::add_counter_lane(const NewLane& lane) { return open_lane(lane, kNoRow); }

void LaneWriter::add_lane(const NewLane& lane, const std::vector<NewSlice>& slices,
                          const std::function<void(std::size_t, Row)>& placed) {
  const std::size_t n = slices.size();
  std::vector<Time> start(n), duration(n);
  for (std::size_t i = 0; i < n; ++i) {
    start[i] = slices[i].start;
    duration[i] = slices[i].duration;
  }
  const std::vector<std::uint32_t> order = order_by_start(start, duration);
  const auto at = [&](std::size_t i) { return order.empty() ? i : std::size_t{order[i]}; };
  for (std::size_t i = 0; i < n; ++i) {
    start[i] = slices[at(i)].start;
    duration[i] = slices[at(i)].duration;
  }
  std::vector<Row> parent(n), row(n);
  std::vector<std::uint16_t> depth(n);
  const Nesting nesting = nest(start, duration, 0, parent, depth);
  const std::vector<std::uint32_t> spread = order_by_sublane(nesting);
  Row main = kNoRow;
  for (std::size_t next = 0, pile = 0; pile < nesting.sublanes; ++pile) {
    const Row opened = open_lane(lane, main);
    if (main == kNoRow) main = opened;
    for (; next < n; ++next) {
      const std::size_t i = spread.empty() ? next : spread[next];
      if (!spread.empty() && nesting.sublane[i] != pile) break;
      row[i] = static_cast<Row>(p_.slices.rows());
      p_.slices.start.push_back(start[i]);
      p_.slices.duration.push_back(duration[i]);
      p_.slices.lane.push_back(opened);
      p_.slices.parent.push_back(parent[i] == kNoRow ? kNoRow : row[parent[i]]);
      p_.slices.name.push_back(slices[at(i)].name);
      p_.slices.kind.push_back(slices[at(i)].kind);
      p_.slices.depth.push_back(depth[i]);
      p_.slices.source.push_back(slices[at(i)].source);
      placed(at(i), row[i]);
    }
    p_.lanes.last[opened] = static_cast<Row>(p_.slices.rows());
  }
}

}  // namespace sightline
