// Advice about the devices: data parallelism, utilization, matrix units, memory, small kernels.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analyses/advice/recommendations.h"
#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr double kLowUtilization = 0.5;
constexpr double kFullMemory = 0.9;
constexpr double kKnownNames = 0.9;
constexpr std::int64_t kMatrixGeneration = 7;  // compute capability from which devices have matrix units
constexpr Time kSmallKernel = 10'000;          // ns
constexpr double kStormCount = 0.5;
constexpr double kStormTime = 0.1;
constexpr double kMovingShare = 0.1;
constexpr std::int64_t kStormKernels = 100;

bool has_slice_named(const Profile& profile, std::string_view name) {
  const StringId id = profile.strings.find(name);
  return id != StringId::none &&
         std::find(profile.slices.name.begin(), profile.slices.name.end(), id) != profile.slices.name.end();
}

bool has_kind(const Profile& profile, SliceKind kind) {
  return std::find(profile.slices.kind.begin(), profile.slices.kind.end(), kind) != profile.slices.kind.end();
}

Message device_list(const std::vector<std::int64_t>& devices) {
  const Message last = Message::verbatim(std::to_string(devices.back()));
  if (devices.size() == 1) return say("Device {}", last);
  std::vector<Message> others;
  for (std::size_t i = 0; i + 1 < devices.size(); ++i) others.push_back(Message::verbatim(std::to_string(devices[i])));
  return say("Devices {}", say("{} and {}", listed_messages(", ", std::move(others)), last));
}

std::int64_t used_devices(const StepSummary& summary) {
  return std::count_if(summary.devices.begin(), summary.devices.end(), [](const DeviceActivity& d) { return d.kernels > 0; });
}

std::optional<Advice> judge_data_parallel(const AdviceInput& input) {
  const std::int64_t used = used_devices(input.summary);
  if (used < 2 || !has_slice_named(input.profile, "DataParallel.forward")) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.step - input.verdict.of(Bound::device);
  advice.title = "One process drives several devices";
  advice.evidence = say("DataParallel.forward was recorded, and {} devices ran kernels of this process.", used);
  advice.brief = "use one process per device";
  advice.action =
      "Use one process per device (DistributedDataParallel): it avoids copying the model each step and the interpreter's lock.";
  advice.doc_url = "https://pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html";
  return advice;
}

std::optional<Advice> judge_host_side_communication(const AdviceInput& input) {
  const Profile& profile = input.profile;
  if (used_devices(input.summary) == 0 || !has_slice_named(profile, "DistributedDataParallel.forward")) return std::nullopt;
  if (has_kind(profile, SliceKind::collective) || !has_kind(profile, SliceKind::host_communication)) return std::nullopt;
  Advice advice;
  advice.gain = input.verdict.of(Bound::communication) + input.verdict.of(Bound::copies);
  advice.title = "Gradients travel through the host";
  advice.evidence =
      "Distributed training on a device was recorded with communication on the host, and no collective ran on the device.";
  advice.brief = "communicate directly between devices";
  advice.action =
      "Choose a communication back end that exchanges directly between devices (NCCL on NVIDIA GPUs, its counterpart elsewhere).";
  advice.doc_url = "https://pytorch.org/docs/stable/distributed.html";
  return advice;
}

std::optional<Advice> judge_utilization(const AdviceInput& input) {
  std::vector<std::int64_t> low;
  std::vector<Message> shares;
  if (!input.summary.unrecorded.empty()) return std::nullopt;  // it may have worked more
  for (const DeviceActivity& device : input.summary.devices) {
    if (device.kernels == 0 || !(device.utilization < kLowUtilization)) continue;
    low.push_back(device.device);
    shares.push_back(Message::verbatim(share_words(device.utilization)));
  }
  if (low.empty()) return std::nullopt;
  const Message figures = listed_messages(", ", std::move(shares));
  Advice advice;
  advice.gain = input.verdict.step - input.verdict.of(Bound::device);
  advice.title = "Low device utilization";
  advice.evidence = low.size() == 1
                        ? say("{} runs kernels during only {} of {whole}.", device_list(low), figures, input.verdict.whole())
                        : say("{} run kernels during only {} of {whole}.", device_list(low), figures, input.verdict.whole());
  advice.brief = "find what the device waits for";
  advice.action =
      runs_programs(input.profile)
          ? "See on the timeline what its engines wait for: late copies, each other, or the start of the program."
          : "Find what the device waits for in the step breakdown first; a larger batch raises utilization when memory allows, "
            "but can "
            "change convergence.";
  advice.link_view = "kernels";
  if (low.size() == 1) advice.link_parameters = {{"device", std::to_string(low.front())}};
  return advice;
}

