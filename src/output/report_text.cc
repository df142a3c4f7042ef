// A report for people, as text for a terminal and as markdown. Text: every panel under its title, charts as the table they are
// drawn from. A table that a chart and a table panel draw is written once. Tables are set in aligned columns that fit the
// terminal: what is too wide is given up in this order: the middle of long names, the bars, the last columns (which are then
// named below the table).
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "output/report_format.h"
#include "output/shown_table.h"
#include "output/terminal_text.h"

namespace sightline::output {

// ---- tables ----

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kReadableName = 40;

using Kind = ShownColumn::Kind;

std::vector<std::size_t> natural_widths(const ShownTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = display_width(table.columns[c].header);
    for (const auto& row : table.rows) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  return widths;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - std::min<std::size_t>(widths.size(), 1)));
}

void remove_column(ShownTable& table, std::vector<std::size_t>& widths, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  widths.erase(widths.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

// Takes the excess from the widest text columns, down to what can still be read.
void shorten_names(const ShownTable& table, std::vector<std::size_t>& widths, std::size_t width) {
  const std::size_t shortest = std::min(width / 2, kReadableName);
  while (total_width(widths) > width) {
    std::size_t widest = widths.size(), second = shortest;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (table.columns[c].kind != Kind::text || widths[c] <= shortest) continue;
      if (widest == widths.size() || widths[c] > widths[widest]) {
        if (widest != widths.size()) second = std::max(second, widths[widest]);
        widest = c;
      } else {
        second = std::max(second, widths[c]);
      }
    }
    if (widest == widths.size()) return;
    const std::size_t excess = total_width(widths) - width;
    const std::size_t step = std::max<std::size_t>(widths[widest] - second, 1);
    widths[widest] -= std::min({excess, step, widths[widest] - shortest});
  }
}

// Returns the headers of the columns that had to go.
std::vector<std::string> fit(ShownTable& table, std::vector<std::size_t>& widths, std::size_t width) {
  std::vector<std::string> gone;
  shorten_names(table, widths, width);
  for (std::size_t c = table.columns.size(); c-- > 0 && total_width(widths) > width;) {
    if (table.columns[c].kind == Kind::bar) remove_column(table, widths, c);
  }
  while (total_width(widths) > width && table.columns.size() > 1) {
    gone.insert(gone.begin(), table.columns.back().header);
    remove_column(table, widths, table.columns.size() - 1);
  }
  if (total_width(widths) > width) widths.front() = width;
  return gone;
}

void append_row(std::string& out, const ShownTable& table, const std::vector<std::string>& cells,
                const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) line.append(kGap, ' ');
    const std::string cell = cut_middle(cells[c], widths[c]);
    const std::size_t blanks = widths[c] - display_width(cell);
    if (table.columns[c].kind == Kind::number) line.append(blanks, ' ');
    line += cell;
    if (table.columns[c].kind != Kind::number) line.append(blanks, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace

std::string bold(std::string_view text, const TextStyle& style) {
  return style.colour ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

void append_text_table(std::string& out, ShownTable table, const TextStyle& style) {
  if (table.columns.empty()) return;
  std::vector<std::size_t> widths = natural_widths(table);
  const std::vector<std::string> gone = fit(table, widths, std::max<std::size_t>(style.width, 20));
  std::vector<std::string> headers;
  for (const ShownColumn& column : table.columns) headers.push_back(column.header);
  std::string head;
  append_row(head, table, headers, widths);
  head.pop_back();
  out += bold(head, style) + '\n';
  for (const auto& row : table.rows) append_row(out, table, row, widths);
  if (!gone.empty()) {
    out += "(too wide for: ";
    for (const std::string& header : gone) out += (&header == &gone.front() ? "" : ", ") + header;
    out += ")\n";
  }
}

// ---- panels ----

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
    const std::string gain = gain_text(item);
    out += bold("[" + std::string(kLevels[static_cast<std::size_t>(item.severity)]) + "] " + printable(item.title), style) +
           (gain.empty() ? "" : ": " + gain) + '\n';
    if (!item.evidence.empty()) out += wrapped(printable(item.evidence), style.width, 2);
    if (!item.where.empty()) out += wrapped(printable("at: " + item.where), style.width, 2);
    if (!item.action.empty()) out += wrapped(printable(item.action), style.width, 2);
    if (!item.change.empty())
      out += "  what if: " + cut_middle(printable(item.change), style.width > 20 ? style.width - 11 : 10) + '\n';
    std::vector<std::string_view> views;
    if (!item.link_view.empty()) views.push_back(item.link_view);
    for (const AdviceLink& link : item.more_links) {
      if (std::ranges::find(views, link.view) == views.end()) views.push_back(link.view);
    }
    for (const std::string_view view : views) out += fmt::format("  see: --view {}\n", view);
  }
}

void append_rest(std::string& out, const ShownTable& shown, std::string_view table_key) {
  if (shown.rows_left_out == 0) return;
  out += "... " + std::to_string(shown.rows_left_out) + (shown.rows_left_out == 1 ? " row more" : " rows more");
  if (!table_key.empty()) out += ": --table " + std::string(table_key);
  out += '\n';
}

void append_lines(std::string& out, std::string_view text, std::string_view indent) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.append(indent).append(printable(text.substr(0, end))).append("\n");
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

void append_panel(std::string& out, const Report& report, const Panel& panel, const TextStyle& style) {
  out += '\n';
  append_title(out, panel.title, panel.scope, style);
  append_notes(out, panel.notes, style);
  const ReportTable* table = report.find_table(panel.table());
  const auto* advice = panel.as<AdviceList>();
  if (const auto* sheet = panel.as<FactSheet>()) {
    append_facts(out, sheet->facts, style);
  } else if (const auto* strip = panel.as<VerdictStrip>()) {
    out += wrapped(printable(verdict_line(*strip)), style.width, 0);
  } else if (const auto* code = panel.as<CodeText>(); code != nullptr && !code->text.empty()) {
    append_lines(out, code->text, "");
  } else if (advice != nullptr && !advice->items.empty()) {
    append_advice(out, advice->items, style);
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

// ---- markdown ----
// The panels as sections, their data as pipe tables. Characters that markdown or HTML would take as markup are escaped: names
// come from a file.

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
    const std::string gain = gain_text(item);
    out += "- **" + escaped(item.title) + "**" + (gain.empty() ? "" : " (" + escaped(gain) + ")") + " " + escaped(item.evidence) +
           " " + escaped(item.action) + "\n";
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
  } else if (const auto* strip = panel.as<VerdictStrip>()) {
    out += escaped(verdict_line(*strip)) + "\n";
  } else if (const auto* code = panel.as<CodeText>(); code != nullptr && !code->text.empty()) {
    append_lines(out, code->text, "    ");  // markdown shows indented lines as they are
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
