// Fuzzes the reader of slices as text: the input is the file. For every input the reader must return an error that names its
// cause, or a profile that passes check_profile.
#include <cstdint>
#include <string_view>

#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"
#include "tests/support/temporary_file.h"

FUZZ_TARGET(slices_tsv_fuzz, data, size) {
  const sightline::tests::TemporaryFile file({reinterpret_cast<const char*>(data), size});
  const sightline::tests::Reader reader = sightline::tests::slices_tsv_reader();
  (void)sightline::tests::sound_reading(reader, file.path(), {});
  return 0;
}
