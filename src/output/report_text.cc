// A report as text for a terminal: every panel under its title, charts as the table they are drawn from. A table
// that a chart and a table panel draw is written once.
#include <algorithm>

#include "output/report_format.h"
#include "output/terminal_text.h"
#include "output/text_table.h"

namespace sightline::output {

namespace {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::string line(indent, ' ');
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, space - at);
    if (display_width(line) > indent && display_width(line) + 1 + display_width(word) > width) {
      out += line + '\n';
      line.assign(indent, ' ');
    }
    if (display_width(line) > indent) line += ' ';
    line += word;
    at = space + 1;
  }
  return out + line + '\n';
}

void append_notes(std::string& out, const std::vector<Note>& notes, const TextStyle& style) {
  for (const Note& note : notes) {
    const bool warning = note.level == Note::Level::warning;
    const std::string text = wrapped((warning ? "warning: " : "note: ") + printable(note.text), style.width, 0);
    out += warning && style.colour ? "\x1b[33m" + text + "\x1b[0m" : text;
  }
}

void append_title(std::string& out, const std::string& title, const std::string& scope, const TextStyle& style) {
  out += bold(printable(title), style);
  if (!scope.empty()) out += " - " + printable(scope);
  out += '\n';
}

void append_facts(std::string& out, const std::vector<Fact>& facts, const TextStyle& style) {
  std::size_t label_width = 0;
  for (const Fact& fact : facts) label_width = std::max(label_width, display_width(fact.label));
  for (const Fact& fact : facts) {
    std::string line = printable(fact.label);
    line.append(label_width - display_width(fact.label) + 2, ' ');
    const std::size_t left = style.width > label_width + 12 ? style.width - label_width - 2 : 10;
    out += line + cut_middle(fact_text(fact), left) + '\n';
  }
}

void append_advice(std::string& out, const std::vector<Advice>& items, const TextStyle& style) {
  constexpr std::string_view kLevels[] = {"high", "medium", "low", "note"};
  for (const Advice& item : items) {
    out += bold("[" + std::string(kLevels[static_cast<std::size_t>(item.severity)]) + "] " + printable(item.title), style) + '\n';
    if (!item.evidence.empty()) out += wrapped(printable(item.evidence), style.width, 2);
    if (!item.action.empty()) out += wrapped(printable(item.action), style.width, 2);
    if (!item.link_view.empty()) out += "  see: --view " + item.link_view + '\n';
  }
}

void append_rest(std::string& out, const ShownTable& shown, std::string_view table_key) {
  if (shown.rows_left_out == 0) return;
  out += "... " + std::to_string(shown.rows_left_out) + (shown.rows_left_out == 1 ? " row more" : " rows more");
  if (!table_key.empty()) out += ": --table " + std::string(table_key);
  out += '\n';
}

void append_panel(std::string& out, const Report& report, const Panel& panel, const TextStyle& style) {
  out += '\n';
  append_title(out, panel.title, panel.scope, style);
  append_notes(out, panel.notes, style);
  const ReportTable* table = report.find_table(panel.table);
  if (panel.kind == PanelKind::facts) {
    append_facts(out, panel.facts, style);
  } else if (panel.kind == PanelKind::advice && !panel.advice.empty()) {
    append_advice(out, panel.advice, style);
  } else if (table == nullptr || table->rows() == 0) {
    out += panel.empty.empty() ? "Nothing to show.\n" : wrapped(panel.empty, style.width, 0);
  } else {
    const ShownTable shown = show_panel(*table, panel, style.most_rows);
    append_text_table(out, shown, style);
    append_rest(out, shown, table->key);
  }
}

}  // namespace

std::string report_text(const Report& report, const TextStyle& style) {
  std::string out;
  append_title(out, report.title, report.scope, style);
  for (const std::string& line : profile_lines(report)) out += printable(line) + '\n';
  append_notes(out, report.notes, style);
  for (const Panel* panel : panels_as_text(report)) append_panel(out, report, *panel, style);
  return out;
}

std::string table_text(const ReportTable& table, const TextStyle& style) {
  std::string out;
  const ShownTable shown = show_table(table, {.columns = {}, .parent = {}, .most_rows = style.most_rows});
  append_text_table(out, shown, style);
  append_rest(out, shown, "");
  return out;
}

}  // namespace sightline::output
