// The readers, one for each format, each in the folder of its format.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader ascend_reader();        // Ascend: docs/formats/ascend.md
Reader kineto_reader();        // PyTorch and other Chrome traces: docs/formats/pytorch.md
Reader lake_reader();          // a capture of all ranks in a lake: docs/fleet.md
Reader neuron_log_reader();    // the log of Neuron's TensorBoard plugin: docs/formats/neuron-log.md
Reader neuron_reader();        // device profiles of AWS Neuron: docs/formats/neuron.md
Reader slices_tsv_reader();    // slices as text: docs/formats/slices-tsv.md
Reader torch_memory_reader();  // memory snapshots of PyTorch: docs/formats/torch-memory.md
Reader xplane_reader();        // XLA: docs/formats/xplane.md

}  // namespace sightline::formats
