// kernel_details: words of "key:value".
#include "formats/xplane/kernel_details.h"

#include <algorithm>

#include "base/text.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kMostRegisters = 65536, kMostShared = std::int64_t{1} << 40;

std::int64_t number(std::string_view text) {
  const auto value = whole_number<std::int64_t>(text);
  return value && *value >= 0 ? *value : kUnknown;
}

float percent(std::string_view text) {
  const double value = whole_number<double>(text).value_or(0);
  return value > 0 && value <= 100 ? static_cast<float>(value) : kUnknownReal;
}

// "219,40,1" as a list.
std::string list(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789,") != std::string_view::npos) return "";
  std::string out = "[";
  for (const char c : text) out += c == ',' ? std::string(", ") : std::string(1, c);
  return out + "]";
}

}  // namespace

KernelDetails kernel_details(std::string_view text) {
  KernelDetails details;
  std::int64_t registers = kUnknown, shared = kUnknown;
  const auto add_shared = [&](std::int64_t bytes) {
    if (bytes != kUnknown && bytes < kMostShared) shared = (shared == kUnknown ? 0 : shared) + bytes;
  };
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = word.substr(0, colon), value = word.substr(colon + 1);
    if (key == "grid") details.grid = list(value);
    if (key == "block") details.block = list(value);
    if (key == "regs" || key == "registers_per_thread") registers = number(value);
    if (key == "static_shared" || key == "dynamic_shared" || key == "group_mem") add_shared(number(value));
    if (key == "occ_pct") details.occupancy = percent(value);
    if (key == "size") details.size = number(value);
  }
  details.implausible = registers > kMostRegisters;
  if (details.implausible) return details;
  if (registers != kUnknown) details.registers = static_cast<std::int32_t>(registers);
  details.shared_bytes = shared;
  return details;
}

}  // namespace sightline::formats::xplane
