// Advice about a program (NEFF) on the engines of a NeuronCore: how much of its work is useful, what slows it down, and how it
// moves data. The thresholds are from the documentation of Neuron's profiler. A rule gives no advice where its figures are
// unknown.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/neuron/neuron.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kUsefulShare = 0.5;     // model FLOPs as a share of the possible FLOPs while the matrix units were active
constexpr double kTransposeShare = 0.1;  // of the FLOPs that ran
constexpr double kReloadShare = 0.25;    // of the bytes read from device memory
constexpr double kMostLoads = 2;         // of one tensor
constexpr double kSmallCopies = 0.5;     // of the copies that carry data
constexpr double kCopyingShare = 0.1;    // of the active time: less is not worth it
constexpr double kKernelShare = 0.5;     // of an engine's instructions, where a kernel written by hand has some
constexpr double kSlowCollective = 2;    // times the median of its group
constexpr std::size_t kFewestOfGroup = 4;

// `gain`: ns of the recording.
Advice about(double gain, Message title, Message evidence, Message brief, Message action, const DeviceTotals& program) {
  Advice advice;
  advice.gain = gain;
  advice.title = std::move(title);
  advice.evidence = std::move(evidence);
  advice.brief = std::move(brief);
  advice.action = std::move(action);
  advice.link_view = "device_summary";
  if (program.device != kUnknown) advice.link_parameters = {{"device", std::to_string(program.device)}};
  return advice;
}

// The advice about the first program to which the rule applies.
template <typename Judge>
std::optional<Advice> first_of(const AdviceInput& input, Judge&& judge) {
  for (const DeviceTotals& program : input.programs) {
    if (std::optional<Advice> advice = judge(program)) return advice;
  }
  return std::nullopt;
}

std::optional<Advice> judge_useful_flops(const AdviceInput& input) {
  return first_of(input, [&](const DeviceTotals& program) -> std::optional<Advice> {
    double matrix = 0;
    for (const EngineTotals& engine : program.engines) matrix = engine.matrix ? std::max(matrix, engine.active) : matrix;
    const double possible = program.peak_flops * matrix / 1e9;
    const double share = program.model_flops / possible;
    if (!(possible > 0) || !(share < kUsefulShare)) return std::nullopt;
    return about(input.verdict.per_step(matrix * (1 - share)), "The matrix units do little work for the model",
                 say("The model's operations are {} of what the matrix units could have done in the {} in which their engine "
                     "was active.",
                     share_words(share), time_words(matrix)),
                 "fill the matrix units",
                 "Fill the array: larger tiles of each product, fewer transposes, and inputs that arrive before they are needed.",
                 program);
  });
}

std::optional<Advice> judge_throttling(const AdviceInput& input) {
  return first_of(input, [&](const DeviceTotals& program) -> std::optional<Advice> {
    const Throttling throttling = throttling_of(input.profile, program.device);
    if (throttling.time == 0) return std::nullopt;
    const double recording = static_cast<double>(program.recording);
    const double share = recording > 0 ? throttling.time / recording : 0;
    return about(
        input.verdict.per_step(throttling.time - throttling.limit_while_throttled), "The device was throttled",
        say("For {} ({} of the recording) the device was limited to {} of its full speed.", time_words(throttling.time),
            share_words(share), share_words(throttling.limit_while_throttled / throttling.time)),
        "spread the work of the matrix units over time",
        "Spread the work of the matrix units over time, so that power rises slowly; see the lane of limits on the timeline.",
        program);
  });
}

std::optional<Advice> judge_transposes(const AdviceInput& input) {
  return first_of(input, [&](const DeviceTotals& program) -> std::optional<Advice> {
    const double share = program.transpose_flops / program.flops;
    if (!(share > kTransposeShare)) return std::nullopt;
    return about(input.verdict.per_step(share * program.computing), "Much of the matrix work only transposes",
                 say("{} of the operations that ran only transpose matrices.", share_words(share)), "avoid transposes",
                 "Keep tensors in the layout in which the products need them, or let copies transpose them on the way.", program);
  });
}

std::optional<Advice> judge_reloads(const AdviceInput& input) {
  return first_of(input, [&](const DeviceTotals& program) -> std::optional<Advice> {
    const auto spilled = program.stated_bytes.find("spill_reload_bytes");
    if (spilled == program.stated_bytes.end() || !(program.bytes_read > 0)) return std::nullopt;
    const double share = spilled->second / program.bytes_read;
    if (!(share > kReloadShare)) return std::nullopt;
    return about(
        input.verdict.per_step(share * program.copies.active), "Spilled data is loaded again",
        say("{} of the {} read from device memory were spilled before.", share_words(share), bytes_words(program.bytes_read)),
        "work on smaller tiles", "Work on smaller tiles, or use intermediate results before you compute others.", program);
  });
}

std::optional<Advice> judge_repeated_loads(const AdviceInput& input) {
  const Tensors& tensors = input.profile.tensors;
  Row most = kNoRow;
  double most_times = kMostLoads;
  std::int64_t found = 0;
  for (Row row = 0; row < tensors.rows(); ++row) {
    if (tensors.loaded_bytes[row] == kUnknown || tensors.bytes[row] <= 0) continue;
    const double times = static_cast<double>(tensors.loaded_bytes[row]) / static_cast<double>(tensors.bytes[row]);
    if (!(times > kMostLoads)) continue;
    ++found;
    if (times <= most_times && most != kNoRow) continue;
    most = row;
    most_times = times;
  }
  if (found == 0 || input.programs.empty()) return std::nullopt;
  return about(input.verdict.per_step(input.programs.front().copies.active), "Tensors are loaded again and again",
               say("{} loaded more than {} times over; {} was loaded {} times, {} in all.",
                   count_words(found, "{} tensor was", "{} tensors were"), count_words(static_cast<std::int64_t>(kMostLoads)),
                   input.profile.text(tensors.name[most]), number_words(most_times, 1),
                   bytes_words(static_cast<double>(tensors.loaded_bytes[most]))),
               "load each tensor once",
               "Order the loops so that a tile of it stays in the core's own memory until all work that needs it has run.",
               input.programs.front());
}

