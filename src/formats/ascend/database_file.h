// The bytes of a database for SQLite, wherever the file is: a file system of SQLite's own kind (VFS) that can only read. It makes
// no lock, journal or index beside the file, and asks for no right to. Blocks that were read are held for a while, within a
// bound.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/reader.h"

struct sqlite3;

namespace sightline::formats::ascend {

// The name to give to sqlite3_open_v2, with a path or an address as the file. A "-wal" file beside it is read as part of the
// database, if SQLite is told to lock exclusively before it reads.
const char* database_file_system();

// From now on what is read counts as progress, and whoever cancels ends the query that is running. `progress` outlives the
// database, and may be null.
void follow_progress(sqlite3* database, ReadProgress* progress);

// Why reading failed last: more than SQLite knows. null: it did not.
const Error* reading_error(sqlite3* database);

}  // namespace sightline::formats::ascend
