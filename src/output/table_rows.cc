// Some rows of a long table.
#include "output/table_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

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

// The rows that match, in the order wanted.
Result<RowOrder> wanted_rows(const KeptReport& kept, const ReportTable& table, const RowsWanted& wanted) {
  const ReportColumn* sort = table.find(wanted.sort);
  if (sort == nullptr && !wanted.sort.empty()) return no_column_in(table, wanted.sort);
  RowOrder order = sort == nullptr ? kept.own_order(table) : kept.order(*sort, wanted.descending);
  if (wanted.filter.empty()) return order;
  const Result<Keep> keep = matching_rows(table, wanted.filter);
  if (!keep) return keep.error();
  auto matching = std::make_shared<std::vector<std::uint32_t>>();
  std::copy_if(order->begin(), order->end(), std::back_inserter(*matching), [&](std::uint32_t row) { return (*keep)[row] != 0; });
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
    } else if (key == "group_rows") {
      wanted.group = value;
    } else if (key == "sort") {
      wanted.sort = value;
    } else if (key == "contains") {
      wanted.filter.contains = value;
    } else if (key == "descending") {
      wanted.descending = value == "1" || value == "true";
    } else if (key == "offset" || key == "limit") {
      const auto number = number_in<std::size_t>(key, value);
      if (!number) return number.error();
      (key == "offset" ? wanted.offset : wanted.limit) = *number;
    } else if (is_least || key.starts_with("most.")) {
      const auto number = number_in<double>(key, value);
      if (!number) return number.error();
      wanted.filter.bounds.push_back({key.substr(key.find('.') + 1), is_least, *number});
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
  const Result<RowOrder> rows = wanted_rows(kept, *table, wanted);
  if (!rows) return rows.error();
  const std::size_t from = std::min(wanted.offset, (*rows)->size());
  const std::size_t to = std::min((*rows)->size(), from + wanted.limit);
  return wire_json(SentRows{table, *rows, from, to});
}

}  // namespace sightline::output
