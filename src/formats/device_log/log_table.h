// LogTable: the header of a device log says which column is the time, which the device, and which are figures; a line is one
// sample. A log without times has them before each line if it was piped through `ts`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/tables.h"

namespace sightline::formats::device_log {

// A time of a log: Unix time, or what a clock on a wall showed, in ns as if it showed UTC.
struct LogTime {
  Time ns = 0;
  bool is_local = false;
};

std::optional<LogTime> parse_log_time(std::string_view text);

// The number that a figure begins with: "123.4 W", "(800Mhz)", "0x4", "45"; nullopt for "[N/A]".
std::optional<double> parse_figure(std::string_view text);

struct Figure {
  std::size_t column = 0;
  std::string title;
};

class LogTable {
 public:
  // Finds the header near the beginning of a file. Nullopt: it is no device log. Without times it is one that cannot be shown.
  static std::optional<LogTable> of_head(std::string_view head);

  bool has_times() const { return has_prefix_ || time_; }
  const std::vector<Figure>& figures() const { return figures_; }

  // Whether the line has no sample: monitors repeat their header, and write units below it.
  bool is_header(std::string_view line) const;

  struct Sample {
    LogTime time;
    std::int64_t device = 0;
    std::vector<std::optional<double>> values;  // of figures()
  };
  // Nullopt: the line has no time or no device.
  std::optional<Sample> sample(std::string_view line) const;

 private:
  enum class Form {
    cells,    // separated by commas
    words,    // separated by blanks
    entities  // likewise, and a row begins with the kind and the number of a device
  };

  static std::optional<LogTable> of_header(std::string_view line);
  bool take_words(std::string_view line);
  bool take_cells(std::string_view line);

  Form form_ = Form::cells;
  std::string header_;
  bool has_prefix_ = false;  // each line begins with a time and a blank
  std::size_t columns_ = 0;
  std::optional<std::size_t> time_;
  std::optional<std::size_t> device_;  // none: the only device is 0
  std::vector<Figure> figures_;
};

}  // namespace sightline::formats::device_log
