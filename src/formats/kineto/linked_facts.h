// What follows from facts of slices once it is known who launched what.
#pragma once

#include "model/profile.h"

namespace sightline::formats::kineto {

// A wait for an event gets an arrow from the call that recorded the event, which its fact names by correlation id. A kernel that
// a compiler wrote gets the facts that the operator which launched it states of it: its file, hash and arguments. REQUIRES:
// device work has its launches and owners.
void link_facts(Profile& profile);

}  // namespace sightline::formats::kineto
