#include "analyses/costs/reproduce.h"

#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

// Texts of a recording are quoted, so that none of them can be code: a JSON string is a string of Python.
std::string quoted(std::string_view text) {
  std::string out;
  base::append_json_string(out, text);
  return out;
}

std::string figure_text(double figure) {
  std::string out;
  if (std::isnan(figure)) return "None";
  base::append_csv_number(out, figure);
  return out;
}

}  // namespace

std::string reproduction_of(const OperatorCall& call, const std::optional<OperatorCost>& cost) {
  const double unknown = kUnknownNumber;
  const std::pair<std::string_view, std::string> gaps[] = {
      {"@NAME@", quoted(call.name)},
      {"@SHAPES@", quoted(call.input_shapes)},
      {"@TYPES@", quoted(call.input_types)},
      {"@STRIDES@", quoted(call.input_strides)},
      {"@INPUTS@", quoted(call.concrete_inputs)},
      {"@FLOPS@", figure_text(cost ? cost->flops : unknown)},
      {"@BYTES@", figure_text(cost ? cost->bytes_read + cost->bytes_written : unknown)},
  };
  std::string out;
  std::string_view rest = reproduction_template();
  for (const auto& [gap, value] : gaps) {  // in the order of the text
    const std::size_t at = rest.find(gap);
    out.append(rest.substr(0, at)).append(value);
    rest.remove_prefix(at + gap.size());
  }
  return out.append(rest);
}

}  // namespace sightline::analyses
