#include "fleet/reduce_with_trino.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "base/text.h"
#include "fleet/lake_layout.h"
#include "fleet/lake_tables.h"
#include "fleet/reduce.h"
#include "fleet/trino_client.h"
#include "sql/duckdb_library.h"
#include "sql/sql_files.h"

namespace sightline::fleet {

namespace {

constexpr std::int64_t kBytesOnCluster = 100;  // 60 million of groups of 8 and 1,250 ranks: 4.8 GB

// Session properties of a catalog's connector, where it has them. Hive's own choice is GZIP, which takes longer than the rest of
// a statement; small row groups let readers skip those that lack a key.
constexpr std::pair<const char*, const char*> kSession[] = {{"compression_codec", "ZSTD"}, {"parquet_writer_block_size", "16MB"}};

// Trino does not sort what it writes. Members are looked up by their key, so they are written to a folder for each range of keys,
// which are between 0 and 2^62: readers skip the files of other ranges by their statistics.
constexpr std::string_view kByKey = "members";
constexpr std::string_view kKeyRange = "CAST(match_key / 72057594037927936 AS INTEGER)";  // one of 64

class Reduction {
 public:
  Reduction(TrinoAddress address, const TrinoReduce& options, std::string engine_lake)
      : options_(options), engine_lake_(std::move(engine_lake)), catalog_(address.catalog), client_(std::move(address)) {
    schema_ = "sightline_" + options.attempt;
    std::replace(schema_.begin(), schema_.end(), '-', '_');
  }

  Result<LakeFiles> run(const LakeFiles& tables) {
    if (const Result<bool> chosen = use_session(); !chosen) return chosen.error();
    if (const Result<bool> made = run(fmt::format("CREATE SCHEMA {}.{}", catalog_, schema_), "schema"); !made)
      return made.error();
    client_.use_schema(schema_);
    Result<LakeFiles> files = reduce(tables);
    // If it cannot be removed, it stays, and changes nothing.
    static_cast<void>(run(fmt::format("DROP SCHEMA {}.{} CASCADE", catalog_, schema_), "schema"));
    return files;
  }

 private:
  Result<bool> run(const std::string& sql, const std::string& title) {
    const Result<std::vector<TrinoRow>> done = client_.run(sql);
    if (done) return true;
    Error error = done.error();
    error.where = "trino: " + title;
    return error;
  }

  Result<bool> use_session() {
    std::string properties;
    for (const auto& [name, value] : kSession) {
      const std::string property = fmt::format("{}.{}", catalog_, name);
      const Result<std::vector<TrinoRow>> known = client_.run("SHOW SESSION LIKE " + sql::duckdb::quoted(property));
      if (!known) return known.error();
      if (!known->empty()) properties += fmt::format("{}{}={}", properties.empty() ? "" : ",", property, value);
    }
    client_.use_session(properties);
    return true;
  }

  Result<LakeFiles> reduce(const LakeFiles& tables) {
    const std::vector<sql::ScriptStep> steps = reduce_steps(options_.capture, parts(tables));
    LakeFiles known = tables;  // those that a statement names; the others may be of a newer version
    std::erase_if(known, [&](const auto& table) {
      return std::none_of(steps.begin(), steps.end(),
                          [&](const sql::ScriptStep& step) { return sql::names_in(step.sql).contains(table.first); });
    });
    for (const auto& [table, files] : known) {
      if (const Result<bool> made = declare(lake_table(table), files); !made) return made.error();
    }
    if (const Result<bool> all = check_rows(known); !all) return all.error();
    for (const sql::ScriptStep& step : steps) {
      if (const Result<bool> done = run(step.sql, step.title); !done) return done.error();
    }
    LakeFiles written;
    for (const LakeTableInfo& table : lake_tables()) {
      if (!table.is_reduced() || (table.name == "members" && !options_.members)) continue;
      if (const Result<bool> done = write(table, written); !done) return done.error();
    }
    return written;
  }

  std::int64_t parts(const LakeFiles& tables) const {
    if (options_.parts > 0) return options_.parts;
    return parts_of(rows_of(tables, "collectives"), kBytesOnCluster, options_.memory);
  }

  std::string folder_of(std::string_view table) const { return fmt::format("data/{}/capture={}", table, options_.capture); }
  std::string in_engine(const std::string& path) const { return path_in(engine_lake_, path); }

