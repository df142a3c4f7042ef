// Reads slices from text (docs/formats/slices-tsv.md).
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader slices_tsv_reader();

}  // namespace sightline::formats
