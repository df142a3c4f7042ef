// Answering one SELECT over the tables of one profile with DuckDB. To be called in a child of its own (bounded_child.h): what
// DuckDB limits itself is checked between its vectors of 2,048 rows, and a function on one vector can take minutes and gigabytes.
#pragma once

#include <string>

#include "model/profile.h"
#include "sharing/sql_database.h"
#include "sharing/sql_wire.h"

namespace sightline {

// Sends the answer, or the error.
void answer_statement(SqlDatabase& database, const Profile& profile, const std::string& sql, const SqlBounds& bounds,
                      SqlSender& to);

}  // namespace sightline
