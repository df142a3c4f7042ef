#include "fleet/reduce.h"

#include <fmt/core.h>

#include <algorithm>

#include "analyses/ranks/collectives.h"
#include "fleet/lake_tables.h"
#include "sql/duckdb_library.h"
#include "sql/sql_files.h"
#include "sql/sql_script.h"

namespace sightline::fleet {

namespace {

// Critical values of the test for outliers, by number of figures.
std::string dixon_table() {
  constexpr std::size_t kFrom = 3, kTo = 100;
  std::string values;
  for (std::size_t n = kFrom; n <= kTo; ++n)
    values += fmt::format("{}({}, CAST({} AS DOUBLE))", n == kFrom ? "" : ", ", n, dixon_critical_value(n));
  return "CREATE TABLE dixon AS SELECT * FROM (VALUES " + values + ") AS critical_values(ranks, critical)";
}

std::string copy_of(const LakeTableInfo& table, const std::string& folder) {
  return fmt::format("COPY (SELECT {} FROM {} ORDER BY {}) TO {} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)",
                     declared_columns(table), table.name, table.order,
                     sql::duckdb::quoted(fmt::format("{}/{}.parquet", folder, table.name)));
}

std::string replaced(std::string sql, std::string_view name, const std::string& value) {
  const std::size_t at = sql.find(name);
  return at == std::string::npos ? sql : sql.replace(at, name.size(), value);
}

// ---- parts ----

constexpr std::int64_t kBytesHere = 40;  // 60 million of groups of 8 and 1,250 ranks: 2.4 GB

// The statements that run once for each part are numbered 40 to 59; these are the tables to which each part adds rows.
bool is_of_part(const ReduceStatement& statement) { return statement.file >= "40" && statement.file < "60"; }
constexpr std::string_view kAdded[] = {"matches", "alone"};

std::string as_insert(std::string sql) {
  for (const std::string_view table : kAdded)
    sql = replaced(std::move(sql), fmt::format("CREATE TABLE {} AS", table), fmt::format("INSERT INTO {}", table));
  return sql;
}

}  // namespace

std::string declared_columns(const LakeTableInfo& table) {
  std::string columns;
  for (const LakeColumn& column : table.columns)
    columns += fmt::format("{0}CAST(\"{1}\" AS {2}) AS \"{1}\"", columns.empty() ? "" : ", ", column.name, sql_type(column.type));
  return columns;
}

std::int64_t parts_of(std::int64_t collectives, std::int64_t bytes_of_collective, std::int64_t memory) {
  const std::int64_t in_one = std::max<std::int64_t>(1, memory / 5 * 3 / bytes_of_collective);
  return std::max<std::int64_t>(1, (collectives + in_one - 1) / in_one);
}

std::vector<sql::ScriptStep> reduce_steps(const std::string& capture, std::int64_t parts) {
  const std::span<const ReduceStatement> all = reduce_statements();
  const auto first = std::find_if(all.begin(), all.end(), is_of_part);
  const auto last = std::find_if_not(first, all.end(), is_of_part);
  std::vector<sql::ScriptStep> steps{{"dixon", dixon_table()}};
  const auto add = [&](const ReduceStatement& statement, std::string sql) {
    steps.push_back({std::string(statement.file), replaced(std::move(sql), "$capture", sql::duckdb::quoted(capture))});
  };
  for (auto statement = all.begin(); statement != first; ++statement) add(*statement, std::string(statement->sql));
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::string condition = parts == 1 ? "TRUE" : fmt::format("abs(c.match_key % {}) = {}", parts, part);
    for (auto statement = first; statement != last; ++statement) {
      const std::string sql = replaced(std::string(statement->sql), "$part", condition);
      add(*statement, part == 0 ? sql : as_insert(sql));
    }
  }
  for (auto statement = last; statement != all.end(); ++statement) add(*statement, std::string(statement->sql));
  return steps;
}

Result<bool> reduce(const std::map<std::string, std::vector<std::string>>& tables, std::int64_t collectives,
                    const std::string& capture, const std::string& folder, const ReduceOptions& options) {
  std::vector<sql::ScriptStep> steps;
  for (const auto& [table, paths] : tables) {
    if (find_lake_table(table) == nullptr) continue;  // of a newer version
    steps.push_back({table, fmt::format("CREATE VIEW {} AS {}", table, sql::file_table(table, paths))});
  }
  const std::int64_t parts = options.parts > 0 ? options.parts : parts_of(collectives, kBytesHere, options.memory);
  for (sql::ScriptStep& step : reduce_steps(capture, parts)) steps.push_back(std::move(step));
  for (const LakeTableInfo& table : lake_tables()) {
    if (table.is_reduced() && (options.members || table.name != "members"))
      steps.push_back({std::string(table.name), copy_of(table, folder)});
  }
  return sql::run_script(steps, {.memory = options.memory, .threads = options.threads, .folder = folder, .stop = options.stop});
}

}  // namespace sightline::fleet
