// Arrows: from what produced to what consumed it, by the contexts and ids that the writer put on both.
#pragma once

#include <span>
#include <string_view>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// Fills Builder::arrows from its ends, and the profile's flows.
void add_arrows(Builder& builder);

// The arrows that lead to a slice.
std::span<const Arrow> arrows_to(const Builder& builder, Row slice);

// What the ids of a context are of: "GPU launch"; empty for a number that is not known.
std::string_view context_name(std::int64_t context);

// The stat `flow`: bits 0-1 are the direction (1 in, 2 out, 3 both), 2-57 an id, 58-63 its context.
struct Flow {
  bool in, out;
  std::int64_t id, context;
};
Flow flow_of(std::int64_t bits);

}  // namespace sightline::formats::xplane
