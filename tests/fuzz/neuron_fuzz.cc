// Fuzzes the Neuron reader: the input is the file. Whatever the bytes, the reader must return an error that names its cause, or a
// profile that check_profile finds sound.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "model/check_profile.h"
#include "readers/neuron/neuron_reader.h"
#include "tests/support/temporary_file.h"

namespace {

void require(bool condition, std::string_view what) {
  if (condition) return;
  std::cerr << what << "\n";
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sightline::TemporaryFile file({reinterpret_cast<const char*>(data), size});
  const sightline::Reader reader = sightline::neuron_reader();
  const auto read = reader.read(file.path(), {});
  if (!read.ok()) {
    require(!read.error().message.empty() && !read.error().where.empty(), "an error names its cause and place");
    return 0;
  }
  for (const std::string& broken : sightline::check_profile(**read)) require(false, broken);
  for (const std::int64_t source : (*read)->slices.source) (void)reader.event_text(file.path(), source);
  return 0;
}
