#include "analyses/costs/step_sums.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/fields.h"

namespace sightline::analyses {

namespace {

constexpr double kNotStated = std::numeric_limits<double>::quiet_NaN();

double leading_number(std::string_view text) {
  double number = kNotStated;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// In the parentheses after `part`: a name, a number, a name, ...
double in_parentheses(std::string_view annotation, std::string_view part, std::string_view name) {
  const std::size_t begin = annotation.find(part);
  const std::size_t open = annotation.find('(', begin == std::string_view::npos ? annotation.size() : begin);
  if (open == std::string_view::npos) return kNotStated;
  std::string_view sums = annotation.substr(open + 1);
  sums = sums.substr(0, sums.find(')'));
  while (!sums.empty()) {
    const std::size_t digits = std::min(sums.find_first_of("0123456789"), sums.size());
    const std::size_t end = std::min(sums.find_first_not_of("0123456789", digits), sums.size());
    if (sums.substr(0, digits) == name) return leading_number(sums.substr(digits, end - digits));
    sums.remove_prefix(end);
  }
  return kNotStated;
}

// After `key` and an equals sign, between the brackets.
double in_brackets(std::string_view annotation, std::string_view key) {
  for (const std::string_view field : split_fields(annotation.substr(annotation.find('[') + 1), " ]")) {
    if (field.starts_with(key) && field.substr(key.size()).starts_with('=')) return leading_number(field.substr(key.size() + 1));
  }
  return kNotStated;
}

}  // namespace

double stated_sum(std::string_view annotation, std::string_view part, std::string_view name) {
  if (annotation.find("sqsk") == std::string_view::npos) return kNotStated;
  const bool is_prompt = part == "context";
  double sum = in_parentheses(annotation, part, name);
  if (annotation.starts_with("step[")) sum = in_brackets(annotation, (is_prompt ? "c_" : "g_") + std::string(name));
  if (annotation.starts_with(is_prompt ? "prefill[" : "decode[")) sum = in_brackets(annotation, name == "sq" ? "tok" : name);
  const bool is_absent = std::isnan(sum) && annotation.find(part) == std::string_view::npos;
  return is_absent ? 0 : sum;
}

}  // namespace sightline::analyses
