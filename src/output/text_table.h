// A ShownTable set in aligned columns that fit a terminal. What is too wide is given up in this order: the middle
// of long names, the bars, the last columns (which are then named below the table).
#pragma once

#include <string>

#include "output/report_format.h"
#include "output/shown_table.h"

namespace sightline::output {

void append_text_table(std::string& out, ShownTable table, const TextStyle& style);

// `text` in bold, or as it is without colour.
std::string bold(std::string_view text, const TextStyle& style);

}  // namespace sightline::output
