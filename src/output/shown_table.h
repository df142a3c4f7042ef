// ShownTable: a table as people read it in text and markdown: columns chosen, rows ordered and limited, numbers in
// one unit per column with the unit in the header.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/report.h"

namespace sightline::output {

struct ShownColumn {
  enum class Kind { text, number, bar };  // a bar is drawn of blocks, and only on terminals
  std::string header;
  Kind kind = Kind::text;
};

struct ShownTable {
  std::vector<ShownColumn> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t rows_left_out = 0;
};

struct ShowOptions {
  std::vector<std::string> columns = {};  // keys; empty: all that are not hidden
  std::string parent = {};                // key of the column of parent rows, for trees
  std::string known = {};                 // rows that are unknown in this column are left out; empty: none
  std::size_t most_rows = 0;              // 0: all
};

ShownTable show_table(const ReportTable& table, const ShowOptions& options);

// What a panel draws of its table. A breakdown: its slices by value, the smallest together as "other", and their
// shares. Other charts: the columns they draw.
ShownTable show_panel(const ReportTable& table, const Panel& panel, std::size_t most_rows);

// The panels that say something in text: a chart is left out when a table panel shows what it draws.
std::vector<const Panel*> panels_as_text(const Report& report);

// Which profiles a report that compares is about, one line for each: "baseline: run > worker > span"; else none.
std::vector<std::string> profile_lines(const Report& report);

// "at most -14.6 ms (-73.3%)"; empty where the gain is unknown.
std::string gain_text(const Advice& advice);

// The items of a verdict in one line: "Step time: 19.9 ms; bound by: ...".
std::string verdict_line(const VerdictStrip& strip);

// One value of a fact: "12.5 ms", "yes", "–".
std::string fact_text(const Fact& fact);

}  // namespace sightline::output
