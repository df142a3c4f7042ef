// LogTable: names of columns of several monitors, their ways to write times and numbers.
#include "formats/device_log/log_table.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/fields.h"
#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/common/files_beside.h"
#include "formats/read_context.h"

namespace sightline::formats::device_log {

namespace {

constexpr std::string_view kTimes[] = {"timestamp", "time", "datetime", "date", "unix_time", "epoch", "ts"};
constexpr std::string_view kDevices[] = {"index",     "gpu",       "device", "gpu_id",     "gpu id",
                                         "gpu_index", "device_id", "card",   "dcgm_fi_dev"};
constexpr std::string_view kFigures[] = {"power",   "clock", "clk",    "temp",        "util",     "fan",  "throttle",
                                         "reasons", "volt",  "energy", "memory.used", "mem_used", "vram", "use (%)"};
constexpr std::string_view kNamesOfFigures[] = {"gfx", "mem", "enc", "dec", "sm", "pwr"};

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

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(" \t"); begin != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(" \t", end);
  }
  return words;
}

// Takes a time from the beginning of a line that `ts` wrote.
std::optional<LogTime> take_time(std::string_view& line) {
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == line.npos) return std::nullopt;
  const auto time = parse_log_time(line.substr(0, blank));
  if (time) line.remove_prefix(blank);
  return time;
}

std::optional<std::int64_t> device_number(std::string text) {
  if (const std::size_t digit = text.find_first_of("0123456789"); digit != text.npos) text.erase(0, digit);  // "card0"
  return whole_number<std::int32_t>(text);
}

// A day and a time of the clock, in two cells.
std::optional<LogTime> parse_day_and_time(std::string_view day, std::string_view time) {
  if (day.size() != 8) return std::nullopt;
  std::string text(day.substr(0, 4));
  text.append("-").append(day.substr(4, 2)).append("-").append(day.substr(6)).append(" ").append(time);
  return parse_log_time(text);
}

}  // namespace

std::optional<LogTable> LogTable::of_head(std::string_view head) {
  constexpr int kLines = 16;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (int line = 0; line < kLines && !head.empty(); ++line) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view text = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (lower_case(text).find("kernel name") != std::string::npos) return std::nullopt;  // a table of kernels
    if (auto table = of_header(text)) return table;
  }
  return std::nullopt;
}

std::optional<LogTable> LogTable::of_header(std::string_view line) {
  LogTable table;
  table.has_prefix_ = take_time(line).has_value();
  line = trimmed(line);
  table.header_ = line;
  const bool is_known = line.starts_with('#') ? table.take_words(line.substr(1)) : table.take_cells(line);
  return is_known ? std::optional(std::move(table)) : std::nullopt;
}

// "#Entity GPUTL POWER" and "#Date Time gpu pwr": every column but these is a figure.
bool LogTable::take_words(std::string_view line) {
  form_ = Form::words;
  const std::vector<std::string_view> words = words_of(line);
  columns_ = words.size();
  bool has_device = false, has_date = false;
  for (std::size_t column = 0; column < words.size(); ++column) {
    const std::string name = lower_case(words[column]);
    if (name == "entity" && column == 0) {
      form_ = Form::entities;
      has_device = true;
    } else if (name == "gpu" && !has_device) {
      device_ = column;
      has_device = true;
    } else if (name == "date" && column == 0) {
      has_date = true;
    } else if (name == "time" && column <= 1) {
      if (has_date) time_ = column;
    } else {
      figures_.push_back({column, to_utf8(words[column])});
    }
  }
  return has_device && !figures_.empty();
}

bool LogTable::take_cells(std::string_view line) {
  const std::vector<std::string> cells = csv_cells(line);
  columns_ = cells.size();
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const std::string title = to_utf8(trimmed(cells[column]));
    const std::string name = lower_case(title);
    const auto is_one_of = [&](const auto& names) {
      return std::find(std::begin(names), std::end(names), name) != std::end(names);
    };
    if (!time_ && is_one_of(kTimes)) {
      time_ = column;
    } else if (!device_ && is_one_of(kDevices)) {
      device_ = column;
    } else if (is_one_of(kNamesOfFigures) || std::any_of(std::begin(kFigures), std::end(kFigures),
                                                         [&](std::string_view part) { return name.find(part) != name.npos; })) {
      figures_.push_back({column, title});
    }
  }
  return !figures_.empty() && (has_times() || device_);
}

bool LogTable::is_header(std::string_view line) const {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (has_prefix_) take_time(line);
  line = trimmed(line);
  if (line.empty() || line == header_) return true;
  if (form_ == Form::cells) return false;
  return line.starts_with('#') || (form_ == Form::entities && line.starts_with("ID "));
}

std::optional<LogTable::Sample> LogTable::sample(std::string_view line) const {
  Sample sample;
  std::optional<LogTime> time;
  if (has_prefix_) time = take_time(line);
  std::vector<std::string> cells;
  if (form_ == Form::cells) {
    cells = csv_cells(line);
    for (std::string& cell : cells) cell = trimmed(cell);
  } else {
    for (const std::string_view word : words_of(line)) cells.emplace_back(word);
    if (form_ == Form::entities) {  // "GPU 0"; others are parts of a GPU, or no GPU
      if (cells.empty() || cells.front() != "GPU") return std::nullopt;
      cells.erase(cells.begin());
    }
  }
  if (cells.size() != columns_) return std::nullopt;
  if (!has_prefix_ && time_)
    time = form_ == Form::words ? parse_day_and_time(cells[0], cells[*time_]) : parse_log_time(cells[*time_]);
  if (!time) return std::nullopt;
  sample.time = *time;
  if (device_ || form_ == Form::entities) {
    const auto ordinal = device_number(cells[device_.value_or(0)]);
    if (!ordinal) return std::nullopt;
    sample.device = *ordinal;
  }
  for (const Figure& figure : figures_) sample.values.push_back(parse_figure(cells[figure.column]));
  return sample;
}

}  // namespace sightline::formats::device_log
