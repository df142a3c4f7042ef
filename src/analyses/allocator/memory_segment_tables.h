// The tables of the view Memory segments.
#pragma once

#include <vector>

#include "analyses/allocator/allocator_rules.h"
#include "model/report.h"

namespace sightline::analyses {

std::vector<ReportTable> blank_segment_tables();

// What a request of `size` bytes would get from each group of its kind.
ReportTable fits_table(const Profile& profile, StringId device, const std::vector<SegmentGroup>& groups, std::int64_t size);

ReportTable pools_table(const Profile& profile, const std::vector<SegmentGroup>& groups);
ReportTable segments_table(const Profile& profile, const std::vector<SegmentGroup>& groups);

// The blocks of the largest segments, each with its place in the segment.
struct BlockMap {
  ReportTable table;
  std::size_t left_out = 0;  // segments
};
BlockMap block_map(const Profile& profile, const std::vector<SegmentGroup>& groups);

}  // namespace sightline::analyses
