// Operators: which ranges of the host are a framework's operators.
#pragma once

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// Makes operators of ranges that are called like the operator of a program that a launch is for, and fills the table of
// operators.
void add_operators(Builder& builder);

// Says of operators that execute matrix products and convolutions of a program, alone or fused, that matrix units can run them:
// no other operations of a program of the host are counted. REQUIRES: slices were given what they execute.
void find_matrix_operators(Builder& builder);

}  // namespace sightline::formats::xplane
