// What the devices of a PyTorch trace are called: its writers serve those of many vendors, and say whose they are here and there.
#pragma once

#include "model/profile.h"

namespace sightline::formats::kineto {

void name_device_parts(Profile& profile);

// The names of kernels tell of GPUs alone whether matrix units were used: of devices that are called otherwise, a name that says
// nothing of them leaves that unknown. REQUIRES: the device parts are named.
void forget_untold_cores(Profile& profile);

}  // namespace sightline::formats::kineto
