// Profiles written as text, for unit tests. Times are ns; a line is a lane (or a declaration), its slices are
// separated by commas, and "#" begins a comment:
//
//   rank 0 of 2
//   host node7
//   origin 1000                              the Unix time of 0, in ns
//   meta torch_version = 2.1
//   words NPU, AI cores, AI core             what devices, matrix units and a core are called
//   device 0: Big GPU [memory=16000 cc=7.0 cores=80]       also clock= flops= bandwidth=, its peaks a second
//   engine Tensor: 0-10 MATMUL, 10-15 sync WAIT            like a stream; and `queue`
//   row tensors [name=w0 bytes=40]           a row of any table, by its columns; kinds and flags are numbers
//   thread 1: 0-100 step 5, 0-40 op aten::mm [shapes=[[2,3],[3,4]] stack=f;g eligible], 10-15 runtime launch [corr=1]
//   thread 1+: 30-60 op overlapping          an overflow lane of the one above, for slices that overlap
//   stream 7: 20-30 kernel gemm [corr=1 blocks=0.5 occ=30 matrix], 32-35 memcpy HtoD [corr=2 bytes=64]
//   stream 8 of 1: 0-5 relu                  device 1; 0 when not said
//   memory 0: 10 64 64 [at=8 thread=1], 20 -64 0    time, bytes (negative: released), total allocated ("-": unknown); "host"
//                                            for the host; at=ADDRESS reserved=TOTAL thread=TRACK
//   held NPU0 PTA: 10 60 100 [active=70], 20 - 90     of a component: time, allocated, reserved ("-": unknown)
//   reported kernel: MatMul AI_CORE 3 90 20 40     type, core, calls, total, shortest, longest; `runtime` for host calls
//   fact gemm: Block Dim = 20, OP State = dynamic     of every slice of that name
//   counter Clock: 0 1800, 50 800                     time, value from then on
//   sums 5: Computing 60, Free 40                     what the file states of step 5 ("all": of the recording)
//   program train: fusion.1 [op=fusion framework=Net/dot source=m.py:3 flops=40 bytes=8], dot.2 [op=dot into=fusion.1], add.3
//   [reads=fusion.1+fusion.1]
//                                            operators of a compiled program: also id= category= shape=; a name "-": none
//   ran fusion.1: 0 nc1 3 90, - - 2 -        what the file states: device, core, calls, total ("-": unknown)
//   communication ar_1 [step=5 group=G start=0 elapsed=100 transit=40 wait=50 sync=10]
//   transfer HCCS [of=ar_1 bytes=30 time=40 packets=3x10=40]             over a kind of link
//   transfer HCCS [of=ar step=5 group=G ranks=[4,5] from=0 to=1 bytes=30 time=40]     from rank to rank
//
// A slice is START-END KIND NAME [ATTRIBUTES]. Host kinds: op (the default), step, python, module, annotation, data,
// optimizer, comm, runtime, overhead. Device kinds: kernel (the default), memcpy, memset, collective, sync, mark, measured.
// Quote a name with a comma or a bracket in double quotes. `op` gets a row of operators, and so does `comm`
// without the attribute `annotation`. `comm` and `collective` get a row of collectives, with the attributes coll=all_reduce
// group=G about=TITLE ranks=R n=SIZE seq=N dtype=T in=BYTES out=BYTES. `module` takes [instance=N].
//
// Any kind takes does=NAME: it executes the program's operator of that name, or made from the framework's of that path.
//
// Device work takes blocks=B warps=W occ=PERCENT, and `computed` or `computed_for_zero` if the file does not have them itself.
// Device kinds take core=CORE type=TYPE and facts: fact.TITLE=VALUE, a number where it can be one; and what they cost:
// cost.flops=N cost.bytes=N cost.read=N cost.written=N.
//
// Attribution follows the readers' rules: a launch names its owner by `ext=N` (the range with `id=N`), else it is the
// innermost range open when it begins; device work has its launch's owner by `corr=N`, else by its own `ext=N`.
#pragma once

#include <memory>
#include <string_view>

#include "model/profile.h"

namespace sightline::tests {

// The profile that the text describes. Throws std::invalid_argument, with the line, if the text is wrong.
std::unique_ptr<Profile> parse_text_profile(std::string_view text);
ProfilePtr text_profile(std::string_view text);

}  // namespace sightline::tests
