// Relations between slices of different lines: arrows from producers to consumers, and which range of the host owns a launch.
#pragma once

#include <span>
#include <string_view>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// ---- arrows ----
// Arrows lead from producers to consumers, by the contexts and ids that the writer recorded for both.

// Fills Builder::arrows from its ends, and the profile's flows.
void add_arrows(Builder& builder);

// The arrows that lead to a slice.
std::span<const Arrow> arrows_to(const Builder& builder, Row slice);

// The meaning of a context's ids: "GPU launch"; empty for an unknown number.
std::string_view context_name(std::int64_t context);

// The stat `flow`: bits 0-1 are the direction (1 in, 2 out, 3 both), 2-57 an id, 58-63 its context.
struct Flow {
  bool in, out;
  std::int64_t id, context;
};
Flow flow_of(std::int64_t bits);

// ---- owners ----

// Gives launches and device work their owners and rules. REQUIRES: arrows were added.
void add_links(Builder& builder);

}  // namespace sightline::formats::xplane
