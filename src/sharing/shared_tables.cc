// Words and sentences, and the page that lists every column.
#include "sharing/shared_tables.h"

#include <fmt/core.h>

#include "model/collective_kind_name.h"
#include "model/slice_kind_name.h"

namespace sightline {

namespace {

constexpr std::string_view kPreface = R"(# The tables

Printed by the program itself (`sightline tables`) from the declarations of its columns; edit them, not this page.

A profile is these tables, and so are the files of `sightline export --format arrow`, `parquet` and `csv`, the tables of
`sightline query`, and those of the page's view Query. [cli.md](../cli.md) says how to get them.

- Every table begins with `id`, the number of the row. A column of type `uint32` whose meaning is "row of slices" (or of lanes,
  processes, launches) holds the `id` of a row there, so tables join on it: `device_work.slice = slices.id`.
- Times are int64 nanoseconds since the run's origin; `origin_unix_ns` is that origin's Unix time, where the format tells it.
- Unknown is null, never 0.
- `text` is UTF-8; a byte of a name that is not becomes U+FFFD. Kinds and rules are words.
- Slices of one thread or stream that truly overlap stand on a lane that relieves the first (`lanes.overflow_of`).

**Arrow** (`slices.arrow`): one IPC file ("Feather 2") per table, uncompressed, one record batch, so that a mapped file is read without
copying. Text is `dictionary<int32, utf8>`, kinds and rules are `dictionary<int8, utf8>`. A column's unit and meaning are its field's metadata (`unit`, `doc`); the
table's `table`, `doc` and the facts of the profile (`file`, `format`, `origin_unix_ns`, `events`, `rank`, `world_size`, `span_start`, `span_end`,
`has_python_stacks`, `device_word`, `matrix_word`, `core_word`; left out where unknown) are the schema's.

**Parquet** (`slices.parquet`): the same schema and metadata, compressed by Zstandard, in groups of 1,048,576 rows.

**CSV** (`slices.csv`): a header of column names, quoting as in RFC 4180, line feeds; unknown is empty, flags are `true` and `false`.

In **SQL** integers are 64-bit, and there are views besides, which `sightline query --schema` lists.

)";

struct TableDoc {
  std::string_view table;
  std::string_view doc;
};

constexpr TableDoc kTableDocs[] = {
    {"processes", "The processes of the trace."},
    {"devices", "The devices that the trace describes."},
    {"lanes", "Threads, streams, engines and queues; each holds a range of rows of slices."},
    {"slices",
     "Everything that has a start and a length, by lane, then start, then longest first; parents before their children."},
    {"operators", "What is known of the slices that are framework operators, by slice."},
    {"modules", "What is known of the slices that are calls of a framework module, by slice."},
    {"launches", "What is known of the host calls that can enqueue device work, by slice."},
    {"device_work", "What is known of the work of devices (kernels, copies, fills, collectives), by slice."},
    {"work_facts", "What only some devices say of their work, one row per value, by slice."},
    {"work_costs", "What slices cost in operations and bytes, where the file states it or it follows from what ran, by slice."},
    {"fine_times", "What is left of times beyond whole ns, by slice, where the file states them in ps."},
    {"program_operators", "The operators of compiled programs, as their compiler names them."},
    {"program_work", "Which operator of a compiled program a slice executes, by slice."},
    {"reported_program_work", "Executions of a program's operator, where the file states only how many and how long."},
    {"program_buffers", "Where a compiled program keeps its values, one row per value and piece of memory."},
    {"tensors", "The tensors that a compiled program takes, makes and holds."},
    {"collectives", "What is known of the slices, of host or device, that carry a collective's arguments, by slice."},
    {"steps", "The iterations, by start."},
    {"memory_events", "Allocations and releases, by time."},
    {"memory_usage", "What each component of the software held, by device and component, then by time."},
    {"reported_steps", "Sums of steps that the file itself states."},
    {"reported_operators", "Operator calls without a time, from a file that states only how long they took."},
    {"reported_calls", "Calls by name, where the file states only how many there were and how long they took."},
    {"communications", "Collectives as the file sums them over their parts, by start."},
    {"transfers", "What moved over which kind of link, or from which rank to which, as the file sums it."},
    {"packets", "The packets that some transfers consist of, one row per size, by transfer."},
    {"flows", "What leads from one slice to another, other than launches."},
    {"counters", "Values of counters, each counter on a lane of its own, by lane, then time."},
    {"metadata", "What the file says of itself."},
    {"problems", "What was wrong with the file, and what was done about it."},
};

}  // namespace

std::string_view table_doc(std::string_view table) {
  for (const TableDoc& doc : kTableDocs) {
    if (doc.table == table) return doc.doc;
  }
  return "";
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
    page += fmt::format("## {}\n\n{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n", table.kName,
                        table_doc(table.kName));
    const auto line = [&](const ColumnInfo& column, std::string_view type) {
      page += fmt::format("| `{}` | {} | {} | {} |\n", column.name, type, unit_name(column.unit), column.doc);
    };
    line(kRowNumber, "uint32");
    table.for_each_column([&]<typename T>(const ColumnInfo& column, const Column<T>&) { line(column, shared_type_name<T>()); });
    page += "\n";
  });
  page.pop_back();
  return page;
}

}  // namespace sightline