  // A table over the folder, and a view of those of its files that count.
  Result<bool> declare(const LakeTableInfo& table, const std::vector<LakeFile>& files) {
    std::string columns, paths;
    for (const LakeColumn& column : table.columns)
      columns += fmt::format("{}\"{}\" {}", columns.empty() ? "" : ", ", column.name, sql_type(column.type));
    for (const LakeFile& file : files) paths += (paths.empty() ? "" : ", ") + sql::duckdb::quoted(in_engine(file.path));
    const std::string title(table.name);
    const Result<bool> made = run(fmt::format("CREATE TABLE files_of_{} ({}) WITH (external_location = {}, format = 'PARQUET')",
                                              table.name, columns, sql::duckdb::quoted(in_engine(folder_of(table.name)))),
                                  title);
    if (!made) return made;
    return run(fmt::format("CREATE VIEW {0} AS SELECT * FROM files_of_{0} WHERE \"$path\" IN ({1})", table.name, paths), title);
  }

  // A folder that the cluster does not see, or sees under another name, must not look like a table without rows.
  Result<bool> check_rows(const LakeFiles& tables) {
    std::string counts;
    for (const auto& [table, files] : tables)
      counts += fmt::format("{}SELECT '{}', count(*) FROM {}", counts.empty() ? "" : " UNION ALL ", table, table);
    const Result<std::vector<TrinoRow>> seen = client_.run(counts);
    if (!seen) return seen.error();
    for (const TrinoRow& row : *seen) {
      const std::string rows = std::to_string(rows_of(tables, row.at(0)));
      if (rows == row.at(1)) continue;
      return Error{ErrorCode::unsupported,
                   say("the engine sees {} of {} rows of the table {}: name the lake's address on the cluster with --engine-lake",
                       row.at(1), rows, row.at(0)),
                   engine_lake_};
    }
    return true;
  }

  // Adds the files of a table that the cluster writes into the lake.
  Result<bool> write(const LakeTableInfo& table, LakeFiles& written) {
    const std::string folder = fmt::format("{}/reduced/{}", folder_of(table.name), options_.attempt), title(table.name);
    const bool by_key = table.name == kByKey;
    const std::string range = by_key ? fmt::format(", {} AS key_range", kKeyRange) : "";
    const Result<bool> made =
        run(fmt::format("CREATE TABLE written_{} WITH (external_location = {}, format = 'PARQUET'{}) AS SELECT {}{} FROM {}",
                        table.name, sql::duckdb::quoted(in_engine(folder)), by_key ? ", partitioned_by = ARRAY['key_range']" : "",
                        declared_columns(table), range, table.name),
            title);
    if (!made) return made;
    const auto rows = client_.run(fmt::format("SELECT \"$path\", count(*) FROM written_{} GROUP BY \"$path\"", table.name));
    if (!rows) return rows.error();
    std::map<std::string, std::int64_t> counts;  // by name
    for (const TrinoRow& row : *rows)
      counts[row.at(0).substr(row.at(0).rfind('/') + 1)] = whole_number<std::int64_t>(row.at(1)).value_or(0);
    const auto there = stored_files(path_in(options_.lake, folder));
    if (!there) return there.error();
    for (const StoredFile& file : *there) {
      const std::string name = file.path.substr(file.path.rfind('/') + 1);
      if (const auto count = counts.find(name); count != counts.end()) {
        written[title].push_back({path_inside(options_.lake, file.path), count->second, file.size, ""});
        counts.erase(count);
      }
    }
    if (counts.empty()) return true;
    return Error{ErrorCode::unsupported, say("the engine wrote the table {} to another place than the lake", title),
                 in_engine(folder)};
  }

  const TrinoReduce& options_;
  const std::string engine_lake_, catalog_;
  TrinoClient client_;
  std::string schema_;
};

}  // namespace

Result<LakeFiles> reduce_with_trino(const LakeFiles& tables, const TrinoReduce& options) {
  Result<TrinoAddress> address = parse_trino_address(options.engine);
  if (!address) return address.error();
  if (options.engine_lake.empty() && !is_remote(options.lake))
    return Error{ErrorCode::invalid_argument, "name the lake's address on the cluster with --engine-lake", options.lake};
  return Reduction(*std::move(address), options, options.engine_lake.empty() ? options.lake : options.engine_lake).run(tables);
}

}  // namespace sightline::fleet
