// By the core first, which is what ran; then by the operator, which is what the program requested.
#include "analyses/devices/matrix_products.h"

#include <algorithm>
#include <string_view>

#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

// Of an operator alone; other fusions than that one, and calls, can hold anything.
std::optional<bool> judge(std::string_view opcode, std::string_view category) {
  if (opcode == stated::kDot || opcode == stated::kConvolution || category.starts_with(stated::kConvolution)) return true;
  const bool holds_anything = opcode.empty() || opcode == stated::kFusion || opcode.ends_with(stated::kCallEnding);
  return holds_anything && category != stated::kLoopFusion ? std::nullopt : std::optional(false);
}

}  // namespace

MatrixProducts::MatrixProducts(const Profile& profile) : p_(profile) {
  const ProgramOperators& all = p_.program_operators;
  const auto rows = static_cast<Row>(all.rows());
  for (Row row = 0; row < rows; ++row) operators_.push_back(judge(p_.text(all.opcode[row]), p_.text(all.category[row])));
  std::vector<std::optional<bool>> inside(rows);  // unknown only where something inside is
  std::vector<bool> has_inside(rows, false);
  for (Row row = 0; row < rows; ++row) {
    const Row into = all.fused_into[row];
    if (into == kNoRow) continue;
    if (!has_inside[into]) inside[into] = false;
    has_inside[into] = true;
    if (operators_[row] == true) inside[into] = true;
    if (!operators_[row] && inside[into] != true) inside[into] = std::nullopt;
  }
  for (Row row = 0; row < rows; ++row) {
    if (has_inside[row] && operators_[row] != true) operators_[row] = inside[row];
  }
}

std::optional<bool> MatrixProducts::of_operator(Row slice) const {
  const ProgramWork& executed = p_.program_work;
  const auto at = std::lower_bound(executed.slice.begin(), executed.slice.end(), slice);
  if (at == executed.slice.end() || *at != slice) return std::nullopt;
  return operators_[executed.program_operator[static_cast<std::size_t>(at - executed.slice.begin())]];
}

std::optional<bool> MatrixProducts::is_product(Row work) const {
  const Row slice = p_.device_work.slice[work];
  switch (p_.device_work.core_type[work]) {
    case CoreType::matrix: return true;
    case CoreType::vector:
    case CoreType::host: return false;
    case CoreType::general:
      if (p_.lanes.kind[p_.slices.lane[slice]] == LaneKind::engine) return false;  // the matrix units are another engine
      break;
    case CoreType::unknown:
    case CoreType::mixed: break;
  }
  return of_operator(slice);
}

}  // namespace sightline::analyses