// Kernel time of the innermost eligible operators, and of all operators.
struct EligibleTime {
  Time eligible = 0;
  Time all = 0;
  std::vector<StringId> names{};  // of the eligible ones
};

EligibleTime eligible_time(const Profile& profile, const HostTree& tree) {
  std::vector<Time> kernels(tree.nodes(), 0);
  EligibleTime time;
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row node = tree.node_of_owner(profile.device_work.owner[work]);
    const Row slice = profile.device_work.slice[work];
    if (node != kNoRow && is_kernel(profile.slices.kind[slice])) kernels[node] += profile.slices.duration[slice];
  }
  std::vector<std::uint8_t> eligible_inside(tree.nodes(), 0);
  for (Row node = static_cast<Row>(tree.nodes()); node-- > 0;) {
    if (tree.absorbed(node)) continue;
    const bool eligible = tree.is_operator(node) && tree.matrix_eligible[node] != 0;
    if (eligible && !eligible_inside[node] && kernels[node] > 0) {
      time.eligible += kernels[node];
      const StringId name = profile.slices.name[tree.slice[node]];
      if (std::find(time.names.begin(), time.names.end(), name) == time.names.end()) time.names.push_back(name);
    }
    const Row parent = tree.parent[node];
    const bool outermost = tree.is_operator(node) && (parent == kNoRow || !tree.is_operator(parent));
    if (outermost) time.all += kernels[node];
    if (parent == kNoRow) continue;
    kernels[parent] += kernels[node];
    eligible_inside[parent] |= eligible || eligible_inside[node];
  }
  return time;
}

bool has_matrix_device(const Profile& profile) {
  const auto& major = profile.devices.compute_major;
  return std::any_of(major.begin(), major.end(), [](std::int64_t generation) { return generation >= kMatrixGeneration; });
}

// How many times as fast as its other cores a device's matrix units multiply at most (half precision against single), by the
// generation of the oldest device that has them.
double matrix_speed_up(const Profile& profile) {
  std::int64_t oldest = kUnknown;
  for (const std::int64_t generation : profile.devices.compute_major) {
    if (generation >= kMatrixGeneration && (oldest == kUnknown || generation < oldest)) oldest = generation;
  }
  return oldest == kMatrixGeneration ? 8 : 16;
}

// Whether the name of a kernel that belongs to a family of matrix units says that this one multiplies on ordinary cores: in
// fp32 by the instruction FFMA. The column that compares with the TensorBoard plugin counts it as the plugin does.
bool multiplies_on_ordinary_cores(std::string_view kernel) {
  const auto has = [&](std::string_view part) { return kernel.find(part) != kernel.npos; };
  return has("ffma") || has("_simt_") || (has("xmma") && has("f32f32") && !has("tf32"));
}

// Kernel time on matrix units, as far as the kernels' names show it.
struct CoreTime {
  double matrix = 0;
  double known = 0;
  double all = 0;
};

CoreTime core_time(const Profile& profile) {
  CoreTime time;
  std::unordered_map<StringId, bool> ordinary;  // by name
  const auto is_ordinary = [&](StringId name) {
    const auto [known, is_new] = ordinary.try_emplace(name, false);
    if (is_new) known->second = multiplies_on_ordinary_cores(profile.text(name));
    return known->second;
  };
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    if (!is_kernel(profile.slices.kind[slice])) continue;
    const double duration = static_cast<double>(profile.slices.duration[slice]);
    time.all += duration;
    if (profile.device_work.core_type[work] != CoreType::unknown) time.known += duration;
    const bool is_matrix = profile.device_work.core_type[work] == CoreType::matrix;
    if (is_matrix && !is_ordinary(profile.slices.name[slice])) time.matrix += duration;
  }
  return time;
}

