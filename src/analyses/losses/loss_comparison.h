// Losses in training logs: the losses of each log, several logs side by side, and the difference of two of them: whether a change
// of hardware, precision or library changed what the job computes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- one log: what a job printed while it ran ----
// A line counts when it has both tags with a number after each, such as " iteration 7/ 100 | lm loss: 6.25E+00 |" for
// "iteration" and "loss:".

struct LossTags {
  std::string loss = "loss:";
  std::string iteration = "iteration";
};

// One line of the log. The loss is NaN where the log has nan or inf: the iteration ran, but its loss is not a number.
struct LossPoint {
  std::int64_t iteration = 0;
  double loss = 0;
};

struct LossLog {
  std::string name;
  std::vector<LossPoint> points;  // in the order of the log
  std::int64_t lines = 0;
  std::int64_t lines_with_one_tag = 0;  // a loss without an iteration, or the other way round, or no number after a tag
};

// Takes a log in pieces of any size. A line ends at LF, CR LF or CR (progress bars); bytes of a line beyond kLongestLine are
// ignored.
class LossLogReader {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;

  LossLogReader(std::string name, LossTags tags) : log_{std::move(name), {}, 0, 0}, tags_(std::move(tags)) {}

  void add(std::string_view text);
  LossLog finish();
  std::size_t points() const { return log_.points.size(); }  // so far

 private:
  void take_line(std::string_view line);

  LossLog log_;
  LossTags tags_;
  std::string rest_;  // of a line that has not ended yet
};

// A log's file, plain or gzipped, read in pieces.
Result<LossLog> read_loss_log(const std::string& path, const LossTags& tags);

// ---- several logs ----

inline constexpr std::size_t kMostLossLogs = 6;

// Tables: `logs`, `losses` (a row per iteration, a column per log), and with two logs or more `differences` of `base` and
// `compared` (numbers of logs). invalid_argument: none or too many logs, or no such log.
Result<Report> loss_report(std::span<const LossLog> logs, std::size_t base = 0, std::size_t compared = 1);

// The tables without rows, for the metrics page.
std::vector<ReportTable> loss_tables();

}  // namespace sightline::analyses
