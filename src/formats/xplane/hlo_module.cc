// Reads the messages of package xla by the numbers of their fields, and computes costs from shapes.
#include "formats/xplane/hlo_module.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::formats::xplane {

// ---- messages ----
// Field numbers are those of docs/formats/xplane.md.

namespace {

constexpr int kDeepestShape = 32;  // of tuples inside tuples
constexpr int kTuple = 13, kToken = 17;

struct ElementType {
  std::string_view name;
  double bytes;
};

// By number.
constexpr ElementType kTypes[] = {
    {"invalid", 0},    {"pred", 1},       {"s8", 1},         {"s16", 2},       {"s32", 4},    {"s64", 8},
    {"u8", 1},         {"u16", 2},        {"u32", 4},        {"u64", 8},       {"f16", 2},    {"f32", 4},
    {"f64", 8},        {"tuple", 0},      {"opaque", 0},     {"c64", 8},       {"bf16", 2},   {"token", 0},
    {"c128", 16},      {"f8e5m2", 1},     {"f8e4m3fn", 1},   {"s4", 0.5},      {"u4", 0.5},   {"f8e4m3b11fnuz", 1},
    {"f8e5m2fnuz", 1}, {"f8e4m3fnuz", 1}, {"s2", 0.25},      {"u2", 0.25},     {"f8e4m3", 1}, {"f8e3m4", 1},
    {"s1", 0.125},     {"u1", 0.125},     {"f4e2m1fn", 0.5}, {"f8e8m0fnu", 1},
};

const ElementType* element_type(int type) {
  return type > 0 && type < static_cast<int>(std::size(kTypes)) ? &kTypes[type] : nullptr;
}

HloShape shape_of(ProtoSpan field, int depth = 0) {
  HloShape shape;
  while (field.next()) {
    switch (field.field()) {
      case 2: shape.type = static_cast<int>(field.integer()); break;
      case 3: field.integers([&](std::int64_t size) { shape.dimensions.push_back(size); }); break;
      case 4:
        if (depth < kDeepestShape) shape.parts.push_back(shape_of(field.message(), depth + 1));
        break;
      default: break;
    }
  }
  return shape;
}

void add_metadata(ProtoSpan field, HloInstruction& to) {
  while (field.next()) {
    switch (field.field()) {
      case 2: to.framework_operator = field.bytes(); break;
      case 3: to.file = field.bytes(); break;
      case 4: to.line = field.integer(); break;
      case 15: to.stack_frame = field.integer(); break;
      default: break;
    }
  }
}

void add_all(ProtoSpan& field, std::vector<std::int64_t>& to) {
  field.integers([&](std::int64_t number) { to.push_back(number); });
}

// A map of texts; these two are those of transfers over the hosts' network.
void add_attributes(ProtoSpan attributes, HloInstruction& to) {
  while (attributes.next()) {
    if (attributes.field() != 1) continue;
    std::string_view key, value;
    for (ProtoSpan entry = attributes.message(); entry.next();) {
      if (entry.field() == 1) key = entry.bytes();
      if (entry.field() == 2) value = entry.bytes();
    }
    if (key == "_xla_host_transfer_rendezvous") to.rendezvous = value;
    if (key == "_xla_megascale_transfer_type") to.transfer_kind = value;
  }
}

HloInstruction instruction_of(ProtoSpan field) {
  HloInstruction instruction;
  while (field.next()) {
    switch (field.field()) {
      case 1: instruction.name = field.bytes(); break;
      case 2: instruction.opcode = field.bytes(); break;
      case 3: instruction.shape = shape_of(field.message()); break;
      case 7: add_metadata(field.message(), instruction); break;
      case 11: instruction.fusion_kind = field.bytes(); break;
      case 16:
        for (ProtoSpan dimensions = field.message(); dimensions.next();) {
          if (dimensions.field() == 4) instruction.kernel_output_feature = dimensions.integer();
        }
        if (instruction.kernel_output_feature < 0) instruction.kernel_output_feature = 0;
        break;
      case 26: instruction.channel = field.integer(); break;
      case 28: instruction.custom_call_target = field.bytes(); break;
      case 30:
        for (ProtoSpan dimensions = field.message(); dimensions.next();) {
          if (dimensions.field() == 1) add_all(dimensions, instruction.contracted);
        }
        break;
      case 35: instruction.id = field.integer(); break;
      case 36: add_all(field, instruction.operands); break;
      case 38: add_all(field, instruction.called); break;
      case 43: instruction.backend_config = field.bytes(); break;
      case 68: add_attributes(field.message(), instruction); break;
      default: break;
    }
  }
  return instruction;
}

HloComputation computation_of(ProtoSpan field) {
  HloComputation computation;
  while (field.next()) {
    if (field.field() == 2) computation.instructions.push_back(instruction_of(field.message()));
    if (field.field() == 5) computation.id = field.integer();
  }
  return computation;
}

// map<computation, {instruction ids = 1}>
void add_schedule(ProtoSpan field, HloModule& module) {
  while (field.next()) {
    if (field.field() != 1) continue;
    std::int64_t computation = 0;
    std::vector<std::int64_t> order;
    for (ProtoSpan entry = field.message(); entry.next();) {
      if (entry.field() == 1) computation = entry.integer();
      if (entry.field() != 2) continue;
      for (ProtoSpan sequence = entry.message(); sequence.next();) {
        if (sequence.field() == 1) add_all(sequence, order);
      }
    }
    module.schedule.insert_or_assign(computation, std::move(order));
  }
}

void add_frames(ProtoSpan field, HloModule& module) {
  while (field.next()) {
    if (field.field() == 1) module.files.push_back(field.bytes());
    if (field.field() == 3) {
      HloModule::Location location;
      for (ProtoSpan inner = field.message(); inner.next();) {
        if (inner.field() == 1) location.file = inner.integer();
        if (inner.field() == 3) location.line = inner.integer();
      }
      module.locations.push_back(location);
    }
    if (field.field() == 4) {
      std::int64_t location = 0;
      for (ProtoSpan inner = field.message(); inner.next();) {
        if (inner.field() == 1) location = inner.integer();
      }
      module.frames.push_back(location);
    }
  }
}

HloModule module_of(ProtoSpan field) {
  HloModule module;
  while (field.next()) {
    switch (field.field()) {
      case 1: module.name = field.bytes(); break;
      case 3: module.computations.push_back(computation_of(field.message())); break;
      case 6: module.entry = field.integer(); break;
      case 7: add_schedule(field.message(), module); break;
      case 17: add_frames(field.message(), module); break;
      default: break;
    }
  }
  return module;
}

HloBuffer buffer_of(ProtoSpan field) {
  HloBuffer buffer;
  while (field.next()) {
    if (field.field() == 1) buffer.id = field.integer();
    if (field.field() == 2) buffer.bytes = field.integer();
    if (field.field() != 3) continue;
    for (ProtoSpan place = field.message(); place.next();) {
      if (place.field() == 3) add_all(place, buffer.part);
      if (place.field() == 4) buffer.instruction = place.integer();
    }
  }
  return buffer;
}

HloAllocation allocation_of(ProtoSpan field) {
  HloAllocation allocation;
  while (field.next()) {
    switch (field.field()) {
      case 1: allocation.index = field.integer(); break;
      case 3: allocation.thread_local_ = field.integer() != 0; break;
      case 5: allocation.parameter = field.integer() != 0; break;
      case 7: allocation.output = field.integer() != 0; break;
      case 8: allocation.space = field.integer(); break;
      case 9: {
        HloAllocation::Assigned assigned;
        for (ProtoSpan inner = field.message(); inner.next();) {
          if (inner.field() == 1) assigned.buffer = inner.integer();
          if (inner.field() == 2) assigned.offset = inner.integer();
          if (inner.field() == 3) assigned.bytes = inner.integer();
        }
        allocation.assigned.push_back(assigned);
        break;
      }
      case 12: allocation.constant = field.integer() != 0; break;
      default: break;
    }
  }
  return allocation;
}

std::vector<HloHeapEvent> heap_of(ProtoSpan field) {
  std::vector<HloHeapEvent> heap;
  while (field.next()) {
    if (field.field() != 1) continue;
    HloHeapEvent event;
    for (ProtoSpan inner = field.message(); inner.next();) {
      if (inner.field() == 1) {
        const std::int64_t kind = inner.integer();
        event.kind = kind == 1 ? HloHeapEvent::Kind::free : kind == 2 ? HloHeapEvent::Kind::share : HloHeapEvent::Kind::alloc;
      }
      if (inner.field() == 2) event.buffer = inner.integer();
    }
    heap.push_back(event);
  }
  return heap;
}

HloBuffers buffers_of(ProtoSpan field) {
  HloBuffers buffers;
  while (field.next()) {
    if (field.field() == 1) buffers.buffers.push_back(buffer_of(field.message()));
    if (field.field() == 3) buffers.allocations.push_back(allocation_of(field.message()));
    if (field.field() == 4) buffers.heaps.push_back(heap_of(field.message()));
  }
  return buffers;
}

}  // namespace

