// Answering one SELECT over the tables of one profile with DuckDB. To be called in a child of its own (bounded_child.h): what
// DuckDB limits itself is checked between its vectors of 2,048 rows, and a function on one vector can take minutes and gigabytes.
#pragma once

#include "model/profile.h"
#include "sql/sql_database.h"
#include "sql/sql_parameters.h"
#include "sql/sql_wire.h"

namespace sightline::sql {

// Sends the answer, or the error.
void answer_statement(SqlDatabase& database, const Profile& profile, const SqlText& sql, const SqlBounds& bounds, SqlSender& to);

}  // namespace sightline::sql
