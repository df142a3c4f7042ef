// The reader of XLA profiles (*.xplane.pb). docs/formats/xplane.md.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader xplane_reader();

}  // namespace sightline::formats
