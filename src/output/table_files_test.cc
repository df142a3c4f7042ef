// Arrow files of arbitrary profiles, read back by Arrow: every cell is the profile's, unknown ones are null.
#include "output/table_files.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <gtest/gtest.h>

#include <bit>

#include "base/text.h"
#include "model/shared_tables.h"
#include "tests/support/random_profile.h"
#include "tests/support/temporary_folder.h"

namespace sightline::output {

using namespace tests;
namespace {

// Texts are known or none; all else may be anything.
Profile readable_profile(std::uint32_t seed, std::size_t most_rows) {
  Profile profile = random_profile(seed, most_rows);
  const auto texts = static_cast<std::uint32_t>(profile.strings.size());
  Profile::visit_tables(profile, [&](auto& table) {
    table.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) {
      if constexpr (std::is_same_v<T, StringId>) {
        for (std::size_t i = 0; i < column.size(); ++i) {
          const std::uint32_t choice = static_cast<std::uint32_t>(column[i]) % (texts + 1);
          column[i] = choice == texts ? StringId::none : static_cast<StringId>(choice);
        }
      }
    });
  });
  return profile;
}

template <typename T>
std::string expected_cell(const Profile& profile, T value) {
  if (is_unknown_value(value)) return "null";
  if constexpr (std::is_same_v<T, StringId>) return to_utf8(profile.text(value));
  if constexpr (std::is_enum_v<T> && !std::is_same_v<T, StringId>) return std::string(word_of(value));
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  if constexpr (std::is_same_v<T, double>) return std::to_string(std::bit_cast<std::uint64_t>(value));
  if constexpr (std::is_same_v<T, float>) return std::to_string(std::bit_cast<std::uint32_t>(value));
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return std::to_string(value);
}

std::string read_cell(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return "null";
  switch (array.type_id()) {
    case arrow::Type::DICTIONARY: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      return static_cast<const arrow::StringArray&>(*words.dictionary()).GetString(words.GetValueIndex(row));
    }
    case arrow::Type::BOOL: return static_cast<const arrow::BooleanArray&>(array).Value(row) ? "true" : "false";
    case arrow::Type::DOUBLE:
      return std::to_string(std::bit_cast<std::uint64_t>(static_cast<const arrow::DoubleArray&>(array).Value(row)));
    case arrow::Type::FLOAT:
      return std::to_string(std::bit_cast<std::uint32_t>(static_cast<const arrow::FloatArray&>(array).Value(row)));
    default: return (*array.GetScalar(row))->ToString();
  }
}

std::shared_ptr<arrow::RecordBatch> read_back(const std::string& path) {
  const auto file = arrow::io::ReadableFile::Open(path);
  const auto reader = arrow::ipc::RecordBatchFileReader::Open(*file);
  EXPECT_TRUE(reader.ok() && (*reader)->num_record_batches() == 1) << reader.status().ToString();
  const auto batch = (*reader)->ReadRecordBatch(0);
  EXPECT_TRUE(batch.ok() && (*batch)->ValidateFull().ok()) << path;
  return *batch;
}

TEST(TableFiles, EveryCellOfAnyProfileComesBack) {
  const TemporaryFolder folder;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const Profile profile = readable_profile(seed, seed < 10 ? 60 : 2000);
    Profile::visit_tables(profile, [&](const auto& table) {
      const std::string path = folder.path() + "/" + std::to_string(seed) + std::string(table.kName);
      Result<OutputFile> file = OutputFile::create(path);
      ASSERT_TRUE(file.ok());
      ASSERT_TRUE(write_table(profile, table.kName, TableFormat::arrow, *file).ok());
      ASSERT_TRUE(file->finish().ok());
      const auto batch = read_back(path);
      ASSERT_EQ(static_cast<std::size_t>(batch->num_rows()), table.rows()) << path;
      int at = 0;
      EXPECT_EQ(batch->schema()->field(at)->name(), kRowNumber.name);
      for (std::int64_t row = 0; row < batch->num_rows(); ++row)
        ASSERT_EQ(read_cell(*batch->column(at), row), std::to_string(row));
      table.for_each_column([&](const ColumnInfo& info, const auto& column) {
        ASSERT_EQ(batch->schema()->field(++at)->name(), info.name);
        for (std::size_t row = 0; row < table.rows(); ++row) {
          ASSERT_EQ(read_cell(*batch->column(at), static_cast<std::int64_t>(row)), expected_cell(profile, column[row]))
              << path << " " << info.name << " " << row;
        }
      });
      EXPECT_EQ(batch->num_columns(), at + 1);
    });
  }
}

}  // namespace
}  // namespace sightline::output
