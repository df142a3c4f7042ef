// Sorting rows, and keeping reports.
#include "engine/kept_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "engine/packed_derived.h"
#include "model/tables.h"

namespace sightline::engine {

namespace {

// By `value(row)`; `known(row)` says which rows have one.
template <typename Value, typename Known>
void sort_by(std::vector<std::uint32_t>& order, Value value, Known known, bool descending) {
  const auto middle = std::stable_partition(order.begin(), order.end(), known);
  std::stable_sort(order.begin(), middle,
                   [&](std::uint32_t a, std::uint32_t b) { return descending ? value(b) < value(a) : value(a) < value(b); });
}

// The place of each word among all words in order; equal words share one.
std::vector<std::uint32_t> ranks_of(const std::vector<std::string>& words) {
  std::vector<std::uint32_t> order(words.size()), rank(words.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return words[a] < words[b]; });
  for (std::uint32_t i = 1; i < order.size(); ++i) {
    rank[order[i]] = rank[order[i - 1]] + (words[order[i]] != words[order[i - 1]]);
  }
  return rank;
}

std::optional<std::size_t> parent_of(const ReportColumn& parents, std::size_t row) {
  const Cell cell = parents.values[row];
  const auto* parent = std::get_if<std::int64_t>(&cell);
  if (parent == nullptr || *parent < 0 || static_cast<std::size_t>(*parent) >= parents.values.size()) return {};
  return static_cast<std::size_t>(*parent);
}

}  // namespace

std::vector<std::uint32_t> sorted_order(const Cells& values, bool descending) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto sort_numbers = [&](const auto& numbers, auto known) {
    sort_by(
        order, [&](std::uint32_t row) { return numbers[row]; }, [&](std::uint32_t row) { return known(numbers[row]); },
        descending);
  };
  if (const auto* integers = std::get_if<Cells::Integers>(&values.storage())) {
    sort_numbers(*integers, [](std::int64_t value) { return value != kUnknown; });
  } else if (const auto* reals = std::get_if<Cells::Reals>(&values.storage())) {
    sort_numbers(*reals, [](double value) { return !std::isnan(value); });
  } else if (const auto* flags = std::get_if<Cells::Flags>(&values.storage())) {
    sort_numbers(*flags, [](std::int8_t value) { return value >= 0; });
  } else if (const auto* texts = std::get_if<WordCells>(&values.storage())) {
    const std::vector<std::uint32_t> rank = ranks_of(texts->words);
    const auto rank_of = [&](std::uint32_t row) { return rank[texts->word[row]]; };
    sort_by(
        order, rank_of, [&](std::uint32_t row) { return texts->word[row] != WordCells::kNone; }, descending);
  }
  return order;
}

std::vector<std::uint32_t> sorted_order(const ReportTable& table) {
  if (const ReportColumn* key = table.find(table.sort_column)) return sorted_order(key->values, table.sort_descending);
  std::vector<std::uint32_t> order(table.rows());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

std::vector<OrderedRow> sorted_rows(const ReportTable& table) {
  std::vector<OrderedRow> rows;
  rows.reserve(table.rows());
  for (const std::uint32_t row : sorted_order(table)) rows.push_back({row, 0});
  return rows;
}

std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent) {
  const ReportColumn* parents = table.find(parent);
  if (parents == nullptr) return sorted_rows(table);
  const std::vector<std::uint32_t> order = sorted_order(table);
  std::vector<std::vector<std::size_t>> children(table.rows());
  std::vector<OrderedRow> pending, rows;  // pending: a stack, so its last row is the next
  for (auto row = order.rbegin(); row != order.rend(); ++row) {
    if (const auto above = parent_of(*parents, *row)) {
      children[*above].push_back(*row);
    } else {
      pending.push_back({*row, 0});
    }
  }
  while (!pending.empty()) {
    const OrderedRow next = pending.back();
    pending.pop_back();
    rows.push_back(next);
    for (const std::size_t child : children[next.row]) pending.push_back({child, next.depth + 1});
  }
  return rows;
}

