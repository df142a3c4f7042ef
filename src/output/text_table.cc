// Fitting columns into a width.
#include "output/text_table.h"

#include <algorithm>
#include <numeric>

#include "output/terminal_text.h"

namespace sightline::output {

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

}  // namespace sightline::output
