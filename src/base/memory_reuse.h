// How the allocator treats memory that was given back.
#pragma once

#include "base/layers.h"

namespace sightline::base {

// For a program that makes answers of some ten MB over and over: keeps up to 256 MB of what was freed instead of giving it
// to the system, whose pages cost more to get anew (and to clear) than the answer itself. Does nothing but on glibc.
void reuse_freed_memory();

// Gives what was freed back to the system, after much was. Does nothing but on glibc.
void return_freed_memory();

}  // namespace sightline::base
