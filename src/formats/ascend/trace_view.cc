// The vendor's vocabulary, and its trace on the stages of trace_events. Source: docs/formats/ascend.md.
#include "formats/ascend/trace_view.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/parallel.h"
#include "formats/ascend/csv_table.h"
#include "formats/common/decimal.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats::ascend {

// ---- layers ----

Layer layer_of(std::string_view process_name) {
  if (process_name.starts_with("Python") || process_name.starts_with("python")) return Layer::host;
  if (process_name == "CANN") return Layer::driver;
  if (process_name.starts_with("Ascend Hardware")) return Layer::hardware;
  if (process_name == "HCCL" || process_name == "Communication") return Layer::communication;
  if (process_name == "Overlap Analysis") return Layer::analysis;
  return Layer::other;
}

Category task_category(std::string_view name, std::string_view type) {
  constexpr std::array<std::string_view, 7> kWaits = {"EVENT_RECORD", "EVENT_WAIT",    "Notify Wait", "Notify Record",
                                                      "NOTIFY_WAIT",  "NOTIFY_RECORD", "Notify_Wait"};
  constexpr std::array<std::string_view, 8> kMarks = {"PLACE_HOLDER", "PROFILING_ENABLE", "PROFILING_DISABLE",
                                                      "Write Value",  "WRITE_VALUE",      "CAPTURE_RECORD",
                                                      "CAPTURE_WAIT", "MODEL_MAINTAINCE"};
  const auto is_one_of = [&](const auto& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return type.starts_with(word) || (type.empty() && name.starts_with(word)); });
  };
  if (is_one_of(kWaits)) return Category::sync;
  if (is_one_of(kMarks) || type == "SDMA" || type == "RDMA") return Category::unknown;
  if (name.starts_with("MEMCPY") || type.starts_with("MEMCPY") || type.starts_with("PCIE_DMA") || type == "SDMA_SQE") {
    return Category::memcpy;
  }
  return Category::engine_task;
}

CoreType core_type(std::string_view core) {
  if (core.starts_with("KERNEL_")) core.remove_prefix(7);
  if (core == "AI_CORE" || core == "AICORE" || core == "AIC") return CoreType::matrix;
  if (core == "AI_VECTOR_CORE" || core == "AIVEC" || core == "AIV") return CoreType::vector;
  if (core.starts_with("MIX_")) return CoreType::mixed;
  if (core.starts_with("AI_CPU") || core == "AICPU") return CoreType::host;
  if (core.empty() || core == "N/A") return CoreType::unknown;
  return CoreType::general;
}

// ---- events ----

using namespace trace_events;

namespace {

// The process ids of a device's layers are (os pid << 10) | (place << 5) | device; a negative one has no known device.
std::int64_t device_of(std::string_view pid) {
  const std::optional<std::int64_t> number = parse_integer(pid);
  return number && *number >= 0 ? *number & 31 : kUnknown;
}

struct Names {
  std::map<std::string, Layer, std::less<>> layers;                                 // by pid
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> threads;  // by pid and tid
};

Names names_in(const ParsedEvents& parsed) {
  Names names;
  for (const EventBatch& batch : parsed.batches) {
    const StringPool& strings = parsed.strings[batch.worker];
    for (const RawName& name : batch.names) {
      const std::string_view what = strings.view(name.what);
      std::string pid(strings.view(name.pid));
      if (what == "process_name") {
        names.layers[std::move(pid)] = layer_of(strings.view(name.text));
      } else if (what == "thread_name") {
        names.threads[{std::move(pid), std::string(strings.view(name.tid))}] = strings.view(name.text);
      }
    }
  }
  return names;
}

struct Place {
  Layer layer = Layer::other;
  bool plane = false;  // of the communication layer: a lane of parts, not of collectives
  std::int64_t device = kUnknown;
};

// By track of a worker; tracks of the device are marked as such.
std::vector<Place> places_of(std::vector<RawTrack>& tracks, const StringPool& strings, const Names& names) {
  std::vector<Place> places;
  for (RawTrack& track : tracks) {
    Place place;
    const std::string pid(strings.view(track.pid));
    if (const auto layer = names.layers.find(pid); layer != names.layers.end()) place.layer = layer->second;
    const auto thread = names.threads.find({pid, std::string(strings.view(track.tid))});
    place.plane = thread != names.threads.end() && thread->second.starts_with("Plane");
    if (!track.counter && (place.layer == Layer::hardware || place.layer == Layer::communication)) {
      place.device = device_of(pid);
      track.device = true;
    }
    places.push_back(place);
  }
  return places;
}

Category category_of(const Place& place, std::string_view name, std::string_view type) {
  switch (place.layer) {
    case Layer::driver: return Category::runtime;
    case Layer::hardware: return task_category(name, type);
    case Layer::communication: return place.plane ? Category::unknown : Category::collective;
    default: return Category::unknown;
  }
}

RawDeviceWork work_of(std::uint32_t slice, std::int64_t connection, std::int64_t device, StringId core) {
  return {slice,          kUnknown,       connection, device, kUnknown,     kUnknown,
          StringId::none, StringId::none, core,       -1,     kUnknownReal, kUnknownReal};
}

void give_categories(EventBatch& batch, StringPool& strings, const std::vector<Place>& places) {
  std::size_t t = 0;
  const RawTask none{0, kUnknown, kUnknown, StringId::none, StringId::none};
  for (std::uint32_t i = 0; i < batch.slices.size(); ++i) {
    while (t < batch.tasks.size() && batch.tasks[t].slice < i) ++t;
    const RawTask& task = t < batch.tasks.size() && batch.tasks[t].slice == i ? batch.tasks[t] : none;
    if (batch.slices.category[i] != Category::unknown) continue;
    const Place& place = places[batch.slices.track[i]];
    const std::int64_t connection = known_number(task.connection);
    const Category category = category_of(place, strings.view(batch.slices.name[i]), strings.view(task.type));
    batch.slices.category[i] = category;
    if (category == Category::runtime) {
      batch.launches.push_back({i, StringId::none, kUnknown, connection});
    } else if (on_device(category) && category != Category::sync) {
      batch.device_work.push_back(work_of(i, connection, place.device, task.type));
    }
    if (category == Category::collective) {
      batch.collectives.push_back({i, StringId::none, StringId::none, StringId::none, StringId::none, task.element_type, kUnknown,
                                   task.elements, kUnknown, kUnknown});
    }
  }
}

// Gives the cells of operators the common spelling, once per distinct text.
void spell_operands(EventBatch& batch, StringPool& strings, std::unordered_map<StringId, StringId>& shapes,
                    std::unordered_map<StringId, StringId>& types, std::unordered_map<StringId, StringId>& stacks) {
  const auto spelled = [&](auto& known, StringId id, auto spell) {
    if (id == StringId::none) return id;
    const auto [at, is_new] = known.try_emplace(id, StringId::none);
    if (is_new) at->second = strings.intern(spell(strings.view(id)));
    return at->second;
  };
  const auto plain = [](std::string_view text) {
    bool bad = false;
    return unescape(text, &bad);
  };
  for (RawHost& host : batch.hosts) {
    host.shapes = spelled(shapes, host.shapes, [&](std::string_view text) { return operand_list(plain(text), false); });
    host.types = spelled(types, host.types, [&](std::string_view text) { return operand_list(plain(text), true); });
    host.stack = spelled(stacks, host.stack, [](std::string_view text) { return call_stack(text); });
  }
}

}  // namespace

