// What the devices of a PyTorch trace are called: its writers serve those of many vendors, and say whose they are here and there.
#pragma once

#include "model/profile.h"

namespace sightline::kineto {

void name_device_parts(Profile& profile);

}  // namespace sightline::kineto
