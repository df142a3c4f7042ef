// Numbers as traces write them. Decimal microseconds become exact nanoseconds without a detour through double, and 64-bit ids
// are kept exactly. Quoted numbers are accepted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::formats {

// A time beyond this (in the year 2065, as Unix time) is damage. So the sum of two times never overflows.
inline constexpr std::int64_t kFarthestNs = 3'000'000'000'000'000'000;

// "123.4567" us -> 123457 ns; more than three decimals round half away from zero. nullopt: not a number, or
// beyond kFarthestNs.
std::optional<std::int64_t> parse_us_as_ns(std::string_view text);

// An integer; a fraction or an exponent is accepted when the value is whole ("1.0", "1e3"). Unsigned 64-bit ids
// beyond int64 wrap, so that equal ids stay equal.
std::optional<std::int64_t> parse_integer(std::string_view text);

std::optional<double> parse_real(std::string_view text);

}  // namespace sightline::formats
