// KeptReport: a report whose long tables are read page by page, and the requested orders of its rows. ReportCache keeps the
// last few of them, so that a page, or the same question again, costs no new analysis. Both are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/report.h"

namespace sightline::engine {

inline constexpr std::size_t kLongTable = 10'000;  // rows; tables with more come in pages
inline constexpr std::size_t kFirstRows = 1'000;   // that come with the report

using RowOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

class KeptReport {
 public:
  // Charts of shares over a long table get a small table of their own, so that they need not wait for all rows.
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
  // What a report is about beside the owner of the shelf: the other profile of a pair, or summaries of ranks.
  using Subjects = std::vector<std::shared_ptr<const void>>;

  // `asked` distinguishes the reports on the same subjects. The last ones stay; of those with a paged table, fewer.
  KeptReportPtr find(const Subjects& subjects, const std::string& asked);
  KeptReportPtr keep(const Subjects& subjects, const std::string& asked, Report report);

  bool clear();          // whether there was a report
  std::int64_t bytes();  // of the reports that are kept and whose subjects are still there; the others go

 private:
  struct Entry {
    std::vector<std::weak_ptr<const void>> subjects;
    std::string asked;
    KeptReportPtr report;
    bool is_of(const Subjects& of) const;
    bool is_lost() const;  // what it is about is gone
  };

  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace sightline::engine
