// The choice of a scale for the values of a column, and numbers in it.
#include "model/unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace sightline::model {

namespace {

struct Step {
  double divisor;
  std::string_view label;
};

constexpr double kBinaryStep = 1024;
constexpr std::array<Step, 4> kTime{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Step, 5> kBytes{{{1, "B"},
                                      {kBinaryStep, "KiB"},
                                      {kBinaryStep * kBinaryStep, "MiB"},
                                      {kBinaryStep * kBinaryStep * kBinaryStep, "GiB"},
                                      {kBinaryStep * kBinaryStep * kBinaryStep * kBinaryStep, "TiB"}}};
constexpr std::array<Step, 5> kRate{{{1, "/s"}, {1e3, "k/s"}, {1e6, "M/s"}, {1e9, "G/s"}, {1e12, "T/s"}}};
constexpr std::array<Step, 5> kByteRate{{{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}}};
constexpr std::array<Step, 4> kHertz{{{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}}};
constexpr std::array<Step, 6> kFlops{
    {{1, "FLOP"}, {1e3, "kFLOP"}, {1e6, "MFLOP"}, {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"}}};
constexpr std::array<Step, 6> kFlopRate{
    {{1, "FLOP/s"}, {1e3, "kFLOP/s"}, {1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}}};
constexpr std::array<Step, 1> kIntensity{{{1, "FLOP/B"}}};

struct Shape {
  double largest = 0;
  double median = 0;
  bool whole = true;
};

Shape shape_of(std::span<const double> values) {
  Shape shape;
  std::vector<double> sizes;
  for (const double value : values) {
    const double size = std::fabs(value);
    if (!(size > 0) || std::isinf(size)) continue;
    shape.largest = std::max(shape.largest, size);
    shape.whole = shape.whole && size == std::floor(size);
    sizes.push_back(size);
  }
  if (sizes.empty()) return shape;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  shape.median = *middle;
  return shape;
}

// The unit of the largest value, unless most rows would then be close to 0.
Step pick_step(std::span<const Step> steps, const Shape& shape) {
  std::size_t i = 0;
  while (i + 1 < steps.size() && shape.largest >= steps[i + 1].divisor) ++i;
  while (i > 0 && shape.median < steps[i].divisor / 100 && shape.largest / steps[i - 1].divisor < 1e6) --i;
  return steps[i];
}

int decimals_for(double scaled) {
  if (scaled >= 10'000) return 1;
  return scaled >= 100 ? 2 : 3;
}

// Numbers below one that have no smaller unit keep three significant digits.
int decimals_of_small(double largest) {
  if (!(largest > 0) || largest >= 1) return decimals_for(largest);
  return std::min(12, 2 - static_cast<int>(std::floor(std::log10(largest))));
}

Scale stepped(std::span<const Step> steps, const Shape& shape) {
  const Step step = pick_step(steps, shape);
  const int decimals = step.divisor == 1 && shape.whole ? 0 : decimals_for(shape.largest / step.divisor);
  return {step.label, step.divisor, decimals, true};
}

// "1234567.50" with a comma before each group of three digits.
std::string grouped(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(digits.find('.'), digits.size());
  while (at > first + 3) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

Scale choose_scale(Unit unit, std::span<const double> values) {
  const Shape shape = shape_of(values);
  switch (unit) {
    case Unit::ns: return stepped(kTime, shape);
    case Unit::bytes: return stepped(kBytes, shape);
    case Unit::per_second: return stepped(kRate, shape);
    case Unit::bytes_per_second: return stepped(kByteRate, shape);
    case Unit::hertz: return stepped(kHertz, shape);
    case Unit::flops: return stepped(kFlops, shape);
    case Unit::flops_per_second: return stepped(kFlopRate, shape);
    case Unit::flops_per_byte: return stepped(kIntensity, shape);
    case Unit::share: return {"%", 0.01, 1, true};
    case Unit::percent: return {"%", 1, 1, true};
    case Unit::id: return {"", 1, 0, false};
    case Unit::count:
    case Unit::none: break;
  }
  return {"", 1, shape.whole ? 0 : decimals_of_small(shape.largest), true};
}

std::string number_in(double value, const Scale& scale) {
  if (std::isnan(value)) return std::string(kUnknownText);
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  const double scaled = value / scale.divisor;
  const double least = std::pow(10.0, -scale.decimals);
  char text[400];
  if (scaled != 0 && std::fabs(scaled) < least / 2) {
    std::snprintf(text, sizeof text, "%s%.*f", scaled > 0 ? "<" : ">-", scale.decimals, least);
    return text;
  }
  std::snprintf(text, sizeof text, "%.*f", scale.decimals, scaled);
  return scale.grouped ? grouped(text) : text;
}

std::string number_alone(double value, Unit unit) {
  const Scale scale = choose_scale(unit, {&value, 1});
  const std::string number = number_in(value, scale);
  if (std::isnan(value) || scale.label.empty()) return number;
  return number + (scale.label == "%" ? "" : " ") + std::string(scale.label);
}

}  // namespace sightline::model
