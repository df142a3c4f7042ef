#include "analyses/costs/call_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "analyses/costs/cost_model.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kMostDims = 64;

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_list_text(std::string_view text) { return !text.empty() && (text.front() == '[' || text.front() == '('); }

std::string_view without_quotes(std::string_view item) {
  const bool quoted = item.size() >= 2 && (item.front() == '"' || item.front() == '\'') && item.back() == item.front();
  return quoted ? item.substr(1, item.size() - 2) : item;
}

// Where the item that begins at `at` ends: at a comma or a bracket that it did not open.
std::size_t end_of_item(std::string_view text, std::size_t at) {
  int open = 0;
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\') ++at;  // and what it escapes
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++open;
    } else if (c == ']' || c == ')') {
      if (open-- == 0) return at;
    } else if (c == ',' && open == 0) {
      return at;
    }
  }
  return std::min(at, text.size());
}

// The numbers of a list; one that is unknown when an item is not a number.
std::vector<double> numbers_of(std::string_view list) {
  std::vector<double> numbers;
  for (const std::string_view item : list_items(list)) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (failed != std::errc() || end != item.data() + item.size() || numbers.size() == kMostDims) return {kUnknownNumber};
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

// Lists of numbers: one, or a list of them for the tensors of a list.
std::vector<std::vector<double>> number_lists(std::string_view text) {
  const std::vector<std::string_view> items = list_items(text);
  if (items.empty() || !is_list_text(items.front())) return {numbers_of(text)};
  std::vector<std::vector<double>> lists;
  for (const std::string_view item : items) lists.push_back(numbers_of(item));
  return lists;
}

struct NamedType {
  std::string_view recorded;
  ElementType type;
};

// Ranks: whole numbers below floating point below complex, as types combine in arithmetic.
constexpr std::array<NamedType, 36> kTypes{{
    {"bool", {"bool", 1, 1}},
    {"unsigned char", {"uint8", 1, 2}},
    {"signed char", {"int8", 1, 3}},
    {"char", {"int8", 1, 3}},
    {"short int", {"int16", 2, 4}},
    {"short", {"int16", 2, 4}},
    {"unsigned short", {"uint16", 2, 4}},
    {"short unsigned int", {"uint16", 2, 4}},
    {"int", {"int32", 4, 5}},
    {"unsigned int", {"uint32", 4, 5}},
    {"long int", {"int64", 8, 6}},
    {"long", {"int64", 8, 6}},
    {"long long", {"int64", 8, 6}},
    {"unsigned long", {"uint64", 8, 6}},
    {"long unsigned int", {"uint64", 8, 6}},
    {"c10::qint8", {"int8", 1, 3}},
    {"c10::quint8", {"uint8", 1, 2}},
    {"c10::qint32", {"int32", 4, 5}},
    {"c10::Float4_e2m1fn_x2", {"fp4", 1, 10}},
    {"c10::Float8_e8m0fnu", {"fp8", 1, 11}},
    {"c10::Float8_e4m3fn", {"fp8", 1, 11}},
    {"c10::Float8_e4m3fnuz", {"fp8", 1, 11}},
    {"c10::Float8_e5m2", {"fp8", 1, 11}},
    {"c10::Float8_e5m2fnuz", {"fp8", 1, 11}},
    {"c10::Half", {"fp16", 2, 12}},
    {"c10::BFloat16", {"bf16", 2, 12}},
    {"float", {"fp32", 4, 13}},
    {"double", {"fp64", 8, 14}},
    {"c10::complex<c10::Half>", {"complex32", 4, 20}},
    {"c10::complex<float>", {"complex64", 8, 21}},
    {"c10::complex<double>", {"complex128", 16, 22}},
    {"std::complex<float>", {"complex64", 8, 21}},
    {"std::complex<double>", {"complex128", 16, 22}},
    {"torch.bfloat16", {"bf16", 2, 12}},
    {"torch.float16", {"fp16", 2, 12}},
    {"torch.float32", {"fp32", 4, 13}},
}};

// By the number that a scalar input gives a type.
constexpr std::array<std::string_view, 28> kTypeNumbers{
    "unsigned char", "signed char", "short int", "int", "long int", "c10::Half", "float", "double", "c10::complex<c10::Half>",
    "c10::complex<float>", "c10::complex<double>", "bool", "c10::qint8", "c10::quint8", "c10::qint32", "c10::BFloat16",
    // two packed types and six bit types, which have no element of whole bytes or are not used for arithmetic
    "", "", "", "", "", "", "", "c10::Float8_e5m2", "c10::Float8_e4m3fn", "c10::Float8_e5m2fnuz", "c10::Float8_e4m3fnuz",
    "unsigned short"};

CallArgument::Kind kind_of(std::string_view type, bool several, bool has_shape) {
  using Kind = CallArgument::Kind;
  if (type == "None") return Kind::absent;
  if (several || type == "TensorList" || type == "GenericList") return Kind::list;
  if (type.starts_with("Scalar")) return Kind::scalar;
  return type.empty() && !has_shape ? Kind::absent : Kind::tensor;
}

CallArgument argument_of(std::string_view shape, std::string_view type, std::string_view strides, std::string_view value) {
  CallArgument made;
  made.value = value;
  const std::vector<std::vector<double>> dims = number_lists(shape);
  const bool has_shape = !(dims.size() == 1 && dims.front().empty());
  const std::vector<std::string_view> items = list_items(shape);
  made.kind = kind_of(type, !items.empty() && is_list_text(items.front()), has_shape);
  if (made.kind == CallArgument::Kind::absent && !value.empty()) made.kind = CallArgument::Kind::scalar;
  made.type = made.kind == CallArgument::Kind::tensor ? element_type(type) : ElementType{{}, kUnknownNumber, 0};
  if (made.kind == CallArgument::Kind::absent || made.kind == CallArgument::Kind::scalar) return made;
  if (made.kind == CallArgument::Kind::list && !has_shape) return made;
  const std::vector<std::vector<double>> steps = number_lists(strides);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool known = i < steps.size() && steps[i].size() == dims[i].size();
    made.tensors.push_back({dims[i], known ? steps[i] : std::vector<double>{}});
  }
  return made;
}

}  // namespace

