// Fuzzes the Kineto reader: the first byte chooses the window size, the rest is the file. Whatever the bytes, the
// reader must return an error or a profile that check_profile finds sound, and the number of events must not
// depend on the window size.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "model/check_profile.h"
#include "readers/reader.h"
#include "tests/support/temporary_file.h"

namespace {

void require(bool condition, std::string_view what) {
  if (condition) return;
  std::cerr << what << "\n";
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const sightline::TemporaryFile file({reinterpret_cast<const char*>(data) + 1, size - 1});
  const sightline::Reader& reader = sightline::readers()[0];
  sightline::ReadOptions options;
  options.threads = 1;
  options.window_bytes = 16 + std::size_t{data[0]} * 4;
  const auto small = reader.read(file.path(), options);
  if (small.ok()) {
    for (const std::string& broken : sightline::check_profile(**small)) require(false, broken);
    for (const std::int64_t source : (*small)->slices.source) (void)reader.event_text(file.path(), source);
  } else {
    require(!small.error().message.empty() && !small.error().where.empty(), "an error names its cause and place");
  }
  options.window_bytes = 0;
  const auto whole = reader.read(file.path(), options);
  require(whole.ok() == small.ok(), "the window size decides whether the file loads");
  if (whole.ok() && (*whole)->problems.rows() == 0) {
    require((*whole)->events == (*small)->events, "the window size changes the number of events");
  }
  return 0;
}
