// BatchBuilder: from scanned events to raw columns.
#include "formats/trace_events/event_batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/short_text.h"
#include "formats/common/decimal.h"
#include "model/stated_names.h"

namespace sightline::formats::trace_events {

// ---- batches ----

namespace {

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 63));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 63));
    out += static_cast<char>(0x80 | (c & 63));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 63));
    out += static_cast<char>(0x80 | ((c >> 6) & 63));
    out += static_cast<char>(0x80 | (c & 63));
  }
}

// Four hexadecimal digits at text[at], or -1.
std::int32_t hex4(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  std::int32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

constexpr std::int64_t kLongestNs = std::int64_t{1} << 53;  // of a slice: 104 days; a longer one is damage
constexpr std::int64_t kIsText = -1;                        // FactArg::least
constexpr FactArg kFactArgs[] = {
    {Arg::graph, "graph id", 1},
    {Arg::graph_node, "graph node id", 1},
    {Arg::wait_stream, "wait_on_stream", 0},
    {Arg::wait_record, "wait_on_cuda_event_record_corr_id", 1},
    {Arg::host_function, "host fn", kIsText},
    {Arg::kernel_file, "kernel_file", kIsText},
    {Arg::kernel_hash, "kernel_hash", kIsText},
    {Arg::kernel_arguments, "kernel_kwargs", kIsText},
};
// Of a range of the host that is a collective: the rank within the group that it comes from or goes to, or ranks of the job.
constexpr FactArg kRoleArgs[] = {
    {Arg::rank, model::stated::kCollectiveRank, 0},
    {Arg::source_rank, model::stated::kSourceRank, 0},
    {Arg::target_rank, model::stated::kTargetRank, 0},
};
constexpr std::uint64_t bits_of(std::span<const FactArg> facts) {
  std::uint64_t bits = 0;
  for (const FactArg& fact : facts) bits |= Event::bit(fact.arg);
  return bits;
}
constexpr std::uint64_t kFactBits = bits_of(kFactArgs), kRoleBits = bits_of(kRoleArgs);

// "device_static" or "6" -> "Device Static".
std::string memory_kind_title(std::string_view kind) {
  constexpr std::string_view kKinds[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                         "Array",   "Managed",  "Device Static", "Managed Static"};
  if (const auto number = parse_integer(kind); number && *number >= 0 && *number < static_cast<std::int64_t>(std::size(kKinds)))
    return std::string(kKinds[*number]);
  std::string title(kind);
  bool first = true;
  for (char& c : title) {
    if (first && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == '_') c = ' ';
    first = c == ' ';
  }
  return title;
}

}  // namespace

std::string unescape(std::string_view text, bool* bad) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    switch (c) {
      case '"':
      case '\\':
      case '/': out += c; break;
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'u': {
        std::int32_t code = hex4(text, i + 1);
        if (code < 0) {
          *bad = true;
          out += "\\u";
          break;
        }
        i += 4;
        if (code >= 0xD800 && code < 0xDC00 && text.substr(i + 1, 2) == "\\u") {
          const std::int32_t low = hex4(text, i + 3);
          if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            i += 6;
          }
        }
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : static_cast<std::uint32_t>(code));
        break;
      }
      default:
        *bad = true;
        out += '\\';
        out += c;
    }
  }
  return out;
}

EventBatch BatchBuilder::build(char* text, std::size_t size, std::int64_t offset, WindowEnd& end, std::size_t& end_offset) {
  batch_ = EventBatch{};
  batch_.worker = worker_;
  const std::size_t likely = size / 160 + 16;
  batch_.slices.start.reserve(likely);
  batch_.slices.duration.reserve(likely);
  batch_.slices.source.reserve(likely);
  batch_.slices.name.reserve(likely);
  batch_.slices.track.reserve(likely);
  batch_.slices.category.reserve(likely);
  offset_ = offset;
  text_ = text;
  end = scanner_.scan(
      text, size, [this](const Event& event) { add(event); },
      [this](ScanProblem what, std::size_t at, std::size_t) {
        const EventProblem code = what == ScanProblem::control_character ? EventProblem::control_character
                                  : what == ScanProblem::not_utf8        ? EventProblem::not_utf8
                                                                         : EventProblem::malformed_event;
        batch_.problems[code].add(offset_ + static_cast<std::int64_t>(at));
      });
  end_offset = scanner_.end_offset();
  batch_.slices.start.shrink_to_fit();
  batch_.slices.duration.shrink_to_fit();
  batch_.slices.source.shrink_to_fit();
  batch_.slices.name.shrink_to_fit();
  batch_.slices.track.shrink_to_fit();
  batch_.slices.category.shrink_to_fit();
  return std::move(batch_);
}

