// Tracks, devices and side tables that all formats of ROCm share.
#include "formats/rocm/recording.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "formats/common/attribution.h"
#include "formats/common/collectives.h"
#include "formats/common/launch_fill.h"
#include "formats/common/named_ranges.h"
#include "formats/common/range_text.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats::rocm {

using namespace trace_events;

namespace {

constexpr std::int64_t kGpuOfMemory = 6;  // the framework's number of this kind of device

}  // namespace

// ---- agents ----

void take_properties(std::string_view json, Agent& agent) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object members;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return;
  if (root.get(members) != simdjson::SUCCESS) return;
  const auto take = [&](const char* key, std::int64_t& value) {
    std::int64_t number = 0;
    if (members[key].get(number) == simdjson::SUCCESS && number > 0) value = number;
  };
  take("cu_count", agent.cores);
  take("max_waves_per_cu", agent.waves_per_core);
  take("wave_front_size", agent.wave_size);
  take("max_engine_clk_fcompute", agent.clock_mhz);
  take("gfx_target_version", agent.architecture);
  std::int64_t kilobytes = kUnknown;
  take("lds_size_in_kb", kilobytes);
  if (kilobytes > 0 && kilobytes < (std::int64_t{1} << 40)) agent.shared = kilobytes << 10;
  simdjson::dom::array banks;
  if (members["mem_banks"].get(banks) != simdjson::SUCCESS) return;
  std::int64_t all = 0;
  for (const simdjson::dom::element bank : banks) {
    std::int64_t bytes = 0;
    const bool stated = bank["size_in_bytes"].get(bytes) == simdjson::SUCCESS && bytes > 0;
    if (stated && __builtin_add_overflow(all, bytes, &all)) return;
  }
  if (all > 0) agent.memory = all;
}

std::int64_t Recording::ordinal_of(std::int64_t agent) const {
  const auto found = agents_.find(agent);
  if (found == agents_.end()) return agents_.empty() ? agent : kUnknown;
  return found->second.is_gpu ? found->second.ordinal : kUnknown;
}

void Recording::describe_devices(Profile& profile) const {
  std::map<std::int64_t, const Agent*> gpus;
  for (const std::int64_t used : events_.devices()) gpus.emplace(used, nullptr);
  for (const auto& [id, agent] : agents_) {
    const auto used = gpus.find(agent.ordinal);
    if (agent.is_gpu && (used != gpus.end() || events_.devices().empty())) gpus[agent.ordinal] = &agent;
  }
  for (const auto& [ordinal, agent] : gpus) {
    if (ordinal == kUnknown) continue;
    Devices& devices = profile.devices;
    const Row row = add_unknown_row(devices);
    devices.ordinal[row] = ordinal;
    if (agent == nullptr) continue;
    devices.name[row] = profile.strings.intern(agent->name);
    devices.cores[row] = agent->cores;
    devices.memory[row] = agent->memory;
    devices.warp_size[row] = agent->wave_size;
    devices.shared_per_core[row] = devices.shared_per_block[row] = agent->shared;
    std::int64_t threads = 0;
    const bool known = agent->waves_per_core > 0 && agent->wave_size > 0;
    if (known && !__builtin_mul_overflow(agent->waves_per_core, agent->wave_size, &threads))
      devices.threads_per_core[row] = threads;
    if (agent->clock_mhz > 0) devices.clock[row] = 1e6 * static_cast<double>(agent->clock_mhz);
    if (agent->architecture <= 0) continue;
    devices.compute_major[row] = agent->architecture / 10000;
    devices.compute_minor[row] = agent->architecture / 100 % 100;
  }
}

// ---- tracks ----

std::int64_t Recording::call_id(std::int64_t space, std::int64_t id) const {
  if (id == kUnknown || id <= 0) return kUnknown;
  return (id & 0xffffffffff) + (space << 40);
}

void Recording::name_process(std::int64_t pid, std::string_view name) {
  if (pid != kUnknown) events_.name_process(host_process(pid), name, "CPU", pid);
}

void Recording::name_thread(Thread thread, std::string_view name) { events_.name_host_thread(thread.pid, thread.tid, name); }

std::uint32_t Recording::thread(Thread thread) {
  const auto [at, is_new] = threads_.try_emplace({thread.pid, thread.tid}, 0);
  if (is_new) at->second = events_.host_thread(thread.pid, thread.tid);
  return at->second;
}

std::string Recording::device(std::int64_t ordinal) {
  std::string_view name;
  for (const auto& [agent, about] : agents_) {
    if (about.is_gpu && about.ordinal == ordinal && !about.name.empty()) name = about.name;
  }
  return events_.device(ordinal, name);
}

std::uint32_t Recording::queue(const Work& work) {
  const auto [at, is_new] = queues_.try_emplace({work.device, work.pid, work.queue}, 0);
  if (is_new) {
    const std::string process = device(work.device);
    std::string tid = work.queue == kUnknown ? "work" : std::to_string(work.queue);
    if (!queue_numbers_.emplace(work.device, work.queue).second) tid += fmt::format(" of process {}", host_process(work.pid));
    at->second = events_.track(process, tid, true);
    events_.name_thread(process, tid, work.queue_name.empty() ? "Stream " + tid : std::string(work.queue_name), work.queue);
  }
  return at->second;
}

