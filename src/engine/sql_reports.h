// SQL as reports: the answer of a query, so that the command line, HTTP and the page show it like any view; and the views written
// in SQL, built in or in a folder of the user.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "model/report.h"
#include "sql/sql_query.h"

namespace sightline::engine {

// Bytes that one query of a server may take. Those that run at once together take a quarter of the memory of profiles
// (`of_profiles`), but each at least 128 MiB.
std::int64_t memory_per_query(std::int64_t of_profiles);

// Notes about an answer that is cut off at a limit.
std::vector<Note> notes_of_cut(const SqlAnswer& answer);

// A report with one table, `result`, and a note when there is more than the limit.
Result<Report> query_report(const Profile& profile, const std::string& sql, const SqlLimits& limits);

// The same of several profiles one by one: see query_profiles.
Result<Report> query_report(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                            const std::string& sql, const SqlLimits& limits);

// What there is to query, for people: tables, views and examples.
std::string query_schema_text(const Profile& profile);

// The files src/sql/views/*.sql, which cmake/sql_views.cmake puts into the program.
struct BuiltInView {
  std::string_view file;  // its name
  std::string_view text;
};

std::span<const BuiltInView> built_in_view_files();

// All views of this program: those in C++ and those written in SQL.
struct Views {
  std::vector<Analysis> all;        // in display order
  std::vector<std::string> faults;  // one line for each file that is wrong; its view is among `all` and says the same
};

// The built-in ones: the default of an engine.
std::span<const Analysis> built_in_views();

// Where the user's own views are: XDG_CONFIG_HOME/sightline/views, else ~/.config/sightline/views; empty: nowhere.
std::string user_views_folder();

// The built-in ones, then all `*.sql` in the user's folder, if it exists, and in `folder`, if that is not empty,
// each read once. `try_all` runs the SQL of each on an empty profile, so that errors are reported before the view is opened.
// not_found: `folder` cannot be read.
Result<Views> all_views(const std::string& folder, bool try_all);

}  // namespace sightline::engine
