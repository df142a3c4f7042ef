// Fuzzes the Kineto reader: the first byte chooses the window size, the rest is the file. For every input, the
// reader must return an error or a profile that passes check_profile, and the number of events must not
// depend on the window size.
#include <cstdint>
#include <string_view>

#include "formats/reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/sound_reading.h"
#include "tests/support/temporary_file.h"

FUZZ_TARGET(kineto_fuzz, data, size) {
  if (size == 0) return 0;
  const sightline::tests::TemporaryFile file({reinterpret_cast<const char*>(data) + 1, size - 1});
  const sightline::tests::Reader& reader = sightline::tests::readers()[0];
  sightline::tests::ReadOptions options;
  options.threads = 1;
  options.window_bytes = 16 + std::size_t{data[0]} * 4;
  const auto small = sightline::tests::sound_reading(reader, file.path(), options);
  options.window_bytes = 0;
  const auto whole = reader.read(file.path(), options);
  sightline::tests::require(whole.ok() == small.ok(), "the window size decides whether the file loads");
  if (whole.ok() && (*whole)->problems.rows() == 0) {
    sightline::tests::require((*whole)->events == (*small)->events, "the window size changes the number of events");
  }
  return 0;
}
