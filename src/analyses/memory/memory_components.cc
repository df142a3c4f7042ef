// Components: memory_usage is sorted by device, component and time, so a component is a range of rows.
#include "analyses/memory/memory_components.h"

#include <algorithm>
#include <span>

#include "analyses/columns.h"
#include "analyses/memory/memory_curve.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kRecords = "the component's records; a value holds until the next";

using Values = std::span<const std::int64_t>;

// The first record with the most, the carried one included; kNoRow when none is known.
Row peak_of(const MemoryComponent& component, Values values) {
  Row peak = kNoRow;
  const auto raise = [&](Row row) {
    if (values[row] != kUnknown && (peak == kNoRow || values[row] > values[peak])) peak = row;
  };
  if (component.carried != kNoRow) raise(component.carried);
  for (Row row = component.first; row < component.last; ++row) raise(row);
  return peak;
}

std::int64_t value_at(Values values, Row row) { return row == kNoRow ? kUnknown : values[row]; }

// When a record's value was first there inside the window.
Time seen_at(const MemoryScope& scope, Row row) {
  if (row == kNoRow) return kUnknown;
  const Time time = scope.profile->memory_usage.time[row];
  return scope.window ? std::max(time, scope.window->start) : time;
}

void cut_to_window(const MemoryScope& scope, MemoryComponent& component) {
  if (!scope.window) return;
  const auto& times = scope.profile->memory_usage.time;
  const auto row_at = [&](Time time) {
    return static_cast<Row>(std::lower_bound(times.begin() + component.first, times.begin() + component.last, time) -
                            times.begin());
  };
  const Row from = row_at(scope.window->start);
  const Row to = std::max(from, row_at(scope.window->end));
  if (from > component.first) component.carried = from - 1;
  component.first = from;
  component.last = to;
}

// A point of several curves with common times.
struct CurveRow {
  Time time;
  std::vector<std::int64_t> values;  // by curve
};

TableOf<CurveRow> curves_table(std::string_view key, Message title) {
  TableOf<CurveRow> table({.key = std::string(key), .title = std::move(title), .sort_column = "time", .sort_descending = false});
  table.add(integer_column("time", "Time", Unit::ns, {"When, since the run's origin.", "time of the record", kRecords}),
            &CurveRow::time);
  return table;
}

TableOf<CurveRow> reserved_table() { return curves_table("components_reserved", "Reserved by component"); }
TableOf<CurveRow> allocated_table() { return curves_table("components_allocated", "Allocated by component"); }

// `what`: reserved or allocated.
ReportColumn curve_column(std::string_view component, std::string_view what) {
  const std::string_view meaning =
      what == "reserved" ? "Memory that the component had reserved on the device." : "Memory that the component had allocated.";
  return integer_column("by " + std::string(component), component.empty() ? "(unnamed)" : component, Unit::bytes,
                        {meaning, what, kRecords})
      .with_unknown("unknown before the component's first record, and where a record does not state it");
}

// A change of one curve; `curve` counts the curves of a table.
struct ComponentChange {
  Time time;
  std::size_t curve;
  std::int64_t value;
};

// Lays curves side by side: a row per time of a change, with every other curve as it stood. Of changes of one curve at one
// time each has its row.
std::vector<CurveRow> side_by_side(std::vector<ComponentChange> changes, std::size_t curves, Interval extent) {
  if (changes.empty()) return {};
  sort_up(changes, &ComponentChange::time);
  std::vector<CurveRow> rows;
  std::vector<std::int64_t> now(curves, kUnknown);
  if (extent.start < changes.front().time) rows.push_back({extent.start, now});
  for (std::size_t i = 0; i < changes.size();) {
    const Time time = changes[i].time;
    std::vector<bool> changed(curves, false);
    for (; i < changes.size() && changes[i].time == time && !changed[changes[i].curve]; ++i) {
      changed[changes[i].curve] = true;
      now[changes[i].curve] = changes[i].value;
    }
    rows.push_back({time, now});
  }
  if (extent.end > changes.back().time) rows.push_back({extent.end, now});
  return rows;
}

// The curves of one component.
struct Drawn {
  StringId name;
  std::vector<Row> rows;
};

class CurveMaker {
 public:
  CurveMaker(const MemoryScope& scope, const std::vector<MemoryComponent>& components)
      : scope_(scope), usage_(scope.profile->memory_usage) {
    choose(components);
    find_extent();
  }

