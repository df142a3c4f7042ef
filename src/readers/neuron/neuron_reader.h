// The reader of AWS Neuron device profiles: NTFF files, version 5.
#pragma once

#include "readers/reader.h"

namespace sightline {

Reader neuron_reader();

}  // namespace sightline
