// Texts of a query as numbers, checked.
#include "output/timeline_query.h"

#include <optional>

#include "base/text.h"

namespace sightline::output {

namespace {

Error refused(Message message) { return {ErrorCode::invalid_argument, std::move(message), ""}; }

}  // namespace

Result<std::vector<std::uint32_t>> parse_numbers(std::string_view name, std::string_view text, std::size_t limit,
                                                 std::string_view what) {
  std::vector<std::uint32_t> numbers;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view piece = text.substr(0, comma);
    const std::optional<std::int64_t> number = whole_number<std::int64_t>(piece);
    if (!number) return refused(say("{} takes numbers separated by commas, not '{}'", name, piece));
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= limit) return refused(say("no {} {}", Message(what), *number));
    numbers.push_back(static_cast<std::uint32_t>(*number));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return numbers;
}

Result<Time> parse_time(std::string_view name, std::string_view text) {
  const std::optional<std::int64_t> time = whole_number<std::int64_t>(text);
  if (time && *time >= -kMostExactReal && *time <= kMostExactReal) return *time;
  return refused(say("{} takes an integer of ns, at most 2^53, not '{}'", name, text));
}

Result<Window> parse_window(std::string_view start, std::string_view end, std::string_view pixel) {
  const Result<Time> first = parse_time("start", start);
  if (!first) return first.error();
  const Result<Time> last = parse_time("end", end);
  if (!last) return last.error();
  const Result<Time> width = parse_time("pixel", pixel);
  if (!width) return width.error();
  if (*width < 1 || *last <= *first) return refused("a window needs start < end and pixel >= 1");
  return Window{*first, *last, *width};
}

}  // namespace sightline::output
