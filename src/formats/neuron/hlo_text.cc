// Operators' texts, taken apart.
#include "formats/neuron/hlo_text.h"

#include <simdjson.h>

namespace sightline::formats::neuron {

namespace {

// The end of a shape that begins `text`: behind its closing bracket if it is a tuple, else the first blank.
std::size_t shape_end(std::string_view text) {
  if (!text.starts_with('(')) return text.find(' ');
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

HloLine hlo_line(std::string_view text) {
  HloLine line{text, {}, {}};
  const std::size_t equals = text.find(" = ");
  if (equals == std::string_view::npos) return line;
  std::string_view rest = text.substr(equals + 3);
  const std::size_t first_bracket = rest.find('(');
  if (first_bracket == std::string_view::npos) return line;
  // A shape stands between the name and the operation, or does not.
  if (const std::size_t end = shape_end(rest); end != std::string_view::npos && (end < first_bracket || first_bracket == 0)) {
    line.shape = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  line.name = text.substr(0, equals);
  if (line.name.starts_with('%')) line.name.remove_prefix(1);
  line.opcode = rest.substr(0, rest.find('('));
  return line;
}

HloAttributes hlo_attributes(std::string_view json) {
  HloAttributes found;
  simdjson::dom::parser parser;
  simdjson::dom::array all;
  if (json.empty() || parser.parse(simdjson::padded_string(json)).get(all) != simdjson::SUCCESS) return found;
  for (const simdjson::dom::element one : all) {
    simdjson::dom::object members;
    if (one.get(members) != simdjson::SUCCESS) continue;
    const auto text = [&](std::string_view key) {
      std::string_view value;
      return members[key].get(value) == simdjson::SUCCESS ? value : std::string_view();
    };
    if (found.operation.empty()) found.operation = text("op_type");
    if (const std::string_view file = text("source_file"); found.source.empty() && !file.empty()) {
      const std::string_view at = text("source_line");
      found.source = at.empty() || at == "0" ? std::string(file) : std::string(file).append(":").append(at);
    }
  }
  return found;
}

}  // namespace sightline::formats::neuron
