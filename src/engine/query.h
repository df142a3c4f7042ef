// SQL as a report: what the command line, HTTP and the page show of a query's answer is what they show of any view's.
#pragma once

#include <string>

#include "model/report.h"
#include "sql/sql_query.h"

namespace sightline::engine {

// Bytes that one query of a server may take: all that run at once take a quarter of what profiles may (`of_profiles`), or 128 MiB
// each where that is less than a query needs.
std::int64_t memory_per_query(std::int64_t of_profiles);

// What a reader must know of an answer that is not whole.
std::vector<Note> notes_of_cut(const SqlAnswer& answer);

// A report with one table, `result`, and a note when there is more than the limit.
Result<Report> query_report(const Profile& profile, const std::string& sql, const SqlLimits& limits);

// The same of several profiles one by one: see query_profiles.
Result<Report> query_report(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                            const std::string& sql, const SqlLimits& limits);

// What there is to query: tables, views and examples, as docs/http.md has them and for people.
std::string query_schema_json(const Profile& profile);
std::string query_schema_text(const Profile& profile);

}  // namespace sightline::engine
