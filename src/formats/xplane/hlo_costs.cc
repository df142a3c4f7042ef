// A dot does a multiplication and an addition for each element of its result and each of the dimensions it sums over; a
// convolution for each element of its larger side and each weight of one output feature. A fusion does what is fused into it.
#include "formats/xplane/hlo_costs.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sightline::formats::xplane {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr int kDeepestFusion = 16;

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& known) {
  return std::find(known.begin(), known.end(), text) != known.end();
}

// These run other computations or move nothing; what they cost is what is inside, or nothing.
constexpr std::array<std::string_view, 14> kNoBytes{
    "parameter",   "constant",  "tuple",       "get-tuple-element", "bitcast",    "while",        "call",
    "conditional", "after-all", "async-start", "async-update",      "async-done", "partition-id", "replica-id"};
// These may touch a part of what they are given only.
constexpr std::array<std::string_view, 5> kPartly{"slice", "dynamic-slice", "dynamic-update-slice", "gather", "scatter"};

// The first dimensions to sum over, of a library's matrix product.
std::vector<std::int64_t> contracted_by_library(std::string_view backend_config) {
  std::vector<std::int64_t> contracted;
  simdjson::dom::parser parser;
  simdjson::dom::array dimensions;
  const simdjson::padded_string text(backend_config);
  auto config = parser.parse(text);
  if (config["gemm_backend_config"]["dot_dimension_numbers"]["lhs_contracting_dimensions"].get(dimensions) != simdjson::SUCCESS)
    return contracted;
  for (const simdjson::dom::element dimension : dimensions) {
    std::string_view digits;
    std::int64_t number = 0;
    if (dimension.get(digits) == simdjson::SUCCESS && digits.size() == 1 && digits[0] >= '0' && digits[0] <= '9')
      number = digits[0] - '0';
    else if (dimension.get(number) != simdjson::SUCCESS)
      return {};
    contracted.push_back(number);
  }
  return contracted;
}

// The result of a library's function is a tuple with its scratch memory.
const HloShape& first_part(const HloShape& shape) { return shape.parts.empty() ? shape : shape.parts.front(); }

}  // namespace

HloCosts::HloCosts(const HloModule& module) {
  for (const HloComputation& computation : module.computations) {
    computations_[computation.id] = &computation;
    for (const HloInstruction& instruction : computation.instructions) instructions_[instruction.id] = &instruction;
  }
}

HloCost HloCosts::of(const HloInstruction& instruction) { return {flops(instruction, 0), bytes(instruction)}; }

const HloInstruction* HloCosts::operand(const HloInstruction& instruction, std::size_t index) const {
  if (index >= instruction.operands.size()) return nullptr;
  const auto at = instructions_.find(instruction.operands[index]);
  return at == instructions_.end() ? nullptr : at->second;
}

double HloCosts::dot_flops(const HloInstruction& instruction, const std::vector<std::int64_t>& contracted) const {
  const HloInstruction* left = operand(instruction, 0);
  const double elements = shape_elements(first_part(instruction.shape));
  if (left == nullptr || elements < 0) return kNotKnown;
  double summed = 1;
  for (const std::int64_t dimension : contracted) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(left->shape.dimensions.size())) return kNotKnown;
    summed *= static_cast<double>(left->shape.dimensions[static_cast<std::size_t>(dimension)]);
  }
  return 2 * elements * summed;
}

// Which of operands and result are image and kernel differs by direction: of the gradient of the kernel it is the result, of the
// gradient of the image the first operand is the larger side's gradient.
double HloCosts::convolution_flops(const HloInstruction& instruction) const {
  const HloInstruction* first = operand(instruction, 0);
  const HloInstruction* second = operand(instruction, 1);
  if (first == nullptr || second == nullptr) return kNotKnown;
  const HloShape& result = first_part(instruction.shape);
  const bool of_kernel = instruction.custom_call_target == "__cudnn$convBackwardFilter";
  const bool of_image = instruction.custom_call_target == "__cudnn$convBackwardInput";
  const HloShape& kernel = of_kernel ? result : second->shape;
  const HloShape& output = of_kernel ? second->shape : of_image ? first->shape : result;
  const auto feature = static_cast<std::size_t>(instruction.kernel_output_feature);
  if (feature >= kernel.dimensions.size() || kernel.dimensions[feature] <= 0) return kNotKnown;
  const double weights = shape_elements(kernel) / static_cast<double>(kernel.dimensions[feature]);
  const double elements = shape_elements(output);
  return weights < 0 || elements < 0 ? kNotKnown : 2 * elements * weights;
}

// Of a fusion of which only some instructions have a formula: theirs, which are all that count for a matrix product.
const HloCosts::Inside& HloCosts::inside(std::int64_t computation, int depth) {
  const auto [known, is_new] = inside_.try_emplace(computation, Inside{kNotKnown, true});  // of one that contains itself
  Inside& inside = known->second;  // references stay when others are added
  const auto at = computations_.find(computation);
  if (!is_new || at == computations_.end() || depth == kDeepestFusion) return inside;
  Inside sum{kNotKnown, false};
  for (const HloInstruction& fused : at->second->instructions) {
    const double operations = flops(fused, depth + 1);
    if (!std::isnan(operations)) sum.flops = std::isnan(sum.flops) ? operations : sum.flops + operations;
    sum.touches_parts = sum.touches_parts || touches_parts(fused, depth + 1);
  }
  inside = sum;
  return inside;
}

double HloCosts::flops(const HloInstruction& instruction, int depth) {
  if (instruction.opcode == "dot") return dot_flops(instruction, instruction.contracted);
  if (instruction.opcode == "convolution" && instruction.kernel_output_feature >= 0) return convolution_flops(instruction);
  if (instruction.opcode == "fusion")
    return instruction.called.empty() ? kNotKnown : inside(instruction.called.front(), depth).flops;
  if (instruction.opcode != "custom-call") return kNotKnown;
  const std::string_view target = instruction.custom_call_target;
  if (target.starts_with("__cudnn$conv") && instruction.kernel_output_feature >= 0) return convolution_flops(instruction);
  if (target.starts_with("__cublas$")) {
    const std::vector<std::int64_t> contracted = contracted_by_library(instruction.backend_config);
    return contracted.empty() ? kNotKnown : dot_flops(instruction, contracted);
  }
  return kNotKnown;
}

bool HloCosts::touches_parts(const HloInstruction& instruction, int depth) {
  if (instruction.opcode != "fusion") return is_one_of(instruction.opcode, kPartly);
  return instruction.called.empty() || inside(instruction.called.front(), depth).touches_parts;
}

// Every operand is read once and the result is written once. Not known where only a part may be touched, or where nobody says
// what a function of a library does with its scratch memory.
double HloCosts::bytes(const HloInstruction& instruction) {
  if (is_one_of(instruction.opcode, kNoBytes) || touches_parts(instruction, 0)) return kNotKnown;
  const bool library = instruction.opcode == "custom-call";
  if (library && !instruction.custom_call_target.starts_with("__cudnn$conv") &&
      !instruction.custom_call_target.starts_with("__cublas$"))
    return kNotKnown;
  double sum = shape_bytes(library ? first_part(instruction.shape) : instruction.shape);
  if (sum < 0) return kNotKnown;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const HloInstruction* from = operand(instruction, i);
    const double bytes = from == nullptr ? -1 : shape_bytes(from->shape);
    if (bytes < 0) return kNotKnown;
    sum += bytes;
  }
  return sum;
}

}  // namespace sightline::formats::xplane