std::vector<std::string_view> list_items(std::string_view text) {
  text = without_blanks(text);
  if (!is_list_text(text)) return {};
  std::vector<std::string_view> items;
  for (std::size_t at = 1; at < text.size();) {
    const std::size_t end = end_of_item(text, at);
    const std::string_view item = without_blanks(text.substr(at, end - at));
    const bool last = end >= text.size() || text[end] != ',';
    if (!item.empty() || !last) items.push_back(without_quotes(item));
    if (last) break;
    at = end + 1;
  }
  return items;
}

ElementType element_type(std::string_view recorded) {
  for (const NamedType& known : kTypes) {
    if (known.recorded == recorded) return known.type;
  }
  return {{}, kUnknownNumber, 0};
}

ElementType element_type_of_number(double number) {
  const bool listed = number >= 0 && number < static_cast<double>(kTypeNumbers.size());
  return element_type(listed ? kTypeNumbers[static_cast<std::size_t>(number)] : std::string_view{});
}

CallArguments::CallArguments(const OperatorCall& call) : sums(call.sums) {
  const std::vector<std::string_view> shapes = list_items(call.input_shapes), types = list_items(call.input_types),
                                      strides = list_items(call.input_strides), values = list_items(call.concrete_inputs);
  const auto item = [](const std::vector<std::string_view>& items, std::size_t i) {
    return i < items.size() ? items[i] : std::string_view{};
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    all.push_back(argument_of(item(shapes, i), item(types, i), item(strides, i), item(values, i)));
  }
}

const CallArgument* CallArguments::at(double number) const {
  return number >= 0 && number < static_cast<double>(all.size()) ? &all[static_cast<std::size_t>(number)] : nullptr;
}

}  // namespace sightline::analyses
