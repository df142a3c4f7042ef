// A report on the wire: what each part of it is as JSON, and in TypeScript (output/wire.h). docs/http.md explains it.
#pragma once

#include <span>

#include "engine/kept_report.h"
#include "output/wire.h"

namespace sightline::output {

template <>
struct WireEnum<ColumnRole> {
  static constexpr std::string_view kType = "ColumnRole";
  static constexpr std::array<std::string_view, 3> kNames{"value", "label", "category"};
};

template <>
struct WireEnum<ParameterType> {
  static constexpr std::string_view kType = "ParameterType";
  static constexpr std::array<std::string_view, 5> kNames{"choice", "integer", "text", "flag", "time"};
};

template <>
struct WireEnum<Note::Level> {
  static constexpr std::string_view kType = "NoteLevel";
  static constexpr std::array<std::string_view, 2> kNames{"info", "warning"};
};

template <>
struct WireEnum<Advice::Level> {
  static constexpr std::string_view kType = "Severity";
  static constexpr std::array<std::string_view, 4> kNames{"high", "medium", "low", "note"};
};

// ---- what a report is sent as, where it is not sent as it is ----

template <typename T>
inline const T kBlank{};

struct SentColumn {
  const ReportColumn* column = &kBlank<ReportColumn>;
  std::optional<std::span<const std::uint32_t>> rows{};
};

struct TableSort {
  std::string_view column;
  bool descending = true;
};

struct SentTable {
  const ReportTable* table = &kBlank<ReportTable>;
  RowOrder order{};  // null: all rows; else the first of these
};

struct SentReport {
  const Report* report = &kBlank<Report>;
  const KeptReport* kept = nullptr;  // null: all rows of every table

  std::vector<std::pair<std::string, SentTable>> tables() const {
    std::vector<std::pair<std::string, SentTable>> sent;
    for (const ReportTable& table : report->tables) {
      const bool paged = kept != nullptr && kept->paged(table);
      sent.emplace_back(table.key, SentTable{&table, paged ? kept->own_order(table) : nullptr});
    }
    return sent;
  }
};

// Some rows of a paged table, as sorted and filtered by the server.
struct SentRows {
  const ReportTable* table = &kBlank<ReportTable>;
  RowOrder order{};  // of all rows that match
  std::size_t from = 0, to = 0;
};

struct SentColumnRows {
  SentColumn of;
  std::optional<double> least{}, most{};  // of the whole column
};

struct SentLink {
  std::string_view view;
  const Message* title = &kBlank<Message>;
  const LinkParameters* parameters = &kBlank<LinkParameters>;
};

// ---- tables ----

template <typename Wire>
void describe(Wire& wire, const SentColumn& sent) {
  const ReportColumn& column = *sent.column;
  wire.type("WireColumn");
  wire.must("key", column.key);
  wire.must("title", column.title);
  wire.must("unit", column.unit);
  wire.must("type", column.type);
  wire.must("role", column.role);
  wire.some("doc", column.doc);
  wire.some("bar", column.bar,
            "The value of the faint bar behind the number: another column's key (a share), or the column itself.");
  wire.some("category", column.category, "The fixed hue of the series.");
  wire.some("unknown", column.unknown, "Why unknown cells are unknown.");
  wire.some("words", column.words,
            "Texts are words of the program: \"all\", or the key of the flag column that marks such rows.");
  wire.some("code", column.code, "A name or code: in a mono font, cut in the middle.");
  wire.some("hidden", column.hidden);
  wire.some("change", column.change, "A difference: written with its sign; an increase is worse.");
  wire.must("values", SentCells{&column.values, sent.rows});
}

template <typename Wire>
void describe(Wire& wire, const RowDetail& detail) {
  wire.type("RowDetail");
  wire.must("title", detail.title);
  wire.must("view", detail.view);
  wire.must("parameters", detail.parameters);
  wire.some("when", detail.when, "A flag column: only rows where it holds have the detail.");
}

template <typename Wire>
void describe(Wire& wire, const RowLink& link) {
  wire.type("RowLink");
  wire.must("title", link.title);
  wire.must("view", link.view);
  wire.must("parameters", link.parameters);
  wire.some("when", link.when, "A flag column: only rows where it holds have the link.");
  wire.some("find", link.find, "A text or \"$key\": the target view scrolls to the row with this label and marks it.");
  wire.some("direct", link.direct, "A click on the row's mark in a chart follows it immediately.");
  wire.some("other", link.other, "Leads to the second of the report's profiles.");
  wire.some("worker", link.worker, "\"$key\": opens the worker of that name, in the same run and span.");
}

template <typename Wire>
void describe(Wire& wire, const RowMarks& marks) {
  wire.type("RowMarks", "While the pointer is on a row, the instants in these columns are marked in that `lines` panel.");
  wire.must("panel", marks.panel);
  wire.must("columns", marks.columns);
}

template <typename Wire>
void describe(Wire& wire, const TableSort& sort) {
  wire.type("TableSort");
  wire.must("column", sort.column);
  wire.must("descending", sort.descending);
}

template <typename Wire>
void describe(Wire& wire, const SentTable& sent) {
  const ReportTable& table = *sent.table;
  SentColumn each;
  if (sent.order) each.rows = std::span(*sent.order).first(kFirstRows);
  std::vector<SentColumn> columns(table.columns.size(), each);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].column = &table.columns[i];
  wire.type("WireTable");
  wire.must("title", table.title);
  wire.must("rows", table.rows(), "Number of all rows; a paged table comes with the first ones only.");
  wire.some("paged", sent.order != nullptr);
  wire.some("sort",
            table.sort_column.empty() ? std::nullopt : std::optional(TableSort{table.sort_column, table.sort_descending}));
  wire.must("columns", columns);
  wire.some("row_detail", table.row_detail);
  wire.some("row_links", table.row_links);
  wire.some("marks", table.marks);
  wire.remember(table.said);
}

