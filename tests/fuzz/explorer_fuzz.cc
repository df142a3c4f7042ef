// Fuzzes the reader of Neuron Explorer's tables: the first byte of the input says which table, the rest is its file. Whatever the
// bytes, the reader must return an error that names its cause, or a profile that check_profile finds sound.
#include <cstdint>
#include <fstream>
#include <string>

#include "readers/neuron/explorer_profile.h"
#include "readers/neuron/neuron_reader.h"
#include "tests/fuzz/sound_reading.h"
#include "tests/support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto tables = sightline::neuron::explorer_tables();
  const sightline::TemporaryFolder folder;
  const std::string name(tables[data[0] % tables.size()].name);
  std::ofstream(folder.path() + "/" + name + ".parquet", std::ios::binary)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size) - 1);
  const sightline::Reader reader = sightline::neuron_reader();
  (void)sightline::sound_reading(reader, folder.path(), {});
  return 0;
}
