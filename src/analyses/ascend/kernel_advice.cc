// Advice about kernels on an Ascend NPU, from the columns that msprof records: the core that ran a kernel (AI CPU, AI Core), its
// OP State, its block dimensions, the ratios of the AI Core's pipelines, and its clock. A rule gives no advice where its columns
// were not recorded. The thresholds are those of the advisor of msprof-analyze unless a rule names another source.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/advice/recommendations.h"
#include "analyses/ascend/ascend.h"
#include "analyses/facts.h"
#include "analyses/words.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

constexpr Time kLongKernel = 20'000;        // ns: shorter kernels are not worth tuning individually
constexpr double kBound = 0.8;              // a pipeline's ratio
constexpr double kLeastShare = 0.01;        // of the kernel time
constexpr Time kLeastTime = 1'000'000'000;  // ns
constexpr double kMacBusy = 0.8, kMte2Busy = 0.95;
constexpr double kAttentionMte2 = 0.8, kAttentionFixpipe = 0.75, kAttentionVec = 0.75;
constexpr double kVectorSum = 0.9, kVectorEach = 0.7;
constexpr std::int64_t kInnerAxis = 128;  // elements
constexpr double kSlowClock = 0.05;

template <typename Take>
void each_kernel(const Profile& profile, Take&& take) {
  for (Row work = 0; work < profile.device_work.rows(); ++work) {
    const Row slice = profile.device_work.slice[work];
    if (profile.slices.kind[slice] == SliceKind::kernel) take(work, slice);
  }
}