std::optional<Advice> judge_mixed_precision(const AdviceInput& input) {
  if (!has_matrix_device(input.profile)) return std::nullopt;
  const CoreTime cores = core_time(input.profile);
  if (cores.all == 0 || cores.matrix > 0 || cores.known < kKnownNames * cores.all) return std::nullopt;
  const EligibleTime time = eligible_time(input.profile, *input.summary.tree);
  if (time.all == 0 || time.eligible == 0) return std::nullopt;
  const double share = static_cast<double>(time.eligible) / static_cast<double>(time.all);
  Advice advice;
  const double speed_up = matrix_speed_up(input.profile);
  advice.gain = share * input.verdict.of(Bound::device) * (1 - 1 / speed_up);
  advice.change = change_of_names(input.profile, "operator", time.names, fmt::format("*{}", 1 / speed_up));
  const Message matrix = device_words(input.profile).matrix;
  advice.title = say("{} are not used", title_word(matrix));
  advice.evidence = say("{} of the operators' kernel time is launched by operators that {} can run, and no kernel runs on them.",
                        share_words(share), matrix);
  advice.brief = say("compute on {}: mixed precision, or TF32", matrix);
  advice.action = "Compute in a lower precision where it is safe (automatic mixed precision, or TF32 for matrix products).";
  advice.link_view = "kernels";
  advice.link_parameters = {{"group_by", "launch"}, {"tensor_cores", "not used"}};
  advice.doc_url = "https://pytorch.org/docs/stable/amp.html";
  return advice;
}

std::optional<Advice> judge_memory(const AdviceInput& input) {
  const Profile& profile = input.profile;
  std::vector<Message> evidence;
  for (Row device = 0; device < profile.devices.rows(); ++device) {
    const std::int64_t memory = profile.devices.memory[device];
    std::int64_t peak = 0;
    for (Row i = 0; i < profile.memory_events.rows(); ++i) {
      const bool here =
          profile.memory_events.device_type[i] != 0 && profile.memory_events.device[i] == profile.devices.ordinal[device];
      if (here) peak = std::max(peak, profile.memory_events.total_allocated[i]);
    }
    if (memory <= 0 || static_cast<double>(peak) <= kFullMemory * static_cast<double>(memory)) continue;
    evidence.push_back(say("{} {} had {} allocated at the peak, {} of its memory.", title_word(device_words(profile).device),
                           profile.devices.ordinal[device], bytes_words(static_cast<double>(peak)),
                           share_words(static_cast<double>(peak) / static_cast<double>(memory))));
  }
  if (evidence.empty()) return std::nullopt;
  Advice advice;
  advice.title = "Device memory is nearly full";
  advice.evidence = sentences(std::move(evidence));
  advice.brief = "use less device memory";
  advice.action =
      "Recompute activations instead of keeping them (checkpointing), use mixed precision, or shard the model; a fuller device "
      "spends time on freeing and retrying.";
  advice.link_view = "memory";
  advice.doc_url = "https://pytorch.org/docs/stable/checkpoint.html";
  return advice;
}

std::optional<Advice> judge_small_kernels(const AdviceInput& input) {
  if (runs_programs(input.profile)) return std::nullopt;  // instructions are short by nature, and have no launch
  std::int64_t count = 0;
  std::int64_t small = 0;
  double total = 0;
  double small_total = 0;
  for (const Row slice : input.profile.device_work.slice) {
    if (input.profile.slices.kind[slice] != SliceKind::kernel) continue;
    const Time duration = input.profile.slices.duration[slice];
    ++count;
    total += static_cast<double>(duration);
    if (duration >= kSmallKernel) continue;
    ++small;
    small_total += static_cast<double>(duration);
  }
  const bool storm = count >= kStormKernels && static_cast<double>(small) > kStormCount * static_cast<double>(count) &&
                     small_total > kStormTime * total;
  if (!storm) return std::nullopt;
  Advice advice;
  advice.gain = computing_gain(input, small_total);
  advice.title = "Most kernels are tiny";
  advice.evidence = say("{} of {} kernels ({}) are shorter than {}; they make up {} of the kernel time.", count_words(small),
                        count_words(count), share_words(static_cast<double>(small) / static_cast<double>(count)),
                        time_words(kSmallKernel), share_words(small_total / total));
  advice.brief = "fuse small kernels: compile the model";
  advice.action =
      "Fuse elementwise work (compile the model, or use fused optimizers and layers), or batch small operations together.";
  advice.link_view = "kernels";
  return advice;
}

// Kernels that move data more than they compute, by their names.
bool moves_data(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {"elementwise", "pointwise", "copy",  "catarray", "concat",
                                                      "cast",        "fill",      "where", "index"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return contains_text(name, word); });
}

