// A report for its readers: the order of a table's rows, and reports that are kept because their long tables are read page by
// page. KeptReport has a report with the orders of its rows that were requested. ReportCache has the last few of them, so that a
// page, or the same question again, costs no new analysis. Both are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/report.h"

namespace sightline::engine {

// ---- the order of rows ----

struct OrderedRow {
  std::size_t row = 0;
  std::size_t depth = 0;  // in a tree
};

// The numbers of all rows by their values; unknown cells come last, whatever the direction, and equal rows keep their order.
std::vector<std::uint32_t> sorted_order(const Cells& values, bool descending);

// The same in the table's own order.
std::vector<std::uint32_t> sorted_order(const ReportTable& table);

// Unknown cells come last, whatever the direction; equal rows keep their order.
std::vector<OrderedRow> sorted_rows(const ReportTable& table);

// Each row after its parent, siblings in sorted order. `parent` is the key of a column of row numbers, unknown for
// roots. Rows whose parent is not a row are roots.
std::vector<OrderedRow> tree_rows(const ReportTable& table, std::string_view parent);

// ---- kept reports ----

inline constexpr std::size_t kLongTable = 10'000;  // rows; tables with more come in pages
inline constexpr std::size_t kFirstRows = 1'000;   // that come with the report

using RowOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

class KeptReport {
 public:
  // Charts of shares over a long table get a separate small table, so that they need not wait for all rows.
  explicit KeptReport(Report report);

  const Report& report() const { return report_; }

  // Whether the table comes in pages: it is long, and no chart or tree needs all of it.
  bool paged(const ReportTable& table) const;
  bool has_pages() const;  // whether any of its tables does

  // All rows by a column. REQUIRES: the column is of one of the report's tables.
  RowOrder order(const ReportColumn& column, bool descending) const;
  RowOrder own_order(const ReportTable& table) const;  // the table's default order

  std::int64_t bytes() const;  // of its texts, cells and orders

 private:
  Report report_;
  std::int64_t report_bytes_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<const ReportColumn*, bool>, RowOrder> orders_;
};

using KeptReportPtr = std::shared_ptr<const KeptReport>;

class ReportCache {
 public:
  // What a report is about beside the owner of the cache: the other profile of a pair, or summaries of ranks.
  using Subjects = std::vector<std::shared_ptr<const void>>;

  // `question` distinguishes reports on the same subjects. The last ones stay; fewer of those with a paged
  // table.
  KeptReportPtr find(const Subjects& subjects, const std::string& question);
  KeptReportPtr keep(const Subjects& subjects, const std::string& question, Report report);

  bool clear();          // whether there was a report
  std::int64_t bytes();  // of the kept reports whose subjects still exist; the others are dropped

 private:
  struct Entry {
    std::vector<std::weak_ptr<const void>> subjects;
    std::string question;
    KeptReportPtr report;
    bool is_of(const Subjects& of) const;
    bool is_lost() const;  // one of its subjects no longer exists
  };

  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace sightline::engine