double share_of(Time part, Time whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

// "MatMul_3 (launched by aten::mm)".
Message kernel_words(const Profile& profile, Row slice) {
  const Message name = Message::verbatim(profile.text(profile.slices.name[slice]));
  const auto at = std::lower_bound(profile.device_work.slice.begin(), profile.device_work.slice.end(), slice);
  const Row owner = profile.device_work.owner[static_cast<std::size_t>(at - profile.device_work.slice.begin())];
  if (owner == kNoRow) return name;
  return say("{} (launched by {})", name, profile.text(profile.slices.name[owner]));
}

// `gain`: ns per step; `without`: the scenario that it is of.
Advice about_kernels(double gain, std::string without, Message title, Message evidence, Message brief, Message action) {
  Advice advice;
  advice.gain = gain;
  advice.change = std::move(without);
  advice.title = std::move(title);
  advice.evidence = std::move(evidence);
  advice.brief = std::move(brief);
  advice.action = std::move(action);
  advice.link_view = "kernels";
  return advice;
}

std::string without(const Profile& profile, const std::vector<StringId>& kernels) {
  return change_of_names(profile, "kernel", kernels, " free");
}

std::string text_fact(const Profile& profile, Row slice, std::string_view name) {
  return std::string(text_of(profile, slice, FactName(profile, {name})));
}

// ---- AI CPU ----

std::optional<Advice> judge_ai_cpu_kernels(const AdviceInput& input) {
  const Profile& profile = input.profile;
  FoundSlices found;
  each_kernel(profile, [&](Row work, Row slice) {
    if (profile.device_work.core_type[work] != CoreType::host || profile.slices.duration[slice] <= kLongKernel) return;
    found.add(profile, slice);
  });
  if (found.count == 0) return std::nullopt;
  const double share = share_of(found.time, kernel_time(profile));
  const std::string types = text_fact(profile, found.longest, "Input Data Types");
  return about_kernels(
      computing_gain(input, static_cast<double>(found.time)), without(profile, found.names), "Kernels run on the device's CPU",
      say("{} longer than {} ran on a CPU core of the device and took {} ({} of the kernel time); the longest is {}.",
          count_words(found.count, "{} kernel", "{} kernels"), time_words(kLongKernel), time_words(found.time),
          share_words(share),
          types.empty() ? kernel_words(profile, found.longest)
                        : say("{}, on inputs of {}", kernel_words(profile, found.longest), types)),
      "keep these kernels off the device's CPU",
      "CPU cores run kernels that the other cores have no code for, often only because of the element type: cast 64-bit "
      "integers, doubles and "
      "complex numbers to 32 or 16 bits first, or replace the operator by one that the device's cores can run.");
}

// ---- dynamic shapes ----

bool is_compile_call(std::string_view name) {
  return name.find("opCompile") != std::string_view::npos || name.find("aclopCompile") != std::string_view::npos;
}

// The outermost ranges in which operators are compiled.
FoundSlices compile_calls(const Profile& profile) {
  FoundSlices found;
  each_of_kind(profile, SliceKind::runtime, [&](Row slice) {
    const Row parent = profile.slices.parent[slice];
    if (!is_compile_call(profile.text(profile.slices.name[slice]))) return;
    if (parent == kNoRow || !is_compile_call(profile.text(profile.slices.name[parent]))) found.add(profile, slice);
  });
  return found;
}

std::optional<Advice> judge_dynamic_shapes(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const FactName state(profile, {"OP State"});
  const FoundSlices compiles = compile_calls(profile);
  if (compiles.count == 0 || !state.is_known()) return std::nullopt;
  FoundSlices found;
  each_kernel(profile, [&](Row, Row slice) {
    if (text_of(profile, slice, state) == "dynamic") found.add(profile, slice);
  });
  if (found.count == 0) return std::nullopt;
  const double share = input.idle.steps > 0 ? share_of(compiles.time, input.idle.steps) : 0;
  Advice advice = about_kernels(
      input.verdict.per_step(static_cast<double>(compiles.time)), change_of_names(profile, "host", compiles.names, "*0"),
      "Operators are compiled while the model runs",
      say("{} compiled operators and took {} of the host's time, {}; {} had shapes that were not known in advance, such as {}.",
          count_words(compiles.count, "{} call", "{} calls"), time_words(compiles.time),
          input.idle.steps > 0 ? say("{} of the steps", share_words(share)) : Message("of steps of unknown length"),
          count_words(found.count, "{} kernel", "{} kernels"), kernel_words(profile, found.longest)),
      "use operators that are compiled already",
      "Use the kernels that are compiled already: torch_npu.npu.set_compile_mode(jit_compile=False) and "
      "torch_npu.npu.config.allow_internal_format = False; else make shapes the same in every step.");
  return advice;
}

// ---- block dimensions ----

std::optional<Advice> judge_block_count(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const FactName mixed(profile, {"Mix Block Dim", "Mix Block Num"});
  FoundSlices found;
  std::int64_t blocks_of_longest = 0, cores_of_longest = 0;
  each_kernel(profile, [&](Row work, Row slice) {
    const std::int64_t device = profile.device_work.device[work];
    const auto at = std::find(profile.devices.ordinal.begin(), profile.devices.ordinal.end(), device);
    if (at == profile.devices.ordinal.end()) return;
    const std::int64_t cores = profile.devices.cores[static_cast<std::size_t>(at - profile.devices.ordinal.begin())];
    const CoreType core = profile.device_work.core_type[work];
    const auto blocks = whole_number<std::int64_t>(profile.text(profile.device_work.grid[work]));
    if ((core != CoreType::matrix && core != CoreType::mixed) || !blocks || *blocks <= 0 || cores <= 0) return;
    if (*blocks % cores == 0 || profile.slices.duration[slice] < kLongKernel) return;
    const double vector_blocks = fact_number(profile, slice, mixed);
    if (core == CoreType::mixed && vector_blocks > 0 && std::llround(vector_blocks) % cores == 0) return;
    found.add(profile, slice);
    if (found.longest != slice) return;
    blocks_of_longest = *blocks;
    cores_of_longest = cores;
  });
  const double share = share_of(found.time, kernel_time(profile));
  if (found.count == 0 || share < kLeastShare) return std::nullopt;
  return about_kernels(computing_gain(input, static_cast<double>(found.time)), without(profile, found.names),
                       "Kernels leave cores without work",
                       say("{} of {} or more ran in a number of blocks that is not a multiple of the number of cores, and took "
                           "{} of the kernel time. The longest is {}: {} blocks on {} cores.",
                           count_words(found.count, "{} kernel", "{} kernels"), time_words(kLongKernel), share_words(share),
                           kernel_words(profile, found.longest), count_words(blocks_of_longest), count_words(cores_of_longest)),
                       "tune the tiling of these operators",
                       "Tune how these operators are tiled, or choose shapes (batch, hidden size) that divide evenly.");
}

// ---- pipelines of the AI Core ----

// Shares of a kernel's time in which each pipeline of the AI Core worked; NaN where not recorded. The cube (mac) has mte2 to load
// it, mte1 to feed it and fixpipe to store its results; the vector unit (vec) has its own mte2, and mte3 to store.
class Pipelines {
 public:
  explicit Pipelines(const Profile& profile)
      : profile_(profile),
        mac_(profile, {"aic_mac_ratio", "mac_ratio"}),
        mte2_(profile, {"aic_mte2_ratio", "mte2_ratio"}),
        mte1_(profile, {"aic_mte1_ratio", "mte1_ratio"}),
        aic_scalar_(profile, {"aic_scalar_ratio", "scalar_ratio"}),
        fixpipe_(profile, {"aic_fixpipe_ratio", "fixpipe_ratio"}),
        vec_(profile, {"aiv_vec_ratio", "vec_ratio"}),
        aiv_mte2_(profile, {"aiv_mte2_ratio"}),
        mte3_(profile, {"aiv_mte3_ratio", "mte3_ratio"}),
        aiv_scalar_(profile, {"aiv_scalar_ratio"}) {}

  bool any() const { return mac_.is_known() || vec_.is_known(); }

  double mac(Row slice) const { return fact_number(profile_, slice, mac_); }
  double mte2(Row slice) const { return fact_number(profile_, slice, mte2_); }
  double fixpipe(Row slice) const { return fact_number(profile_, slice, fixpipe_); }
  double vec(Row slice) const { return fact_number(profile_, slice, vec_); }
  double aiv_mte2(Row slice) const { return fact_number(profile_, slice, aiv_mte2_); }
  double mte3(Row slice) const { return fact_number(profile_, slice, mte3_); }

  // The busiest pipeline's ratio, 0 when none worked; NaN when none was recorded.
  double busiest(Row slice) const {
    double most = kUnknownNumber;
    for (const FactName* name : {&mac_, &mte2_, &mte1_, &aic_scalar_, &vec_, &aiv_mte2_, &mte3_, &aiv_scalar_}) {
      const double ratio = fact_number(profile_, slice, *name);
      if (!std::isnan(ratio)) most = std::isnan(most) ? ratio : std::max(most, ratio);
    }
    return most;
  }

 private:
  const Profile& profile_;
  FactName mac_, mte2_, mte1_, aic_scalar_, fixpipe_, vec_, aiv_mte2_, mte3_, aiv_scalar_;
};

std::optional<Advice> judge_unbound_kernels(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const Pipelines pipelines(profile);
  if (!pipelines.any()) return std::nullopt;
  FoundSlices found;
  each_kernel(profile, [&](Row, Row slice) {
    const double busiest = pipelines.busiest(slice);
    if (profile.slices.duration[slice] >= kLongKernel && busiest > 0 && busiest <= kBound) found.add(profile, slice);
  });
  const double share = share_of(found.time, kernel_time(profile));
  if (found.count == 0 || share < kLeastShare) return std::nullopt;
  return about_kernels(
      computing_gain(input, static_cast<double>(found.time)), without(profile, found.names),
      "Kernels do not fully use any pipeline of their cores",
      say("In {} of {} or more, no pipeline works for over {} of the time; this is {} of the kernel time. The longest is {}: its "
          "busiest pipeline works for {} of {}.",
          count_words(found.count, "{} kernel", "{} kernels"), time_words(kLongKernel), share_words(kBound), share_words(share),
          kernel_words(profile, found.longest), share_words(pipelines.busiest(found.longest)),
          time_words(profile.slices.duration[found.longest])),
      "tune or fuse these kernels",
      "Neither computing nor memory limits these: tune their tiling (AOE does so for operators of the library), fuse them with "
      "their "
      "neighbours, or give them larger inputs.");
}

// The last axis of the first input: "32,9216;9216,4096" has 9216.
std::int64_t inner_axis(std::string_view shapes) {
  const std::string_view first = shapes.substr(0, shapes.find(';'));
  const std::size_t comma = first.rfind(',');
  return whole_number<std::int64_t>(comma == std::string_view::npos ? first : first.substr(comma + 1)).value_or(kUnknown);
}

bool is_attention(std::string_view type) {
  return type.find("FlashAttention") != std::string_view::npos || type.find("FusedInferAttention") != std::string_view::npos;
}

// Kernels of one type: ratios as means weighted by time.
struct TypeSums {
  FoundSlices all;
  double known = 0;  // ns of kernels with these figures
  double mac = 0, mte2 = 0, fixpipe = 0, vec = 0, aiv_mte2 = 0, mte3 = 0;
  std::int64_t odd_axes = 0;
  bool on_matrix = false;

  double mean(double sum) const { return known > 0 ? sum / known : kUnknownNumber; }
};

double or_zero(double value) { return std::isnan(value) ? 0 : value; }

std::map<std::string, TypeSums> sums_by_type(const Profile& profile, const Pipelines& pipelines) {
  const FactName shapes(profile, {"Input Shapes"});
  std::map<std::string, TypeSums> types;
  each_kernel(profile, [&](Row work, Row slice) {
    const CoreType core = profile.device_work.core_type[work];
    if (core != CoreType::matrix && core != CoreType::vector && core != CoreType::mixed) return;
    const double mac = pipelines.mac(slice), vec = pipelines.vec(slice);
    if (!(or_zero(mac) > 0) && !(or_zero(vec) > 0)) return;
    const std::string_view type = profile.text(profile.device_work.type[work]);
    TypeSums& sums = types[std::string(type.empty() ? profile.text(profile.slices.name[slice]) : type)];
    const auto time = static_cast<double>(profile.slices.duration[slice]);
    sums.all.add(profile, slice);
    sums.known += time;
    sums.on_matrix |= or_zero(mac) > 0;
    sums.mac += time * or_zero(mac);
    sums.mte2 += time * or_zero(pipelines.mte2(slice));
    sums.fixpipe += time * or_zero(pipelines.fixpipe(slice));
    sums.vec += time * or_zero(vec);
    sums.aiv_mte2 += time * or_zero(pipelines.aiv_mte2(slice));
    sums.mte3 += time * or_zero(pipelines.mte3(slice));
    const std::int64_t axis = inner_axis(text_of(profile, slice, shapes));
    sums.odd_axes += axis != kUnknown && axis % kInnerAxis != 0;
  });
  return types;
}

// What is wrong with kernels of this type; empty if nothing.
Message core_fault(const std::string& type, const TypeSums& sums) {
  const double mac = sums.mean(sums.mac), mte2 = sums.mean(sums.mte2), vec = sums.mean(sums.vec);
  if (is_attention(type)) {
    const double fixpipe = sums.mean(sums.fixpipe);
    if (mte2 >= kAttentionMte2 || fixpipe >= kAttentionFixpipe || vec >= kAttentionVec) return {};
    return say("loading {}, storing {} and vector {} of the time", share_words(mte2), share_words(fixpipe), share_words(vec));
  }
  if (sums.on_matrix) {
    if (mac >= kMacBusy || mte2 >= kMte2Busy) return {};
    return say("matrix unit {} and loading {} of the time", share_words(mac), share_words(mte2));
  }
  const double aiv_mte2 = sums.mean(sums.aiv_mte2), mte3 = sums.mean(sums.mte3);
  if (vec + aiv_mte2 + mte3 >= kVectorSum || std::max({vec, aiv_mte2, mte3}) >= kVectorEach) return {};
  return say("vector {}, loading {} and storing {} of the time", share_words(vec), share_words(aiv_mte2), share_words(mte3));
}

std::optional<Advice> judge_core_performance(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const Pipelines pipelines(profile);
  if (!pipelines.any()) return std::nullopt;
  const Time all = kernel_time(profile);
  std::int64_t types = 0, odd_axes = 0;
  Time time = 0;
  std::string worst;
  Message worst_fault;
  const TypeSums* worst_sums = nullptr;
  std::vector<StringId> odd_names;
  const auto by_type = sums_by_type(profile, pipelines);
  for (const auto& [type, sums] : by_type) {
    const Message fault = core_fault(type, sums);
    if (fault.empty() || (share_of(sums.all.time, all) < kLeastShare && sums.all.time < kLeastTime)) continue;
    ++types;
    time += sums.all.time;
    odd_names.insert(odd_names.end(), sums.all.names.begin(), sums.all.names.end());
    odd_axes += sums.on_matrix ? sums.odd_axes : 0;
    if (worst_sums != nullptr && sums.all.time <= worst_sums->all.time) continue;
    worst = type;
    worst_fault = fault;
    worst_sums = &sums;
  }
  if (worst_sums == nullptr) return std::nullopt;
  const double share = share_of(time, all);
  Message evidence =
      sentences({say("{} of kernels, with {} of the kernel time, used the cores less than is usual.",
                     count_words(types, "{} type", "{} types"), share_words(share)),
                 say("Most time is in {} ({}, {}): {}.", worst, count_words(worst_sums->all.count, "{} call", "{} calls"),
                     time_words(worst_sums->all.time), worst_fault)});
  if (odd_axes > 0) {
    evidence = sentences({evidence, say("{} of the matrix kernels among them had an inner axis that is not a multiple of {}.",
                                        count_words(odd_axes), count_words(kInnerAxis))});
  }
  return about_kernels(
      computing_gain(input, static_cast<double>(time)), without(profile, odd_names), "Cores are not used well",
      std::move(evidence), "pad inner axes and fuse small operators",
      "Pad inner axes to multiples of 256 elements of 16 bits (128 of 32 bits), fuse small operators, tune the tiling of "
      "the operators named, or use larger batches.");
}

// ---- the clock ----

// The step function of a core's clock.
struct Clock {
  std::vector<Time> time;
  std::vector<double> value;
  double rated = 0;  // the highest that was recorded
};

bool is_clock(std::string_view lane) { return lane.find("Core Freq") != std::string_view::npos; }

std::map<std::int64_t, Clock> clocks_of(const Profile& profile) {
  std::map<std::int64_t, Clock> clocks;  // by device
  std::vector<std::pair<Time, Row>> order;
  for (Row i = 0; i < profile.counters.rows(); ++i) {
    if (is_clock(profile.text(profile.lanes.name[profile.counters.lane[i]]))) order.emplace_back(profile.counters.time[i], i);
  }
  std::stable_sort(order.begin(), order.end());
  for (const auto& [time, i] : order) {
    Clock& clock = clocks[profile.lanes.device[profile.counters.lane[i]]];
    clock.time.push_back(time);
    clock.value.push_back(profile.counters.value[i]);
    clock.rated = std::max(clock.rated, profile.counters.value[i]);
  }
  return clocks;
}

// Mean of (rated - value) / rated while the kernel ran; 0 before the first sample.
double slowdown(const Clock& clock, Interval kernel) {
  auto i = static_cast<std::size_t>(std::upper_bound(clock.time.begin(), clock.time.end(), kernel.start) - clock.time.begin());
  if (i == 0 || kernel.length() <= 0) return 0;
  double lost = 0;
  for (Time at = kernel.start; at < kernel.end; ++i) {
    const Time until = i < clock.time.size() ? std::min(clock.time[i], kernel.end) : kernel.end;
    lost += static_cast<double>(until - at) * (clock.rated - clock.value[i - 1]) / clock.rated;
    at = until;
  }
  return lost / static_cast<double>(kernel.length());
}

std::optional<Advice> judge_core_frequency(const AdviceInput& input) {
  const Profile& profile = input.profile;
  const std::map<std::int64_t, Clock> clocks = clocks_of(profile);
  if (clocks.empty()) return std::nullopt;
  struct Slowed {
    Time time = 0;
    double lost = 0;  // ns x share
  };
  std::map<StringId, Slowed> names;
  double rated = 0;
  each_kernel(profile, [&](Row work, Row slice) {
    const CoreType core = profile.device_work.core_type[work];
    auto clock = clocks.find(profile.device_work.device[work]);
    if (clock == clocks.end() && clocks.size() == 1) clock = clocks.begin();
    if (clock == clocks.end() || !(clock->second.rated > 0) || core == CoreType::host) return;
    rated = std::max(rated, clock->second.rated);
    Slowed& sum = names[profile.slices.name[slice]];
    sum.time += profile.slices.duration[slice];
    sum.lost += static_cast<double>(profile.slices.duration[slice]) *
                slowdown(clock->second, {profile.slices.start[slice], profile.end_of(slice)});
  });
  std::int64_t count = 0;
  Time time = 0;
  StringId worst = StringId::none;
  double worst_loss = 0, lost = 0;
  std::string at_full_clock;
  for (const auto& [name, sum] : names) {
    if (sum.time <= 0 || sum.lost / static_cast<double>(sum.time) < kSlowClock) continue;
    ++count;
    time += sum.time;
    lost += sum.lost;
    const std::string faster = fmt::format("*{:.3f}", 1 - sum.lost / static_cast<double>(sum.time));
    at_full_clock += (count > 1 ? "; " : "") + change_of_names(profile, "kernel", {name}, faster);
    if (sum.lost <= worst_loss) continue;
    worst_loss = sum.lost;
    worst = name;
  }
  if (count == 0) return std::nullopt;
  if (count > static_cast<std::int64_t>(kMostNames)) at_full_clock.clear();
  const Slowed& of_worst = names[worst];
  return about_kernels(
      computing_gain(input, lost), std::move(at_full_clock), "Cores run below their clock",
      say("{} of kernels ran while the clock was 5% or more below {} MHz, the highest recorded, and took {} of the kernel "
          "time. Most was lost in {}: {} below, over {}.",
          count_words(count, "{} name", "{} names"), number_words(rated, 0), share_words(share_of(time, kernel_time(profile))),
          profile.text(worst), share_words(of_worst.lost / static_cast<double>(of_worst.time)), time_words(of_worst.time)),
      "check the device's temperature and power limit",
      "Check the device's temperature and power limit; a clock that falls under load makes every rank wait for this one.");
}

}  // namespace

