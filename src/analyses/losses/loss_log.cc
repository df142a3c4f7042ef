#include "analyses/losses/loss_log.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/input_file.h"

namespace sightline::analyses {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What is after the first `tag` of the line, from its first character that is neither blank nor an "=" or ":" between the
// two, up to the next blank. Nullopt when the line has no such tag.
std::optional<std::string_view> word_after(std::string_view line, std::string_view tag) {
  const std::size_t at = line.find(tag);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + tag.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t=:"), line.size()));
  return line.substr(0, line.find_first_of(" \t"));
}

// The first whole number in a word: 7 of "7/100".
std::optional<std::int64_t> integer_in(std::string_view word) {
  const char* const end = word.data() + word.size();
  for (const char* at = word.data(); at != end; ++at) {
    std::int64_t value = 0;
    if (is_digit(*at) && std::from_chars(at, end, value).ec == std::errc()) return value;
    if (is_digit(*at)) return std::nullopt;  // more digits than a number holds
  }
  return std::nullopt;
}

bool says_not_a_number(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  if (word.size() < 3) return false;
  std::string lower;
  for (const char c : word.substr(0, 3)) lower += static_cast<char>(c | 0x20);
  return lower == "nan" || lower == "inf";
}

// The first decimal number in a word: 6.25 of "6.25E+00,".
std::optional<double> real_in(std::string_view word) {
  if (says_not_a_number(word)) return std::numeric_limits<double>::quiet_NaN();
  const char* const end = word.data() + word.size();
  const auto begins = [&](const char* at) {
    return at != end && (is_digit(*at) || (*at == '.' && at + 1 != end && is_digit(at[1])));
  };
  for (const char* at = word.data(); at != end; ++at) {
    double value = 0;
    if (!begins(at) && !(*at == '-' && begins(at + 1))) continue;
    if (std::from_chars(at, end, value).ec == std::errc()) return value;
    return std::numeric_limits<double>::quiet_NaN();  // beyond what a number holds
  }
  return std::nullopt;
}

}  // namespace

void LossLogReader::take_line(std::string_view line) {
  ++log_.lines;
  const std::optional<std::string_view> loss_word = word_after(line, tags_.loss);
  const std::optional<std::string_view> iteration_word = word_after(line, tags_.iteration);
  if (!loss_word && !iteration_word) return;
  const std::optional<double> loss = loss_word ? real_in(*loss_word) : std::nullopt;
  const std::optional<std::int64_t> iteration = iteration_word ? integer_in(*iteration_word) : std::nullopt;
  if (loss && iteration) {
    log_.points.push_back({*iteration, *loss});
  } else {
    ++log_.lines_with_one_tag;
  }
}

void LossLogReader::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    const std::string_view piece = text.substr(0, end);
    if (end == std::string_view::npos || !rest_.empty()) {
      rest_.append(piece.substr(0, kLongestLine - std::min(kLongestLine, rest_.size())));
      if (end == std::string_view::npos) return;
      take_line(rest_);
      rest_.clear();
    } else if (!piece.empty()) {  // between CR and LF, and on empty lines, there is nothing to find
      take_line(piece);
    }
    text.remove_prefix(end + 1);
  }
}

LossLog LossLogReader::finish() {
  if (!rest_.empty()) take_line(rest_);
  rest_.clear();
  return std::move(log_);
}

Result<LossLog> read_loss_log(const std::string& path, const LossTags& tags) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  LossLogReader reader(std::filesystem::path(path).filename().string(), tags);
  std::string piece(1 << 20, '\0');
  while (true) {
    const Result<std::size_t> size = (*source)->read(piece.data(), piece.size());
    if (!size) return size.error();
    reader.add(std::string_view(piece).substr(0, *size));
    if (*size < piece.size()) break;
  }
  if ((*source)->damage()) return Error{ErrorCode::malformed, *(*source)->damage(), path};
  return reader.finish();
}

}  // namespace sightline::analyses
