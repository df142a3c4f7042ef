// LogTable: names of columns of several monitors, their ways to write times and numbers.
#include "formats/device_log/log_table.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/fields.h"
#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/read_context.h"

namespace sightline::formats::device_log {

namespace {

constexpr std::string_view kTimes[] = {"timestamp", "time", "datetime", "date", "unix_time", "epoch", "ts"};
constexpr std::string_view kDevices[] = {"index",     "gpu",       "device", "gpu_id",     "gpu id",
                                         "gpu_index", "device_id", "card",   "dcgm_fi_dev"};
constexpr std::string_view kFigures[] = {"power",   "clock", "clk",    "temp",        "util",     "fan",  "throttle",
                                         "reasons", "volt",  "energy", "memory.used", "mem_used", "sclk", "mclk"};

std::string cell_text(std::string_view cell) {
  std::string text(trimmed(cell));
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number at the beginning of the text, which loses it and one separator.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int number = 0;
  if (text.size() < digits) return std::nullopt;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return number;
}

bool skip_one(std::string_view& text, std::string_view of) {
  if (text.empty() || of.find(text.front()) == of.npos) return false;
  text.remove_prefix(1);
  return true;
}

// "+02:00", "-0530" or "Z" as minutes.
std::optional<int> parse_zone(std::string_view zone) {
  if (zone == "Z" || zone == "z" || zone == "UTC" || zone == " UTC") return 0;
  if (zone.empty() || (zone.front() != '+' && zone.front() != '-')) return std::nullopt;
  const int sign = zone.front() == '-' ? -1 : 1;
  zone.remove_prefix(1);
  const auto hours = take_number(zone, 2);
  skip_one(zone, ":");
  const auto minutes = zone.empty() ? std::optional<int>(0) : take_number(zone, 2);
  if (!hours || !minutes || !zone.empty()) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

// Seconds, ms, us or ns since 1970, by their size.
std::optional<LogTime> parse_unix_time(std::string_view text) {
  const auto number = parse_real(text);
  if (!number || !(*number > 1e8)) return std::nullopt;
  const double scale = *number < 1e11 ? 1e9 : *number < 1e14 ? 1e6 : *number < 1e17 ? 1e3 : 1;
  if (const auto whole = whole_number<std::int64_t>(text); whole && *whole <= kFarthestNs / static_cast<std::int64_t>(scale))
    return LogTime{*whole * static_cast<std::int64_t>(scale), false};
  if (scale == 1e9) {
    const auto ns = parse_us_as_ns(text);  // exact: ns of us are ms of s
    if (ns && *ns < kFarthestNs / 1'000'000) return LogTime{*ns * 1'000'000, false};
  }
  const double ns = *number * scale;
  if (ns > static_cast<double>(kFarthestNs)) return std::nullopt;
  return LogTime{static_cast<Time>(ns), false};
}

}  // namespace

std::optional<LogTime> parse_log_time(std::string_view text) {
  if (const auto time = parse_unix_time(text)) return time;
  using namespace std::chrono;
  const auto year_of = take_number(text, 4);
  if (!year_of || !skip_one(text, "/-")) return std::nullopt;
  const auto month_of = take_number(text, 2);
  if (!month_of || !skip_one(text, "/-")) return std::nullopt;
  const auto day_of = take_number(text, 2);
  if (!day_of || !skip_one(text, " T")) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !skip_one(text, ":")) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || !skip_one(text, ":")) return std::nullopt;
  const auto second = take_number(text, 2);
  const year_month_day day{year{*year_of}, month{static_cast<unsigned>(*month_of)},
                           std::chrono::day{static_cast<unsigned>(*day_of)}};
  if (!second || !day.ok() || *year_of < 1971 || *year_of > 2060 || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  Time fraction = 0;
  if (skip_one(text, ".,")) {
    Time unit = 100'000'000;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), unit /= 10) fraction += (text.front() - '0') * unit;
  }
  const Time seconds = sys_days(day).time_since_epoch().count() * Time{86400} + *hour * 3600 + *minute * 60 + *second;
  const auto zone = parse_zone(text);
  if (!zone && !trimmed(text).empty()) return std::nullopt;
  return LogTime{seconds * 1'000'000'000 + fraction - Time{zone.value_or(0)} * 60'000'000'000, !zone};
}

std::optional<double> parse_figure(std::string_view text) {
  while (!text.empty() && (text.front() == '(' || text.front() == ' ')) text.remove_prefix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::uint64_t bits = 0;
    const auto [rest, failed] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (failed != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(bits);
  }
  if (text == "Active") return 1;
  if (text == "Not Active") return 0;
  double figure = 0;  // a unit may follow it
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), figure);
  return failed == std::errc() && std::isfinite(figure) ? std::optional(figure) : std::nullopt;
}

std::optional<LogTable> LogTable::of_header(std::string_view line) {
  LogTable table;
  bool has_time = false;
  const std::vector<std::string_view> cells = split_line(line, ',');
  table.columns_ = cells.size();
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const std::string title = to_utf8(cell_text(cells[column]));
    const std::string name = lower_case(title);
    const auto is_one_of = [&](const auto& names) {
      return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    if (!has_time && is_one_of(kTimes)) {
      table.time_ = column;
      has_time = true;
    } else if (!table.device_ && is_one_of(kDevices)) {
      table.device_ = column;
    } else if (std::any_of(std::begin(kFigures), std::end(kFigures),
                           [&](std::string_view part) { return name.find(part) != name.npos; })) {
      table.figures_.push_back({column, title});
    }
  }
  if (!has_time || table.figures_.empty()) return std::nullopt;
  return table;
}

std::optional<LogTable::Sample> LogTable::sample(std::string_view line) const {
  const std::vector<std::string_view> cells = split_line(line, ',');
  if (cells.size() != columns_) return std::nullopt;
  Sample sample;
  const auto time = parse_log_time(cell_text(cells[time_]));
  if (!time) return std::nullopt;
  sample.time = *time;
  if (device_) {
    std::string device = cell_text(cells[*device_]);
    if (const std::size_t digit = device.find_first_of("0123456789"); digit != device.npos) device.erase(0, digit);  // "card0"
    const auto ordinal = whole_number<std::int32_t>(device);
    if (!ordinal) return std::nullopt;
    sample.device = *ordinal;
  }
  for (const Figure& figure : figures_) sample.values.push_back(parse_figure(cell_text(cells[figure.column])));
  return sample;
}

}  // namespace sightline::formats::device_log
