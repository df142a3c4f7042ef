// Lines of devices: the streams of a GPU, the units of a TPU, what the compiler's runtime traced there, and counters.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "base/sort.h"
#include "base/text.h"
#include "formats/common/categories.h"
#include "formats/common/collectives.h"
#include "formats/xplane/builder.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

// ---- details of kernels ----
// The text in which a device's tracer describes a kernel or a copy, as words of "key:value", such as
// "regs:32 static_shared:0 dynamic_shared:1024 grid:219,40,1 block:256,1,1 occ_pct:50" or "kind:DtoD size:4096 dest:2
// async:1".

namespace {

struct KernelDetails {
  std::string grid, block;  // "[219, 40, 1]"; empty: not stated
  std::int32_t registers = -1;
  std::int64_t shared_bytes = kUnknown;
  float occupancy = kUnknownReal;  // percent; some tracers write 0 for unknown, so 0 is unknown
  std::int64_t size = kUnknown;    // bytes that were copied or set
  bool implausible = false;        // more registers than any device has: the writer never set this memory
};

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

static KernelDetails kernel_details(std::string_view text) {
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

// ---- lines ----

namespace {

// Lines of operators hold what XLA executed. Other lines show the step, module or name that it belonged to, or what was under
// way beside it: an asynchronous operator is executed by the operators that start it and wait for it.
enum class LineRole { stream, operators, names, counters };

LineRole role_of(const DevicePlane& plane, std::string_view line) {
  if (is_counter_line(line)) return LineRole::counters;
  if (plane.kind == DeviceKind::gpu) return line.starts_with("Stream") ? LineRole::stream : LineRole::names;
  if (plane.kind == DeviceKind::tpu && (line == "XLA Ops" || line == "Sparse Core Ops")) return LineRole::operators;
  return LineRole::names;
}

// The line that shows which program runs.
bool is_line_of_programs(const DevicePlane& plane, std::string_view line) {
  return plane.kind == DeviceKind::tpu && (line == "XLA Modules" || line == "Sparse Core Modules");
}

// An operator of XLA that communicates with other devices; its name begins with its operation.
bool is_collective_operator(std::string_view name) {
  constexpr std::string_view kNames[] = {"all-reduce",         "all-gather",           "all-to-all",       "reduce-scatter",
                                         "collective-permute", "collective-broadcast", "ragged-all-to-all"};
  if (name.starts_with("%")) name.remove_prefix(1);
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view known) { return name.starts_with(known); });
}

class DeviceLine {
 public:
  DeviceLine(Builder& builder, const DevicePlane& plane, const Line& line)
      : b_(builder), p_(builder.profile()), plane_(plane), line_(line), role_(role_of(plane, line.name)) {}

  void add(Row process) {
    if (role_ == LineRole::counters) return add_counters(process);
    const auto first = static_cast<Row>(p_.slices.rows());
    std::vector<std::pair<Row, const Facts*>> placed;
    const LaneKind kind = role_ == LineRole::stream  ? LaneKind::device_stream
                          : role_ == LineRole::names ? LaneKind::other
                                                     : LaneKind::engine;
    const std::string track = fmt::format("{}", line_.id);
    const NewLane lane{kind, process, plane_.ordinal, track, line_.shown_name()};
    b_.add_lane(
        lane, line_, [&](const LineEvent& event, const Facts* facts) { return kind_of(event, facts); },
        [&](const LineEvent&, const Facts* facts, Row slice) {
          placed.emplace_back(slice, facts);
          if (facts != nullptr) b_.add_ends(slice, *facts);
        });
    if (role_ == LineRole::names) {
      add_runs(process, placed);
      return add_steps(placed);
    }
    // An operator that contains others (a loop, a branch) is not work itself: the others are.
    for (const auto& [slice, facts] : placed) {
      const Row around = p_.slices.parent[slice];
      if (around == kNoRow || !is_device_work(p_.slices.kind[slice])) continue;
      if (contains(around, placed[around - first].second, facts)) p_.slices.kind[around] = SliceKind::device_annotation;
    }
    for (const auto& [slice, facts] : placed) {
      if (is_device_work(p_.slices.kind[slice])) {
        add_work(slice, facts);
      } else if (facts != nullptr) {
        ProgramUse use = program_use(*facts, p_.slices.name[slice]);
        use.slice = slice;
        use.flops = use.bytes = kUnknownReal;  // the costs are those of the operators inside
        use.accesses = kUnknown;
        if (role_ == LineRole::operators) b_.program_uses.add(use);
      }
    }
  }

