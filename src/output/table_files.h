// Tables of a profile as files for other programs, one file each (docs/formats/tables.md has the schema).
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

// The names in a list such as "slices,steps"; empty: all tables. An unknown one is an error that lists those there are.
Result<std::vector<std::string>> parse_table_names(const std::string& list);

// Whether files can be written to the folder, which is there or can be made. Nothing is made.
Result<bool> check_output_folder(const std::string& folder);

// Writes FOLDER/TABLE.ENDING for each table; the folder is made when its parent is there. The files take their names once all
// of them are written. Returns the bytes written.
Result<std::int64_t> export_tables(const Profile& profile, const std::vector<std::string>& tables, TableFormat format,
                                   const std::string& folder);

}  // namespace sightline::output
