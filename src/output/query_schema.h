// What there is to query, on the wire: tables, views and examples (docs/http.md, "Query").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "output/wire.h"
#include "sql/sql_tables.h"

namespace sightline::output {

struct SentSchema {
  std::vector<SchemaTable> tables;
  std::span<const SqlExample> examples;
};

template <typename Wire>
void describe(Wire& wire, const SchemaColumn& column) {
  wire.type("SchemaColumn");
  wire.must("name", column.name);
  wire.must("type", column.type);
  wire.must("unit", column.unit);
  wire.must("doc", column.doc);
  wire.must("row_of", column.row_of, "The table whose `id` the column holds, or empty.");
}

template <typename Wire>
void describe(Wire& wire, const SchemaTable& table) {
  wire.type("SchemaTable");
  wire.must("name", table.name);
  wire.must("doc", table.doc);
  wire.must("view", table.is_view);
  wire.must("rows", table.is_view ? std::nullopt : std::optional(table.rows), "Null for a view.");
  wire.must("columns", table.columns);
}

template <typename Wire>
void describe(Wire& wire, const SqlExample& example) {
  wire.type("SqlExample");
  wire.must("title", example.title);
  wire.must("sql", example.sql);
}

template <typename Wire>
void describe(Wire& wire, const SentSchema& schema) {
  wire.type("Schema");
  wire.must("tables", schema.tables);
  wire.must("examples", schema.examples);
}

inline std::string query_schema_json(const Profile& profile) {
  return wire_json(SentSchema{sql_schema(profile), sql_examples()});
}

}  // namespace sightline::output
