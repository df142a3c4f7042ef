// Collapsed (folded) stacks: a line per stack, `outermost;...;innermost weight`.
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "formats/call_trees/call_stacks.h"
#include "formats/common/decimal.h"
#include "formats/read_context.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace call_trees {

namespace {

// "train (job.py:12)" is a function, its file and its line. Everything else is a function's name.
StackFrame frame_of(std::string_view text, ProfileBuilder& out) {
  const std::size_t open = text.rfind(" (");
  if (open != text.npos && open > 0 && text.ends_with(')')) {
    const std::string_view place = text.substr(open + 2, text.size() - open - 3);
    const std::size_t colon = place.rfind(':');
    if (colon != place.npos && colon > 0) {
      const auto line = whole_number<std::int32_t>(place.substr(colon + 1));
      if (line && *line >= 0) return {out.text(text.substr(0, open)), out.text(place.substr(0, colon)), *line};
    }
  }
  return {out.text(text.empty() ? "(unnamed)" : text), StringId::none, kUnknown};
}

struct Line {
  std::string_view stack;
  double weight = 0;
};

// Nullopt: the line is no stack with a weight.
std::optional<Line> parse_line(std::string_view line) {
  const std::size_t blank = line.find_last_of(" \t");
  if (blank == line.npos) return std::nullopt;
  const auto weight = parse_real(line.substr(blank + 1));
  std::string_view stack = line.substr(0, blank);
  while (!stack.empty() && (stack.back() == ' ' || stack.back() == '\t')) stack.remove_suffix(1);
  if (!weight || !std::isfinite(*weight) || *weight < 0) return std::nullopt;
  return Line{stack.empty() ? kNoStack : stack, *weight};  // py-spy counts samples that found nothing
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_comment(std::string_view line) { return line.empty() || line.front() == '#'; }

// Only text whose first lines are stacks, one of them with a caller: writers give their files any name.
bool sniff(std::string_view, std::string_view head) {
  constexpr int kLines = 20;
  int lines = 0;
  bool has_caller = false;
  for (std::size_t end = head.find('\n'); end != head.npos && lines < kLines; end = head.find('\n')) {
    const std::string_view line = without_end(head.substr(0, end));
    head.remove_prefix(end + 1);
    if (is_comment(line)) continue;
    if (!parse_line(line) || line.find('\0') != line.npos) return false;
    has_caller |= line.find(';') != line.npos;
    ++lines;
  }
  return has_caller;
}

Result<std::unique_ptr<Profile>> read_collapsed(ReadContext& context) {
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  ProfileBuilder out;
  WeightedStackList list(out);
  std::unordered_map<std::string, Row> known;  // frames by their texts
  std::vector<Row> frames;
  std::string text;
  for (std::int64_t at = 0; (*in)->line(text, kLongestLine); at = (*in)->position()) {
    const std::string line = to_utf8(without_end(text));
    if (is_comment(line)) continue;
    const std::optional<Line> parsed = parse_line(line);
    if (!parsed) {
      out.report(Severity::error, "malformed_line", "a line is not a stack with a weight behind it; it was skipped", at);
      continue;
    }
    frames.clear();
    for (const std::string_view frame : split_line(parsed->stack, ';')) {
      const auto [found, is_new] = known.try_emplace(std::string(frame), Row{0});
      if (is_new) found->second = list.frame(frame_of(frame, out));
      frames.push_back(found->second);
    }
    list.add("", frames, parsed->weight, "", static_cast<std::size_t>((*in)->position()));
  }
  if ((*in)->failed()) return (*in)->error();
  return out.finish();
}

}  // namespace
}  // namespace call_trees

Reader collapsed_reader() {
  return {.id = "collapsed",
          .title = "Collapsed stacks",
          .endings = {".collapsed", ".folded", ".collapsed.txt", ".folded.txt"},
          .sniff_file = call_trees::sniff,
          .read_capture = call_trees::read_collapsed};
}

}  // namespace sightline::formats
