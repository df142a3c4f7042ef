// Tables that are Parquet files and not columns in memory: those that Profile::lake_files lists. A statement reads them by name,
// like the profile's own tables; of a file, DuckDB reads the columns and rows that the statement needs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace sightline::sql {

struct SqlFiles {
  std::vector<std::string> views;  // statements that declare the tables, to be run before the database is locked
  std::vector<std::string> paths;  // of the files, which the statement may read
};

// The files of the tables whose names occur in the statement. Those in clouds are copied to this machine first, once as long as
// the program runs.
Result<SqlFiles> files_of_statement(const Profile& profile, std::string_view sql);

// The names and words in a statement, in lower case: its tables are among them.
std::set<std::string> names_in(std::string_view sql);

// A SELECT of all rows and columns of a table that is in these files. Columns that were added later are unknown in older files.
std::string file_table(std::string_view table, const std::vector<std::string>& paths);

// A list of texts as DuckDB writes it: ['a', 'b'].
std::string list_of(const std::vector<std::string>& texts);

// The file itself, or the copy of an object in a cloud.
Result<std::string> local_file(const std::string& path);

// Call it at the end of the program, when nothing reads the copies any more. A call of exit() removes them too.
void remove_local_copies();

}  // namespace sightline::sql
