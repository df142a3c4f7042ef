// Fuzzes the reader of compiled models (NEFF): the input is the file. For each input the archive's hash is either that of the
// bytes or a problem, so most inputs reach the list of members. For every input the reader must return an error that names its
// cause, or a profile that passes check_profile.
#include <cstdint>
#include <string_view>

#include "formats/neuron/neff_pairing.h"
#include "model/profile.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

FUZZ_TARGET(neff_fuzz, data, size) {
  sightline::tests::ByteStream in(std::string_view(reinterpret_cast<const char*>(data), size), "model.neff");
  const auto read = sightline::formats::neuron::read_neff(in);
  if (!read) {
    sightline::tests::require(!read.error().message.empty() && !read.error().where.empty(), "an error names its cause and place");
    return 0;
  }
  for (const std::string& broken : sightline::tests::check_profile(**read)) sightline::tests::require(false, broken);
  return 0;
}