std::string operand_list(std::string_view cell, bool quote) {
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  std::string out = "[";
  std::size_t from = 0;
  const auto is_blank = [](char c) { return c == ' ' || c == '\r' || c == '\n' || c == '\t'; };
  while (true) {
    std::size_t end = std::min(cell.find(';', from), cell.size());
    std::string_view part = cell.substr(from, end - from);
    while (!part.empty() && is_blank(part.front())) part.remove_prefix(1);
    while (!part.empty() && is_blank(part.back())) part.remove_suffix(1);
    if (end == cell.size() && from == 0 && part.empty()) break;  // nothing at all
    if (out.size() > 1) out += ", ";
    out += quote ? '"' : '[';
    out += part;
    out += quote ? '"' : ']';
    if (end == cell.size()) break;
    from = end + 1;
  }
  return out + "]";
}

std::string call_stack(std::string_view cell) {
  std::string out;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] == '\r' || cell[i] == '\n') continue;
    out += cell[i];
  }
  return out;
}

void give_categories(ParsedEvents& parsed, unsigned threads) {
  const Names names = names_in(parsed);
  parallel_for(parsed.strings.size(), threads == 0 ? default_threads() : threads, [&](std::size_t worker) {
    StringPool& strings = parsed.strings[worker];
    const std::vector<Place> places = places_of(parsed.tracks[worker], strings, names);
    std::unordered_map<StringId, StringId> shapes, types, stacks;
    for (EventBatch& batch : parsed.batches) {
      if (batch.worker != worker) continue;
      give_categories(batch, strings, places);
      spell_operands(batch, strings, shapes, types, stacks);
      batch.tasks = {};
    }
  });
}

void finish_layers(Assembled& assembled) {
  Profile& p = *assembled.profile;
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    if (p.lanes.process[lane] == kNoRow || p.lanes.kind[lane] == LaneKind::counter) continue;
    const Row process = p.lanes.process[lane];
    const Layer layer = layer_of(p.text(p.processes.name[process]));
    if (layer == Layer::analysis) p.lanes.kind[lane] = LaneKind::other;
    if (layer == Layer::communication && p.text(p.lanes.name[lane]).starts_with("Plane")) p.lanes.kind[lane] = LaneKind::queue;
    if (layer == Layer::hardware || layer == Layer::communication) {
      p.lanes.device[lane] = device_of(p.text(p.processes.pid[process]));
    }
  }
  DeviceWork& work = p.device_work;
  // A trace has one name for the matrix and the vector core; the table of kernels tells them apart.
  for (Row i = 0; i < work.rows(); ++i) {
    const std::string_view core = p.text(work.core[i]);
    work.core_type[i] = core == "AI_CORE" ? CoreType::unknown : core_type(core);
  }
  RowRank of_slice(p.slices.rows());
  for (const Row slice : work.slice) of_slice.insert(slice);
  of_slice.count();
  for (const auto& [from, to] : assembled.device_flows) {
    if (!of_slice.contains(to)) continue;
    const Row row = of_slice.rank(to);
    work.owner[row] = from;
    work.rule[row] = OwnerRule::linked_id;
    if (work.launch[row] == kNoRow) continue;
    p.launches.owner[work.launch[row]] = from;
    p.launches.rule[work.launch[row]] = OwnerRule::linked_id;
  }
}

}  // namespace sightline::formats::ascend
