// Which tables the reports of a view can have, whatever the profile: what can be refused before anything is read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline::analyses {

// Keys of all tables that a report of the view can have, each once; empty for an unknown view and one without reports.
std::vector<std::string> possible_tables(std::string_view view);

// Whether a report of the view never has one main table: it has several, and none is called like the view.
bool always_has_several_tables(std::string_view view);

}  // namespace sightline::analyses