template <typename Wire>
void describe(Wire& wire, const SentColumnRows& column) {
  wire.type("WireColumnRows");
  wire.must("key", column.of.column->key);
  wire.must("values", SentCells{&column.of.column->values, column.of.rows});
  wire.some("least", column.least, "Of the whole column.");
  wire.some("most", column.most);
}

// The least and the greatest known number of the column.
SentColumnRows with_extent(const SentColumn& column);

template <typename Wire>
void describe(Wire& wire, const SentRows& sent) {
  std::vector<SentColumnRows> columns;
  for (const ReportColumn& column : sent.table->columns)
    columns.push_back(with_extent({&column, std::span(*sent.order).subspan(sent.from, sent.to - sent.from)}));
  wire.type("WireRows", "Some rows of a paged table, as sorted and filtered by the server.");
  wire.must("rows", sent.order == nullptr ? 0 : sent.order->size(), "How many match.");
  wire.must("of", sent.table->rows());
  wire.must("offset", sent.from);
  wire.must("columns", columns);
  wire.remember(sent.table->said);
  wire.messages();
}

// ---- what panels show ----

template <typename Wire>
void describe(Wire& wire, const Note& note) {
  wire.type("Note");
  wire.must("level", note.level);
  wire.must("text", note.text);
}

// Unknown: the type of a number.
inline CellType type_of(const Cell& cell) {
  if (std::holds_alternative<std::string>(cell)) return CellType::text;
  if (std::holds_alternative<bool>(cell)) return CellType::flag;
  return std::holds_alternative<std::int64_t>(cell) ? CellType::integer : CellType::real;
}

// What a value reads as, unless it is a number.
inline std::optional<NameOrText> text_of(const FactValue& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    return NameOrText{value.words.empty() ? Message::verbatim(*text) : value.words};
  if (const auto* flag = std::get_if<bool>(&value)) return NameOrText{Message::verbatim(*flag ? "yes" : "no")};
  return std::nullopt;
}

template <typename Wire>
void describe(Wire& wire, const Fact& fact) {
  wire.type("Fact");
  wire.must("label", fact.label);
  wire.must("value", static_cast<const Cell&>(fact.value));
  wire.must("unit", fact.unit);
  wire.must("type", type_of(fact.value));
  wire.some("text", text_of(fact.value), "What the value reads as, unless it is a number.");
  wire.some("doc", fact.doc);
  wire.some("unknown", fact.unknown, "Why the value is unknown.");
}

template <typename Wire>
void describe(Wire& wire, const SentLink& link) {
  wire.type("ViewLink");
  wire.must("view", link.view);
  wire.some("title", *link.title);
  wire.must("parameters", *link.parameters,
            "Of the view; a key with a dot is a state of the page, such as the window of the timeline.");
}

