// Words and sentences, and the page that lists every column.
#include "model/shared_tables.h"

#include <fmt/core.h>

#include "model/collective_kind_name.h"
#include "model/slice_kind_name.h"

namespace sightline::model {

namespace {

constexpr std::string_view kPreface = R"(# The tables

Printed by the program itself (`sightline tables`) from the declarations of its columns; edit them, not this page.

A profile is these tables, and so are the files of `sightline export --format arrow`, `parquet` and `csv`, the tables of
`sightline query`, and those of the page's view Query. [cli.md](../cli.md) says how to get them.

- Every table begins with `id`, the number of the row. A column that is a "row of" another table holds the `id` of a row there, so
  tables join on it: `device_work.slice = slices.id`.
- Times are int64 nanoseconds since the run's origin; `origin_unix_ns` is that origin's Unix time, where the format tells it.
- Unknown is null, never 0.
- `text` is UTF-8; a byte of a name that is not becomes U+FFFD. Kinds and rules are words.
- Slices of one thread or stream that truly overlap stand on a lane that relieves the first (`lanes.overflow_of`).

**Arrow** (`slices.arrow`): one IPC file ("Feather 2") per table, uncompressed, one record batch, so that a mapped file is read without
copying. Text is `dictionary<int32, utf8>`, kinds and rules are `dictionary<int8, utf8>`. A column's unit, meaning and table that it is a row of are its field's metadata (`unit`,
`doc`, `row_of`); the table's `table`, `doc` and the facts of the profile (`file`, `format`, `origin_unix_ns`, `events`, `rank`, `world_size`, `span_start`, `span_end`,
`has_python_stacks`, `device_word`, `matrix_word`, `core_word`; left out where unknown) are the schema's.

**Parquet** (`slices.parquet`): the same schema and metadata, compressed by Zstandard, in groups of 1,048,576 rows.

**CSV** (`slices.csv`): a header of column names, quoting as in RFC 4180, line feeds; unknown is empty, flags are `true` and `false`.

In **SQL** integers are 64-bit, and there are views besides, which `sightline query --schema` lists.

)";

}  // namespace

std::string table_doc(std::string_view rows, std::span<const KeyInfo> keys) {
  std::string grouped, sorted;
  for (const KeyInfo& key : keys) {
    if (key.order == Order::grouped) {
      grouped.append(grouped.empty() ? " Grouped by " : " and ").append(key.column);
      continue;
    }
    if (sorted.empty())
      sorted = grouped.empty() ? " Sorted by " : ", then sorted by ";
    else
      sorted += ", then ";
    sorted += key.column;
    if (key.order == Order::descending) sorted += " (descending)";
    if (key.order == Order::once) sorted.append(", at most one row per ").append(key.column);
  }
  return std::string(rows) + grouped + sorted + (keys.empty() ? "" : ".");
}

std::string_view word_of(SliceKind kind) {
  return static_cast<std::size_t>(kind) < kSliceKindNames.size() ? slice_kind_name(kind) : "other";
}

std::string_view word_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::host_thread: return "host_thread";
    case LaneKind::device_stream: return "device_stream";
    case LaneKind::engine: return "engine";
    case LaneKind::queue: return "queue";
    case LaneKind::counter: return "counter";
    case LaneKind::other: break;
  }
  return "other";
}

std::string_view word_of(OwnerRule rule) {
  switch (rule) {
    case OwnerRule::linked_id: return "linked_id";
    case OwnerRule::containment: return "containment";
    case OwnerRule::device_id: return "device_id";
    case OwnerRule::none: break;
  }
  return "none";
}

std::string_view word_of(CoreType type) {
  switch (type) {
    case CoreType::general: return "general";
    case CoreType::matrix: return "matrix";
    case CoreType::vector: return "vector";
    case CoreType::mixed: return "mixed";
    case CoreType::host: return "host";
    case CoreType::unknown: break;
  }
  return "unknown";
}

std::string_view word_of(FillSource source) {
  switch (source) {
    case FillSource::computed: return "computed";
    case FillSource::computed_for_zero: return "computed_for_zero";
    case FillSource::unknown_for_zero: return "unknown_for_zero";
    case FillSource::file: break;
  }
  return "file";
}

std::string_view word_of(CollectiveKind kind) {
  return static_cast<std::size_t>(kind) < kCollectiveKindNames.size() ? collective_kind_name(kind) : "unknown";
}

std::string_view word_of(FlowKind kind) {
  switch (kind) {
    case FlowKind::launch: return "launch";
    case FlowKind::forward_backward: return "forward_backward";
    case FlowKind::other: break;
  }
  return "other";
}

std::string_view word_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: break;
  }
  return "error";
}

std::string tables_markdown() {
  std::string page(kPreface);
  const Profile none;
  Profile::visit_tables(none, [&](const auto& table) {
    page += fmt::format("## {}\n\n{}\n\n| column | type | unit | row of | meaning |\n|---|---|---|---|---|\n", table.kName,
                        table_doc(table));
    const auto line = [&](const ColumnInfo& column, std::string_view type) {
      page +=
          fmt::format("| `{}` | {} | {} | {} | {} |\n", column.name, type, unit_name(column.unit), row_of(column), column.doc);
    };
    line(kRowNumber, "uint32");
    table.for_each_column([&]<typename T>(const ColumnInfo& column, const Column<T>&) { line(column, shared_type_name<T>()); });
    page += "\n";
  });
  page.pop_back();
  return page;
}

}  // namespace sightline::model
