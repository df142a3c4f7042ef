// Natural order: runs of digits against runs of digits.
#include "base/natural_order.h"

#include <algorithm>

namespace sightline::base {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the run of digits off the front of `text`.
std::string_view take_digits(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::string_view without_leading_zeros(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool is_number(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

int compare_numbers(std::string_view a, std::string_view b) {
  a = without_leading_zeros(a);
  b = without_leading_zeros(b);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

bool natural_less(std::string_view a, std::string_view b) {
  std::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const int order = compare_numbers(take_digits(left), take_digits(right));
      if (order != 0) return order < 0;
    } else if (left.front() != right.front()) {
      return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

}  // namespace sightline::base
