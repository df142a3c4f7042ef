#include "analyses/costs/formula_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/fields.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kColumns = 7;

Error fault_at(std::string_view path, int line, Message cause) {
  return {ErrorCode::malformed, std::move(cause), std::string(path) + ", line " + std::to_string(line)};
}

std::optional<CostUnit> unit_named(std::string_view name) {
  for (const CostUnit unit : {CostUnit::kMatrix, CostUnit::kVector, CostUnit::kMemory}) {
    if (cost_unit_name(unit) == name) return unit;
  }
  return std::nullopt;
}

Result<Formula::Figure> figure_of(std::string_view cell) {
  Formula::Figure made;
  if (cell == "-") return made;
  made.at_least = cell.starts_with(">=");
  Result<Expression> parsed = Expression::parse(made.at_least ? cell.substr(2) : cell);
  if (!parsed) return parsed.error();
  made.expression = std::move(*parsed);
  return made;
}

Result<Formula> formula_of(std::string_view line) {
  const std::vector<std::string_view> cells = split_fields(line, "|");
  if (cells.size() != kColumns)
    return Error{ErrorCode::malformed, say("a formula has 7 columns, this line has {}", cells.size())};
  Formula made;
  for (const std::string_view name : split_fields(cells[0], ",")) {
    if (name.empty()) return Error{ErrorCode::malformed, "a name is empty"};
    made.names.emplace_back(name);
  }
  if (cells[1].empty()) return Error{ErrorCode::malformed, "the family is empty"};
  made.family = cells[1];
  const std::optional<CostUnit> unit = unit_named(cells[2]);
  if (!unit) return Error{ErrorCode::malformed, say("the unit is matrix, vector or memory, not '{}'", cells[2])};
  made.unit = *unit;
  if (const auto argument = base::whole_number<int>(cells[3]); argument && *argument >= 0) {
    made.precision_of = *argument;
  } else if (cells[3] != "-") {
    made.precision = cells[3];
  }
  for (const auto& [figure, cell] :
       {std::pair{&made.flops, cells[4]}, {&made.bytes_read, cells[5]}, {&made.bytes_written, cells[6]}}) {
    Result<Formula::Figure> parsed = figure_of(cell);
    if (!parsed) return parsed.error();
    *figure = std::move(*parsed);
  }
  return made;
}

}  // namespace

std::string_view cost_unit_name(CostUnit unit) {
  switch (unit) {
    case CostUnit::kMatrix: return "matrix";
    case CostUnit::kVector: return "vector";
    case CostUnit::kMemory: return "memory";
  }
  return "";
}

Result<std::vector<Formula>> parse_formulas(std::string_view text, std::string_view path) {
  std::vector<Formula> formulas;
  int number = 0;
  for (const std::string_view line : split_fields(text, "\n")) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    Result<Formula> formula = formula_of(line);
    if (!formula) return fault_at(path, number, formula.error().message);
    formulas.push_back(std::move(*formula));
  }
  return formulas;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  std::size_t at = 0, in = 0, star = std::string_view::npos, retry = 0;  // the last * seen, and where its text ends
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      retry = at;
    } else if (in < pattern.size() && pattern[in] == name[at]) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

}  // namespace sightline::analyses