  ComponentCurves make() {
    curves_.reserved = drawn(reserved_table(), usage_.reserved, "reserved");
    curves_.allocated = drawn(allocated_table(), usage_.allocated, "allocated");
    return std::move(curves_);
  }

 private:
  // The components that ever held memory. Records from another day than the slices are left out if there are any others.
  void choose(const std::vector<MemoryComponent>& components) {
    for (const MemoryComponent& component : components) {
      const bool held =
          value_at(usage_.reserved, component.peak_reserved) > 0 || value_at(usage_.allocated, component.peak_allocated) > 0;
      if (held) drawn_.push_back({component.name, rows_of(component)});
    }
    const auto is_near = [&](Row row) { return is_near_slices(*scope_.profile, usage_.time[row]); };
    beside_slices_ = std::any_of(drawn_.begin(), drawn_.end(),
                                 [&](const Drawn& one) { return std::any_of(one.rows.begin(), one.rows.end(), is_near); });
    for (Drawn& one : drawn_) {
      if (beside_slices_)
        curves_.distant += static_cast<std::int64_t>(std::erase_if(one.rows, [&](Row row) { return !is_near(row); }));
    }
    std::erase_if(drawn_, [](const Drawn& one) { return one.rows.empty(); });
    if (drawn_.size() <= kMostDrawn) return;
    curves_.left_out = std::ssize(drawn_) - static_cast<std::ptrdiff_t>(kMostDrawn);
    drawn_.resize(kMostDrawn);
  }

  static std::vector<Row> rows_of(const MemoryComponent& component) {
    std::vector<Row> rows;
    if (component.carried != kNoRow) rows.push_back(component.carried);
    for (Row row = component.first; row < component.last; ++row) rows.push_back(row);
    return rows;
  }

  // The recording and all that is drawn, inside the window.
  void find_extent() {
    std::vector<Time> times;
    if (beside_slices_) times = {scope_.profile->span_start, scope_.profile->span_end};
    for (const Drawn& one : drawn_) {
      times.push_back(usage_.time[one.rows.front()]);
      times.push_back(usage_.time[one.rows.back()]);
    }
    if (times.empty()) return;
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    extent_ = {*least, *most};
    if (!scope_.window) return;
    extent_ = {std::max(extent_.start, scope_.window->start), std::min(extent_.end, scope_.window->end)};
  }

  ReportTable drawn(TableOf<CurveRow> table, Values values, std::string_view what) const {
    std::vector<ComponentChange> changes;
    std::size_t curve = 0;
    for (const Drawn& one : drawn_) {
      if (std::none_of(one.rows.begin(), one.rows.end(), [&](Row row) { return values[row] > 0; })) continue;
      std::vector<Time> time;
      std::vector<std::int64_t> value;
      for (const Row row : one.rows) {
        time.push_back(seen_at(scope_, row));
        value.push_back(values[row]);
      }
      for (const std::size_t at : thinned_rows(time, {value}, kMostCurveRows / kMostDrawn)) {
        changes.push_back({time[at], curve, value[at]});
      }
      table.add(curve_column(scope_.profile->text(one.name), what), [curve](const CurveRow& row) { return row.values[curve]; });
      ++curve;
    }
    return table.of(side_by_side(std::move(changes), curve, extent_));
  }

  const MemoryScope& scope_;
  const MemoryUsage& usage_;
  ComponentCurves curves_;
  std::vector<Drawn> drawn_;
  bool beside_slices_ = false;  // whether any record is near the slices; then the others are left out
  Interval extent_;
};

// Hides columns that no component states, and sorts by the column that most of them state.
void settle_columns(ReportTable& table) {
  const auto hide_unknown = [&](std::string_view peak, std::string_view at) {
    bool known = false;
    for (ReportColumn& column : table.columns) {
      for (std::size_t row = 0; column.key == peak && row < table.rows(); ++row) known |= column.values[row] != Cell{};
    }
    for (ReportColumn& column : table.columns) column.hidden |= !known && (column.key == peak || column.key == at);
    return !known;
  };
  hide_unknown("peak_allocated", "allocated_at");
  hide_unknown("peak_active", "");
  if (!hide_unknown("peak_reserved", "peak_at")) return;
  for (ReportColumn& column : table.columns) {
    if (column.key == "allocated_at") column.hidden = false;
  }
  table.sort_column = "peak_allocated";
  table.marks = RowMarks{"components_allocated", {"allocated_at"}};
}

}  // namespace

