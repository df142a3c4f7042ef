// The data: the structs of the tables that table_list.h declares, with the
// facts about their columns, and rows and columns of unknown values. A table
// is a struct of columns of equal length. Rows refer to rows by number.
//
// Time is int64 nanoseconds since the run's origin; intervals are half-open. Unknown is never 0: an unknown
// integer is kUnknown (of 32 bits: -1), an unknown real is NaN, an unknown text is StringId::none, an unknown row is kNoRow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/memory.h"
#include "model/column.h"
#include "model/string_pool.h"
#include "model/unit.h"

namespace sightline::model {

using Time = std::int64_t;  // ns since the run's origin
using Row = std::uint32_t;  // a row number of some table
inline constexpr Row kNoRow = std::numeric_limits<Row>::max();

// Kinds of slices. Host kinds come first, device kinds from `kernel` on: see is_device_work.
enum class SliceKind : std::uint8_t {
  other,               // anything the format names and we do not know
  step,                // one iteration, on the host
  op,                  // a framework operator
  python,              // a Python function
  module,              // a Python function that is a framework module's call
  annotation,          // a user's named range on the host
  data_loading,        // fetching the next batch
  optimizer,           // an optimizer step
  host_communication,  // a host range that represents a collective
  runtime,             // a host call that enqueues or waits for device work
  overhead,            // the profiler's or driver's own cost
  sync,                // waiting shown on a device row
  span,                // the profiler's own window
  device_annotation,   // a user's named range projected on a device row
  measurement,         // the span that counters were read for; its times may be invented, so no sum contains it
  kernel,              // work on the device
  memcpy,              // a copy by the device
  memset,              // a fill by the device
  collective,          // a communication kernel or engine task
};

constexpr bool is_device_work(SliceKind kind) { return kind >= SliceKind::kernel; }

enum class LaneKind : std::uint8_t { host_thread, device_stream, engine, queue, counter, other };

// Which rule attributed device work (or a launching call) to the host range that caused it, strongest first.
enum class OwnerRule : std::uint8_t {
  none,         // not attributed
  linked_id,    // the id that the writer put on both
  containment,  // the innermost range open on the launching thread when the call began
  device_id,    // no launching call was recorded; the device event itself names the range
  captured,     // a graph ran it: the range whose call put it into the graph, from the recording of the graph's capture
};

// How a launch of a graph was matched to the recording of a capture, or why it was not; or why a capture fits no launch.
enum class GraphMatch : std::uint8_t {
  by_name,          // as many calls in the capture as pieces of device work, with the same names in the same order
  by_order,         // as many, of the same kinds in the same order; the capture does not name all kernels
  without_shapes,   // by name, but captures with other shapes fit as well: shapes are unknown
  part_by_name,     // the recording has only the beginning or the end of its device work, which fits one capture by name
  no_capture,       // no capture was recorded
  not_recorded,     // the recording has no device work of this launch
  counts_differ,    // no capture has as many calls as there are pieces of device work
  names_differ,     // some have as many calls, but of other kernels or kinds of work
  several_fit,      // different captures fit
  several_streams,  // its work ran on several streams, and the recording does not state the order of the graph's nodes
  nested_graph,     // the capture itself launches a graph
  unfinished,       // the recording ends before the capture
};

constexpr bool is_matched(GraphMatch match) { return match <= GraphMatch::part_by_name; }

// Which kind of core ran a kernel.
enum class CoreType : std::uint8_t { unknown, general, matrix, vector, mixed, host };

// How it is known how well a kernel fills its device.
enum class FillSource : std::uint8_t {
  file,               // as the file has it
  computed,           // from the launch and the properties of the device
  computed_for_zero,  // as the file has it, except the occupancy, which the file says is 0
  unknown_for_zero,   // the same, and the file has too little data to compute the occupancy
};

// Whether the file wrongly states an occupancy of 0.
constexpr bool is_file_zero(FillSource source) {
  return source == FillSource::computed_for_zero || source == FillSource::unknown_for_zero;
}

// What a collective does. Names are in kind_names.h.
enum class CollectiveKind : std::uint8_t {
  unknown,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  send,
  receive,
  send_receive,
  barrier,
};

// What a step of an inference engine does.
enum class ServingPhase : std::uint8_t {
  unknown,
  prefill,  // processes prompts, or chunks of them
  decode,   // generates tokens
  mixed,    // both
  image,    // one step of a diffusion model
  idle,     // nothing: the engine keeps in step with others
};

enum class FlowKind : std::uint8_t { launch, forward_backward, other };

enum class Severity : std::uint8_t { note, warning, error };

// ---- facts about tables and columns ----

enum class TableId : std::uint8_t {
#define TABLE(Struct, name, doc) name,
#include "model/table_list.h"
};

inline constexpr std::string_view kTableNames[] = {
#define TABLE(Struct, name, doc) #name,
#include "model/table_list.h"
};

constexpr std::string_view table_name(TableId table) { return kTableNames[static_cast<std::size_t>(table)]; }

enum class Refers : std::uint8_t {
  always,   // to a row
  or_none,  // to a row, or it is kNoRow
  or_end,   // to a row, or one past the last
};

// The table that a column of rows refers to.
struct Reference {
  TableId to;
  Refers refers;
};

struct ColumnInfo {
  std::string_view name;
  Unit unit;
  std::string_view doc;
  std::optional<Reference> reference{};  // of a column of Row
};

enum class Order : std::uint8_t {
  grouped,     // rows of the same values of all grouped columns lie together
  ascending,   // among rows that are equal in the keys before
  descending,  // among rows that are equal in the keys before
  once,        // ascending, and no value occurs twice
};

// A column that a table is sorted by; keys come in the order in which rows are compared.
struct KeyInfo {
  std::string_view column;
  Order order;
};

// ---- the structs ----

// Of a table: its columns, rows(), and in the order of the list
//   for_each_column(visit) -> visit(ColumnInfo, Column&)
//   for_each_key(visit) -> visit(KeyInfo, const Column&)
#define TABLE(Struct, name, doc)                          \
  struct Struct {                                         \
    static constexpr TableId kId = TableId::name;         \
    static constexpr std::string_view kName = #name;      \
    static constexpr std::string_view kDoc = doc;         \
    template <typename Self, typename Visit>              \
    static void visit_columns(Self& self, Visit&& visit); \
    template <typename Visit>                             \
    void for_each_column(Visit&& visit) {                 \
      visit_columns(*this, visit);                        \
    }                                                     \
    template <typename Visit>                             \
    void for_each_column(Visit&& visit) const {           \
      visit_columns(*this, visit);                        \
    }                                                     \
    template <typename Visit>                             \
    void for_each_key(Visit&& visit) const;               \
    std::size_t rows() const;
#define COLUMN(name, type, unit, doc)                                                    \
  static_assert(!std::is_same_v<type, Row>, "ROW declares what a column of rows is of"); \
  Column<type> name;
#define ROW(name, table, refers, doc) Column<Row> name;
// clang-format off
#define END_TABLE };
// clang-format on
#include "model/table_list.h"

// As many as the first column has.
constexpr std::size_t rows_of_columns(std::initializer_list<std::size_t> sizes) { return *sizes.begin(); }
#define TABLE(Struct, name, doc) \
  inline std::size_t Struct::rows() const { return rows_of_columns({
#define COLUMN(name, type, unit, doc) name.size(),
#define ROW(name, table, refers, doc) name.size(),
// clang-format off
#define END_TABLE }); }
// clang-format on
#include "model/table_list.h"

#define TABLE(Struct, name, doc)           \
  template <typename Self, typename Visit> \
  void Struct::visit_columns(Self& self, Visit&& visit) {
#define COLUMN(name, type, unit, doc) visit(ColumnInfo{#name, Unit::unit, doc}, self.name);
#define ROW(name, table, refers, doc) \
  visit(ColumnInfo{#name, Unit::id, doc, Reference{TableId::table, Refers::refers}}, self.name);
#define END_TABLE }
#include "model/table_list.h"

#define TABLE(Struct, name, doc) \
  template <typename Visit>      \
  void Struct::for_each_key([[maybe_unused]] Visit&& visit) const {
#define GROUPED_BY(column) visit(KeyInfo{#column, Order::grouped}, column);
#define SORTED_BY(column) visit(KeyInfo{#column, Order::ascending}, column);
#define DESCENDING_BY(column) visit(KeyInfo{#column, Order::descending}, column);
#define ONE_ROW_PER(column) visit(KeyInfo{#column, Order::once}, column);
#define END_TABLE }
#include "model/table_list.h"

// ---- rows and columns of unknown values ----

// Appends a row of unknown values and returns its number; the caller then sets the
// values it knows. So a reader names only the columns that its format has. Each value is
// NaN, kNoRow, kUnknown, StringId::none or 0 (kinds and flags), by the column's type.
template <typename Table>
Row add_unknown_row(Table& table) {
  const auto row = static_cast<Row>(table.rows());
  table.for_each_column([](const ColumnInfo&, auto& column) {
    using Value = typename std::decay_t<decltype(column)>::value_type;
    if constexpr (std::is_same_v<Value, StringId>) {
      column.push_back(StringId::none);
    } else if constexpr (std::is_same_v<Value, Row>) {
      column.push_back(kNoRow);
    } else if constexpr (std::is_same_v<Value, std::int64_t>) {
      column.push_back(kUnknown);
    } else if constexpr (std::is_same_v<Value, std::int32_t>) {
      column.push_back(-1);
    } else if constexpr (std::is_floating_point_v<Value>) {
      column.push_back(std::numeric_limits<Value>::quiet_NaN());
    } else {
      column.push_back(Value{});
    }
  });
  return row;
}

// A column with the same value in every row: one that the
// format does not have, or has once for all. A long one
// borrows memory that is mapped repeatedly (repeated_memory).
template <typename Value>
Column<Value> uniform_column(std::size_t rows, Value value) {
  constexpr std::size_t kLong = std::size_t{4} << 20;  // bytes
  const std::size_t size = rows * sizeof(Value);
  if (auto memory = size < kLong ? nullptr : repeated_memory(std::as_bytes(std::span(&value, 1)), size)) {
    const auto* const values = static_cast<const Value*>(memory.get());
    return Column<Value>::borrowed({values, rows}, std::move(memory));
  }
  Column<Value> column;
  column.resize(rows, value);
  return column;
}

// Long runs of one value in any column, from row `from` on, share their memory.
template <typename Table>
void share_repeated(Table& table, std::size_t from = 0) {
  table.for_each_column([&](const ColumnInfo&, auto& column) { column.share_repeated(from); });
}

// Fills the empty columns of a table whose first column is complete, with the values of add_unknown_row.
template <typename Table>
void fill_unknown_columns(Table& table) {
  const std::size_t rows = table.rows();
  Table unknown;
  add_unknown_row(unknown);
  table.for_each_column([&](const ColumnInfo& info, auto& column) {
    unknown.for_each_column([&](const ColumnInfo& same, const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(column)>, std::decay_t<decltype(value)>>) {
        if (column.empty() && info.name == same.name) column = uniform_column(rows, value[0]);
      }
    });
  });
}

}  // namespace sightline::model
