// KeptReport and ReportCache.
#include "engine/kept_report.h"

#include <algorithm>

#include "engine/packed_derived.h"
#include "engine/report_rows.h"

namespace sightline::engine {

namespace {

constexpr std::size_t kMostKept = 32;
constexpr std::size_t kMostPaged = 4;   // of these
constexpr std::size_t kMostOrders = 8;  // per report

bool is_long(const ReportTable& table) { return table.rows() > kLongTable; }

// The rows that a chart of shares shows by themselves.
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

KeptReportPtr ReportCache::find(const Subjects& subjects, const std::string& asked) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.asked == asked && entry.is_of(subjects); });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().report;
}

KeptReportPtr ReportCache::keep(const Subjects& subjects, const std::string& asked, Report report) {
  const auto kept = std::make_shared<const KeptReport>(std::move(report));
  const std::lock_guard lock(mutex_);
  entries_.push_front({{subjects.begin(), subjects.end()}, asked, kept});
  std::size_t all = 0, paged = 0;
  entries_.remove_if(
      [&](const Entry& entry) { return ++all > kMostKept || (entry.report->has_pages() && ++paged > kMostPaged); });
  return kept;
}

}  // namespace sightline::engine
