// Writing the parts of reports.
#include "agent/report_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/kept_report.h"
#include "output/shown_table.h"

namespace sightline::agent {

namespace {

constexpr std::size_t kSentenceWidth = 600, kLongestChange = 40;

Error not_there(const char* what, const std::string& wanted, const std::string& names) {
  return {ErrorCode::not_found,
          Message::verbatim(fmt::format("no {} '{}'; valid: {}", what, quoted_name(wanted), names.empty() ? "none" : names)), ""};
}

template <typename Range, typename KeyOf>
std::string listed(const Range& range, const KeyOf& key_of) {
  std::string keys;
  for (const auto& each : range) keys.append(keys.empty() ? "" : ", ").append(key_of(each));
  return keys;
}

bool all_unknown(const ReportColumn& column) {
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    if (!is_unknown(column.values[row])) return false;
  }
  return true;
}

std::string column_keys(const ReportTable& table) {
  return listed(table.columns, [](const ReportColumn& column) { return column.key; });
}

Result<std::vector<const ReportColumn*>> find_columns(const ReportTable& table, const std::vector<std::string>& wanted) {
  std::vector<const ReportColumn*> columns;
  if (wanted.empty()) {
    for (const ReportColumn& column : table.columns) {
      if (!column.hidden && !all_unknown(column)) columns.push_back(&column);
    }
    return columns;
  }
  for (const std::string& key : wanted) {
    const ReportColumn* const column = table.find(key);
    if (column == nullptr) return not_there("column", key, column_keys(table));
    columns.push_back(column);
  }
  return columns;
}

Result<std::vector<std::size_t>> ordered_rows(const ReportTable& table, const std::string& sort) {
  std::vector<std::uint32_t> order;
  if (sort.empty()) {
    order = sorted_order(table);
  } else {
    const bool largest_first = sort.front() == '-';
    const ReportColumn* const column = table.find(std::string_view(sort).substr(largest_first ? 1 : 0));
    if (column == nullptr) return not_there("column to sort by", sort, column_keys(table));
    order = sorted_order(column->values, largest_first);
  }
  return std::vector<std::size_t>(order.begin(), order.end());
}

}  // namespace

Result<ShownRows> find_rows(const Report& report, const TableWish& wish) {
  ShownRows found;
  found.table = report.find_table(wish.table);
  if (found.table == nullptr)
    return not_there("table", wish.table, listed(report.tables, [](const ReportTable& table) { return table.key; }));
  Result<std::vector<const ReportColumn*>> columns = find_columns(*found.table, wish.columns);
  if (!columns) return columns.error();
  found.columns = *std::move(columns);
  Result<std::vector<std::size_t>> rows = ordered_rows(*found.table, wish.sort);
  if (!rows) return rows.error();
  found.rows = *std::move(rows);
  return found;
}

bool is_untrusted(const ReportColumn& column) { return column.type == CellType::text && column.words != kAllRows; }

void write_table(JsonWriter& json, const ShownRows& rows, std::size_t shown, const Evidence& question) {
  json.begin_object().member("key", rows.table->key).member("title", std::string_view(rows.table->title));
  json.key("columns").begin_array();
  for (const ReportColumn* column : rows.columns) {
    json.begin_object().member("key", column->key);
    if (column->unit != Unit::none) json.member("unit", unit_name(column->unit));
    if (is_untrusted(*column)) json.member("untrusted", true);
    json.end_object();
  }
  json.end_array().key("rows").begin_array();
  Evidence evidence = question;
  evidence.part = rows.table->key;
  for (std::size_t i = 0; i < std::min(shown, rows.rows.size()); ++i) {
    evidence.row = rows.rows[i];
    json.begin_object().member("id", evidence_id(evidence)).key("cells").begin_array();
    for (const ReportColumn* column : rows.columns) write_cell(json, column->values[evidence.row]);
    json.end_array().end_object();
  }
  json.end_array().member("total", static_cast<std::int64_t>(rows.rows.size())).end_object();
}

void write_fact(JsonWriter& json, const Fact& fact, const Evidence& evidence) {
  json.begin_object().member("id", evidence_id(evidence)).member("label", std::string_view(fact.label)).key("value");
  write_cell(json, fact.value);
  if (fact.unit != Unit::none) json.member("unit", unit_name(fact.unit));
  if (std::holds_alternative<std::string>(fact.value) && fact.value.words.empty()) json.member("untrusted", true);
  if (is_unknown(fact.value) && !fact.unknown.empty()) json.member("unknown", std::string_view(fact.unknown));
  json.end_object();
}

void write_verdict_item(JsonWriter& json, const VerdictItem& item, const Evidence& evidence) {
  json.begin_object().member("id", evidence_id(evidence)).member("label", std::string_view(item.label));
  json.member("value", quoted_name(item.value, kSentenceWidth));
  if (!item.note.empty()) json.member("note", quoted_name(item.note, kSentenceWidth));
  json.end_object();
}

void write_gain(JsonWriter& json, const Advice& advice) {
  if (std::isnan(advice.gain)) return;
  json.key("gain").begin_object().key("at_most_ns_per_step");
  write_number(json, std::round(advice.gain));
  json.key("share_of_step");
  write_number(json, std::round(advice.share * 1e4) / 1e4);
  if (!advice.change.empty() && advice.change.size() <= kLongestChange) json.member("what_if", advice.change);
  json.end_object();
}

void write_advice(JsonWriter& json, const Advice& advice, const Evidence& evidence) {
  json.begin_object().member("id", evidence_id(evidence)).member("rule", advice.id);
  json.member("title", quoted_name(advice.title, kSentenceWidth));
  write_gain(json, advice);
  if (!advice.where.empty()) json.member("where", quoted_name(advice.where, kSentenceWidth));
  json.member("evidence", quoted_name(advice.evidence, kSentenceWidth)).member("untrusted", true);
  json.member("action", quoted_name(advice.action, kSentenceWidth)).end_object();
}

void write_notes(JsonWriter& json, const std::vector<Note>& notes) {
  if (notes.empty()) return;
  json.key("notes").begin_array();
  for (const Note& note : notes) json.value(quoted_name(note.text, kSentenceWidth));
  json.end_array();
}

Evidence question_of(const Question& question) {
  Evidence evidence{.view = question.view, .parameters = {}, .part = {}, .row = 0};
  for (const auto& [key, value] : question.parameters) evidence.parameters.emplace_back(key, value);
  return evidence;
}

}  // namespace sightline::agent
