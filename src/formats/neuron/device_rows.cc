// Rules of the vendor's tables of a device.
#include "formats/neuron/device_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace sightline::formats::neuron {

namespace {

constexpr std::array<std::string_view, 6> kEngineLanes{"TensorMatrix", "Tensor", "Vector", "Scalar", "GpSimd", "Sync"};
constexpr std::string_view kWaiting = "EVENT_SEMAPHORE";

}  // namespace

LaneGroup core_group(std::int64_t physical_core) {
  return physical_core <= 0 ? kCoreGroup : LaneGroup{0, fmt::format(", physical core {}", physical_core), true};
}

LanePlace engine_place(const std::string& engine, std::int64_t physical_core) {
  const auto at = std::find(kEngineLanes.begin(), kEngineLanes.end(), engine);
  return {core_group(physical_core), at - kEngineLanes.begin(), 0, engine};
}

LaneFacts engine_facts(const std::string& engine) {
  return {LaneKind::engine, engine == "TensorMatrix" ? "Tensor" : engine, engine};
}

TableRow instruction_row(std::string_view engine, std::string_view opcode, StringId name) {
  TableRow row{};
  row.slice.name = name;
  row.slice.kind = opcode == kWaiting ? SliceKind::sync : SliceKind::kernel;
  row.core_type = opcode == "MATMUL" || opcode == "LDWEIGHTS" ? CoreType::matrix
                  : engine == "Vector"                        ? CoreType::vector
                                                              : CoreType::general;
  return row;
}

WorkCost instruction_cost(std::int64_t read, std::int64_t written) {
  WorkCost cost;
  constexpr std::int64_t kMost = std::int64_t{1} << 60;  // more is damage
  if ((read < 0 && written < 0) || read > kMost || written > kMost) return cost;
  cost.read = std::max<std::int64_t>(0, read);
  cost.written = std::max<std::int64_t>(0, written);
  cost.moved = cost.read + cost.written;
  return cost;
}

std::string_view element_type(std::string_view operands) {
  constexpr std::string_view kSource = "src=";
  const std::size_t at = operands.find(kSource);
  if (at == std::string_view::npos) return {};
  operands.remove_prefix(at + kSource.size());
  return operands.substr(0, operands.find_first_of("@[ "));
}

QueueName queue_name(std::string_view whole) {
  const std::size_t place = whole.rfind("-Q");
  const std::size_t engine = whole.rfind("-E");
  const std::size_t queue = whole.rfind('Q');
  return {whole.substr(0, place == std::string_view::npos ? engine : place),
          queue == std::string_view::npos ? whole : whole.substr(queue),
          engine == std::string_view::npos ? std::string_view() : whole.substr(engine + 2)};
}

LaneFacts queue_facts(const QueueName& name) {
  return {LaneKind::queue, std::string(name.track), name.engine.empty() ? "DMA" : "DMA " + std::string(name.engine)};
}

bool is_on_core(std::string_view regions) {
  bool any = false;
  std::string word;
  const auto ends = [&] {
    const bool on_core = word.empty() || word == "SB" || word == "PSUM";
    any |= !word.empty();
    word.clear();
    return on_core;
  };
  for (const char c : regions) {
    if (c != '[' && c != ']' && c != '"' && c != '\'' && c != ',' && c != ' ') {
      word += c;
    } else if (!ends()) {
      return false;
    }
  }
  return ends() && any;
}

std::string source_line(std::string_view text) {
  text = text.substr(0, text.find(';'));
  if (const std::size_t close = text.find("): "); close != std::string_view::npos) {
    const std::size_t open = text.rfind('(', close);
    return open == std::string_view::npos ? ""
                                          : fmt::format("{}:{}", text.substr(0, open), text.substr(open + 1, close - open - 1));
  }
  while (!text.empty() && (text.front() == '[' || text.front() == '"' || text.front() == '\'' || text.front() == ' '))
    text.remove_prefix(1);
  text = text.substr(0, text.find_first_of(",]\"'"));
  const std::size_t colon = text.rfind(':');
  const bool has_line = colon != std::string_view::npos && colon + 1 < text.size() && colon > 0 &&
                        text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return has_line ? std::string(text) : "";
}

}  // namespace sightline::formats::neuron
