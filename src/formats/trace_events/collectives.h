// Collectives: which slices are one, of what kind, in which process group and how large, put together from what the writer
// said in several places. docs/formats/pytorch.md, "Collectives".
#pragma once

#include "formats/trace_events/assemble.h"

namespace sightline::formats::trace_events {

// Gives every collective its row and fills in what it has from the host ranges it was launched in.
// REQUIRES: attribute() was called.
void complete_collectives(Assembled& assembled);

// The kind named in a collective's argument, annotation or kernel, whatever its spelling.
CollectiveKind collective_kind(std::string_view text);

// Bytes of one element of a type as writers spell it ("Float", "c10::BFloat16", "long int"); kUnknown when it is none.
std::int64_t element_bytes(std::string_view type);

// What the inputs of an operator come to: shapes "[[2, 3], []]" with types ["float", "Scalar"]. What is no tensor of a known
// type does not count; kUnknown when nothing counts.
struct InputSize {
  std::int64_t elements = kUnknown, bytes = kUnknown;
  std::string_view type = {};  // of all that counts; empty when they differ
};
InputSize input_size(std::string_view shapes, std::string_view types);

}  // namespace sightline::formats::trace_events
