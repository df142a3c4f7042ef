// Which frames of a call stack show a user where to change something.
#pragma once

#include <string_view>

namespace sightline::analyses {

// The greater, the better a frame such as "train.py(3): step" shows the place.
enum class FrameKind { built_in, library, own };

// own: of the user's own program; library: of an installed package or of the language itself; built_in: it names no line.
FrameKind kind_of_frame(std::string_view frame);

// Of frames that are separated by semicolons, innermost first: the innermost one of the best kind; "" for "".
std::string_view line_of_stack(std::string_view stack);

}  // namespace sightline::analyses