StringId BatchBuilder::intern(const Event& event, std::string_view text) {
  if (!event.escaped || text.find('\\') == std::string_view::npos) return strings_.intern(text);
  bool bad = false;
  const std::string plain = unescape(text, &bad);
  if (bad) problem(EventProblem::bad_escape, event);
  return strings_.intern(plain);
}

StringId BatchBuilder::intern(LastText& last, std::string_view text) {
  if (text.size() == last.size && same_text(text, {last.text, last.size})) return last.id;
  const StringId id = strings_.intern(text);
  if (text.empty() || text.size() > sizeof last.text) return id;
  std::memcpy(last.text, text.data(), text.size());
  last.size = text.size();
  last.id = id;
  return id;
}

Category BatchBuilder::category_of(const Event& event) {
  const auto id = static_cast<std::size_t>(intern(last_category_, event.cat));
  if (id >= category_of_name_.size()) category_of_name_.resize(id + 64, static_cast<Category>(255));
  if (category_of_name_[id] == static_cast<Category>(255)) category_of_name_[id] = classify_category(event.cat);
  return category_of_name_[id];
}

std::uint32_t BatchBuilder::track_id(RawTrack track) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(track.pid)} << 32) ^
                            (std::uint64_t{static_cast<std::uint32_t>(track.tid)} << 2) ^ (track.device ? 1u : 0u) ^
                            (track.counter ? 2u : 0u);
  const auto [at, is_new] = track_ids_.try_emplace(key, static_cast<std::uint32_t>(tracks_.size()));
  if (is_new) tracks_.push_back(track);
  return at->second;
}

std::uint32_t BatchBuilder::track_of(const Event& event, bool device) {
  const std::string_view pid = event.pid, tid = event.tid;
  const auto named = [&] { return track_id({strings_.intern(pid), strings_.intern(tid), device, false}); };
  if (pid.size() + tid.size() > std::tuple_size_v<decltype(KnownTrack::text)>) return named();
  const auto mark = [](std::string_view text) { return text.size() < 2 ? text.size() : text.end()[-1] * 5U + text.end()[-2]; };
  KnownTrack& known = known_tracks_[(mark(pid) * 7 + mark(tid) + (device ? 16 : 0)) % known_tracks_.size()];
  const bool same = known.device == device && same_text({known.text.data(), known.pid_size}, pid) &&
                    same_text({known.text.data() + known.pid_size, known.tid_size}, tid);
  if (same) return known.track;
  known.pid_size = static_cast<std::uint8_t>(pid.size());
  known.tid_size = static_cast<std::uint8_t>(tid.size());
  known.device = device;
  std::copy(pid.begin(), pid.end(), known.text.begin());
  std::copy(tid.begin(), tid.end(), known.text.begin() + static_cast<std::ptrdiff_t>(pid.size()));
  known.track = named();
  return known.track;
}

std::int64_t BatchBuilder::integer(const Event& event, Arg arg) {
  if (!event.has(arg)) return kUnknown;
  const std::optional<std::int64_t> value = parse_integer(event[arg]);
  if (!value) problem(EventProblem::not_a_number, event);
  return value.value_or(kUnknown);
}

float BatchBuilder::real(const Event& event, Arg arg) {
  if (!event.has(arg)) return kUnknownReal;
  const std::optional<double> value = parse_real(event[arg]);
  return value && std::isfinite(*value) ? static_cast<float>(*value) : kUnknownReal;  // writers do print "inf"
}

// False if there is no usable time; the problem is noted.
bool BatchBuilder::time_of(const Event& event, std::string_view text, EventProblem missing, std::int64_t& time) {
  if (text.data() == nullptr) {
    problem(missing, event);
    return false;
  }
  const std::optional<std::int64_t> ns = parse_us_as_ns(text);
  if (!ns) {
    problem(EventProblem::not_a_number, event);
    return false;
  }
  time = *ns;
  return true;
}