// ---- events ----

void Recording::add_call(Thread of, std::int64_t start, std::int64_t end, StringId name, std::int64_t call) {
  const auto slice = events_.add(start, end, name, thread(of), Category::runtime);
  if (slice) events_.batch().launches.push_back({*slice, StringId::none, kUnknown, call});
}

void Recording::add_range(Thread of, std::int64_t start, std::int64_t end, std::string_view message, bool any_thread) {
  const std::optional<OperatorText> of_operator = operator_text(message);
  const std::string_view module = module_text(message);
  const std::string_view shown = of_operator ? of_operator->name : module.empty() ? message : module;
  std::uint32_t on = 0;
  if (any_thread) {
    const std::string pid = host_process(of.pid);
    on = events_.track(pid, "ROCTX ranges", false);
    events_.name_thread(pid, "ROCTX ranges", "ROCTX ranges", kUnknown);
  } else {
    on = thread(of);
  }
  const auto slice =
      events_.add(start, end, text(shown.empty() ? "(unnamed)" : shown), on, of_operator ? Category::op : Category::annotation);
  if (!slice || !of_operator) return;
  RawHost range(*slice, kUnknown, Category::op);
  if (!of_operator->shapes.empty()) range.shapes = text(of_operator->shapes);
  events_.batch().hosts.push_back(range);
}

StringId Recording::sizes(const std::array<std::int64_t, 3>& parts) {
  if (std::any_of(parts.begin(), parts.end(), [](std::int64_t part) { return part <= 0; })) return StringId::none;
  const auto [at, is_new] = sizes_.try_emplace(parts, StringId::none);
  if (is_new) at->second = text(fmt::format("[{}, {}, {}]", parts[0], parts[1], parts[2]));
  return at->second;
}

void Recording::add_work(const Work& work, const Counters* counters) {
  const auto slice = events_.add(work.start, work.end, work.name, queue(work), work.category);
  if (!slice) return;
  RawDeviceWork raw{*slice,         kUnknown,          work.call,      work.device, work.shared,  work.bytes,
                    StringId::none, sizes(work.block), StringId::none, -1,          kUnknownReal, kUnknownReal};
  std::array<std::int64_t, 3> blocks{kUnknown, kUnknown, kUnknown};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (work.grid[i] > 0 && work.block[i] > 0) blocks[i] = work.grid[i] / work.block[i] + (work.grid[i] % work.block[i] != 0);
  }
  raw.grid = sizes(blocks);
  if (work.registers >= 0 && work.registers <= 65536) raw.registers = static_cast<std::int32_t>(work.registers);
  events_.batch().device_work.push_back(raw);
  if (counters == nullptr) return;
  for (const auto& [name, value] : *counters) events_.batch().facts.push_back({*slice, name, value, StringId::none});
}

void Recording::add_sample(std::int64_t ordinal, std::string_view counter, std::int64_t time, double value) {
  events_.add_sample(time, events_.counter(device(ordinal), counter), value);
}

void Recording::add_memory(std::int64_t ordinal, std::int64_t time, std::int64_t address, std::int64_t bytes) {
  if (ordinal == kUnknown) return;
  device(ordinal);
  events_.add_memory(kGpuOfMemory, ordinal, time, address, bytes);
}

std::string copy_name(std::string_view direction) {
  std::string folded;
  for (const char c : direction) {
    if (c != '_' && c != ' ') folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  const auto has = [&](std::string_view words) { return folded.find(words) != std::string::npos; };
  if (has("hosttodevice")) return "Memcpy HtoD (Host -> Device)";
  if (has("devicetohost")) return "Memcpy DtoH (Device -> Host)";
  if (has("devicetodevice")) return "Memcpy DtoD (Device -> Device)";
  if (has("hosttohost")) return "Memcpy HtoH (Host -> Host)";
  return direction.empty() ? "Memcpy" : fmt::format("Memcpy ({})", direction);
}

// ---- the profile ----

std::unique_ptr<Profile> Recording::finish(const ReadContext& context) {
  context.stage("building tables");
  Assembled assembled = assemble(events_.take(), {}, context.options().threads);
  Profile& profile = *assembled.profile;
  number_devices(profile);
  profile.origin_unix_ns = kUnknown;  // times count from the machine's start
  mark_steps(profile);
  mark_modules(profile, {});
  context.stage("attributing device work");
  attribute(profile, std::move(assembled.ids));
  complete_collectives(profile, assembled.communication);
  describe_devices(profile);
  fill_launches(profile);
  profile.host = host;
  for (const auto& [key, value] : metadata) {
    if (value.empty()) continue;
    profile.metadata.key.push_back(profile.strings.intern(key));
    profile.metadata.value.push_back(profile.strings.intern(value));
  }
  if (unnamed > 0) {
    profile.add_problem(Severity::error, "missing_rows",
                        "names of events are not in the file, and their numbers are shown instead", unnamed, kUnknown);
  }
  if (lost_times > 0) {
    profile.add_problem(Severity::error, "missing_time", "an event refers to a time that is not in the file, and was skipped",
                        lost_times, kUnknown);
  }
  return std::move(assembled.profile);
}

}  // namespace sightline::formats::rocm