 private:
  // Whether an operator runs another that is inside it, by the device's clock. By times converted to the host's clock,
  // consecutive operators may seem to be inside one another.
  bool contains(Row around, const Facts* outer, const Facts* inner) const {
    const auto time = [](const Facts* facts, Number which) { return facts == nullptr ? kUnknown : (*facts)[which]; };
    const std::int64_t begin = time(outer, Number::device_offset), inside = time(inner, Number::device_offset);
    const std::int64_t length = time(outer, Number::device_duration), of_inside = time(inner, Number::device_duration);
    if (begin != kUnknown && inside != kUnknown && length >= 0 && of_inside >= 0)
      return inside >= begin && of_inside > 0 && of_inside <= length && inside - begin <= length - of_inside;
    if (role_ != LineRole::operators) return true;
    const StringId category = outer == nullptr ? StringId::none : (*outer)[Text::category];
    std::string_view what = p_.text(category != StringId::none ? category : p_.slices.name[around]);
    if (what.starts_with("%")) what.remove_prefix(1);
    constexpr std::string_view kRunOthers[] = {"while", "conditional", "call", "async"};
    return std::any_of(std::begin(kRunOthers), std::end(kRunOthers), [&](std::string_view one) { return what.starts_with(one); });
  }

  SliceKind kind_of(const LineEvent& event, const Facts* facts) const {
    if (role_ == LineRole::names) return plane_.kind == DeviceKind::other ? SliceKind::other : SliceKind::device_annotation;
    const std::string_view name = p_.text(event.name);
    const std::string_view hlo = facts == nullptr ? "" : p_.text((*facts)[Text::hlo_op]);
    if (is_collective_operator(hlo) || is_collective_operator(name)) return SliceKind::collective;
    if (role_ == LineRole::operators) return SliceKind::kernel;
    if (facts != nullptr && (*facts)[Text::kernel_details] == StringId::none) {
      if ((*facts)[Text::copy_details] != StringId::none) return SliceKind::memcpy;
      if ((*facts)[Text::fill_details] != StringId::none) return SliceKind::memset;
    }
    return is_collective_kernel(name) ? SliceKind::collective : SliceKind::kernel;
  }

  // A parsed text of details, which the launches of a kernel share.
  struct Details {
    KernelDetails of;
    StringId grid, block;
  };
  const Details& details_of(StringId text) {
    const auto [at, is_new] = details_.try_emplace(text);
    if (is_new) {
      KernelDetails details = kernel_details(p_.text(text));
      const StringId grid = p_.strings.intern(details.grid), block = p_.strings.intern(details.block);
      at->second = {std::move(details), grid, block};
    }
    return at->second;
  }

  CoreType core_type_of(StringId name) {
    const auto [at, is_new] = core_types_.try_emplace(name);
    if (is_new) at->second = core_type_of(p_.text(name));
    return at->second;
  }

  // The name of a kernel that the compiler wrote for a matrix product does not show whether it uses matrix units.
  static CoreType core_type_of(std::string_view name) {
    const CoreType type = core_type(name);
    const bool product = name.find("gemm") != name.npos || name.find("_dot") != name.npos || name.starts_with("dot");
    return type == CoreType::general && product ? CoreType::unknown : type;
  }

  void add_work(Row slice, const Facts* facts) {
    DeviceWork& work = p_.device_work;
    const Row row = add_unknown_row(work);
    work.slice[row] = slice;
    work.device[row] = plane_.ordinal;
    work.core[row] = p_.strings.intern(plane_.core);
    const SliceKind kind = p_.slices.kind[slice];
    const std::string_view name = p_.text(p_.slices.name[slice]);
    if (kind == SliceKind::kernel && plane_.kind == DeviceKind::gpu) work.core_type[row] = core_type_of(p_.slices.name[slice]);
    if (kind == SliceKind::collective) add_collective(slice, name);
    if (facts == nullptr) return;
    work.type[row] = (*facts)[Text::category];
    work.correlation[row] = (*facts)[Number::correlation];
    const StringId text = (*facts)[kind == SliceKind::memcpy   ? Text::copy_details
                                   : kind == SliceKind::memset ? Text::fill_details
                                                               : Text::kernel_details];
    const Details& known = details_of(text);
    const KernelDetails& details = known.of;
    b_.implausible_details += details.implausible;
    work.grid[row] = known.grid;
    work.block[row] = known.block;
    work.registers[row] = details.registers;
    work.shared_bytes[row] = details.shared_bytes;
    const auto stated = static_cast<float>((*facts)[Real::occupancy]);
    work.occupancy[row] = stated > 0 && stated <= 100 ? stated : details.occupancy;
    work.bytes[row] = kind == SliceKind::memcpy || kind == SliceKind::memset ? details.size : kUnknown;
    if (!std::isnan((*facts)[Real::energy])) b_.add_fact(slice, b_.text("vdd_energy_j"), (*facts)[Real::energy]);
    b_.add_program_use(slice, *facts, role_ == LineRole::stream ? StringId::none : p_.slices.name[slice]);
  }

