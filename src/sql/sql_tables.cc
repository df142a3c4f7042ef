// Views and examples in SQL, and the columns of tables and views as DuckDB reads them. A view names the rows of other tables that
// people would otherwise join themselves.
#include "sql/sql_tables.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>

#include "base/text.h"
#include "model/shared_tables.h"
#include "sql/work_order.h"

namespace sightline::sql {

// ---- the schema ----

namespace {

// The columns of a view of device work: those that each has, with its own in between.
template <std::size_t kOwn>
consteval auto work_columns(const SqlViewColumn (&own)[kOwn]) {
  constexpr SqlViewColumn kFirst[] = {
      {"id", "s.id"},         {"name", "s.name"},    {"kind", "s.kind"}, {"start", "s.start"}, {"duration", "s.duration"},
      {"device", "w.device"}, {"stream", "l.track"},
  };
  constexpr SqlViewColumn kLast[] = {
      {"launched_by", "c.slice"},
      {"launched_at", "h.start", "Start of the call that launched it, since the run's origin"},
      {"owner", "w.owner"},
      {"lane", "s.lane"},
  };
  std::array<SqlViewColumn, std::size(kFirst) + kOwn + std::size(kLast)> all{};
  auto next = std::copy(std::begin(kFirst), std::end(kFirst), all.begin());
  next = std::copy(std::begin(own), std::end(own), next);
  std::copy(std::begin(kLast), std::end(kLast), next);
  return all;
}

constexpr auto kKernels = work_columns({
    {"operator", "o.name"},
    {"core_type", "w.core_type"},
    {"grid", "w.grid"},
    {"block", "w.block"},
    {"registers", "w.registers"},
    {"shared_bytes", "w.shared_bytes"},
    {"blocks_per_core", "w.blocks_per_core"},
    {"warps_per_core", "w.warps_per_core"},
    {"occupancy", "w.occupancy"},
});

constexpr auto kCopies = work_columns({
    {"bytes", "w.bytes"},
    {"operator", "o.name"},
});

constexpr auto kWork = work_columns({
    {"before", "b.slice", "Row of slices of the work before it on the stream"},
    {"before_name", "q.name", "Name of the work before it on the stream"},
    {"before_end", "t.before_end"},
    {"free_at", "t.free_at"},
    {"operator", "o.name"},
});

constexpr SqlViewColumn kOps[] = {
    {"id", "s.id"},
    {"name", "s.name"},
    {"start", "s.start"},
    {"duration", "s.duration"},
    {"thread", "l.track"},
    {"parent_name", "p.name"},
    {"input_shapes", "o.input_shapes"},
    {"input_types", "o.input_types"},
    {"input_strides", "o.input_strides"},
    {"concrete_inputs", "o.concrete_inputs"},
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

constexpr SqlReference kOfWork[] = {{'s', "w.slice"}, {'l', "s.lane"},   {'o', "w.owner"}, {'c', "w.launch"},
                                    {'h', "c.slice"}, {'b', "t.before"}, {'q', "b.slice"}};
constexpr SqlReference kOfOperators[] = {{'s', "o.slice"}, {'l', "s.lane"}, {'p', "s.parent"}};
constexpr SqlReference kOfLanes[] = {{'p', "l.process"}};
constexpr SliceKind kComputing[] = {SliceKind::kernel, SliceKind::collective};
constexpr SliceKind kCopying[] = {SliceKind::memcpy, SliceKind::memset};

constexpr SqlView kViews[] = {
    {"kernels", "Kernels and collectives on devices, each with its stream and with the operator it is attributed to.", 'w',
     "device_work", kOfWork, kKernels, kComputing},
    {"copies", "Copies and fills on devices.", 'w', "device_work", kOfWork, kCopies, kCopying},
    {"work", "All work on devices, each with its launch and with the work before it on its stream.", 'w', "device_work", kOfWork,
     kWork},
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
     R"(SELECT name, count(*) AS calls, avg(start - launched_at) AS mean_delay_ns, max(start - launched_at) AS most_delay_ns
FROM kernels
WHERE launched_at IS NOT NULL
GROUP BY name
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

// The column of `tables` that "s.name" of a view means. REQUIRES: it exists, because the views are our own.
const SchemaColumn& column_called(const std::vector<SchemaTable>& tables, const SqlView& view, std::string_view shows);

std::string_view table_called(const std::vector<SchemaTable>& tables, const SqlView& view, char letter) {
  if (letter == kOrderOfWork) return WorkOrder::kName;
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

template <typename Table>
SchemaTable schema_of(const Table& from, std::string doc) {
  SchemaTable table{.name = std::string(from.kName), .doc = std::move(doc), .rows = from.rows()};
  const auto add = [&](const ColumnInfo& info, std::string_view type) {
    table.columns.push_back(
        {std::string(info.name), std::string(type), info.unit, std::string(info.doc), std::string(row_of(info))});
  };
  add(kRowNumber, shared_type_name<Row>());
  from.for_each_column([&]<typename T>(const ColumnInfo& info, const Column<T>&) { add(info, shared_type_name<T>()); });
  return table;
}

std::vector<SchemaTable> schema_of_tables(const Profile& profile) {
  std::vector<SchemaTable> tables;
  Profile::visit_tables(profile, [&](const auto& from) { tables.push_back(schema_of(from, table_doc(from))); });
  return tables;
}

}  // namespace

std::span<const SqlView> sql_views() { return kViews; }
std::span<const SqlExample> sql_examples() { return kExamples; }

std::vector<SchemaTable> sql_schema(const Profile& profile) {
  const std::vector<SchemaTable> tables = schema_of_tables(profile);
  std::vector<SchemaTable> shown = tables;  // by views
  shown.push_back(schema_of(WorkOrder(0), ""));
  std::vector<SchemaTable> all;
  for (const SqlView& view : sql_views()) {
    SchemaTable table{.name = std::string(view.name), .doc = std::string(view.doc), .is_view = true};
    for (const SqlViewColumn& column : view.columns) {
      const bool computed = column.shows.find(' ') != std::string_view::npos;
      table.columns.push_back(computed ? SchemaColumn{} : column_called(shown, view, column.shows));
      table.columns.back().name = column.name;
      if (!column.doc.empty()) table.columns.back().doc = column.doc;
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

// ---- columns as DuckDB reads them ----

namespace {

duckdb::Text text_of(std::string_view from) {
  duckdb::Text text;
  text.size = static_cast<std::uint32_t>(from.size());
  if (from.size() <= duckdb::Text::kMostInside) {
    std::memcpy(text.bytes, from.data(), from.size());
  } else {
    const char* const address = from.data();
    std::memcpy(text.bytes, address, duckdb::Text::kAddress);
    std::memcpy(text.bytes + duckdb::Text::kAddress, &address, sizeof address);
  }
  return text;
}

// The words of an enumeration, by value.
template <typename T>
const duckdb::Text* words() {
  static const auto all = [] {
    std::array<duckdb::Text, 256> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = text_of(word_of(static_cast<T>(i)));
    return made;
  }();
  return all.data();
}

template <typename T>
const T* values_from(const SqlColumn& column, std::size_t first) {
  return static_cast<const T*>(column.values) + first;
}

void write_row_numbers(const SqlColumn&, const SqlTexts&, std::size_t first, std::size_t count, void* out) {
  auto* to = static_cast<std::int64_t*>(out);
  std::iota(to, to + count, static_cast<std::int64_t>(first));
}

template <typename T>
void mark_unknown(const SqlColumn& column, std::size_t first, std::size_t count, const SqlColumn::Bits& bits) {
  const T* from = values_from<T>(column, first);
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) any |= is_unknown_value(from[i]);
  if (!any) return;
  std::uint64_t* known = bits();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_unknown_value(from[i])) known[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
}

// The texts of a type that is shown as text, by value.
template <typename T>
const duckdb::Text* texts_by_value(const SqlTexts& texts) {
  if constexpr (std::is_same_v<T, StringId>) {
    return texts.all();
  } else if constexpr (std::is_enum_v<T>) {
    return words<T>();
  } else {
    return nullptr;
  }
}

template <typename T>
auto shown(const duckdb::Text* by_value, T value) {
  if constexpr (std::is_enum_v<T>) {
    return by_value[static_cast<std::uint32_t>(value)];
  } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
    return value;
  } else {
    return static_cast<std::int64_t>(value);
  }
}

template <typename T>
void write_values(const SqlColumn& column, const SqlTexts& texts, std::size_t first, std::size_t count, void* out) {
  const duckdb::Text* by_value = texts_by_value<T>(texts);
  const T* from = values_from<T>(column, first);
  auto* to = static_cast<decltype(shown(by_value, T{}))*>(out);
  for (std::size_t i = 0; i < count; ++i) to[i] = shown(by_value, from[i]);
}

template <typename T>
void gather_values(const SqlColumn& column, const SqlTexts& texts, std::span<const Row> rows, void* out,
                   const SqlColumn::Bits& bits) {
  const duckdb::Text* by_value = texts_by_value<T>(texts);
  using Shown = decltype(shown(by_value, T{}));
  const T* from = values_from<T>(column, 0);
  auto* to = static_cast<Shown*>(out);
  std::uint64_t* known = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != kNoRow && !is_unknown_value(from[rows[i]])) {
      to[i] = shown(by_value, from[rows[i]]);
      continue;
    }
    if (known == nullptr) known = bits();
    known[i / 64] &= ~(std::uint64_t{1} << i % 64);
    to[i] = Shown{};
  }
}

void gather_row_numbers(const SqlColumn&, const SqlTexts&, std::span<const Row> rows, void* out, const SqlColumn::Bits& bits) {
  auto* to = static_cast<std::int64_t*>(out);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    to[i] = std::int64_t{rows[i]};
    if (rows[i] == kNoRow) bits()[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
}

template <typename T>
int sql_type() {
  if constexpr (std::is_same_v<T, bool>) return duckdb::kBoolean;
  if constexpr (std::is_same_v<T, float>) return duckdb::kFloat;
  if constexpr (std::is_same_v<T, double>) return duckdb::kDouble;
  if constexpr (std::is_same_v<T, StringId> || std::is_enum_v<T>) return duckdb::kVarchar;
  return duckdb::kBigInt;
}

template <typename T>
SqlColumn column_of(std::string_view table, const ColumnInfo& info, const Column<T>& values) {
  SqlColumn made{.name = info.name, .origin = std::string(table) + "." + std::string(info.name)};
  made.row_of = row_of(info);
  made.sql_type = sql_type<T>();
  made.values = values.data();
  if constexpr (std::is_same_v<T, std::int64_t>) made.arrow = "l";
  if constexpr (std::is_same_v<T, double>) made.arrow = "g";
  if (made.arrow == nullptr) made.write = write_values<T>;
  made.mark = mark_unknown<T>;
  made.gather = gather_values<T>;
  return made;
}

SqlColumn row_number_of(std::string_view table) {
  SqlColumn made{.name = kRowNumber.name, .origin = std::string(table) + "." + std::string(kRowNumber.name)};
  made.write = write_row_numbers;
  made.gather = gather_row_numbers;
  return made;
}

template <typename Table>
SqlTable table_of(const Table& from) {
  SqlTable table{.name = from.kName, .rows = from.rows()};
  table.columns.push_back(row_number_of(from.kName));
  from.for_each_column([&]<typename T>(const ColumnInfo& info, const Column<T>& column) {
    table.columns.push_back(column_of(from.kName, info, column));
  });
  return table;
}

// ---- views ----

// A row that a view refers to: its table, and the path to it.
struct Place {
  const SqlTable* table = nullptr;
  std::vector<const Row*> path{};
  std::function<void()> compute{};  // see SqlColumn
};

// REQUIRES: the table or column exists, because the views are our own.
const SqlTable& table_called(const std::vector<SqlTable>& tables, std::string_view name) {
  return *std::find_if(tables.begin(), tables.end(), [&](auto& each) { return each.name == name; });
}

const SqlColumn& column_called(const SqlTable& table, std::string_view name) {
  return *std::find_if(table.columns.begin(), table.columns.end(), [&](auto& each) { return each.name == name; });
}

// "l.last - l.first" of every row. Only columns of row numbers are subtracted.
SqlColumn difference(const std::map<char, Place>& places, std::string_view shows) {
  const std::size_t minus = shows.find(" - ");
  const SqlTable& table = *places.at(shows.front()).table;
  const auto* more = static_cast<const Row*>(column_called(table, shows.substr(2, minus - 2)).values);
  const auto* less = static_cast<const Row*>(column_called(table, shows.substr(minus + 5)).values);
  auto values = std::make_shared<std::vector<std::int64_t>>(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) (*values)[row] = std::int64_t{more[row]} - std::int64_t{less[row]};
  SqlColumn made;
  made.values = values->data();
  made.gather = gather_values<std::int64_t>;
  made.own = std::move(values);
  return made;
}

// The order of work, computed at its first use.
struct LazyOrder {
  explicit LazyOrder(std::size_t rows) : order(rows) {}

  WorkOrder order;
  std::once_flag computed{};
};

SqlTable view_of(const SqlView& view, const std::vector<SqlTable>& tables, const Profile& profile, const Place& order) {
  std::map<char, Place> places{{kOrderOfWork, order}};
  places[view.letter].table = &table_called(tables, view.table);
  for (const SqlReference& reference : view.references) {
    Place place = places.at(reference.column.front());
    const SqlColumn& column = column_called(*place.table, reference.column.substr(2));
    place.path.push_back(static_cast<const Row*>(column.values));
    place.table = &table_called(tables, column.row_of);
    places[reference.letter] = std::move(place);
  }
  SqlTable made{.name = view.name, .rows = places[view.letter].table->rows, .is_view = true};
  for (const SqlViewColumn& each : view.columns) {
    const bool computed = each.shows.find(' ') != std::string_view::npos;
    const Place& place = places.at(each.shows.front());
    SqlColumn column = computed ? difference(places, each.shows) : column_called(*place.table, each.shows.substr(2));
    column.name = each.name;
    if (place.table == order.table || !each.doc.empty()) column.origin = std::string(view.name) + "." + std::string(each.name);
    column.path = place.path;
    column.compute = place.compute;
    column.arrow = nullptr;
    made.columns.push_back(std::move(column));
  }
  for (const SliceKind kind : view.kinds) made.only_kinds |= 1u << static_cast<unsigned>(kind);
  if (made.only_kinds != 0) made.only_path = places.at('s').path;
  made.only_of = profile.slices.kind.data();
  return made;
}

}  // namespace

const duckdb::Text* SqlTexts::all() const {
  std::call_once(made_, [this] {
    const std::size_t count = profile_.strings.size();
    texts_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view text = profile_.text(static_cast<StringId>(i));
      if (!simdjson::validate_utf8(text.data(), text.size())) text = repaired_.emplace_back(to_utf8(text));
      texts_[i] = text_of(text);
    }
  });
  return texts_.data();
}

std::vector<SqlTable> sql_tables(const Profile& profile) {
  std::vector<SqlTable> tables;
  Profile::visit_tables(profile, [&](const auto& from) { tables.push_back(table_of(from)); });
  const auto lazy = std::make_shared<LazyOrder>(profile.device_work.rows());
  const SqlTable order = table_of(lazy->order);
  const auto compute = [lazy, &profile] { std::call_once(lazy->computed, [&] { order_work(profile, lazy->order); }); };
  std::vector<SqlTable> views;
  for (const SqlView& view : sql_views()) views.push_back(view_of(view, tables, profile, {.table = &order, .compute = compute}));
  std::move(views.begin(), views.end(), std::back_inserter(tables));
  return tables;
}

}  // namespace sightline::sql
