// Fuzzes the readers of call trees: the first byte chooses the reader, the rest is the file. For every input the reader must
// return an error that names its cause, or a profile that passes check_profile.
#include <cstdint>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"
#include "tests/support/temporary_file.h"

FUZZ_TARGET(call_trees_fuzz, data, size) {
  using namespace sightline::tests;
  if (size == 0) return 0;
  const Reader readers[] = {speedscope_reader(), cpuprofile_reader(), hatchet_reader(), collapsed_reader()};
  const TemporaryFile file({reinterpret_cast<const char*>(data) + 1, size - 1});
  (void)sound_reading(readers[data[0] % 4], file.path(), {});
  return 0;
}