void BatchBuilder::add(const Event& event) {
  ++batch_.events;
  const char phase = event.ph.size() == 1 ? event.ph[0] : ' ';  // null and true are not phases
  std::int64_t time = 0;
  switch (phase) {
    case 'X': {
      if (!time_of(event, event.ts, EventProblem::missing_time, time)) return;
      std::int64_t duration = 0;
      if (time_of(event, event.dur, EventProblem::missing_duration, duration) && duration < 0) {
        problem(EventProblem::negative_duration, event);
        duration = 0;
      }
      if (duration > kLongestNs) {
        problem(EventProblem::long_duration, event);
        duration = 0;
      }
      add_slice(event, category_of(event), time, duration);
      return;
    }
    case 'B':
      if (time_of(event, event.ts, EventProblem::missing_time, time)) add_slice(event, category_of(event), time, kStillOpen);
      return;
    case 'E':
      if (time_of(event, event.ts, EventProblem::missing_time, time)) {
        const bool device = on_device(category_of(event));
        batch_.ends.push_back({time, track_of(event, device), static_cast<std::uint32_t>(batch_.slices.size())});
      }
      return;
    case 's':
    case 'f': add_flow_end(event); return;
    case 'i':
    case 'I':
      if (event.name == "[memory]" && time_of(event, event.ts, EventProblem::missing_time, time)) add_memory(event, time);
      return;
    case 'C':
      if (time_of(event, event.ts, EventProblem::missing_time, time)) add_counter(event, time);
      return;
    case 'M': add_metadata(event); return;
    case 't':
    case 'n':
    case 'b':
    case 'e':
    case 'R':
    case 'c':
    case 'N':
    case 'D':
    case 'O':
    case 'P': return;
    default: problem(EventProblem::unknown_phase, event);
  }
}

EventBatch BatchBuilder::take() {
  EventBatch taken = std::move(batch_);
  batch_ = EventBatch{};
  batch_.worker = worker_;
  return taken;
}

std::uint32_t BatchBuilder::add_track(const RawTrack& track) {
  tracks_.push_back(track);
  return static_cast<std::uint32_t>(tracks_.size() - 1);
}

std::uint32_t BatchBuilder::add_slice(const Event& event, std::uint32_t track, std::int64_t start, std::int64_t duration) {
  ++batch_.events;
  put_slice(event, category_of(event), track, start, duration);
  return static_cast<std::uint32_t>(batch_.slices.size() - 1);
}

void BatchBuilder::put_slice(const Event& event, Category category, std::uint32_t track, std::int64_t start,
                             std::int64_t duration) {
  if (event.name.data() == nullptr) problem(EventProblem::missing_name, event);
  RawSlices& slices = batch_.slices;
  const auto index = static_cast<std::uint32_t>(slices.size());
  slices.start.push_back(start);
  slices.duration.push_back(duration);
  slices.source.push_back(offset_ + static_cast<std::int64_t>(event.offset));
  slices.name.push_back(slice_name(event, category));
  slices.track.push_back(track);
  slices.category.push_back(category);
  switch (category) {
    case Category::op:
    case Category::annotation:
    case Category::python_call: add_host(event, category, index); break;
    case Category::python_function:
      if (event.has(Arg::module_id)) batch_.modules.push_back({index, integer(event, Arg::module_id)});
      break;
    case Category::runtime:
      batch_.launches.push_back({index, event.has(Arg::kernel) ? intern(event, event[Arg::kernel]) : StringId::none,
                                 integer(event, Arg::external_id), integer(event, Arg::correlation)});
      break;
    case Category::kernel:
    case Category::memcpy:
    case Category::memset:
    case Category::collective:
    case Category::engine_task:
      add_device_work(event, index);
      batch_.device_work.back().named_by_core = category != Category::engine_task && event.cat != "hpu_op";
      break;
    case Category::unknown: add_task(event, index); break;
    default: break;
  }
  if (event.has(Arg::collective)) add_collective(event, index);
  if ((event.present & kFactBits) != 0) add_facts(event, index, kFactArgs);
  const bool is_host = category == Category::op || category == Category::annotation;
  if (is_host && event.has(Arg::collective) && (event.present & kRoleBits) != 0) add_facts(event, index, kRoleArgs);
  if (category == Category::measurement) add_counter_facts(event, index);
}

