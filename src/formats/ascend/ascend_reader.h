// The reader of Ascend profiles: docs/formats/ascend.md.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader ascend_reader();

}  // namespace sightline::formats
