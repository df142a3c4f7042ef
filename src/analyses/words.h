// Numbers as words, for notes and advice: "8,772", "33.4%", "12.3 ms". Tables carry numbers with units and are
// formatted where they are shown; only sentences are formatted here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/message.h"

namespace sightline::analyses {

// 1234567 -> "1,234,567".
std::string count_words(std::int64_t count);

// count_words(3, "{} step", "{} steps"): "3 steps".
Message count_words(std::int64_t count, Template<std::string> singular, Template<std::string> plural);

// 0.3337 -> "33.4%".
std::string share_words(double share);

// Nanoseconds in the unit that suits: "850 ns", "12.3 us", "4.56 ms", "1.23 s".
std::string time_words(double ns);
inline std::string time_words(std::int64_t ns) { return time_words(static_cast<double>(ns)); }

// Bytes in binary units: "512 B", "31.7 GiB".
std::string bytes_words(double bytes);

// A number with `digits` decimals.
std::string number_words(double number, int digits);

// Nanoseconds since the Unix epoch as "2021-06-08 08:57:03.460 UTC".
std::string unix_time_words(std::int64_t unix_ns);

}  // namespace sightline::analyses
