// Decimal parsing: digits are collected in an integer, and the decimal point only moves an exponent.
#include "formats/common/decimal.h"

#include <charconv>
#include <limits>

namespace sightline::formats {

namespace {

std::string_view unquote(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

constexpr std::size_t kLongestDigits = 18;  // each number with so many digits fits into 64 bits

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// value = sign * digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal d;
  const char* p = text.data();
  const char* end = p + text.size();
  if (p != end && (*p == '-' || *p == '+')) d.negative = *p++ == '-';
  bool any = false;
  bool fraction = false;
  for (; p != end && (is_digit(*p) || (*p == '.' && !fraction)); ++p) {
    if (*p == '.') {
      fraction = true;
      continue;
    }
    any = true;
    if (d.digits > (std::numeric_limits<std::uint64_t>::max() - 9) / 10) {
      if (!fraction) ++d.exponent;  // beyond 19 digits: the rest only scales
      continue;
    }
    d.digits = d.digits * 10 + static_cast<std::uint64_t>(*p - '0');
    if (fraction) --d.exponent;
  }
  if (!any) return std::nullopt;
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p != end && *p == '+') ++p;
    int exponent = 0;
    const auto [rest, error] = std::from_chars(p, end, exponent);
    if (error != std::errc() || exponent > 400 || exponent < -400) return std::nullopt;
    d.exponent += exponent;
    p = rest;
  }
  if (p != end) return std::nullopt;
  return d;
}

// digits * 10^exponent as int64, rounding half away from zero; nullopt on overflow.
std::optional<std::int64_t> to_integer(Decimal d) {
  std::uint64_t value = d.digits;
  for (; d.exponent > 0 && value != 0; --d.exponent) {
    if (value > std::numeric_limits<std::uint64_t>::max() / 10) return std::nullopt;
    value *= 10;
  }
  if (d.exponent < -19) value = 0;
  bool up = false;
  for (; d.exponent < 0 && value != 0; ++d.exponent) {
    up = value % 10 >= 5;
    value /= 10;
  }
  value += up ? 1 : 0;
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return d.negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<std::int64_t> parse_us_as_ns(std::string_view text) {
  text = unquote(text);
  // The ordinary case, digits with at most three decimals, in one short loop.
  std::uint64_t value = 0;
  std::size_t i = 0;
  const std::size_t size = text.size();
  while (i < size && is_digit(text[i])) value = value * 10 + static_cast<std::uint64_t>(text[i++] - '0');
  if (i > 0 && i <= 16 && value < kFarthestNs / 1000) {
    if (i == size) return static_cast<std::int64_t>(value * 1000);
    if (text[i] == '.' && size - i - 1 <= 3) {
      std::uint64_t scale = 1000;
      for (++i; i < size && is_digit(text[i]); ++i, scale /= 10) value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
      if (i == size) return static_cast<std::int64_t>(value * scale);
    }
  }
  std::optional<Decimal> d = parse_decimal(text);
  if (!d) return std::nullopt;
  d->exponent += 3;
  const std::optional<std::int64_t> ns = to_integer(*d);
  return ns && *ns <= kFarthestNs && *ns >= -kFarthestNs ? ns : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = unquote(text);
  if (text.size() <= kLongestDigits) {  // the ordinary case: a few digits
    std::int64_t digits = 0;
    std::size_t i = 0;
    while (i < text.size() && is_digit(text[i])) digits = digits * 10 + (text[i++] - '0');
    if (i != 0 && i == text.size()) return digits;
  }
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && rest == text.data() + text.size()) return value;
  std::uint64_t wide = 0;
  const auto [rest2, error2] = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (error2 == std::errc() && rest2 == text.data() + text.size()) return static_cast<std::int64_t>(wide);
  const std::optional<Decimal> d = parse_decimal(text);
  return d ? to_integer(*d) : std::nullopt;
}

std::optional<double> parse_real(std::string_view text) {
  text = unquote(text);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value != value) return std::nullopt;
  return value;
}

}  // namespace sightline::formats
