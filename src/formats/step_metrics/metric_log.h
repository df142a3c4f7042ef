// MetricLog: the figures that a job logged for its steps, from one log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/binary/byte_stream.h"
#include "model/profile.h"

namespace sightline::formats::step_metrics {

struct Metric {
  StringId name;
  std::int64_t number;  // of the step; kUnknown: the log does not state it
  Time unix_ns;         // kUnknown: likewise
  double value;         // NaN: not a finite number
};

struct MetricLog {
  std::string name;  // of the file or folder
  std::vector<Metric> metrics;
  std::int64_t malformed = 0, first_malformed = kUnknown;  // records or lines that could not be read
  bool is_cut = false;                                     // it ends inside a record

  void flaw(std::int64_t at) {
    if (malformed++ == 0) first_malformed = at;
  }
};

inline constexpr std::size_t kMostMetrics = 1'000'000;  // of all logs of a profile

// TensorBoard's event file: the scalars of its summaries. Ends at damage, or when the log has `most` metrics.
void read_event_file(ByteStream& in, std::size_t most, StringPool& strings, MetricLog& log);

// A file of MLflow's file store: a line `timestamp_ms value step` for each time that the metric `name` was logged.
void read_mlflow_metric(ByteStream& in, StringId name, std::size_t most, MetricLog& log);

}  // namespace sightline::formats::step_metrics
