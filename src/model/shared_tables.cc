// Words and sentences, and the page that lists every column.
#include "model/shared_tables.h"

#include <fmt/core.h>

#include "model/kind_names.h"

namespace sightline::model {

namespace {

constexpr std::string_view kPreface = R"(# The tables

`sightline tables` prints this page from the declarations of the columns: edit these, not this page.

A profile consists of these tables. `sightline export --format arrow`, `parquet` and `csv` writes them as files;
`sightline query` and the page's view Query read them with SQL. [cli.md](../cli.md) describes these commands.

- The first column of every table is `id`, the row number. A column that is a "row of" another table holds the `id` of a row
  there, so you can join on it: `device_work.slice = slices.id`.
- Times are int64 nanoseconds since the run's origin; `origin_unix_ns` is the Unix time of this origin, if the file has it.
- Unknown is null, never 0.
- `text` is UTF-8; bytes that are not UTF-8 become U+FFFD. Kinds and rules are words.
- Slices of a thread or stream that overlap without nesting are on an overflow lane (`lanes.overflow_of`).

**Arrow** (`slices.arrow`): one IPC file ("Feather 2") per table, uncompressed, with one record batch, so a program can map
the file and read it without copying. Text is `dictionary<int32, utf8>`; kinds and rules are `dictionary<int8, utf8>`. The
metadata of a field are `unit`, `doc` (the meaning) and `row_of` (the table that it refers to). The metadata of the schema are
`table` and `doc`, and facts about the profile: `file`, `format`, `origin_unix_ns`, `events`, `rank`, `world_size`,
`span_start`, `span_end`, `has_python_stacks`, `device_word`, `matrix_word`, `core_word`. Unknown facts are left out.

**Parquet** (`slices.parquet`): the same schema and metadata, compressed with Zstandard, in row groups of 1,048,576 rows.

**CSV** (`slices.csv`): a header line with the column names; quoting as in RFC 4180; lines end in a line feed; unknown is
empty; flags are `true` and `false`.

**SQL**: integers have 64 bits. `sightline query --schema` lists the tables, and views over them.

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
    case OwnerRule::captured: return "captured";
    case OwnerRule::none: break;
  }
  return "none";
}

std::string_view word_of(GraphMatch match) {
  switch (match) {
    case GraphMatch::by_name: return "by_name";
    case GraphMatch::by_order: return "by_order";
    case GraphMatch::without_shapes: return "without_shapes";
    case GraphMatch::part_by_name: return "part_by_name";
    case GraphMatch::no_capture: return "no_capture";
    case GraphMatch::not_recorded: return "not_recorded";
    case GraphMatch::counts_differ: return "counts_differ";
    case GraphMatch::names_differ: return "names_differ";
    case GraphMatch::several_fit: return "several_fit";
    case GraphMatch::several_streams: return "several_streams";
    case GraphMatch::nested_graph: return "nested_graph";
    case GraphMatch::unfinished: break;
  }
  return "unfinished";
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

std::string_view word_of(ServingPhase phase) {
  switch (phase) {
    case ServingPhase::prefill: return "prefill";
    case ServingPhase::decode: return "decode";
    case ServingPhase::mixed: return "mixed";
    case ServingPhase::image: return "image";
    case ServingPhase::idle: return "idle";
    case ServingPhase::unknown: break;
  }
  return "unknown";
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
