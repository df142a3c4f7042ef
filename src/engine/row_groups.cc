// One pass over each column, with the number of each row's group.
#include "engine/row_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyses/words.h"
#include "engine/catalogue.h"

namespace sightline::engine {

namespace {

constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

// Keeps the rows one of whose texts holds what is searched. A text is searched once, not once per row.
void keep_found(const ReportTable& table, const std::string& search, Keep& keep) {
  Keep found(table.rows(), 0);
  for (const ReportColumn& column : table.columns) {
    const auto* texts = std::get_if<WordCells>(&column.values.storage());
    if (texts == nullptr) continue;
    std::vector<char> holds;
    for (const std::string& word : texts->words) holds.push_back(contains_text(word, search));
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (texts->word[row] != WordCells::kNone) found[row] |= holds[texts->word[row]];
    }
  }
  keep = std::move(found);
}

void keep_bound(const ReportColumn& column, const NumberBound& bound, Keep& keep) {
  Keep inside(keep.size(), 0);
  each_number(column.values, [&](std::size_t row, double value) {
    inside[row] = keep[row] && (bound.is_least ? value >= bound.value : value <= bound.value);
  });
  keep = std::move(inside);
}

// ---- groups ----

struct Groups {
  std::vector<std::uint32_t> of_row;  // kNoGroup: filtered out
  std::vector<std::uint32_t> first;   // by group: its first row
  std::vector<std::int64_t> rows;     // by group
};

// In the order of their first rows.
Groups find_groups(const WordCells& texts, const Keep& keep) {
  std::vector<std::uint32_t> sorted(texts.words.size()), same(texts.words.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) { return texts.words[a] < texts.words[b]; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {  // a word may be there more than once
    const bool repeats = i > 0 && texts.words[sorted[i]] == texts.words[sorted[i - 1]];
    same[sorted[i]] = repeats ? same[sorted[i - 1]] : sorted[i];
  }
  Groups groups;
  groups.of_row.assign(texts.word.size(), kNoGroup);
  std::vector<std::uint32_t> group_of(texts.words.size() + 1, kNoGroup);  // the last: rows without a text
  for (std::uint32_t row = 0; row < texts.word.size(); ++row) {
    if (!keep[row]) continue;
    std::uint32_t& group = texts.word[row] == WordCells::kNone ? group_of.back() : group_of[same[texts.word[row]]];
    if (group == kNoGroup) {
      group = static_cast<std::uint32_t>(groups.first.size());
      groups.first.push_back(row);
      groups.rows.push_back(0);
    }
    groups.of_row[row] = group;
    ++groups.rows[group];
  }
  return groups;
}

Cells sums_of(const Cells::Integers& values, const Groups& groups) {
  Cells::Integers sums(groups.first.size(), kUnknown);
  std::vector<char> too_large(sums.size(), 0);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::uint32_t group = groups.of_row[row];
    if (group == kNoGroup || values[row] == kUnknown) continue;
    if (sums[group] == kUnknown) {
      sums[group] = values[row];
    } else if (__builtin_add_overflow(sums[group], values[row], &sums[group])) {
      too_large[group] = 1;
    }
  }
  for (std::size_t group = 0; group < sums.size(); ++group) {
    if (too_large[group]) sums[group] = kUnknown;
  }
  return Cells(std::move(sums));
}

Cells sums_of(const Cells::Reals& values, const Groups& groups) {
  Cells::Reals sums(groups.first.size(), kUnknownNumber);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::uint32_t group = groups.of_row[row];
    if (group == kNoGroup || std::isnan(values[row])) continue;
    sums[group] = std::isnan(sums[group]) ? values[row] : sums[group] + values[row];
  }
  return Cells(std::move(sums));
}

// What all rows of a group have, else `none`.
template <typename Value, typename Same>
std::vector<Value> common(const std::vector<Value>& values, const Groups& groups, Value none, Same same) {
  std::vector<Value> found;
  for (const std::uint32_t first : groups.first) found.push_back(values[first]);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::uint32_t group = groups.of_row[row];
    if (group != kNoGroup && !same(values[row], values[groups.first[group]])) found[group] = none;
  }
  return found;
}

template <typename Value>
std::vector<Value> of_single_rows(const std::vector<Value>& values, const Groups& groups, Value none) {
  std::vector<Value> found;
  for (std::size_t group = 0; group < groups.first.size(); ++group)
    found.push_back(groups.rows[group] == 1 ? values[groups.first[group]] : none);
  return found;
}

// An id is a name: of rows with the same id, it is that of the group. A measure is not.
Cells cells_of_groups(const ReportColumn& column, const Groups& groups) {
  const Cells::Storage& storage = column.values.storage();
  const auto same = [](const auto& a, const auto& b) { return a == b; };
  if (const auto* texts = std::get_if<WordCells>(&storage)) {
    const auto same_text = [&](std::uint32_t a, std::uint32_t b) {
      return a == b || (a != WordCells::kNone && b != WordCells::kNone && texts->words[a] == texts->words[b]);
    };
    return Cells(WordCells{common(texts->word, groups, WordCells::kNone, same_text), texts->words});
  }
  if (const auto* flags = std::get_if<Cells::Flags>(&storage)) return Cells(common(*flags, groups, std::int8_t{-1}, same));
  if (const auto* integers = std::get_if<Cells::Integers>(&storage)) {
    if (column.sums) return sums_of(*integers, groups);
    if (column.unit == Unit::id) return Cells(common(*integers, groups, kUnknown, same));
    return Cells(of_single_rows(*integers, groups, kUnknown));
  }
  if (const auto* reals = std::get_if<Cells::Reals>(&storage)) {
    return column.sums ? sums_of(*reals, groups) : Cells(of_single_rows(*reals, groups, kUnknownNumber));
  }
  return {groups.first.size(), {}};
}