std::string HloModule::source_of(const HloInstruction& instruction) const {
  if (!instruction.file.empty())
    return instruction.line > 0 ? fmt::format("{}:{}", instruction.file, instruction.line) : std::string(instruction.file);
  const auto at = [](const auto& list, std::int64_t number) {
    return number > 0 && number <= static_cast<std::int64_t>(list.size()) ? &list[static_cast<std::size_t>(number) - 1] : nullptr;
  };
  const std::int64_t* frame = at(frames, instruction.stack_frame);
  const Location* location = frame == nullptr ? nullptr : at(locations, *frame);
  const std::string_view* file = location == nullptr ? nullptr : at(files, location->file);
  return file == nullptr ? "" : fmt::format("{}:{}", *file, location->line);
}

HloProgram hlo_program(std::string_view hlo_proto) {
  HloProgram program;
  for (ProtoSpan field(hlo_proto); field.next();) {
    if (field.field() == 1) program.module = module_of(field.message());
    if (field.field() == 3) program.buffers = buffers_of(field.message());
  }
  return program;
}

std::string shape_text(const HloShape& shape) {
  if (shape.type == kTuple || !shape.parts.empty()) {
    std::string text = "(";
    for (const HloShape& part : shape.parts) text += (text.size() > 1 ? ", " : "") + shape_text(part);
    return text + ")";
  }
  const ElementType* type = element_type(shape.type);
  if (type == nullptr) return "";
  if (shape.type == kToken) return std::string(type->name);
  std::string text = std::string(type->name) + "[";
  for (std::size_t i = 0; i < shape.dimensions.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", shape.dimensions[i]);
  return text + "]";
}

double element_size(int type) {
  const ElementType* known = element_type(type);
  return known == nullptr ? 0 : known->bytes;
}

double shape_elements(const HloShape& shape) {
  double elements = 1;
  for (const std::int64_t size : shape.dimensions) {
    if (size < 0) return -1;
    elements *= static_cast<double>(size);
  }
  return elements;
}

double shape_bytes(const HloShape& shape) {
  if (shape.type == kToken) return 0;
  if (shape.type != kTuple) {
    const double size = element_size(shape.type);
    const double elements = shape_elements(shape);
    return size > 0 && elements >= 0 ? size * elements : -1;
  }
  double bytes = 0;
  for (const HloShape& part : shape.parts) {
    const double of_part = shape_bytes(part);
    if (of_part < 0) return -1;
    bytes += of_part;
  }
  return bytes;
}

// ---- costs ----
// A dot does a multiplication and an addition for each element of its result and each of the dimensions that it sums over; a
// convolution for each element of its larger side and each weight of one output feature. A fusion costs what the operators
// fused into it cost.

namespace {

constexpr int kDeepestFusion = 16;

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& known) {
  return std::find(known.begin(), known.end(), text) != known.end();
}

// These run other computations, whose costs are counted there, or move nothing.
constexpr std::array<std::string_view, 14> kNoBytes{
    "parameter",   "constant",  "tuple",       "get-tuple-element", "bitcast",    "while",        "call",
    "conditional", "after-all", "async-start", "async-update",      "async-done", "partition-id", "replica-id"};
// These may use only a part of their operands.
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
  if (left == nullptr || elements < 0) return kUnknownNumber;
  double summed = 1;
  for (const std::int64_t dimension : contracted) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(left->shape.dimensions.size())) return kUnknownNumber;
    summed *= static_cast<double>(left->shape.dimensions[static_cast<std::size_t>(dimension)]);
  }
  return 2 * elements * summed;
}

