// Fuzzes compiled programs as XLA stores them in a profile: the input is a message of HloProto. For every input, each
// instruction has a shape that can be written, and costs that are not negative.
#include <cstdint>
#include <string_view>

#include "formats/xplane/hlo_module.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

FUZZ_TARGET(hlo_fuzz, data, size) {
  using namespace sightline::tests;
  const xplane::HloProgram program = xplane::hlo_program({reinterpret_cast<const char*>(data), size});
  xplane::HloCosts costs(program.module);
  for (const xplane::HloComputation& computation : program.module.computations) {
    for (const xplane::HloInstruction& instruction : computation.instructions) {
      (void)xplane::shape_text(instruction.shape);
      (void)program.module.source_of(instruction);
      const xplane::HloCost cost = costs.of(instruction);
      require(!(cost.flops < 0) && !(cost.bytes < 0), "a cost is negative");
    }
  }
  return 0;
}
