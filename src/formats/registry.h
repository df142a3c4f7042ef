// The readers, one for each format, each in the folder of its format.
#pragma once

#include "formats/reader.h"

namespace sightline::formats {

Reader ascend_cluster_reader();   // what its tools compute over all ranks: the same page
Reader ascend_reader();           // Ascend: docs/formats/ascend.md
Reader collapsed_reader();        // collapsed stacks: docs/formats/call-trees.md
Reader cpuprofile_reader();       // CPU profiles of V8: docs/formats/call-trees.md
Reader flight_recorder_reader();  // last collectives of the ranks of a job: docs/formats/flight-recorder.md
Reader hatchet_reader();          // profiles of Triton's Proton: docs/formats/call-trees.md
Reader kineto_reader();           // PyTorch and other Chrome traces: docs/formats/pytorch.md
Reader lake_reader();             // a capture of all ranks in a lake: docs/fleet.md
Reader neuron_log_reader();       // the log of Neuron's TensorBoard plugin: docs/formats/neuron-log.md
Reader neuron_reader();           // device profiles of AWS Neuron: docs/formats/neuron.md
Reader nsys_reader();             // exports of Nsight Systems: docs/formats/nsys.md
Reader perfetto_reader();         // Perfetto traces: docs/formats/perfetto.md
Reader rocm_reader();             // ROCm's profilers: docs/formats/rocm.md
Reader slices_tsv_reader();       // slices as text: docs/formats/slices-tsv.md
Reader speedscope_reader();       // Speedscope's profiles, evented or sampled: docs/formats/call-trees.md
Reader torch_memory_reader();     // memory snapshots of PyTorch: docs/formats/torch-memory.md
Reader xplane_reader();           // XLA: docs/formats/xplane.md

}  // namespace sightline::formats