// Newer writers do not name a copy by its direction nor a fill by its memory. The older name then follows from the arguments.
StringId BatchBuilder::slice_name(const Event& event, Category category) {
  if (event.name.data() == nullptr) return strings_.intern("(unnamed)");
  if (category == Category::memcpy && event.name == "Memcpy" && event.has(Arg::copy_kind)) {
    std::string name = "Memcpy " + std::string(event[Arg::copy_kind]);
    if (event.has(Arg::source_kind) && event.has(Arg::target_kind)) {
      name += " (" + memory_kind_title(event[Arg::source_kind]) + " -> " + memory_kind_title(event[Arg::target_kind]) + ")";
    }
    return strings_.intern(name);
  }
  if (category == Category::memset && event.name == "Memset" && event.has(Arg::memory_kind))
    return strings_.intern("Memset (" + memory_kind_title(event[Arg::memory_kind]) + ")");
  return intern(event, event.name);
}

void BatchBuilder::add_host(const Event& event, Category category, std::uint32_t slice) {
  RawHost host(slice, integer(event, Arg::external_id), category);
  if (event.has(Arg::input_dims)) host.shapes = strings_.intern(event[Arg::input_dims]);
  if (event.has(Arg::input_type)) host.types = strings_.intern(event[Arg::input_type]);
  if (event.has(Arg::input_strides)) host.strides = strings_.intern(event[Arg::input_strides]);
  if (event.has(Arg::concrete_inputs)) host.values = strings_.intern(event[Arg::concrete_inputs]);
  if (event.has(Arg::call_stack)) host.stack = intern(event, event[Arg::call_stack]);
  batch_.hosts.push_back(host);
}

void BatchBuilder::add_device_work(const Event& event, std::uint32_t slice) {
  RawDeviceWork work{};
  work.slice = slice;
  work.external_id = integer(event, Arg::external_id);
  work.correlation = integer(event, Arg::correlation);
  work.device = event.has(Arg::device) ? integer(event, Arg::device) : parse_integer(event.pid).value_or(kUnknown);
  work.shared_bytes = integer(event, Arg::shared_memory);
  work.bytes = integer(event, Arg::bytes);
  work.grid = event.has(Arg::grid) ? strings_.intern(event[Arg::grid]) : StringId::none;
  work.block = event.has(Arg::block) ? strings_.intern(event[Arg::block]) : StringId::none;
  work.registers = event.has(Arg::registers) ? static_cast<std::int32_t>(parse_integer(event[Arg::registers]).value_or(-1)) : -1;
  work.blocks_per_core = real(event, Arg::blocks_per_sm);
  work.warps_per_core = real(event, Arg::warps_per_sm);
  work.queued = event.has(Arg::queued) ? parse_integer(event[Arg::queued]).value_or(kUnknown) : kUnknown;
  work.occupancy = real(event, Arg::occupancy);
  batch_.device_work.push_back(work);
}

void BatchBuilder::add_collective(const Event& event, std::uint32_t slice) {
  auto text = [&](Arg arg) { return event.has(arg) ? intern(event, event[arg]) : StringId::none; };
  batch_.collectives.push_back({slice, text(Arg::collective), text(Arg::group_name), text(Arg::group_about),
                                text(Arg::group_ranks), text(Arg::dtype), integer(event, Arg::group_size),
                                integer(event, Arg::in_elements), integer(event, Arg::out_elements),
                                integer(event, Arg::sequence)});
}

void BatchBuilder::add_memory(const Event& event, std::uint32_t track, std::int64_t time) {
  auto known_or = [](std::int64_t value, std::int64_t otherwise) { return value == kUnknown ? otherwise : value; };
  batch_.memory.push_back({time, integer(event, Arg::device_type), integer(event, Arg::device_id), integer(event, Arg::address),
                           known_or(integer(event, Arg::bytes), 0), integer(event, Arg::total_allocated),
                           integer(event, Arg::total_reserved), track});
}

void BatchBuilder::add_task(const Event& event, std::uint32_t slice) {
  if (!event.has(Arg::task_type) && !event.has(Arg::connection)) return;
  auto text = [&](Arg arg) { return event.has(arg) ? intern(event, event[arg]) : StringId::none; };
  auto number = [&](Arg arg) { return event.has(arg) ? parse_integer(event[arg]).value_or(kUnknown) : kUnknown; };
  batch_.tasks.push_back(
      {slice, number(Arg::connection), number(Arg::element_count), text(Arg::task_type), text(Arg::element_type)});
}

