// complete: names of devices, what follows from linked events, and the order of the stages after the tables are assembled.
#include "formats/kineto/completion.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/common/collectives.h"
#include "formats/common/launch_fill.h"
#include "formats/device_log/device_log.h"
#include "formats/kineto/graph_replay.h"
#include "formats/ncu_csv/ncu_csv.h"
#include "formats/step_metrics/step_metrics.h"
#include "formats/tlparse/compile_log.h"
#include "model/profile.h"

namespace sightline::formats::kineto {

// ---- device words ----
// The names of a PyTorch trace's devices. Its writers support devices of many vendors. The family is in the labels of the
// devices' processes ("GPU 0", "XPU 0"), else in the devices of memory events; a device with a compute capability is a GPU.
// Two vendors make GPUs: the names of the host calls tell which one made this, else the width in which threads issue, 32 or
// 64.

namespace {

// "GPU 0" -> "GPU".
std::string_view letters(std::string_view label) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return label.substr(0, static_cast<std::size_t>(std::find_if_not(label.begin(), label.end(), is_letter) - label.begin()));
}

std::string family(const Profile& p) {
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const bool of_device = p.lanes.kind[lane] == LaneKind::device_stream || p.lanes.kind[lane] == LaneKind::engine;
    if (!of_device || p.lanes.process[lane] == kNoRow) continue;
    const std::string_view word = letters(p.text(p.processes.label[p.lanes.process[lane]]));
    if (!word.empty() && word != "CPU") return std::string(word);
  }
  for (Row event = 0; event < p.memory_events.rows(); ++event) {
    if (p.memory_events.device[event] >= 0) return std::string(letters(p.text(p.memory_events.device_name[event])));
  }
  const auto& major = p.devices.compute_major;
  return std::any_of(major.begin(), major.end(), [](std::int64_t known) { return known != kUnknown; }) ? "GPU" : "";
}

enum class Vendor { unknown, nvidia, amd };

Vendor vendor(const Profile& p) {
  for (const Row slice : p.launches.slice) {
    const std::string_view name = p.text(p.slices.name[slice]);
    if (name.starts_with("cuda") || name.starts_with("cuLaunch")) return Vendor::nvidia;
    if (name.starts_with("hip")) return Vendor::amd;
  }
  for (const std::int64_t width : p.devices.warp_size) {
    if (width == 32) return Vendor::nvidia;
    if (width == 64) return Vendor::amd;
  }
  return Vendor::unknown;
}

}  // namespace

static void name_device_parts(Profile& profile) {
  profile.device_word = family(profile);
  if (profile.device_word != "GPU") return;
  switch (vendor(profile)) {
    case Vendor::nvidia:
      profile.matrix_word = "tensor cores";
      profile.core_word = "SM";
      return;
    case Vendor::amd:
      profile.matrix_word = "matrix cores";
      profile.core_word = "CU";
      return;
    case Vendor::unknown: return;
  }
}

// Only for GPUs do names of kernels show whether matrix units were used. For other devices, a kernel without such a name has
// an unknown core type. REQUIRES: the device parts are named.
static void forget_unstated_cores(Profile& profile) {
  if (profile.device_word.empty() || profile.device_word == "GPU") return;
  for (CoreType& type : profile.device_work.core_type) {
    if (type == CoreType::general) type = CoreType::unknown;
  }
}

// ---- linked events ----
// What follows from facts of slices once it is known who launched what: two passes over the facts.