std::vector<MemoryComponent> memory_components(const MemoryScope& scope) {
  const MemoryUsage& usage = scope.profile->memory_usage;
  const StringId device = scope.on().name;
  std::vector<MemoryComponent> components;
  for (Row row = 0; row < usage.rows();) {
    MemoryComponent component{.name = usage.component[row], .first = row};
    const StringId on = usage.device_name[row];
    while (row < usage.rows() && usage.component[row] == component.name && usage.device_name[row] == on) ++row;
    component.last = row;
    if (on != device) continue;
    cut_to_window(scope, component);
    if (component.carried == kNoRow && component.first == component.last) continue;
    component.peak_reserved = peak_of(component, usage.reserved);
    component.peak_allocated = peak_of(component, usage.allocated);
    component.peak_active = peak_of(component, usage.active);
    components.push_back(component);
  }
  const auto most = [&](const MemoryComponent& component) {
    return std::max(value_at(usage.reserved, component.peak_reserved), value_at(usage.allocated, component.peak_allocated));
  };
  sort_down(components, [&](const MemoryComponent& each) { return most(each); });
  return components;
}

namespace {

TableOf<MemoryComponent, MemoryScope> component_columns() {
  using Component = MemoryComponent;
  TableOf<Component, MemoryScope> table({.key = "components",
                                         .title = "Memory by component",
                                         .sort_column = "peak_reserved",
                                         .marks = RowMarks{"components_reserved", {"peak_at"}}});
  const auto bytes = [](std::string_view key, Message title, Message meaning, Message formula) {
    return integer_column(key, title, Unit::bytes, {meaning, formula, kRecords});
  };
  const auto instant = [](std::string_view key, Message title, Message formula) {
    return integer_column(
        key, title, Unit::ns,
        {"When that was first reached, since the run's origin; in a chosen range no earlier than its start.", formula, kRecords});
  };
  const std::string not_reserved = "no record states what it reserved", not_allocated = "no record states what it allocated";
  table.add(label_column("component", "Component", "What held the memory, as named in the file"),
            [](const MemoryScope& scope, const Component& of) { return scope.profile->text(of.name); });
  table.add(bytes("peak_reserved", "Peak reserved", "The most memory that it had reserved at one time.", "max(reserved)")
                .with_unknown(not_reserved),
            [](const MemoryScope& scope, const Component& of) {
              return value_at(scope.profile->memory_usage.reserved, of.peak_reserved);
            });
  table.add(instant("peak_at", "Peak at", "time of the first record with the most reserved").with_unknown(not_reserved),
            [](const MemoryScope& scope, const Component& of) { return seen_at(scope, of.peak_reserved); });
  table.add(bytes("peak_allocated", "Peak allocated", "The most memory that it had allocated at one time.", "max(allocated)")
                .with_unknown(not_allocated),
            [](const MemoryScope& scope, const Component& of) {
              return value_at(scope.profile->memory_usage.allocated, of.peak_allocated);
            });
  table.add(instant("allocated_at", "Peak allocated at", "time of the first record with the most allocated")
                .with_unknown(not_allocated)
                .hide(),
            [](const MemoryScope& scope, const Component& of) { return seen_at(scope, of.peak_allocated); });
  table.add(
      bytes("peak_active", "Peak active", "The most memory that it had allocated, or kept for a stream that still uses it.",
            "max(active)")
          .with_unknown("no record states it"),
      [](const MemoryScope& scope, const Component& of) { return value_at(scope.profile->memory_usage.active, of.peak_active); });
  table.add(integer_column("records", "Records", Unit::count,
                           {"Records in the recording, or in the chosen range.", "number of records",
                            "what the file holds of the component"}),
            [](const Component& of) { return std::int64_t{of.last} - std::int64_t{of.first}; });
  return table;
}

}  // namespace

ReportTable blank_component_table() { return component_columns().blank(); }

ReportTable component_table(const MemoryScope& scope, const std::vector<MemoryComponent>& components) {
  ReportTable table = component_columns().of(scope, components);
  settle_columns(table);
  return table;
}

ComponentCurves component_curves(const MemoryScope& scope, const std::vector<MemoryComponent>& components) {
  return CurveMaker(scope, components).make();
}

}  // namespace sightline::analyses
