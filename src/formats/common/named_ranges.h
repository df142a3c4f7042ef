// What the named ranges of a program mean, if its profiler does not state it: which are its steps, and which are its modules.
#pragma once

#include <set>

#include "model/profile.h"

namespace sightline::formats {

// Makes steps of a series of annotations of one thread whose names have a word for a step (step, iteration, batch, ...) and are
// alike but for their numbers. Of several series: by the word, then the one that covers most time. Does nothing if there are
// steps. docs/formats/nsys.md, "Ranges".
void mark_steps(Profile& profile);

// Makes modules of the other annotations of threads, but not of `except` and of the steps of a server. A thread is a lane whose
// track is a number.
void mark_modules(Profile& profile, const std::set<Row>& except);

}  // namespace sightline::formats
