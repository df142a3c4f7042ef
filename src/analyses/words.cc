// Numbers as words; three significant digits where a sentence needs no more.
#include "analyses/words.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace sightline {

namespace {

// Three significant digits, for values in [0, 1000).
std::string three_digits(double value) {
  const double size = std::abs(value);
  return number_words(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

}  // namespace

std::string number_words(double number, int digits) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string count_words(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string count_words(std::int64_t count, std::string_view singular, std::string_view plural) {
  return count_words(count).append(" ").append(count == 1 ? singular : plural);
}

std::string share_words(double share) { return number_words(100 * share, 1) + "%"; }

std::string time_words(double ns) {
  const double size = std::abs(ns);
  if (size < 1e3) return number_words(ns, 0) + " ns";
  if (size < 1e6) return three_digits(ns / 1e3) + " us";
  if (size < 1e9) return three_digits(ns / 1e6) + " ms";
  return number_words(ns / 1e9, 2) + " s";
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
  std::array<char, 64> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d.%03d UTC", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace sightline
