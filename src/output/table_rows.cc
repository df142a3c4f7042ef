// Some rows of a long table. A text is searched once per word, not once per row.
#include "output/table_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "analyses/words.h"
#include "base/text.h"
#include "model/tables.h"
#include "output/report_format.h"
#include "output/report_wire.h"

namespace sightline::output {

namespace {

constexpr std::size_t kMostAtOnce = 10'000;

template <typename Number>
Result<Number> number_in(std::string_view key, const std::string& text) {
  if (const auto number = whole_number<Number>(text)) return *number;
  return Error{ErrorCode::invalid_argument, say("'{}' takes a number, not '{}'", key, text), ""};
}

using Keep = std::vector<char>;  // by row

// Keeps the rows one of whose texts holds what is searched.
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

// Calls visit(row, value) for every known number of the column.
template <typename Visit>
void each_number(const Cells& cells, Visit visit) {
  if (const auto* integers = std::get_if<Cells::Integers>(&cells.storage())) {
    for (std::size_t row = 0; row < integers->size(); ++row) {
      if ((*integers)[row] != kUnknown) visit(row, static_cast<double>((*integers)[row]));
    }
  } else if (const auto* reals = std::get_if<Cells::Reals>(&cells.storage())) {
    for (std::size_t row = 0; row < reals->size(); ++row) {
      if (!std::isnan((*reals)[row])) visit(row, (*reals)[row]);
    }
  }
}

void keep_bound(const ReportColumn& column, const NumberBound& bound, Keep& keep) {
  Keep inside(keep.size(), 0);
  each_number(column.values, [&](std::size_t row, double value) {
    inside[row] = keep[row] && (bound.is_least ? value >= bound.value : value <= bound.value);
  });
  keep = std::move(inside);
}

Error no_column(const ReportTable& table, const std::string& key) {
  std::string keys;
  for (const ReportColumn& column : table.columns) keys.append(keys.empty() ? "" : ", ").append(column.key);
  return {ErrorCode::invalid_argument, say("no column '{}' in table {}; available: {}", key, table.key, keys), ""};
}

// The rows that match, in the order wanted.
Result<RowOrder> matching_rows(const KeptReport& kept, const ReportTable& table, const RowsWanted& wanted) {
  const ReportColumn* sort = table.find(wanted.sort);
  if (sort == nullptr && !wanted.sort.empty()) return no_column(table, wanted.sort);
  RowOrder order = sort == nullptr ? kept.own_order(table) : kept.order(*sort, wanted.descending);
  if (wanted.contains.empty() && wanted.bounds.empty()) return order;
  Keep keep(table.rows(), 1);
  if (!wanted.contains.empty()) keep_found(table, wanted.contains, keep);
  for (const NumberBound& bound : wanted.bounds) {
    const ReportColumn* column = table.find(bound.column);
    if (column == nullptr) return no_column(table, bound.column);
    keep_bound(*column, bound, keep);
  }
  auto matching = std::make_shared<std::vector<std::uint32_t>>();
  std::copy_if(order->begin(), order->end(), std::back_inserter(*matching), [&](std::uint32_t row) { return keep[row] != 0; });
  return RowOrder(std::move(matching));
}

}  // namespace

SentColumnRows with_extent(const SentColumn& column) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  each_number(column.column->values, [&](std::size_t, double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  });
  if (least > most) return {column};
  return {column, least, most};
}

Result<RowsWanted> parse_rows_wanted(const std::vector<std::pair<std::string, std::string>>& parameters,
                                     std::vector<std::pair<std::string, std::string>>& rest) {
  RowsWanted wanted{.limit = 500};
  for (const auto& [key, value] : parameters) {
    const bool is_least = key.starts_with("least.");
    if (key == "table") {
      wanted.table = value;
    } else if (key == "sort") {
      wanted.sort = value;
    } else if (key == "contains") {
      wanted.contains = value;
    } else if (key == "descending") {
      wanted.descending = value == "1" || value == "true";
    } else if (key == "offset" || key == "limit") {
      const auto number = number_in<std::size_t>(key, value);
      if (!number) return number.error();
      (key == "offset" ? wanted.offset : wanted.limit) = *number;
    } else if (is_least || key.starts_with("most.")) {
      const auto number = number_in<double>(key, value);
      if (!number) return number.error();
      wanted.bounds.push_back({key.substr(key.find('.') + 1), is_least, *number});
    } else {
      rest.emplace_back(key, value);
    }
  }
  if (wanted.limit <= kMostAtOnce) return wanted;
  return Error{ErrorCode::invalid_argument, say("'limit' is at most {}, not {}", kMostAtOnce, wanted.limit), ""};
}

Result<std::string> table_rows_json(const KeptReport& kept, const RowsWanted& wanted) {
  const ReportTable* table = kept.report().find_table(wanted.table);
  if (table == nullptr) return no_table(kept.report(), wanted.table);
  const Result<RowOrder> rows = matching_rows(kept, *table, wanted);
  if (!rows) return rows.error();
  const std::size_t from = std::min(wanted.offset, (*rows)->size());
  const std::size_t to = std::min((*rows)->size(), from + wanted.limit);
  return wire_json(SentRows{table, *rows, from, to});
}

}  // namespace sightline::output
