// The wire encoding of a Report, as docs/http.md describes it. Members that say nothing are left out.
#include "output/report_format.h"

#include <span>

#include "engine/kept_report.h"

namespace sightline::output {

namespace {

constexpr std::string_view cell_type_name(CellType type) {
  switch (type) {
    case CellType::integer: return "integer";
    case CellType::real: return "real";
    case CellType::text: return "text";
    case CellType::flag: return "flag";
  }
  return "text";
}

constexpr std::string_view role_name(ColumnRole role) {
  switch (role) {
    case ColumnRole::value: return "value";
    case ColumnRole::label: return "label";
    case ColumnRole::category: return "category";
  }
  return "value";
}

constexpr std::string_view kind_name(PanelKind kind) {
  switch (kind) {
    case PanelKind::facts: return "facts";
    case PanelKind::breakdown: return "breakdown";
    case PanelKind::bars: return "bars";
    case PanelKind::lines: return "lines";
    case PanelKind::heatmap: return "heatmap";
    case PanelKind::scatter: return "scatter";
    case PanelKind::flame: return "flame";
    case PanelKind::tree: return "tree";
    case PanelKind::table: return "table";
    case PanelKind::advice: return "advice";
    case PanelKind::timeline: return "timeline";
  }
  return "table";
}

constexpr std::string_view parameter_type_name(ParameterType type) {
  switch (type) {
    case ParameterType::choice: return "choice";
    case ParameterType::integer: return "integer";
    case ParameterType::text: return "text";
    case ParameterType::flag: return "flag";
    case ParameterType::time: return "time";
  }
  return "text";
}

constexpr std::string_view severity_name(Advice::Level level) {
  switch (level) {
    case Advice::Level::high: return "high";
    case Advice::Level::medium: return "medium";
    case Advice::Level::low: return "low";
    case Advice::Level::note: return "note";
  }
  return "note";
}

template <typename Text>
void write_text(JsonWriter& json, std::string_view key, const Text& text) {
  if (!text.empty()) json.member(key, text);
}

void write_flag(JsonWriter& json, std::string_view key, bool flag) {
  if (flag) json.member(key, true);
}

void write_link(JsonWriter& json, const LinkParameters& parameters) {
  json.key("parameters").begin_object();
  for (const auto& [key, value] : parameters) json.member(key, value);
  json.end_object();
}

void write_notes(JsonWriter& json, const std::vector<Note>& notes) {
  json.key("notes").begin_array();
  for (const Note& note : notes) {
    json.begin_object().member("level", note.level == Note::Level::warning ? "warning" : "info");
    json.member("text", note.text).end_object();
  }
  json.end_array();
}

void write_parameter(JsonWriter& json, const Parameter& parameter) {
  json.begin_object().member("key", parameter.key).member("title", parameter.title);
  json.member("type", parameter_type_name(parameter.type)).member("value", parameter.value);
  if (!parameter.choices.empty()) {
    json.key("choices").begin_array();
    for (const ParameterChoice& choice : parameter.choices) {
      json.begin_object().member("value", choice.value);
      json.member("title", choice.title).end_object();
    }
    json.end_array();
  }
  write_text(json, "doc", parameter.doc);
  json.end_object();
}

// With the values of these rows, or of all.
void write_column(JsonWriter& json, const ReportColumn& column, std::span<const std::uint32_t> rows, bool all) {
  json.begin_object().member("key", column.key).member("title", column.title);
  json.member("unit", unit_name(column.unit)).member("type", cell_type_name(column.type));
  json.member("role", role_name(column.role));
  write_text(json, "doc", column.doc);
  write_text(json, "bar", column.bar);
  write_text(json, "category", column.category);
  write_text(json, "unknown", column.unknown);
  write_text(json, "words", column.words);
  write_flag(json, "code", column.code);
  write_flag(json, "hidden", column.hidden);
  write_flag(json, "change", column.change);
  json.key("values").begin_array();
  if (all) {
    for (const Cell& cell : column.values) write_cell(json, cell);
  } else {
    for (const std::uint32_t row : rows) write_cell(json, column.values[row]);
  }
  json.end_array().end_object();
}

void write_doors(JsonWriter& json, const ReportTable& table) {
  if (table.row_detail) {
    json.key("row_detail").begin_object();
    json.member("title", table.row_detail->title);
    json.member("view", table.row_detail->view);
    write_link(json, table.row_detail->parameters);
    write_text(json, "when", table.row_detail->when);
    json.end_object();
  }
  if (table.row_links.empty()) return;
  json.key("row_links").begin_array();
  for (const RowLink& link : table.row_links) {
    json.begin_object().member("title", link.title).member("view", link.view);
    write_link(json, link.parameters);
    write_text(json, "when", link.when);
    write_text(json, "find", link.find);
    write_flag(json, "direct", link.direct);
    write_flag(json, "other", link.other);
    write_text(json, "worker", link.worker);
    json.end_object();
  }
  json.end_array();
}

void write_row_marks(JsonWriter& json, const RowMarks& marks) {
  json.key("marks").begin_object().member("panel", marks.panel).key("columns").begin_array();
  for (const std::string& key : marks.columns) json.value(key);
  json.end_array().end_object();
}

// `kept` is null when all rows are wanted, whatever their number.
void write_table(JsonWriter& json, const ReportTable& table, const KeptReport* kept) {
  const bool paged = kept != nullptr && kept->paged(table);
  const RowOrder order = paged ? kept->own_order(table) : nullptr;
  const auto first = paged ? std::span(*order).first(kFirstRows) : std::span<const std::uint32_t>();
  json.begin_object().member("title", table.title);
  json.member("rows", static_cast<std::int64_t>(table.rows()));
  write_flag(json, "paged", paged);
  if (!table.sort_column.empty()) {
    json.key("sort").begin_object().member("column", table.sort_column);
    json.member("descending", table.sort_descending).end_object();
  }
  json.key("columns").begin_array();
  for (const ReportColumn& column : table.columns) write_column(json, column, first, !paged);
  json.end_array();
  write_doors(json, table);
  if (table.marks) write_row_marks(json, *table.marks);
  for (const Message& text : table.said) json.remember(text);
  json.end_object();
}

void write_fact(JsonWriter& json, const Fact& fact) {
  json.begin_object().member("label", fact.label).key("value");
  write_cell(json, fact.value);
  json.member("unit", unit_name(fact.unit));
  if (const auto* text = std::get_if<std::string>(&fact.value)) {
    json.member("type", "text").key("text");
    fact.value.words.empty() ? json.value(*text) : json.said(fact.value.words);
  } else if (const auto* flag = std::get_if<bool>(&fact.value)) {
    json.member("type", "flag").member("text", *flag ? "yes" : "no");
  } else {
    json.member("type", std::holds_alternative<std::int64_t>(fact.value) ? "integer" : "real");
  }
  write_text(json, "doc", fact.doc);
  write_text(json, "unknown", fact.unknown);
  json.end_object();
}

void write_advice(JsonWriter& json, const Advice& advice) {
  json.begin_object().member("id", advice.id).member("severity", severity_name(advice.severity));
  json.member("title", advice.title).member("evidence", advice.evidence);
  json.member("action", advice.action).key("link");
  if (advice.link_view.empty()) {
    json.null();
  } else {
    json.begin_object().member("view", advice.link_view);
    write_link(json, advice.link_parameters);
    json.end_object();
  }
  json.key("doc_url");
  advice.doc_url.empty() ? json.null() : json.value(advice.doc_url);
  json.end_object();
}

void write_select(JsonWriter& json, const RangeSelect& select) {
  json.key("select").begin_object();
  write_text(json, "start", select.start);
  write_text(json, "end", select.end);
  write_text(json, "at", select.at);
  json.end_object();
}

void write_line_marks(JsonWriter& json, const std::vector<LineMark>& marks) {
  json.key("marks").begin_array();
  for (const LineMark& mark : marks) json.begin_object().member("x", mark.x).member("label", mark.label).end_object();
  json.end_array();
}

// The members that a panel of this kind draws from.
void write_ceilings(JsonWriter& json, const std::vector<Ceiling>& ceilings) {
  json.key("ceilings").begin_array();
  for (const Ceiling& ceiling : ceilings)
    json.begin_object().member("label", ceiling.label).member("slope", ceiling.slope).member("flat", ceiling.flat).end_object();
  json.end_array();
}

void write_drawing(JsonWriter& json, const Panel& panel) {
  write_text(json, "table", panel.table);
  write_text(json, "label", panel.label);
  write_text(json, "value", panel.value);
  write_text(json, "x", panel.x);
  write_text(json, "y", panel.y);
  write_text(json, "parent", panel.parent);
  if (panel.kind == PanelKind::bars || panel.kind == PanelKind::lines) {
    json.key("series").begin_array();
    for (const std::string& key : panel.series) json.value(key);
    json.end_array();
  }
  if (!panel.ceilings.empty()) write_ceilings(json, panel.ceilings);
  if (panel.kind == PanelKind::breakdown) json.member("top", static_cast<std::int64_t>(panel.top));
  if (panel.total) json.member("total", *panel.total);
  write_flag(json, "stacked", panel.stacked);
  write_flag(json, "step", panel.step);
  if (panel.select) write_select(json, *panel.select);
  if (!panel.marks.empty()) write_line_marks(json, panel.marks);
  if (panel.kind == PanelKind::facts) {
    json.key("facts").begin_array();
    for (const Fact& fact : panel.facts) write_fact(json, fact);
    json.end_array();
  }
  if (panel.kind == PanelKind::advice) {
    json.key("items").begin_array();
    for (const Advice& advice : panel.advice) write_advice(json, advice);
    json.end_array();
  }
}

void write_panel(JsonWriter& json, const Panel& panel) {
  json.begin_object().member("kind", kind_name(panel.kind)).member("id", panel.id);
  json.member("title", panel.title);
  write_text(json, "scope", panel.scope);
  write_text(json, "doc", panel.doc);
  write_text(json, "width", panel.width);
  write_text(json, "empty", panel.empty);
  if (!panel.notes.empty()) write_notes(json, panel.notes);
  write_drawing(json, panel);
  json.end_object();
}

void write_profiles(JsonWriter& json, const std::vector<ProfilePlace>& profiles) {
  json.key("profiles").begin_array();
  for (const ProfilePlace& name : profiles) {
    json.begin_object().member("run", name.run).member("worker", name.worker).member("span", name.span).end_object();
  }
  json.end_array();
}

void write_trail(JsonWriter& json, const std::vector<TrailStep>& trail) {
  json.key("trail").begin_array();
  for (const TrailStep& step : trail) {
    json.begin_object().member("title", step.title);
    write_link(json, step.parameters);
    json.end_object();
  }
  json.end_array();
}

std::string whole_report(const Report& report, const KeptReport* kept) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("view", report.view).member("title", report.title);
  json.member("scope", report.scope);
  if (!report.profiles.empty()) write_profiles(json, report.profiles);
  if (!report.trail.empty()) write_trail(json, report.trail);
  write_notes(json, report.notes);
  json.key("parameters").begin_array();
  for (const Parameter& parameter : report.parameters) write_parameter(json, parameter);
  json.end_array().key("panels").begin_array();
  for (const Panel& panel : report.panels) write_panel(json, panel);
  json.end_array().key("tables").begin_object();
  for (const ReportTable& table : report.tables) {
    json.key(table.key);
    write_table(json, table, kept);
  }
  json.end_object().messages().end_object();
  return out;
}

}  // namespace

void write_cell(JsonWriter& json, const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    json.value(*integer);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(*text);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    json.value(*real);
  } else if (const auto* flag = std::get_if<bool>(&cell)) {
    json.value(*flag);
  } else {
    json.null();
  }
}

std::string table_json(const ReportTable& table) {
  std::string out;
  JsonWriter json(out);
  write_table(json, table, nullptr);
  return out;
}

std::string report_json(const Report& report) { return whole_report(report, nullptr); }

std::string report_json(const KeptReport& kept) { return whole_report(kept.report(), &kept); }

}  // namespace sightline::output
