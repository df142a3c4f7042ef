// The grammar of range_text.h.
#include "formats/common/range_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/tables.h"

namespace sightline::formats {

namespace {

constexpr std::array<std::string_view, 5> kAttributes = {
    ", seq = ", ", stashed seq = ", ", op_id = ", ", sizes = ", ", input_op_ids = "};

// The number behind the first `key`; kUnknown: none.
std::int64_t number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return kUnknown;
  text.remove_prefix(at + key.size());
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() ? number : kUnknown;
}

// The list "[...]" at the beginning of a text, with its brackets; empty: none.
std::string_view list_of(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (depth == 0) return text[0] == '[' ? text.substr(0, i + 1) : std::string_view{};
  }
  return {};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

// How surely a word means a step.
constexpr std::array<std::pair<std::string_view, int>, 8> kStepWords = {
    {{"step", 0}, {"steps", 0}, {"iteration", 0}, {"iter", 0}, {"trainstep", 0}, {"batch", 1}, {"microbatch", 2}, {"epoch", 3}}};

std::optional<int> rank_of_word(std::string_view word) {
  const auto found = std::find_if(kStepWords.begin(), kStepWords.end(), [&](const auto& entry) { return entry.first == word; });
  return found == kStepWords.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<OperatorText> operator_text(std::string_view text) {
  std::size_t end = text.size();
  for (const std::string_view attribute : kAttributes) end = std::min(end, text.find(attribute));
  const bool is_plain = end == text.size();
  if (is_plain && !text.starts_with("aten::")) return std::nullopt;
  const std::string_view rest = text.substr(end);
  const std::size_t sizes = rest.find(", sizes = ");
  std::int64_t sequence = number_behind(rest, ", seq = ");
  if (sequence == kUnknown) sequence = number_behind(rest, ", stashed seq = ");
  return OperatorText{text.substr(0, end), sequence, sizes == std::string_view::npos ? "" : list_of(rest.substr(sizes + 10))};
}

std::string_view module_text(std::string_view text) {
  constexpr std::string_view kBegin = "{'Module': '";
  if (!text.starts_with(kBegin)) return {};
  text.remove_prefix(kBegin.size());
  return text.substr(0, text.find('\''));
}

std::optional<StepText> step_text(std::string_view text) {
  constexpr std::size_t kLongest = 80;  // a step has a short name
  if (text.size() > kLongest) return std::nullopt;
  StepText found{"", kUnknown, 99};
  std::string word;
  const auto end_word = [&] {
    if (word.empty()) return;
    found.rank = std::min(found.rank, rank_of_word(word).value_or(99));
    found.family += found.family.empty() ? word : " " + word;
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_word =
        is_letter(c) && i > 0 && lower(c) != c && is_letter(text[i - 1]) && lower(text[i - 1]) == text[i - 1];
    if (begins_word || !is_letter(c)) end_word();  // trainStep, train_step
    if (is_letter(c)) word += lower(c);
    if (!is_decimal_digit(c)) continue;
    std::int64_t number = 0;
    const auto [rest, failed] = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (found.number == kUnknown && failed == std::errc()) found.number = number;
    found.family += " #";
    i = static_cast<std::size_t>(rest - text.data()) - 1;
  }
  end_word();
  return found.rank == 99 ? std::nullopt : std::optional(found);
}

}  // namespace sightline::formats
