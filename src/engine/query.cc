// From SQL's answer to a report, and the list of what can be requested.
#include "engine/query.h"

#include <fmt/core.h>

#include <algorithm>

#include "analyses/words.h"
#include "base/json_writer.h"
#include "engine/capture.h"
#include "sql/sql_tables.h"

namespace sightline::engine {

namespace {

Result<Report> report_of(Result<SqlAnswer> answer) {
  if (!answer) return answer.error();
  Report report{.view = "query", .title = "Query"};
  const auto rows = static_cast<std::int64_t>(answer->table.rows());
  report.scope = say("{}, {}", count_words(rows, "{} row", "{} rows"), time_words(answer->seconds * 1e9));
  report.notes = notes_of_cut(*answer);
  Panel panel{.id = "result", .title = "Result", .content = PlainTable{"result"}};
  panel.scope = report.scope;
  panel.empty = "The query has no result rows.";
  panel.notes = report.notes;
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(answer->table));
  return report;
}

}  // namespace

std::vector<Note> notes_of_cut(const SqlAnswer& answer) {
  const Message rows = count_words(static_cast<std::int64_t>(answer.table.rows()), "{} row", "{} rows");
  std::vector<Note> notes;
  if (answer.more_rows) notes.push_back({Note::Level::warning, say("The first {}: there are more.", rows)});
  if (answer.more_bytes) notes.push_back({Note::Level::warning, say("The first {}: the answer is larger than the limit.", rows)});
  return notes;
}

std::int64_t memory_per_query(std::int64_t of_profiles) {
  constexpr std::int64_t kShare = 4, kLeast = std::int64_t{128} << 20;
  return std::max(of_profiles / kShare / kMostQueries, kLeast);
}

Result<Report> query_report(const Profile& profile, const std::string& sql, const SqlLimits& limits) {
  Result<Report> report = report_of(query_profile(profile, sql, limits));
  if (const std::string caution = caution_of(profile); report && !caution.empty())
    report->notes.push_back({Note::Level::warning, caution});
  return report;
}

Result<Report> query_report(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                            const std::string& sql, const SqlLimits& limits) {
  return report_of(query_profiles(sources, name_columns, sql, limits));
}

std::string query_schema_json(const Profile& profile) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("tables").begin_array();
  for (const SchemaTable& table : sql_schema(profile)) {
    json.begin_object().member("name", table.name).member("doc", table.doc).member("view", table.is_view).key("rows");
    table.is_view ? json.null() : json.value(static_cast<std::int64_t>(table.rows));
    json.key("columns").begin_array();
    for (const SchemaColumn& column : table.columns) {
      json.begin_object().member("name", column.name).member("type", column.type);
      json.member("unit", unit_name(column.unit)).member("doc", column.doc);
      json.member("row_of", column.row_of).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("examples").begin_array();
  for (const SqlExample& example : sql_examples()) {
    json.begin_object().member("title", example.title).member("sql", example.sql).end_object();
  }
  json.end_array().end_object();
  return out;
}

std::string query_schema_text(const Profile& profile) {
  std::string out;
  for (const SchemaTable& table : sql_schema(profile)) {
    out += fmt::format("{}{}: {}\n", table.name, table.is_view ? " (view)" : "", table.doc);
    std::string columns;
    for (const SchemaColumn& column : table.columns)
      columns += (columns.empty() ? "" : ", ") + column.name + (column.row_of.empty() ? "" : " -> " + column.row_of);
    out += fmt::format("    {}\n", columns);
  }
  for (const SqlExample& example : sql_examples()) out += fmt::format("\n-- {}\n{};\n", example.title, example.sql);
  return out;
}

}  // namespace sightline::engine
