// Generations of cores, their peaks, and the rules of the vendor's tables of a device.
#include "formats/neuron/device_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

#include "model/tables.h"

namespace sightline::formats::neuron {

// ---- hardware ----

namespace {

struct Generation {
  int number;
  double clock, matrix_clock;  // cycles a second: of the core, and of its Tensor engine
  double rows, columns;        // of the Tensor engine
  double memory_bandwidth;     // bytes a second: a core's share of its chip's
  std::string_view instances;  // prefix of the types of instances that have it
};

// From the vendor's pages on NeuronCore v2, "Trainium2" and "Trainium3"; 2, 8 and 8 cores share the bandwidth of a chip.
constexpr std::array<Generation, 3> kGenerations{{{2, 1.4e9, 2.8e9, 128, 128, 820e9 / 2, "inf2 trn1"},
                                                  {3, 1.2e9, 2.4e9, 128, 128, 2.9e12 / 8, "trn2"},
                                                  {4, 1.2e9, 2.4e9, 128, 128, 4.9e12 / 8, "trn3"}}};

const Generation* generation_of(const CoreFacts& facts) {
  for (const Generation& each : kGenerations) {
    const std::string_view family = std::string_view(facts.instance_type).substr(0, 4);
    if (facts.generation == each.number) return &each;
    if (facts.generation == 0 && family.size() == 4 && each.instances.find(family) != std::string_view::npos) return &each;
  }
  return nullptr;
}

double known(double stated, double documented) { return std::isnan(stated) ? documented : stated; }

}  // namespace

CoreFacts stated_core(const std::map<std::string, std::string>& members, std::string_view instance_type) {
  // Each has one name in the JSON and another in Parquet; clocks are in GHz.
  const auto number = [&](std::initializer_list<std::string> names, double scale) {
    for (const std::string& name : names) {
      const auto at = members.find(name);
      const double value = at == members.end() ? 0 : std::strtod(at->second.c_str(), nullptr);
      if (value > 0 && std::isfinite(value)) return value * scale;
    }
    return static_cast<double>(kUnknownReal);
  };
  return {.instance_type = std::string(instance_type),
          .generation = 0,
          .clock = number({"pe_clock_others", "neuroncore_clock_freq"}, 1e9),
          .matrix_clock = number({"pe_clock_freq", "tensor_engine_clock_freq"}, 1e9),
          .rows = number({"pe_num_rows", "tensor_engine_num_rows"}, 1),
          .columns = number({"pe_num_cols", "tensor_engine_num_cols"}, 1),
          .memory_bandwidth = number({"hbm_ddr_bandwidth"}, 1)};
}

// The vendor's rules for scaling to BF16.
double flops_scale(std::string_view type, const CoreFacts& facts) {
  const Generation* const core = generation_of(facts);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), type) != names.end();
  };
  if (is_one_of({"bfloat16", "bf16", "fp16", "float16", "tf32"})) return 1;
  if (is_one_of({"fp32", "float32"})) return 4;
  if (is_one_of({"uint8"})) return 0.5;
  if (core != nullptr && type.starts_with("fp8")) return core->number == 2 ? 1 : 0.5;
  if (core != nullptr && core->number == 4 && (type.starts_with("mxfp8") || type.starts_with("mxfp4"))) return 0.25;
  return kUnknownReal;
}

void add_core(Profile& profile, std::int64_t ordinal, const CoreFacts& facts) {
  const Generation* const documented = generation_of(facts);
  const int generation = documented != nullptr ? documented->number : facts.generation;
  const Row row = add_unknown_row(profile.devices);
  Devices& devices = profile.devices;
  devices.ordinal[row] = ordinal;
  devices.name[row] = profile.strings.intern("NeuronCore" + (generation != 0 ? fmt::format(" v{}", generation) : "") +
                                             (facts.instance_type.empty() ? "" : " of " + facts.instance_type));
  const Generation unknown{0, kUnknownReal, kUnknownReal, kUnknownReal, kUnknownReal, kUnknownReal, ""};
  const Generation& pages = documented != nullptr ? *documented : unknown;
  const double matrix_clock = known(facts.matrix_clock, pages.matrix_clock);
  const double cells = known(facts.rows, pages.rows) * known(facts.columns, pages.columns);
  devices.clock[row] = known(facts.clock, pages.clock);
  devices.peak_flops[row] = 2 * cells * matrix_clock;
  devices.peak_bandwidth[row] = known(facts.memory_bandwidth, pages.memory_bandwidth);
  // Each peak comes from the file or from the documents.
  const auto origin = [&](bool is_stated) {
    return is_stated ? std::string("stated by the file") : fmt::format("by the vendor's documents of NeuronCore v{}", generation);
  };
  std::string source;
  if (!std::isnan(devices.peak_flops[row])) {
    const bool is_stated = !std::isnan(facts.matrix_clock) && !std::isnan(facts.rows) && !std::isnan(facts.columns);
    source = fmt::format("2 x {:.0f} cells of the Tensor engine x {:.1f} GHz, {}", cells, matrix_clock / 1e9, origin(is_stated));
  }
  if (!std::isnan(devices.peak_bandwidth[row]))
    source += fmt::format("{}bandwidth {}", source.empty() ? "" : "; ", origin(!std::isnan(facts.memory_bandwidth)));
  devices.peak_source[row] = profile.strings.intern(source);
}

// ---- rows ----

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