template <typename Wire>
void describe(Wire& wire, const Advice& advice) {
  wire.type("AdviceItem");
  wire.must("id", advice.id);
  wire.must("severity", advice.severity);
  wire.must("gain", advice.gain, "What can be won at most, in ns per step; null: unknown.");
  wire.must("share", advice.share, "The gain as a share of the step.");
  wire.some("change", advice.change, "The scenario that predicts the gain: the parameter `change` of the view what_if.");
  wire.must("title", advice.title);
  wire.must("evidence", advice.evidence, "The figures that led to it.");
  wire.some("where", advice.where, "The call that it is about, and its line of source.");
  wire.some("brief", advice.brief, "What to try first, in a few words.");
  wire.must("action", advice.action, "What to try.");
  wire.must("link", advice.link_view.empty()
                        ? std::nullopt
                        : std::optional(SentLink{advice.link_view, &advice.link_title, &advice.link_parameters}));
  std::vector<SentLink> more;
  for (const AdviceLink& link : advice.more_links) more.push_back({link.view, &link.title, &link.parameters});
  wire.some("more_links", more, "Of other rules that found the same cause, to their evidence.");
  wire.must("doc_url", advice.doc_url.empty() ? std::nullopt : std::optional(std::string_view(advice.doc_url)));
}

template <typename Wire>
void describe(Wire& wire, const RangeSelect& select) {
  wire.type("RangeSelect", "The parameters that a `lines` panel sets: by dragging over it, and by a click.");
  wire.some("start", select.start);
  wire.some("end", select.end);
  wire.some("at", select.at);
}

template <typename Wire>
void describe(Wire& wire, const LineMark& mark) {
  wire.type("LineMark");
  wire.must("x", mark.x);
  wire.must("label", mark.label);
}

template <typename Wire>
void describe(Wire& wire, const Ceiling& ceiling) {
  wire.type("Ceiling", "A line that no point is above: y is at most slope * x, and at most flat; null is no limit.");
  wire.must("label", ceiling.label);
  wire.must("slope", ceiling.slope);
  wire.must("flat", ceiling.flat);
}

// ---- panels ----

template <typename Wire>
void describe(Wire& wire, const FactSheet& sheet) {
  wire.type("FactSheet");
  wire.must("facts", sheet.facts);
}

template <typename Wire>
void describe(Wire& wire, const BreakdownChart& chart) {
  wire.type("BreakdownChart");
  wire.must("table", chart.table);
  wire.must("label", chart.label);
  wire.must("value", chart.value);
  wire.must("top", chart.top, "Slices drawn; the rest is one more.");
  wire.some("total", chart.total, "When the rows do not sum to the whole.");
}

template <typename Wire>
void describe(Wire& wire, const BarChart& chart) {
  wire.type("BarChart");
  wire.must("table", chart.table);
  wire.must("x", chart.x);
  wire.must("series", chart.series);
  wire.some("stacked", chart.stacked);
}

template <typename Wire>
void describe(Wire& wire, const LineChart& chart) {
  wire.type("LineChart");
  wire.must("table", chart.table);
  wire.must("x", chart.x);
  wire.must("series", chart.series);
  wire.some("step", chart.step);
  wire.some("select", chart.select);
  wire.some("marks", chart.marks);
}

template <typename Wire>
void describe(Wire& wire, const HeatmapChart& chart) {
  wire.type("HeatmapChart");
  wire.must("table", chart.table);
  wire.must("value", chart.value);
  wire.must("x", chart.x);
  wire.must("y", chart.y);
}

template <typename Wire>
void describe(Wire& wire, const ScatterChart& chart) {
  wire.type("ScatterChart", "Both axes are logarithmic.");
  wire.must("table", chart.table);
  wire.must("label", chart.label);
  wire.some("value", chart.value, "What the size of a point shows.");
  wire.must("x", chart.x);
  wire.must("y", chart.y);
  wire.some("ceilings", chart.ceilings);
}

template <typename Wire>
void describe(Wire& wire, const FlameChart& chart) {
  wire.type("FlameChart");
  wire.must("table", chart.table);
  wire.must("label", chart.label);
  wire.must("value", chart.value);
  wire.must("parent", chart.parent);
  wire.some("up", chart.up, "The roots are at the bottom.");
}

template <typename Wire>
void describe(Wire& wire, const GanttChart& chart) {
  wire.type("GanttChart", "Rectangles on rows over one axis of time.");
  wire.must("table", chart.table);
  wire.must("group", chart.group, "The column that names the rows which are together.");
  wire.must("lane", chart.lane, "The column that names the row.");
  wire.must("start", chart.start);
  wire.must("length", chart.length);
  wire.must("label", chart.label);
  wire.must("hue", chart.hue, "The column of the categories whose colours the rectangles have.");
}

