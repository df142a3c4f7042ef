// Views and examples, in SQL. A view names the rows of other tables that people would otherwise join themselves.
#include "sql/sql_schema.h"

#include <algorithm>

#include "model/shared_tables.h"

namespace sightline::sql {

namespace {

constexpr SqlViewColumn kKernels[] = {
    {"id", "s.id"},
    {"name", "s.name"},
    {"kind", "s.kind"},
    {"start", "s.start"},
    {"duration", "s.duration"},
    {"device", "w.device"},
    {"stream", "l.track"},
    {"operator", "o.name"},
    {"core_type", "w.core_type"},
    {"grid", "w.grid"},
    {"block", "w.block"},
    {"registers", "w.registers"},
    {"shared_bytes", "w.shared_bytes"},
    {"blocks_per_core", "w.blocks_per_core"},
    {"warps_per_core", "w.warps_per_core"},
    {"occupancy", "w.occupancy"},
    {"launched_by", "c.slice"},
    {"owner", "w.owner"},
    {"lane", "s.lane"},
};

constexpr SqlViewColumn kCopies[] = {
    {"id", "s.id"},         {"name", "s.name"},    {"kind", "s.kind"},   {"start", "s.start"},   {"duration", "s.duration"},
    {"device", "w.device"}, {"stream", "l.track"}, {"bytes", "w.bytes"}, {"operator", "o.name"}, {"launched_by", "c.slice"},
    {"owner", "w.owner"},   {"lane", "s.lane"},
};

constexpr SqlViewColumn kOps[] = {
    {"id", "s.id"},
    {"name", "s.name"},
    {"start", "s.start"},
    {"duration", "s.duration"},
    {"thread", "l.track"},
    {"parent_name", "p.name"},
    {"input_shapes", "o.input_shapes"},
    {"input_types", "o.input_types"},
    {"call_stack", "o.call_stack"},
    {"depth", "s.depth"},
    {"parent", "s.parent"},
    {"lane", "s.lane"},
};

constexpr SqlViewColumn kThreads[] = {
    {"id", "l.id"},
    {"pid", "p.pid"},
    {"process", "p.name"},
    {"label", "p.label"},
    {"kind", "l.kind"},
    {"device", "l.device"},
    {"track", "l.track"},
    {"name", "l.name"},
    {"slices", "l.last - l.first"},
    {"overflow_of", "l.overflow_of"},
};

constexpr SqlReference kOfWork[] = {{'s', "w.slice"}, {'l', "s.lane"}, {'o', "w.owner"}, {'c', "w.launch"}};
constexpr SqlReference kOfOperators[] = {{'s', "o.slice"}, {'l', "s.lane"}, {'p', "s.parent"}};
constexpr SqlReference kOfLanes[] = {{'p', "l.process"}};
constexpr SliceKind kComputing[] = {SliceKind::kernel, SliceKind::collective};
constexpr SliceKind kCopying[] = {SliceKind::memcpy, SliceKind::memset};

constexpr SqlView kViews[] = {
    {"kernels", "Kernels and collectives on devices, each with its stream and with the operator it is attributed to.", 'w',
     "device_work", kOfWork, kKernels, kComputing},
    {"copies", "Copies and fills on devices.", 'w', "device_work", kOfWork, kCopies, kCopying},
    {"ops", "Framework operators on the host, each with its thread and with the slice that encloses it.", 'o', "operators",
     kOfOperators, kOps},
    {"threads", "Threads and streams, each with its process.", 'l', "lanes", kOfLanes, kThreads},
};

constexpr SqlExample kExamples[] = {
    {"Kernels by total time",
     R"(SELECT name, count(*) AS calls, sum(duration) AS total_ns, avg(duration) AS mean_ns
FROM kernels
GROUP BY name
ORDER BY total_ns DESC
LIMIT 50)"},
    {"Gaps of more than 1 ms between kernels of a stream",
     R"(SELECT device, stream, before_gap, name AS after_gap, ended AS gap_start_ns, start - ended AS gap_ns
FROM (SELECT device, stream, name, start,
        lag(name) OVER (PARTITION BY device, stream ORDER BY start) AS before_gap,
        max(start + duration) OVER (PARTITION BY device, stream ORDER BY start
                                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
      FROM kernels)
WHERE gap_ns > 1000000
ORDER BY gap_ns DESC)"},
    {"Operators of the slowest step",
     R"(WITH slowest AS (SELECT * FROM steps ORDER BY duration DESC LIMIT 1)
SELECT ops.name, count(*) AS calls, sum(ops.duration) AS total_ns
FROM slowest JOIN ops
  ON ops.start >= slowest.start AND ops.start < slowest.start + slowest.duration
GROUP BY ops.name
ORDER BY total_ns DESC
LIMIT 50)"},
    {"Peak memory of each device",
     R"(SELECT device_name, max(total_allocated) AS peak_allocated_bytes,
  max(total_reserved) AS peak_reserved_bytes, count(*) AS events
FROM memory_events
GROUP BY device_name)"},
    {"From launch to start, by kernel",
     R"(SELECT k.name, count(*) AS calls, avg(k.start - s.start) AS mean_delay_ns, max(k.start - s.start) AS most_delay_ns
FROM kernels k JOIN slices s ON s.id = k.launched_by
GROUP BY k.name
ORDER BY mean_delay_ns DESC
LIMIT 50)"},
    {"Copies by direction",
     R"(SELECT name, count(*) AS calls, sum(bytes) AS total_bytes, sum(duration) AS total_ns
FROM copies
GROUP BY name
ORDER BY total_ns DESC)"},
    {"The longest slice of every thread and stream",
     R"(SELECT t.process, t.track, t.kind, arg_max(s.name, s.duration) AS name, max(s.duration) AS longest_ns, count(*) AS slices
FROM slices s JOIN threads t ON t.id = s.lane
GROUP BY s.lane, t.process, t.track, t.kind
ORDER BY longest_ns DESC)"},
};

// The column of `tables` that "s.name" of a view is. REQUIRES: there is one: views are our own.
const SchemaColumn& column_called(const std::vector<SchemaTable>& tables, const SqlView& view, std::string_view shows);

std::string_view table_called(const std::vector<SchemaTable>& tables, const SqlView& view, char letter) {
  for (const SqlReference& reference : view.references) {
    if (reference.letter == letter) return column_called(tables, view, reference.column).row_of;
  }
  return view.table;
}

const SchemaColumn& column_called(const std::vector<SchemaTable>& tables, const SqlView& view, std::string_view shows) {
  const std::string_view table = table_called(tables, view, shows.front());
  const auto named = [](std::string_view name) { return [name](const auto& each) { return each.name == name; }; };
  const auto& columns = std::find_if(tables.begin(), tables.end(), named(table))->columns;
  return *std::find_if(columns.begin(), columns.end(), named(shows.substr(2)));
}

std::vector<SchemaTable> schema_of_tables(const Profile& profile) {
  std::vector<SchemaTable> tables;
  Profile::visit_tables(profile, [&](const auto& from) {
    SchemaTable table{.name = std::string(from.kName), .doc = table_doc(from), .rows = from.rows()};
    const auto add = [&](const ColumnInfo& info, std::string_view type) {
      table.columns.push_back(
          {std::string(info.name), std::string(type), info.unit, std::string(info.doc), std::string(row_of(info))});
    };
    add(kRowNumber, shared_type_name<Row>());
    from.for_each_column([&]<typename T>(const ColumnInfo& info, const Column<T>&) { add(info, shared_type_name<T>()); });
    tables.push_back(std::move(table));
  });
  return tables;
}

}  // namespace

std::span<const SqlView> sql_views() { return kViews; }
std::span<const SqlExample> sql_examples() { return kExamples; }

std::vector<SchemaTable> sql_schema(const Profile& profile) {
  const std::vector<SchemaTable> tables = schema_of_tables(profile);
  std::vector<SchemaTable> all;
  for (const SqlView& view : sql_views()) {
    SchemaTable table{.name = std::string(view.name), .doc = std::string(view.doc), .is_view = true};
    for (const SqlViewColumn& column : view.columns) {
      const bool computed = column.shows.find(' ') != std::string_view::npos;
      table.columns.push_back(computed ? SchemaColumn{} : column_called(tables, view, column.shows));
      table.columns.back().name = column.name;
    }
    all.push_back(std::move(table));
  }
  all.insert(all.end(), tables.begin(), tables.end());
  return all;
}

bool has_rows(const Profile& profile, std::string_view table) {
  for (const SqlView& view : sql_views()) {
    if (view.name != table) continue;
    if (view.kinds.empty()) return has_rows(profile, view.table);
    const auto& slices = profile.device_work.slice;  // those that take rows by kind are of this table
    return std::any_of(slices.begin(), slices.end(), [&](Row slice) {
      return slice != kNoRow && std::find(view.kinds.begin(), view.kinds.end(), profile.slices.kind[slice]) != view.kinds.end();
    });
  }
  bool found = false;
  Profile::visit_tables(profile, [&](const auto& each) { found |= each.kName == table && each.rows() > 0; });
  return found;
}

}  // namespace sightline::sql