// Kernels of one kind by name: how long they ran, and the name with most time.
struct NamedKernels {
  Time time = 0;
  std::vector<StringId> names{};  // by time
  Time largest_time = 0;
};

NamedKernels data_movers(const Profile& profile) {
  std::map<StringId, Time> names;
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    const bool counts =
        profile.slices.kind[slice] == SliceKind::kernel && profile.device_work.core_type[work] != CoreType::matrix;
    if (counts) names[profile.slices.name[slice]] += profile.slices.duration[slice];
  }
  NamedKernels found;
  std::erase_if(names, [&](const auto& each) { return !moves_data(profile.text(each.first)); });
  for (const auto& [name, time] : names) {
    found.time += time;
    found.names.push_back(name);
  }
  sort_down(found.names, [&](StringId each) { return names[each]; });
  if (!found.names.empty()) found.largest_time = names[found.names.front()];
  return found;
}

std::optional<Advice> judge_beyond_matrix_units(const AdviceInput& input) {
  if (input.verdict.bound() != Bound::device || runs_programs(input.profile)) return std::nullopt;
  const CoreTime cores = core_time(input.profile);
  const NamedKernels movers = data_movers(input.profile);
  const auto moving = static_cast<double>(movers.time);
  const double gain = computing_gain(input, moving);
  if (cores.matrix == 0 || cores.known < kKnownNames * cores.all || gain < kMovingShare * input.verdict.step) return std::nullopt;
  const Message matrix = device_words(input.profile).matrix;
  Advice advice;
  advice.gain = gain;
  advice.change = change_of_names(input.profile, "kernel", movers.names, " free");
  advice.title = "Much of the kernel time only moves data";
  advice.evidence =
      say("{} of the kernel time is not on {}; elementwise work, copies and concatenations take {}, most of it in {} ({}).",
          share_words(1 - cores.matrix / cores.all), matrix, share_words(moving / cores.all),
          short_name(input.profile.text(movers.names.front())), time_words(movers.largest_time));
  advice.brief = "fuse elementwise work and copies: compile the model";
  advice.action =
      "Such kernels wait for memory: fuse them (compile the model, or use fused norms, activations, attention and optimizers), "
      "avoid copies (contiguous(), cat(), casts), and use a lower precision.";
  advice.link_view = "kernels";
  advice.link_parameters = {{"tensor_cores", "not used"}};
  return advice;
}

}  // namespace

std::span<const AdviceRule> device_advice_rules() {
  static const std::vector<AdviceRule> rules{
      {"data_parallel", "a range named DataParallel.forward, and kernels on 2 devices or more", "the step without computing", "",
       judge_data_parallel, "host*0; no-sync"},
      {"host_side_communication",
       "a range named DistributedDataParallel.forward, kernels on a device, host communication, and no collective kernel",
       "communication + memory copies of the step",
       "The TensorBoard plugin also fired on host-only training, and looked for ranges named nccl instead of collective kernels.",
       judge_host_side_communication},
      {"low_utilization", "utilization of a device that ran kernels < 50%; left out where another rule is about the idle time",
       "the step without computing", "", judge_utilization, "host*0; no-sync"},
      {"mixed_precision",
       "a device of compute capability 7 or more, no kernel time on matrix units, names known for >= 90% of kernel time, and "
       "eligible operators with kernels; evidence: kernel time of innermost eligible operators / kernel time of all operators",
       "that share of computing x 7/8; from compute capability 8 on x 15/16: single precision against half precision on "
       "matrix units",
       "The TensorBoard plugin fired wherever it did not know the names of the kernels.", judge_mixed_precision,
       "operator:NAME*0.125; from compute capability 8 on operator:NAME*0.0625"},
      {"memory_pressure", "largest total allocated of a device > 90% of its memory", "",
       "The TensorBoard plugin compared the host's peak with the last device, and named only the first.", judge_memory},
      {"small_kernels", "100 kernels or more, over 50% of them shorter than 10 µs, and those take over 10% of kernel time",
       "their share of kernel time x computing of the step", kNew, judge_small_kernels, "shorter:10us free"},
      {"beyond_matrix_units",
       "the step is bound by computing, matrix units are used, names known for >= 90% of kernel time, and kernels off matrix "
       "units whose names say that they move data (elementwise, copy, cat, cast, fill, index) take >= 10% of the step",
       "their share of kernel time x computing of the step", kNew, judge_beyond_matrix_units, "kernel:NAME free"},
  };
  return rules;
}

}  // namespace sightline::analyses