  void add_collective(Row slice, std::string_view name) {
    const Row row = add_unknown_row(p_.collectives);
    p_.collectives.slice[row] = slice;
    p_.collectives.name[row] = p_.slices.name[slice];
    p_.collectives.kind[row] =
        name.find("permute") != std::string_view::npos ? CollectiveKind::send_receive : collective_kind(name);
  }

  void add_runs(Row process, const std::vector<std::pair<Row, const Facts*>>& placed) {
    if (!is_line_of_programs(plane_, line_.name)) return;
    for (const auto& [slice, facts] : placed)
      b_.runs.push_back({slice, process, plane_.ordinal, facts == nullptr ? kUnknown : (*facts)[Number::consumer]});
  }

  // A device's own steps; steps that the host marked are preferred.
  void add_steps(const std::vector<std::pair<Row, const Facts*>>& placed) {
    if (line_.name != "Steps") return;
    for (const auto& [slice, facts] : placed) {
      const auto named = whole_number<std::int64_t>(p_.text(p_.slices.name[slice]));
      const std::int64_t number =
          facts != nullptr && (*facts)[Number::step] != kUnknown ? (*facts)[Number::step] : named.value_or(kUnknown);
      b_.device_steps.push_back({slice, plane_.ordinal, number});
    }
  }

  // A lane for each counter of the line, in the order of their first samples. A counter without a value of its own has the
  // values of its stats, whose names say what they are.
  void add_counters(Row process) {
    std::vector<std::pair<StringId, std::vector<std::pair<Time, double>>>> series;
    const auto add = [&](StringId name, Time time, double value) {
      const auto is_it = [&](const auto& known) { return known.first == name; };
      auto at = std::find_if(series.begin(), series.end(), is_it);
      if (at == series.end()) at = series.insert(at, {name, {}});
      at->second.emplace_back(time, value);
    };
    auto reading = line_.readings.begin();
    for (std::size_t i = 0; i < line_.events.size(); ++i) {
      const LineEvent& event = line_.events[i];
      const Facts* facts = line_.facts_of(event);
      const bool has_value = facts != nullptr && !std::isnan((*facts)[Real::counter]);
      if (has_value) add(event.name, event.start, (*facts)[Real::counter]);
      const auto first = reading;
      for (; reading != line_.readings.end() && reading->event == i; ++reading) {
        if (!has_value) add(name_of_reading(event.name, reading->stat), event.start, reading->value);
      }
      b_.empty_samples += !has_value && reading == first;
    }
    for (auto& [name, samples] : series) {
      // The counters of one kernel, or of one reading, are on a line of its name.
      const std::string text =
          line_.name == kCounterLine ? std::string(p_.text(name)) : fmt::format("{} ({})", p_.text(name), line_.shown_name());
      const Row lane = b_.add_counter_lane({LaneKind::counter, process, plane_.ordinal, text, text});
      sort_up(samples, [](const auto& each) { return each.first; });
      for (const auto& [time, value] : samples) b_.add_sample(lane, time, value);
    }
  }

  StringId name_of_reading(StringId counter, StringId stat) const {
    if (counter == stat) return counter;
    return p_.strings.intern(fmt::format("{} ({})", p_.text(counter), p_.text(stat)));
  }

  Builder& b_;
  Profile& p_;
  const DevicePlane& plane_;
  const Line& line_;
  LineRole role_;
  std::unordered_map<StringId, Details> details_;      // by text
  std::unordered_map<StringId, CoreType> core_types_;  // by name
};

}  // namespace