template <typename Wire>
void describe(Wire& wire, const GraphChart& chart) {
  wire.type("GraphChart", "Boxes in layers, and arrows between them.");
  wire.must("table", chart.table);
  wire.must("label", chart.label, "The column that names a box.");
  wire.must("detail", chart.detail, "The column of its second line.");
  wire.must("value", chart.value, "The column of the number that its shade shows.");
  wire.must("layer", chart.layer, "Counts from the top.");
  wire.must("place", chart.place, "The centre of the box within its layer, in widths of a box.");
  wire.must("here", chart.here, "The flag of the box that the graph is around.");
  wire.must("edges", chart.edges, "The table of the arrows.");
  wire.must("from", chart.from, "Its column of the row that an arrow comes from.");
  wire.must("to", chart.to);
}

template <typename Wire>
void describe(Wire& wire, const TreeTable& tree) {
  wire.type("TreeTable");
  wire.must("table", tree.table);
  wire.must("parent", tree.parent);
}

template <typename Wire>
void describe(Wire& wire, const PlainTable& plain) {
  wire.type("PlainTable");
  wire.must("table", plain.table);
  wire.some("known", plain.known, "Rows that are unknown in this column are folded behind one line.");
}

template <typename Wire>
void describe(Wire& wire, const AdviceList& list) {
  wire.type("AdviceList");
  wire.must("items", list.items);
}

template <typename Wire>
void describe(Wire& wire, const VerdictItem& item) {
  wire.type("VerdictItem", "One figure of a verdict.");
  wire.must("id", item.id);
  wire.must("label", item.label);
  wire.must("value", item.value);
  wire.some("note", item.note);
  wire.some("doc", item.doc);
}

template <typename Wire>
void describe(Wire& wire, const VerdictStrip& strip) {
  wire.type("VerdictStrip", "The answer in one line, and a bar of the parts that it is about: the rows of the table.");
  wire.must("items", strip.items);
  wire.must("table", strip.table);
  wire.must("label", strip.label);
  wire.must("value", strip.value);
  wire.must("hue", strip.hue, "The column of the categories whose colours the parts have.");
}

template <typename Wire>
void describe(Wire& wire, const CodeText& code) {
  wire.type("CodeText", "A program, or another text in lines.");
  wire.must("text", code.text);
  wire.must("file", code.file, "The name to save it under.");
}

template <typename Wire>
void describe(Wire& wire, const TimelineCanvas&) {
  wire.type("TimelineCanvas", "The page draws it from the timeline's own routes.");
}

template <typename Wire>
void describe(Wire& wire, const Panel& panel) {
  wire.type("Panel");
  wire.kind(panel.content);
  wire.must("id", panel.id);
  wire.must("title", panel.title);
  wire.some("scope", panel.scope);
  wire.some("doc", panel.doc);
  wire.some("width", panel.width, "full, half or third.");
  wire.some("empty", panel.empty, "The sentence shown when there is nothing to draw.");
  wire.some("notes", panel.notes);
  wire.members(panel.content);
}

// ---- the report ----

template <typename Wire>
void describe(Wire& wire, const ParameterChoice& choice) {
  wire.type("ParameterChoice");
  wire.must("value", choice.value);
  wire.must("title", choice.title);
}

template <typename Wire>
void describe(Wire& wire, const Parameter& parameter) {
  wire.type("Parameter");
  wire.must("key", parameter.key);
  wire.must("title", parameter.title);
  wire.must("type", parameter.type,
            "`time`: an integer of ns, or empty when it is not set. A `text` may come with choices to pick from.");
  wire.must("value", parameter.value);
  wire.some("choices", parameter.choices);
  wire.some("doc", parameter.doc);
}

template <typename Wire>
void describe(Wire& wire, const ProfilePlace& place) {
  wire.type("ProfilePlace");
  wire.must("run", place.run);
  wire.must("worker", place.worker);
  wire.must("span", place.span);
}

template <typename Wire>
void describe(Wire& wire, const TrailStep& step) {
  wire.type("TrailStep", "One step of the path to the current level of a report: setting the parameters returns to it.");
  wire.must("title", step.title);
  wire.must("parameters", step.parameters);
}

template <typename Wire>
void describe(Wire& wire, const SentReport& sent) {
  const Report& report = *sent.report;
  wire.type("WireReport");
  wire.must("view", report.view);
  wire.must("title", report.title);
  wire.must("scope", report.scope);
  wire.some("profiles", report.profiles, "In a report that compares: the baseline, and the compared profile.");
  wire.some("trail", report.trail);
  wire.must("notes", report.notes);
  wire.must("parameters", report.parameters);
  wire.must("panels", report.panels);
  wire.must("tables", sent.tables());
  wire.messages();
}

}  // namespace sightline::output
