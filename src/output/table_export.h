// Tables of a profile into a folder, one file each (docs/formats/tables.md).
#pragma once

#include <string>
#include <vector>

#include "output/table_files.h"

namespace sightline::output {

// The names in a list such as "slices,steps"; empty: all tables. An unknown one is an error that lists those there are.
Result<std::vector<std::string>> parse_table_names(const std::string& list);

// Whether files can be written to the folder, which is there or can be made. Nothing is made.
Result<bool> check_output_folder(const std::string& folder);

// Writes FOLDER/TABLE.ENDING for each table; the folder is made when its parent is there. The files take their names once all
// of them are written. Returns the bytes written.
Result<std::int64_t> export_tables(const Profile& profile, const std::vector<std::string>& tables, TableFormat format,
                                   const std::string& folder);

}  // namespace sightline::output