DevicePlane device_plane(std::string_view plane_name) {
  constexpr std::pair<std::string_view, DeviceKind> kKinds[] = {{"/device:GPU:", DeviceKind::gpu},
                                                                {"/device:TPU:", DeviceKind::tpu}};
  for (const auto& [prefix, kind] : kKinds) {
    if (!plane_name.starts_with(prefix)) continue;
    plane_name.remove_prefix(prefix.size());
    const std::size_t digits = std::min(plane_name.find_first_not_of("0123456789"), plane_name.size());
    const auto ordinal = whole_number<std::int64_t>(plane_name.substr(0, digits));
    plane_name.remove_prefix(std::min(plane_name.size(), digits + 1));
    return {kind, ordinal.value_or(kUnknown), std::string(plane_name)};
  }
  return {};
}

void add_device_line(Builder& builder, const DevicePlane& plane, Row process, const Line& line) {
  DeviceLine(builder, plane, line).add(process);
}

ProgramUse program_use(const Facts& facts, StringId operator_name) {
  return {.slice = kNoRow,
          .hlo_op = facts[Text::hlo_op] != StringId::none ? facts[Text::hlo_op] : operator_name,
          .hlo_module = facts[Text::hlo_module],
          .category = facts[Text::category],
          .framework_op = facts[Text::framework_op],
          .source = facts[Text::source],
          .shape = facts[Text::shape],
          .program = facts[Number::program],
          .has_program = facts.has_program,
          .flops = facts[Real::flops],
          .bytes = std::isnan(facts[Real::device_bytes]) ? facts[Real::bytes_accessed] : facts[Real::device_bytes],
          .accesses = facts[Number::accesses],
          .transfer_group = facts[Number::transfer_group]};
}

void ProgramUses::add(const ProgramUse& use) {
  const auto content = [](const ProgramUse& of) {
    return std::tuple(of.hlo_op, of.hlo_module, of.category, of.framework_op, of.source, of.shape, of.program, of.has_program,
                      std::bit_cast<std::uint64_t>(of.flops), std::bit_cast<std::uint64_t>(of.bytes), of.accesses,
                      of.transfer_group);  // unknown is NaN
  };
  std::uint32_t& recent = recent_[(static_cast<std::size_t>(use.hlo_op) * 31 + static_cast<std::size_t>(use.program)) % kRecent];
  if (recent >= distinct_.size() || content(distinct_[recent]) != content(use)) {
    recent = static_cast<std::uint32_t>(distinct_.size());
    distinct_.push_back(use);
  }
  slices_.push_back(use.slice);
  which_.push_back(recent);
}

void Builder::add_program_use(Row slice, const Facts& facts, StringId operator_name) {
  ProgramUse use = program_use(facts, operator_name);
  if (use.hlo_op == StringId::none && std::isnan(use.flops) && std::isnan(use.bytes)) return;
  use.slice = slice;
  program_uses.add(use);
}

// ---- sums without times ----
// Events of which a file states only the count and the total time: executions of operators of programs, else calls.

void add_aggregates(Builder& b, const DevicePlane& plane, const Line& line) {
  const bool operators = plane.kind == DeviceKind::tpu && line.name.ends_with("Ops");
  for (const Aggregate& sum : line.aggregates) {
    const ProgramUse use = program_use(sum.facts, operators ? sum.name : StringId::none);
    if (plane.kind != DeviceKind::other && use.hlo_op != StringId::none) {
      b.program_sums.push_back({use, plane.ordinal, b.profile().strings.intern(plane.core), sum.occurrences, sum.total});
      continue;
    }
    ReportedCalls& calls = b.profile().reported_calls;
    const Row row = add_unknown_row(calls);
    calls.kind[row] = plane.kind == DeviceKind::other ? SliceKind::runtime : SliceKind::kernel;
    calls.device[row] = plane.ordinal;
    calls.name[row] = sum.name;
    calls.part[row] = b.profile().strings.intern(line.shown_name());
    calls.calls[row] = sum.occurrences;
    calls.total[row] = sum.total;
    const double shortest = sum.facts[Real::shortest_ps];
    if (shortest >= 0 && shortest < 9e18) calls.shortest[row] = static_cast<Time>(shortest / 1000);
  }
}

}  // namespace sightline::formats::xplane
