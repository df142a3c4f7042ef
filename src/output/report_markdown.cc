// A report as markdown: the panels as sections, their data as pipe tables. Characters that markdown or HTML would
// take as markup are escaped: names come from a file.
#include "output/report_format.h"
#include "output/shown_table.h"
#include "output/terminal_text.h"

namespace sightline::output {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '|':
      case '~':
      case '#': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return out;
}

void append_table(std::string& out, const ShownTable& table) {
  const auto append_row = [&](auto cell_of) {
    out += '|';
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].kind != ShownColumn::Kind::bar) out += cell_of(c) + '|';
    }
    out += '\n';
  };
  append_row([&](std::size_t c) { return ' ' + escaped(table.columns[c].header) + ' '; });
  append_row([&](std::size_t c) { return std::string(table.columns[c].kind == ShownColumn::Kind::number ? " ---: " : " --- "); });
  for (const auto& row : table.rows) {
    append_row([&](std::size_t c) { return ' ' + escaped(row[c]) + ' '; });
  }
  if (table.rows_left_out > 0) out += "\n" + std::to_string(table.rows_left_out) + " rows more.\n";
}

void append_notes(std::string& out, const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    out += note.level == Note::Level::warning ? "> **Warning:** " : "> ";
    out += escaped(note.text) + "\n\n";
  }
}

void append_advice(std::string& out, const std::vector<Advice>& items) {
  for (const Advice& item : items) {
    out += "- **" + escaped(item.title) + "** " + escaped(item.evidence) + " " + escaped(item.action) + "\n";
  }
}

void append_panel(std::string& out, const Report& report, const Panel& panel, std::size_t most_rows) {
  out += "## " + escaped(panel.title) + "\n\n";
  if (!panel.scope.empty()) out += escaped(panel.scope) + "\n\n";
  append_notes(out, panel.notes);
  const ReportTable* table = report.find_table(panel.table());
  const auto* advice = panel.as<AdviceList>();
  if (const auto* sheet = panel.as<FactSheet>()) {
    for (const Fact& fact : sheet->facts) out += "- " + escaped(fact.label) + ": " + escaped(fact_text(fact)) + "\n";
  } else if (advice != nullptr && !advice->items.empty()) {
    append_advice(out, advice->items);
  } else if (table == nullptr || table->rows() == 0) {
    out += escaped(panel.empty.empty() ? "Nothing to show." : panel.empty) + "\n";
  } else {
    append_table(out, show_panel(*table, panel, most_rows));
  }
  out += '\n';
}

}  // namespace

std::string report_markdown(const Report& report, std::size_t most_rows) {
  std::string out = "# " + escaped(report.title) + "\n\n";
  if (!report.scope.empty()) out += escaped(report.scope) + "\n\n";
  for (const std::string& line : profile_lines(report)) out += "- " + escaped(line) + "\n";
  if (!report.profiles.empty()) out += "\n";
  append_notes(out, report.notes);
  for (const Panel* panel : panels_as_text(report)) append_panel(out, report, *panel, most_rows);
  return out;
}

std::string table_markdown(const ReportTable& table, std::size_t most_rows) {
  std::string out;
  append_table(out, show_table(table, {.columns = {}, .parent = {}, .most_rows = most_rows}));
  return out;
}

}  // namespace sightline::output
