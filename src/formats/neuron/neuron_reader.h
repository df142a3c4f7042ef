// The reader of AWS Neuron device profiles: NTFF files, version 5, and the JSON that the vendor's tool makes of any version.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader neuron_reader();

}  // namespace sightline::formats
