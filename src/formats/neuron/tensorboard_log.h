// The log of the vendor's TensorBoard plugin: a folder <logdir>/plugins/neuron/<stamp>/ of a few JSON files. Sums of operators
// (log_operators.h) and one trace, whose rows are what the plugin's timeline draws. A folder is one capture; a file of it that is
// named directly is read alone.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader neuron_log_reader();

}  // namespace sightline::formats