void BatchBuilder::add_facts(const Event& event, std::uint32_t slice, std::span<const FactArg> wanted) {
  for (const FactArg& fact : wanted) {
    if (!event.has(fact.arg)) continue;
    if (fact.least == kIsText) {
      if (event[fact.arg].empty()) continue;
      batch_.facts.push_back({slice, strings_.intern(fact.name), kUnknownReal, intern(event, event[fact.arg])});
      continue;
    }
    const std::int64_t number = parse_integer(event[fact.arg]).value_or(-1);
    if (number >= fact.least)
      batch_.facts.push_back({slice, strings_.intern(fact.name), static_cast<double>(number), StringId::none});
  }
}

// Calls take(name, value) for each argument; NaN for a value that is not a finite number.
template <typename Take>
void BatchBuilder::each_argument(const Event& event, Take&& take) const {
  if (event.args_end == 0) return;
  const std::string_view args(text_ + event.args_offset, event.args_end - event.args_offset);
  std::size_t at = 1;
  while (true) {
    const std::size_t open = args.find('"', at);
    if (open == std::string_view::npos) return;
    const std::size_t close = args.find('"', open + 1);
    const std::size_t colon = args.find(':', close == std::string_view::npos ? args.size() : close);
    if (colon == std::string_view::npos) return;
    const std::size_t end = args.find_first_of(",}", colon);
    if (end == std::string_view::npos) return;
    std::string_view value = args.substr(colon + 1, end - colon - 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\n')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\n')) value.remove_suffix(1);
    const double number = parse_real(value).value_or(kUnknownReal);
    take(args.substr(open + 1, close - open - 1), std::isfinite(number) ? number : static_cast<double>(kUnknownReal));
    at = end;
  }
}

// Counted values, under the names of the counters.
void BatchBuilder::add_counter_facts(const Event& event, std::uint32_t slice) {
  each_argument(event, [&](std::string_view name, double number) {
    if (!std::isnan(number)) batch_.facts.push_back({slice, strings_.intern(name), number, StringId::none});
  });
}

// Flows that add something: most writers' "ac2g" repeats the correlation id. Flows with ids from 2^40 on lead from one node
// of a graph to the next.
void BatchBuilder::add_flow_end(const Event& event) {
  constexpr std::int64_t kFirstGraphFlow = std::int64_t{1} << 40;
  const std::optional<std::int64_t> id = parse_integer(event.id);
  FlowChannel channel;
  if (event.cat == "ac2g" && id && *id >= kFirstGraphFlow) {
    channel = FlowChannel::graph_node;
  } else if (event.cat == "fwdbwd") {
    channel = FlowChannel::forward_backward;
  } else if (event.cat == "async_npu") {
    channel = FlowChannel::to_device;
  } else if (event.cat == "async_task_queue") {
    channel = FlowChannel::queue;
  } else {
    return;
  }
  std::int64_t time = 0;
  if (!time_of(event, event.ts, EventProblem::missing_time, time)) return;
  if (!id) return;
  const bool device = channel == FlowChannel::graph_node;
  batch_.flow_ends.push_back({time, *id, track_of(event, device), channel, event.ph[0] == 's'});
}

// Per event: a lane for each further series would take twenty times the memory of their text.
constexpr std::size_t kMostSeries = 1000, kMostNameBytes = std::size_t{1} << 20;