Message reason_of(const ReportColumn& column) {
  if (column.type == CellType::text || column.type == CellType::flag || column.unit == Unit::id)
    return "the rows of the group differ";
  return column.sums ? column.unknown : Message("values of several rows have no sum here: show the rows of the group");
}

ReportColumn rows_column(const Groups& groups) {
  ReportColumn column;
  column.key = kGroupRows;
  column.title = "Rows";
  column.unit = Unit::count;
  column.doc = "How many rows of the table the group has.";
  column.values = Cells(Cells::Integers(groups.rows));
  return column;
}

Result<ReportTable> grouped_table(const ReportTable& table, const ReportColumn& by, const RowFilter& filter) {
  Result<Keep> keep = matching_rows(table, filter);
  if (!keep) return keep.error();
  const auto* texts = std::get_if<WordCells>(&by.values.storage());
  const WordCells none{std::vector<std::uint32_t>(table.rows(), WordCells::kNone), {}};
  const Groups groups = find_groups(texts == nullptr ? none : *texts, *keep);
  ReportTable grouped{.key = table.key, .title = table.title, .said = table.said};
  const auto add = [&](const ReportColumn& column) {
    Cells values = cells_of_groups(column, groups);
    ReportColumn added = column;
    added.values = std::move(values);
    added.unknown = reason_of(column);
    if (added.role == ColumnRole::label) added.role = ColumnRole::value;
    grouped.columns.push_back(std::move(added));
  };
  add(by);
  grouped.columns.front().role = ColumnRole::label;
  grouped.columns.front().hidden = false;
  grouped.columns.push_back(rows_column(groups));
  for (const ReportColumn& column : table.columns) {
    if (&column != &by) add(column);
  }
  const ReportColumn* sort = table.find(table.sort_column);
  grouped.sort_column = sort != nullptr && sort->sums ? sort->key : kGroupRows;
  return grouped;
}

Result<const ReportTable*> table_to_group(const Report& report, const std::string& key) {
  const ReportTable* table =
      report.tables.size() == 1 && key.empty() ? &report.tables.front() : report.find_table(key.empty() ? report.view : key);
  if (table != nullptr) return table;
  std::vector<std::string> keys;
  for (const ReportTable& each : report.tables) keys.push_back(each.key);
  if (key.empty())
    return Error{ErrorCode::invalid_argument,
                 say("rows are grouped in one table, so name one; view {} has: {}", report.view, listed_names(keys)), ""};
  return Error{ErrorCode::not_found, say("no table '{}' in view {}; available: {}", key, report.view, listed_names(keys)), ""};
}

}  // namespace

Error no_column_in(const ReportTable& table, const std::string& key) {
  std::vector<std::string> keys;
  for (const ReportColumn& column : table.columns) keys.push_back(column.key);
  return {ErrorCode::invalid_argument, say("no column '{}' in table {}; available: {}", key, table.key, listed_names(keys)), ""};
}

Result<Keep> matching_rows(const ReportTable& table, const RowFilter& filter) {
  Keep keep(table.rows(), 1);
  if (!filter.contains.empty()) keep_found(table, filter.contains, keep);
  for (const NumberBound& bound : filter.bounds) {
    const ReportColumn* column = table.find(bound.column);
    if (column == nullptr) return no_column_in(table, bound.column);
    keep_bound(*column, bound, keep);
  }
  return keep;
}

Result<Report> grouped_report(const Report& report, const Grouping& grouping) {
  const Result<const ReportTable*> table = table_to_group(report, grouping.table);
  if (!table) return table.error();
  const ReportColumn* by = (*table)->find(grouping.column);
  if (by == nullptr || by->type != CellType::text) {
    std::vector<std::string> keys;
    for (const ReportColumn& column : (*table)->columns) {
      if (column.type == CellType::text) keys.push_back(column.key);
    }
    return Error{ErrorCode::invalid_argument,
                 say("table {} has no column '{}' of texts to group by; available: {}", (*table)->key, grouping.column,
                     listed_names(keys)),
                 ""};
  }
  Result<ReportTable> grouped = grouped_table(**table, *by, grouping.filter);
  if (!grouped) return grouped.error();
  Report made{
      .view = report.view, .title = report.title, .scope = report.scope, .profiles = report.profiles, .notes = report.notes};
  made.parameters = report.parameters;
  made.panels.push_back({.id = grouped->key, .title = grouped->title, .content = PlainTable{grouped->key}});
  made.tables.push_back(*std::move(grouped));
  return made;
}

}  // namespace sightline::engine
