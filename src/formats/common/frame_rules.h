// What a frame of a stack tells by its function and file.
#pragma once

#include <string_view>

namespace sightline::formats {

// Whether the frame is the framework's, the language's own, or compiled code: not a line of the user's program.
bool is_library(std::string_view name, std::string_view file);

// The part of training of a frame whose caller is in the part `around`: parameters, input, forward, backward, optimizer or
// communication; empty: not known.
std::string_view part_inside(std::string_view around, std::string_view name, std::string_view file);

}  // namespace sightline::formats
