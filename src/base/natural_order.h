// The order people expect of names with numbers in them: rank2 before rank10, and capture stamps by value.
// Digits are compared as numbers of any length, the rest byte by byte.
#pragma once

#include <string_view>

#include "base/layers.h"

namespace sightline::base {

// A strict weak order; names that differ only in leading zeros are ordered as text.
bool natural_less(std::string_view a, std::string_view b);

// True when `text` is one or more decimal digits.
bool is_number(std::string_view text);

// Less than 0, 0 or more than 0. REQUIRES: is_number() of both.
int compare_numbers(std::string_view a, std::string_view b);

}  // namespace sightline::base
