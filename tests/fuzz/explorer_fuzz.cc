// Fuzzes the reader of Neuron Explorer's tables: the first byte of the input chooses the table, the rest is its file. With its
// highest bit set, the rest is several tables, because rows of one refer to those of others: for each a byte that chooses the
// table, its size (32 bits, little endian) and its file. For every input the reader must return an error that names its cause,
// or a profile that passes check_profile.
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/neuron/explorer_profile.h"
#include "formats/registry.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/sound_reading.h"

namespace {

void write(sightline::tests::InputFolder& folder, std::uint8_t table, std::string_view file) {
  const auto tables = sightline::formats::neuron::explorer_tables();
  folder.write(std::string(tables[table % tables.size()].name) + ".parquet", file);
}

void write_several(sightline::tests::InputFolder& folder, std::string_view input) {
  constexpr std::size_t kHead = 5;
  while (input.size() >= kHead) {
    std::size_t size = 0;
    for (std::size_t i = kHead - 1; i > 0; --i) size = size << 8 | static_cast<std::uint8_t>(input[i]);
    const std::string_view file = input.substr(kHead, size);
    write(folder, static_cast<std::uint8_t>(input[0]), file);
    input.remove_prefix(kHead + file.size());
  }
}

}  // namespace

FUZZ_TARGET(explorer_fuzz, data, size) {
  if (size == 0) return 0;
  static sightline::tests::InputFolder folder;
  folder.clear();
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 0x80) != 0) {
    write_several(folder, rest);
  } else {
    write(folder, data[0], rest);
  }
  const sightline::tests::Reader reader = sightline::tests::neuron_reader();
  (void)sightline::tests::sound_reading(reader, folder.path(), {});
  return 0;
}