std::span<const AdviceRule> ascend_kernel_advice_rules() {
  constexpr std::string_view kShare = "their share of kernel time x computing of the step", kFree = "kernel:NAME free";
  static const std::vector<AdviceRule> rules{
      {"host_core_kernels", "a kernel on a CPU core of the device > 20 µs", kShare, kNew, judge_ai_cpu_kernels, kFree},
      {"dynamic_shapes", "calls that compile operators, and kernels whose OP State is dynamic", "time of those calls per step",
       kNew, judge_dynamic_shapes, "host:NAME*0"},
      {"block_count",
       "kernels >= 20 µs on matrix or mixed cores whose blocks mod cores of the device != 0 (mixed: nor the second number of "
       "blocks), "
       ">= 1% of kernel time",
       kShare, kNew, judge_block_count, kFree},
      {"unbound_kernels",
       "kernels >= 20 µs in which no ratio of mac, mte1, mte2, mte3, vec, scalar is > 0.8, >= 1% of kernel time", kShare, kNew,
       judge_unbound_kernels, kFree},
      {"core_performance",
       "types of kernels with >= 1% of kernel time or >= 1 s, ratios as means weighted by time: on matrix units mac < 0.8 and "
       "mte2 < "
       "0.95; attention mte2 < 0.8, fixpipe < 0.75 and vec < 0.75; else vec + mte2 + mte3 < 0.9 and each < 0.7",
       kShare, "Not in the TensorBoard plugin. The advisor of msprof-analyze compares mac with the limit of mte2 in one branch.",
       judge_core_performance, kFree},
      {"core_frequency",
       "names of kernels with mean((rated - clock) / rated) >= 5% while they ran; rated is the highest clock recorded",
       "(sum of time x (rated - clock) / rated) / kernel time x computing of the step",
       "Not in the TensorBoard plugin. The advisor of msprof-analyze takes the rated clock from the host's files.",
       judge_core_frequency, "kernel:NAME*FACTOR"},
  };
  return rules;
}

}  // namespace sightline::analyses
