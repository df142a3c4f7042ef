// Steps of a recording whose trace marks none, from the numbers that other tables give them.
#pragma once

#include "model/profile.h"

namespace sightline::formats::ascend {

// From the fact "Step Id" of kernels: a step reaches over what launched its kernels, or over the kernels themselves where no
// launch is known. Does nothing where there are steps. REQUIRES: facts and owners of device work.
void add_steps_of_kernels(Profile& profile);

}  // namespace sightline::formats::ascend
