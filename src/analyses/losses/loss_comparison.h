// Losses of training logs side by side, and the difference of two of them: whether a change of hardware, precision or
// library changed what the job computes.
#pragma once

#include <span>

#include "analyses/losses/loss_log.h"
#include "base/result.h"
#include "model/report.h"

namespace sightline::analyses {

inline constexpr std::size_t kMostLossLogs = 6;

// Tables: `logs`, `losses` (a row per iteration, a column per log), and with two logs or more `differences` of `base` and
// `compared` (numbers of logs). invalid_argument: none or too many logs, or no such log.
Result<Report> loss_report(std::span<const LossLog> logs, std::size_t base = 0, std::size_t compared = 1);

// The tables without rows, for the metrics page.
std::vector<ReportTable> loss_tables();

}  // namespace sightline::analyses
