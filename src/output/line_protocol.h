// The timeline as InfluxDB's line protocol: one point per slice and per value of a counter of the file.
// docs/coming-from-neuron-profile.md lists measurements, tags and fields.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace sightline::output {

// Stand on every point as tags; an empty one is left out.
struct PointTags {
  std::string run, worker, span;
};

struct PointBatches {
  std::size_t points = 5000;    // of a batch at most
  std::size_t bytes = 4 << 20;  // from which a batch is taken even with fewer points
};

// Gives lines to `take` batch by batch until it answers false, and returns how many points were made. Times are ns since 1970, or
// since the run's origin where that is not known. Points of one series and time would replace each other: the second and later
// have the tag `nth`.
std::int64_t write_points(const Profile& profile, const PointTags& tags, const PointBatches& batches,
                          const std::function<bool(std::string_view)>& take);

// `text` as the value of a tag: blanks, commas and equals signs are escaped, line ends become blanks. A backslash at the end
// would escape what follows, so a blank is put behind it.
void append_tag_value(std::string& out, std::string_view text);

// As a field that is a text, quotes included.
void append_field_text(std::string& out, std::string_view text);

}  // namespace sightline::output
