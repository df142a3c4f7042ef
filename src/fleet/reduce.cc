#include "fleet/reduce.h"

#include <fmt/core.h>

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

std::string with_name(std::string sql, const std::string& capture) {
  constexpr std::string_view kName = "$capture";
  const std::size_t at = sql.find(kName);
  return at == std::string::npos ? sql : sql.replace(at, kName.size(), sql::duckdb::quoted(capture));
}

}  // namespace

std::string declared_columns(const LakeTableInfo& table) {
  std::string columns;
  for (const LakeColumn& column : table.columns)
    columns += fmt::format("{0}CAST(\"{1}\" AS {2}) AS \"{1}\"", columns.empty() ? "" : ", ", column.name, sql_type(column.type));
  return columns;
}

std::vector<sql::ScriptStep> reduce_steps(const std::string& capture) {
  std::vector<sql::ScriptStep> steps{{"dixon", dixon_table()}};
  for (const ReduceStatement& statement : reduce_statements())
    steps.push_back({std::string(statement.file), with_name(std::string(statement.sql), capture)});
  return steps;
}

Result<bool> reduce(const std::map<std::string, std::vector<std::string>>& tables, const std::string& capture,
                    const std::string& folder, const ReduceOptions& options) {
  std::vector<sql::ScriptStep> steps;
  for (const auto& [table, paths] : tables) {
    if (find_lake_table(table) == nullptr) continue;  // of a newer version
    steps.push_back({table, fmt::format("CREATE VIEW {} AS {}", table, sql::file_table(table, paths))});
  }
  for (sql::ScriptStep& step : reduce_steps(capture)) steps.push_back(std::move(step));
  for (const LakeTableInfo& table : lake_tables()) {
    if (table.is_reduced() && (options.members || table.name != "members"))
      steps.push_back({std::string(table.name), copy_of(table, folder)});
  }
  return sql::run_script(steps, {.memory = options.memory, .threads = options.threads, .folder = folder, .stop = options.stop});
}

}  // namespace sightline::fleet
