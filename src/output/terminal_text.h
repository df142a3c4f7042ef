// Text for a terminal: how many columns it takes, cutting it to fit, and making names from a file harmless (a
// trace may hold escape sequences). Input that is not UTF-8 is shown as U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline::output {

// Columns on a terminal: East Asian wide characters take two, combining marks none.
std::size_t display_width(std::string_view text);

// Without control characters: line breaks and tabs become blanks, the rest U+FFFD.
std::string printable(std::string_view text);

// At most `width` columns; what is too long loses its middle ("cudnn::im…float>"). REQUIRES: printable text.
std::string cut_middle(std::string_view text, std::size_t width);

// A bar of `width` columns filled to `share` (0..1), in eighths of a column.
std::string share_bar(double share, std::size_t width);

}  // namespace sightline::output
