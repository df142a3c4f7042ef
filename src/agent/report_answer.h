// Parts of a report in an answer: tables with their columns' units, facts, advice, notes; each row with its evidence id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/agent.h"
#include "agent/answer.h"

namespace sightline::agent {

// Which rows and columns of a table.
struct TableWish {
  std::string table;                 // its key
  std::vector<std::string> columns;  // keys; empty: all that are neither hidden nor unknown throughout
  std::string sort;                  // a column's key, smallest first; with "-" before it, largest first; empty: the table's own
};

// A table of a report whose rows are in the order wished. not_found and invalid_argument list what there is.
struct ShownRows {
  const ReportTable* table = nullptr;
  std::vector<const ReportColumn*> columns;
  std::vector<std::size_t> rows;
};
Result<ShownRows> find_rows(const Report& report, const TableWish& wish);

// An object: key, title, columns and the first `shown` rows, each with the id of its evidence. `question`: view and parameters.
void write_table(JsonWriter& json, const ShownRows& rows, std::size_t shown, const Evidence& question);

// Whether texts of the column come from the recording.
bool is_untrusted(const ReportColumn& column);

void write_fact(JsonWriter& json, const Fact& fact, const Evidence& evidence);
void write_verdict_item(JsonWriter& json, const VerdictItem& item, const Evidence& evidence);
void write_advice(JsonWriter& json, const Advice& advice, const Evidence& evidence);
void write_notes(JsonWriter& json, const std::vector<Note>& notes);

// The panel of that id with this content; null when there is none.
template <typename Content>
const Content* panel_of(const Report& report, std::string_view id) {
  for (const Panel& panel : report.panels) {
    if (panel.id == id) {
      if (const auto* content = panel.as<Content>()) return content;
    }
  }
  return nullptr;
}

// The view and those parameters of a report that a caller has set.
Evidence question_of(const Question& question);

// "gain": at most how much of a step, in ns and as a share.
void write_gain(JsonWriter& json, const Advice& advice);

}  // namespace sightline::agent