namespace {

using trace_events::SliceFact;

constexpr double kMostExactId = 9007199254740992;  // 2^53: facts are reals

void add_arrows(Profile& p) {
  const StringId recorded_by = p.strings.find("wait_on_cuda_event_record_corr_id");
  if (recorded_by == StringId::none) return;
  std::unordered_map<std::int64_t, Row> calls;  // by correlation id
  for (Row i = 0; i < p.launches.rows(); ++i) calls.try_emplace(p.launches.correlation[i], p.launches.slice[i]);
  for (Row fact = 0; fact < p.work_facts.rows(); ++fact) {
    const double id = p.work_facts.number[fact];
    const bool is_wait = p.slices.kind[p.work_facts.slice[fact]] == SliceKind::sync;  // else a counter of this name
    if (p.work_facts.name[fact] != recorded_by || !is_wait || !(id >= 0 && id < kMostExactId)) continue;
    const auto call = calls.find(static_cast<std::int64_t>(id));
    if (call == calls.end()) continue;
    p.flows.kind.push_back(FlowKind::other);
    p.flows.from.push_back(call->second);
    p.flows.to.push_back(p.work_facts.slice[fact]);
  }
}

void describe_kernels(Profile& p) {
  constexpr std::string_view kOfKernel[] = {"kernel_file", "kernel_hash", "kernel_kwargs"};
  std::vector<StringId> names;
  for (const std::string_view name : kOfKernel) {
    if (const StringId id = p.strings.find(name); id != StringId::none) names.push_back(id);
  }
  if (names.empty()) return;
  const WorkFacts& facts = p.work_facts;
  std::vector<SliceFact> added;
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row owner = p.device_work.owner[work], slice = p.device_work.slice[work];
    if (owner == kNoRow || p.slices.kind[slice] != SliceKind::kernel) continue;
    auto at = std::lower_bound(facts.slice.begin(), facts.slice.end(), owner);
    for (; at != facts.slice.end() && *at == owner; ++at) {
      const auto fact = static_cast<Row>(at - facts.slice.begin());
      const bool of_kernel = std::find(names.begin(), names.end(), facts.name[fact]) != names.end();
      if (of_kernel) added.push_back({slice, facts.name[fact], facts.number[fact], facts.text[fact]});
    }
  }
  trace_events::put_facts(std::move(added), p);
}

bool alike(const Devices& all, Row a, Row b) {
  return all.name[a] == all.name[b] && all.cores[a] == all.cores[b] && all.compute_major[a] == all.compute_major[b] &&
         all.compute_minor[a] == all.compute_minor[b];
}

}  // namespace

// Some tracers number devices by nodes of the host, of which a few are CPUs, while the file lists properties by other numbers.
// When all listed devices are alike, one that is not listed is described like them.
static void describe_unlisted_devices(Profile& profile) {
  Devices& all = profile.devices;
  const Row listed = static_cast<Row>(all.rows());
  for (Row row = 1; row < listed; ++row) {
    if (!alike(all, 0, row)) return;
  }
  for (Row lane = 0; listed > 0 && lane < profile.lanes.rows(); ++lane) {
    const std::int64_t ordinal = profile.lanes.device[lane];
    if (ordinal < 0 || std::find(all.ordinal.begin(), all.ordinal.end(), ordinal) != all.ordinal.end()) continue;
    all.for_each_column([&](const ColumnInfo&, auto& column) {
      const auto of_first = column[0];
      column.push_back(of_first);
    });
    all.ordinal[all.rows() - 1] = ordinal;
  }
}

// Adds an arrow to each wait for an event from the call that recorded the event; a fact of the wait holds that call's
// correlation id. Copies the facts about a kernel that a compiler wrote (its file, hash and arguments) from the operator that
// launched it to the kernel. REQUIRES: device work has its launches and owners.
static void link_facts(Profile& profile) {
  add_arrows(profile);
  describe_kernels(profile);
}

void complete(ReadContext& context, trace_events::Assembled& assembled) {
  context.stage("attributing device work");
  Profile& profile = *assembled.profile;
  attribute(profile, std::move(assembled.ids), context.options().threads);
  complete_collectives(profile, assembled.communication);
  context.stage("matching graphs to their captures");
  replay_graphs(context, assembled.launched_kernels, profile);
  describe_unlisted_devices(profile);
  fill_launches(profile);
  link_facts(profile);
  read_compile_log(context, profile);
  name_device_parts(profile);
  forget_unstated_cores(profile);
  const TablesBeside tables = tables_beside(context.path());
  note_left_out(tables, profile);
  read_ncu_files(context, tables, profile);
  read_device_logs(context, tables, profile);
  read_step_metrics(context, profile);
}

// A trace, and the files beside it that are read with it.
Result<std::vector<std::string>> files_of(const std::string& path) {
  GraphFiles beside = graph_files_beside(path);
  std::vector<std::string> files = std::move(beside.captures);
  for (std::string* more : {&beside.details, &beside.annotations}) {
    if (!more->empty()) files.push_back(std::move(*more));
  }
  for (std::string& log : compile_log_files(path)) files.push_back(std::move(log));
  const TablesBeside tables = tables_beside(path);
  for (std::string& log : device_log_files(tables)) files.push_back(std::move(log));
  for (std::string& table : ncu_files(tables)) files.push_back(std::move(table));
  if (!files.empty()) files.insert(files.begin(), path);
  return with_step_metric_files(path, std::move(files));
}

}  // namespace sightline::formats::kineto