// A counter event is one sample for each member of its args; the empty key is the metric that the event names. The member
// acc_id is not a sample: it is the unit (one of several) that the others belong to.
void BatchBuilder::add_counter(const Event& event, std::int64_t time) {
  if (event.args_end == 0) return;
  const std::string_view args(text_ + event.args_offset, event.args_end - event.args_offset);
  constexpr std::string_view kUnit = "\"acc_id\":";
  std::string_view unit;
  if (const std::size_t found = args.find(kUnit); found != std::string_view::npos) {
    unit = args.substr(found + kUnit.size());
    unit = unit.substr(0, unit.find_first_of(",}"));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  }
  std::size_t series = 0, bytes = 0;
  each_argument(event, [&](std::string_view key, double number) {
    if (series > kMostSeries || bytes > kMostNameBytes) return;  // already reported
    if (unit.data() != nullptr && key == "acc_id") return;
    if (std::isnan(number)) {
      problem(EventProblem::not_a_number, event);
      return;
    }
    std::string name(event.name);
    if (!key.empty() && key != event.name) {
      if (!name.empty()) name += ' ';
      name += key;
    }
    if (unit.data() != nullptr) name.append(" ").append(unit);
    bytes += name.size();
    if (++series > kMostSeries || bytes > kMostNameBytes) return problem(EventProblem::many_series, event);
    const RawTrack track{strings_.intern(event.pid), intern(event, name), false, true};
    batch_.counters.push_back({time, track_id(track), number});
  });
}

void BatchBuilder::add_metadata(const Event& event) {
  RawName name{strings_.intern(event.name), strings_.intern(event.pid), strings_.intern(event.tid), StringId::none, kUnknown};
  if (event.has(Arg::name)) name.text = intern(event, event[Arg::name]);
  if (event.has(Arg::labels)) name.text = intern(event, event[Arg::labels]);
  if (event.has(Arg::sort_index)) name.sort_key = parse_integer(event[Arg::sort_index]).value_or(kUnknown);
  batch_.names.push_back(name);
}

// ---- problems ----
// The texts of the problems, and their sums.

namespace {

struct ProblemText {
  EventProblem problem;
  Severity severity;
  std::string_view code;
  const char* message;
};

constexpr ProblemText kProblemTexts[] = {
    {EventProblem::control_character, Severity::note, "control_character",
     "raw control characters inside strings were read as blanks"},
    {EventProblem::not_utf8, Severity::warning, "not_utf8", "strings contain bytes that are not UTF-8; they are shown as U+FFFD"},
    {EventProblem::malformed_event, Severity::error, "malformed_event", "an event is not well-formed JSON and was skipped"},
    {EventProblem::long_event, Severity::error, "long_event", "an event is longer than 16 MiB and was skipped"},
    {EventProblem::many_series, Severity::warning, "many_series",
     "a counter has more than 1,000 series, or very long names, in one event; those beyond are left out"},
    {EventProblem::bad_escape, Severity::note, "bad_escape", "an escape sequence that JSON does not know was kept as written"},
    {EventProblem::missing_name, Severity::warning, "missing_name", "an event has no name; it is shown as (unnamed)"},
    {EventProblem::missing_time, Severity::error, "missing_time", "an event has no start time and was skipped"},
    {EventProblem::missing_duration, Severity::warning, "missing_duration",
     "an event has no duration; it is shown as an instant"},
    {EventProblem::negative_duration, Severity::warning, "negative_duration", "a negative duration was read as 0"},
    {EventProblem::long_duration, Severity::warning, "long_duration",
     "an event is longer than 104 days; it is shown as an instant"},
    {EventProblem::not_a_number, Severity::warning, "not_a_number",
     "a value that should be a number is not one; it counts as unknown"},
    {EventProblem::unknown_phase, Severity::note, "unknown_phase", "an event of an unknown phase was not shown"},
    {EventProblem::unmatched_end, Severity::warning, "unmatched_end", "an E event has no B event before it on its thread"},
    {EventProblem::unfinished_slice, Severity::warning, "unfinished_slice",
     "a B event has no E event; it is shown until the last time in the file"},
    {EventProblem::truncated, Severity::error, "truncated",
     "the file ends in the middle of an event; everything before it was read"},
};

}  // namespace

void report_problems(const std::vector<EventBatch>& batches, Profile& profile) {
  ProblemTallies all;
  for (const EventBatch& batch : batches) {
    for (const auto& [what, tally] : batch.problems) {
      ProblemTally& sum = all[what];
      const bool earlier = tally.first_offset != kUnknown && tally.first_offset < sum.first_offset;
      if (sum.count == 0 || earlier) sum.first_offset = tally.first_offset;
      sum.count += tally.count;
    }
  }
  for (const ProblemText& text : kProblemTexts) {
    const auto at = all.find(text.problem);
    if (at != all.end()) profile.add_problem(text.severity, text.code, text.message, at->second.count, at->second.first_offset);
  }
}

}  // namespace sightline::formats::trace_events
