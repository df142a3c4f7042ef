// Runs of compiled programs on devices that say which program they run: who asked for a run asked for all work in it.
#pragma once

#include <vector>

#include "formats/xplane/builder.h"

namespace sightline::formats::xplane {

// The runs, on the first device that recorded any, of the program that took it most time; by start.
std::vector<Row> runs_of_main_program(const Builder& builder);

// Makes launching calls of the ranges of the host that runs name, and gives the work of a run the id of its call. REQUIRES:
// arrows were added.
void add_run_launches(Builder& builder);

}  // namespace sightline::formats::xplane