std::optional<Advice> judge_small_copies(const AdviceInput& input) {
  return first_of(input, [&](const DeviceTotals& program) -> std::optional<Advice> {
    const double share = static_cast<double>(program.small_copies) / static_cast<double>(program.needful_copies);
    const double copying = program.copies.active / program.active;
    if (program.needful_copies == 0 || !(share > kSmallCopies) || !(copying > kCopyingShare)) return std::nullopt;
    return about(
        input.verdict.per_step(program.copies.active), "Most copies are too small",
        say("{} of {} copies carry less than 512 B; copies are active in {} of the active time.",
            count_words(program.small_copies), count_words(program.needful_copies), share_words(copying)),
        "move more with each copy",
        "Move 4 KiB or more with each descriptor: longer rows, tiles that are contiguous in device memory, fewer partitions.",
        program);
  });
}

std::optional<Advice> judge_kernel_coverage(const AdviceInput& input) {
  return first_of(input, [](const DeviceTotals& program) -> std::optional<Advice> {
    std::vector<Message> engines;
    for (const EngineTotals& engine : program.engines) {
      const double share = static_cast<double>(engine.by_hand) / static_cast<double>(engine.instructions);
      if (engine.by_hand == 0 || !(share < kKernelShare)) continue;
      engines.push_back(say("{} of the instructions of {}", share_words(share), engine.name));
    }
    if (engines.empty()) return std::nullopt;
    return about(
        kUnknownReal, "Hand-written kernels are a small part of the program",
        say("They account for {}; the compiler made the others.", listed_messages(", ", std::move(engines))),
        "see what takes the rest of the time",
        "Before you tune them further, see in the Kernels view, grouped by line of source, what takes the rest of the time.",
        program);
  });
}

std::optional<Advice> judge_slow_collective(const AdviceInput& input) {
  if (input.programs.empty()) return std::nullopt;
  const Profile& profile = input.profile;
  std::map<std::pair<StringId, std::int64_t>, std::vector<Row>> groups;  // by name and bytes
  for (Row row = 0; row < profile.collectives.rows(); ++row) {
    const Row slice = profile.collectives.slice[row];
    if (profile.slices.kind[slice] != SliceKind::collective) continue;
    groups[{profile.slices.name[slice], profile.collectives.in_bytes[row]}].push_back(slice);
  }
  Row slowest = kNoRow;
  double slowest_times = kSlowCollective;
  Time median = 0;
  for (auto& [group, slices] : groups) {
    if (slices.size() < kFewestOfGroup) continue;
    std::sort(slices.begin(), slices.end(),
              [&](Row a, Row b) { return profile.slices.duration[a] < profile.slices.duration[b]; });
    const Time middle = profile.slices.duration[slices[slices.size() / 2]];
    const double times =
        middle > 0 ? static_cast<double>(profile.slices.duration[slices.back()]) / static_cast<double>(middle) : 0;
    if (times <= slowest_times) continue;
    slowest_times = times;
    slowest = slices.back();
    median = middle;
  }
  if (slowest == kNoRow) return std::nullopt;
  Advice advice = about(
      input.verdict.per_step(static_cast<double>(profile.slices.duration[slowest] - median)),
      "Collective much slower than similar ones",
      say("{} took {}, {} times the median of {} of those of its name and size.", profile.text(profile.slices.name[slowest]),
          time_words(profile.slices.duration[slowest]), number_words(slowest_times, 1), time_words(median)),
      "see which rank came late", "See which rank came late, and what it did before.", input.programs.front());
  go_to_slice(advice, slowest);
  advice.change = change_of_names(profile, "collective", {profile.slices.name[slowest]}, " free");
  return advice;
}

}  // namespace

std::span<const AdviceRule> neuron_program_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"useful_flops", "model FLOPs < 50% of peak x active time of the engine with matrix units",
       "(1 - that share) x that active time", kNew, judge_useful_flops},
      {"throttling", "any state of throttling that allows less than full speed", "time x (1 - allowed speed)", kNew,
       judge_throttling},
      {"transposes", "transpose FLOPs > 10% of hardware FLOPs", "that share x computing", kNew, judge_transposes},
      {"spill_reloads", "spilled bytes that are loaded again > 25% of the bytes read from device memory",
       "that share x time in which copies are active", kNew, judge_reloads, "category:copy free"},
      {"repeated_loads", "bytes loaded of a tensor > 2 x its size", "time in which copies are active", kNew, judge_repeated_loads,
       "category:copy free"},
      {"small_copies",
       "over 50% of the copies that carry data (over 4 B, no instructions) are under 512 B, and copies are active in over 10% of "
       "the active time",
       "time in which copies are active", kNew, judge_small_copies, "category:copy free"},
      {"kernel_coverage", "an engine that runs hand-written kernels has < 50% of its instructions from them", "", kNew,
       judge_kernel_coverage},
      {"slow_collective",
       "a collective of a program > 2 x the median of those of its name and size, of which there are 4 or more",
       "its time - the median", kNew, judge_slow_collective, "collective:NAME free"},
  };
  return rules;
}

}  // namespace sightline::analyses
