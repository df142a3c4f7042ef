// LogTable: the header of a device log says which column is the time, which the device, and which are figures; a line is one
// sample.
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
  // Nullopt: it is not the header of a device log.
  static std::optional<LogTable> of_header(std::string_view line);

  const std::vector<Figure>& figures() const { return figures_; }

  struct Sample {
    LogTime time;
    std::int64_t device = 0;
    std::vector<std::optional<double>> values;  // of figures()
  };
  // Nullopt: the line has no time or no device.
  std::optional<Sample> sample(std::string_view line) const;

 private:
  std::size_t time_ = 0, columns_ = 0;
  std::optional<std::size_t> device_;  // none: the only device is 0
  std::vector<Figure> figures_;
};

}  // namespace sightline::formats::device_log