namespace {

constexpr std::size_t kMostKept = 32;
constexpr std::size_t kMostPaged = 4;   // of these
constexpr std::size_t kMostOrders = 8;  // per report

bool is_long(const ReportTable& table) { return table.rows() > kLongTable; }

// The rows that a chart of shares shows individually.
ReportTable top_rows(const ReportTable& table, const Panel& panel, const BreakdownChart& chart) {
  ReportTable top{.key = table.key + "_" + panel.id, .title = panel.title};
  top.sort_column = chart.value;
  const std::vector<std::uint32_t> order = sorted_order(table.find(chart.value)->values, true);
  for (const ReportColumn& column : table.columns) {
    if (column.key != chart.label && column.key != chart.value && column.role != ColumnRole::category) continue;
    ReportColumn copy = column;
    copy.bar.clear();
    copy.values = {};
    for (std::size_t i = 0; i < std::min(order.size(), kFirstRows); ++i) copy.values.push_back(column.values[order[i]]);
    top.columns.push_back(std::move(copy));
  }
  return top;
}

double sum_of(const Cells& cells) {
  double sum = 0;
  for (const Cell& cell : cells) sum += is_unknown(cell) ? 0 : number_of(cell);
  return sum;
}

}  // namespace

KeptReport::KeptReport(Report report) : report_(std::move(report)) {
  std::vector<ReportTable> added;
  for (Panel& panel : report_.panels) {
    auto* chart = panel.as<BreakdownChart>();
    const ReportTable* table = chart == nullptr ? nullptr : report_.find_table(chart->table);
    if (table == nullptr || !is_long(*table)) continue;
    if (!chart->total) chart->total = sum_of(table->find(chart->value)->values);
    added.push_back(top_rows(*table, panel, *chart));
    chart->table = added.back().key;
  }
  for (ReportTable& table : added) report_.tables.push_back(std::move(table));
  report_bytes_ = held_bytes(report_);
}

bool KeptReport::has_pages() const {
  return std::any_of(report_.tables.begin(), report_.tables.end(), [this](const ReportTable& table) { return paged(table); });
}

bool KeptReport::paged(const ReportTable& table) const {
  return is_long(table) && std::all_of(report_.panels.begin(), report_.panels.end(), [&](const Panel& panel) {
           return panel.table() != table.key || panel.as<PlainTable>() != nullptr;
         });
}

RowOrder KeptReport::order(const ReportColumn& column, bool descending) const {
  const std::lock_guard lock(mutex_);
  if (orders_.size() > kMostOrders) orders_.clear();
  RowOrder& order = orders_[{&column, descending}];
  if (order == nullptr) order = std::make_shared<const std::vector<std::uint32_t>>(sorted_order(column.values, descending));
  return order;
}

RowOrder KeptReport::own_order(const ReportTable& table) const {
  if (const ReportColumn* column = table.find(table.sort_column)) return order(*column, table.sort_descending);
  return std::make_shared<const std::vector<std::uint32_t>>(sorted_order(table));
}

std::int64_t KeptReport::bytes() const {
  std::int64_t bytes = static_cast<std::int64_t>(sizeof *this) + report_bytes_;
  const std::lock_guard lock(mutex_);
  for (const auto& [of, order] : orders_) bytes += static_cast<std::int64_t>(order->capacity() * sizeof(order->front()));
  return bytes;
}

bool ReportCache::Entry::is_lost() const {
  return std::any_of(subjects.begin(), subjects.end(), [](const auto& subject) { return subject.expired(); });
}

bool ReportCache::clear() {
  const std::lock_guard lock(mutex_);
  const bool any = !entries_.empty();
  entries_.clear();
  return any;
}

std::int64_t ReportCache::bytes() {
  const std::lock_guard lock(mutex_);
  entries_.remove_if([](const Entry& entry) { return entry.is_lost(); });
  std::int64_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.report->bytes();
  return bytes;
}

bool ReportCache::Entry::is_of(const Subjects& of) const {
  return std::equal(subjects.begin(), subjects.end(), of.begin(), of.end(),
                    [](const auto& kept, const auto& subject) { return kept.lock() == subject; });
}

KeptReportPtr ReportCache::find(const Subjects& subjects, const std::string& question) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.question == question && entry.is_of(subjects); });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().report;
}

KeptReportPtr ReportCache::keep(const Subjects& subjects, const std::string& question, Report report) {
  const auto kept = std::make_shared<const KeptReport>(std::move(report));
  const std::lock_guard lock(mutex_);
  entries_.push_front({{subjects.begin(), subjects.end()}, question, kept});
  std::size_t all = 0, paged = 0;
  entries_.remove_if(
      [&](const Entry& entry) { return ++all > kMostKept || (entry.report->has_pages() && ++paged > kMostPaged); });
  return kept;
}

}  // namespace sightline::engine
