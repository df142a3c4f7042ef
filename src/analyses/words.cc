// Numbers as words, with three significant digits where a sentence needs no more.
#include "analyses/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

// Three significant digits, for values in [0, 1000).
std::string three_digits(double value) {
  const double size = std::abs(value);
  return number_words(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

}  // namespace

std::string number_words(double number, int digits) { return fmt::format("{:.{}f}", number, digits); }

std::string count_words(std::int64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') text += ',';
    text += digits[i];
  }
  return text;
}

Message count_words(std::int64_t count, Template<1> singular, Template<1> plural) {
  return say(count == 1 ? singular : plural, count_words(count));
}

Message own_title(std::string_view title) {
  if (std::ranges::find(stated::kOwnTitles, title) != stated::kOwnTitles.end()) return title;
  for (const std::string_view text : stated::kOwnTitleTemplates) {
    const Gap gap = next_gap(text, 0);
    const std::string_view begin = text.substr(0, gap.begin), end = text.substr(gap.end);
    if (title.size() <= begin.size() + end.size() || !title.starts_with(begin) || !title.ends_with(end)) continue;
    const std::string_view value = title.substr(begin.size(), title.size() - begin.size() - end.size());
    return Message(Message::Kind::filled, {std::string(text), {Message::verbatim(value)}});
  }
  return Message::verbatim(title);
}

std::string share_words(double share) { return share > 0 && share < 0.0005 ? "<0.1%" : fmt::format("{:.1f}%", 100 * share); }

std::string time_words(double ns) {
  const double size = std::abs(ns);
  if (size < 1e3) return fmt::format("{:.0f} ns", ns);
  if (size < 1e6) return fmt::format("{} µs", three_digits(ns / 1e3));
  if (size < 1e9) return fmt::format("{} ms", three_digits(ns / 1e6));
  return fmt::format("{:.2f} s", ns / 1e9);
}

std::string bytes_words(double bytes) {
  constexpr std::array<const char*, 5> kUnits{" B", " KiB", " MiB", " GiB", " TiB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return (unit == 0 ? number_words(bytes, 0) : three_digits(bytes)) + kUnits[unit];
}

std::string unix_time_words(std::int64_t unix_ns) {
  using namespace std::chrono;
  const sys_time<milliseconds> moment{floor<milliseconds>(nanoseconds{unix_ns})};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss clock{moment - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

}  // namespace sightline::analyses