// Which of operands and result are image and kernel depends on the direction: in the gradient of the kernel, the kernel is
// the result; in the gradient of the image, the first operand is the gradient of the larger side.
double HloCosts::convolution_flops(const HloInstruction& instruction) const {
  const HloInstruction* first = operand(instruction, 0);
  const HloInstruction* second = operand(instruction, 1);
  if (first == nullptr || second == nullptr) return kUnknownNumber;
  const HloShape& result = first_part(instruction.shape);
  const bool of_kernel = instruction.custom_call_target == "__cudnn$convBackwardFilter";
  const bool of_image = instruction.custom_call_target == "__cudnn$convBackwardInput";
  const HloShape& kernel = of_kernel ? result : second->shape;
  const HloShape& output = of_kernel ? second->shape : of_image ? first->shape : result;
  const auto feature = static_cast<std::size_t>(instruction.kernel_output_feature);
  if (feature >= kernel.dimensions.size() || kernel.dimensions[feature] <= 0) return kUnknownNumber;
  const double weights = shape_elements(kernel) / static_cast<double>(kernel.dimensions[feature]);
  const double elements = shape_elements(output);
  return weights < 0 || elements < 0 ? kUnknownNumber : 2 * elements * weights;
}

// In a fusion in which only some instructions have a formula, those count: they include every matrix product.
const HloCosts::Inside& HloCosts::inside(std::int64_t computation, int depth) {
  const auto [known, is_new] =
      inside_.try_emplace(computation, Inside{kUnknownNumber, true});  // for a computation that contains itself
  Inside& inside = known->second;                                      // references stay valid when others are added
  const auto at = computations_.find(computation);
  if (!is_new || at == computations_.end() || depth == kDeepestFusion) return inside;
  Inside sum{kUnknownNumber, false};
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
    return instruction.called.empty() ? kUnknownNumber : inside(instruction.called.front(), depth).flops;
  if (instruction.opcode != "custom-call") return kUnknownNumber;
  const std::string_view target = instruction.custom_call_target;
  if (target.starts_with("__cudnn$conv") && instruction.kernel_output_feature >= 0) return convolution_flops(instruction);
  if (target.starts_with("__cublas$")) {
    const std::vector<std::int64_t> contracted = contracted_by_library(instruction.backend_config);
    return contracted.empty() ? kUnknownNumber : dot_flops(instruction, contracted);
  }
  return kUnknownNumber;
}

bool HloCosts::touches_parts(const HloInstruction& instruction, int depth) {
  if (instruction.opcode != "fusion") return is_one_of(instruction.opcode, kPartly);
  return instruction.called.empty() || inside(instruction.called.front(), depth).touches_parts;
}

// Every operand is read once and the result is written once. Unknown if only a part may be used, or for a function of a
// library, whose use of its scratch memory is not stated.
double HloCosts::bytes(const HloInstruction& instruction) {
  if (is_one_of(instruction.opcode, kNoBytes) || touches_parts(instruction, 0)) return kUnknownNumber;
  const bool library = instruction.opcode == "custom-call";
  if (library && !instruction.custom_call_target.starts_with("__cudnn$conv") &&
      !instruction.custom_call_target.starts_with("__cublas$"))
    return kUnknownNumber;
  double sum = shape_bytes(library ? first_part(instruction.shape) : instruction.shape);
  if (sum < 0) return kUnknownNumber;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const HloInstruction* from = operand(instruction, i);
    const double bytes = from == nullptr ? -1 : shape_bytes(from->shape);
    if (bytes < 0) return kUnknownNumber;
    sum += bytes;
  }
  return sum;
}

}  // namespace sightline::formats::xplane
