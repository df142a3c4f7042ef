// Tables as files for other programs (docs/formats/tables.md has the schema).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "base/result.h"
#include "model/profile.h"

namespace sightline::output {

enum class TableFormat { arrow, parquet, csv };

// How names of files of the format end, without the dot.
std::string_view file_ending(TableFormat format);

// Names of all tables, in their order.
std::vector<std::string_view> table_names();

// Writes one table; the file is not finished here, and says itself when it could not take it. REQUIRES: there is such a table.
Result<bool> write_table(const Profile& profile, std::string_view table, TableFormat format, OutputFile& to);

}  // namespace sightline::output
