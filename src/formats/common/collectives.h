// Collectives: which slices are collectives, of what kind, in which process group and how large, combined from what the
// writer recorded in several places. docs/formats/pytorch.md, "Collectives".
#pragma once

#include <vector>

#include "model/profile.h"

namespace sightline::formats {

// A host range that describes a collective, and its inputs as the writer spells them.
struct HostCommunication {
  Row slice;
  StringId shapes, types;
};

// Gives each collective its row and fills in what the host ranges around its launch say. REQUIRES: attribute() was called.
void complete_collectives(Profile& profile, const std::vector<HostCommunication>& communication);

// The kind that a collective's argument, annotation or kernel names, in any spelling.
CollectiveKind collective_kind(std::string_view text);

// Bytes of one element of a type as writers spell it ("Float", "c10::BFloat16", "long int"); kUnknown for other texts.
std::int64_t element_bytes(std::string_view type);

// The size of an operator's inputs: shapes "[[2, 3], []]" with types ["float", "Scalar"]. Only tensors of a known type count;
// kUnknown if there are none.
struct InputSize {
  std::int64_t elements = kUnknown, bytes = kUnknown;
  std::string_view type = {};  // of all that count; empty if they differ
};
InputSize input_size(std::string_view shapes, std::string_view types);

}  // namespace sightline::formats
