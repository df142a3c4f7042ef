// TraceReading: events of tracks, work of devices, counters.
#include "formats/perfetto/trace_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/json_writer.h"
#include "base/text.h"
#include "formats/common/categories.h"
#include "formats/common/decimal.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

using trace_events::Arg;
using trace_events::kStillOpen;

namespace {

// Categories of other writers in the words of JSON traces.
std::string_view common_category(std::string_view category) {
  if (category == "kernel_dispatch") return "kernel";
  if (category == "memory_copy") return "gpu_memcpy";
  if (category == "marker_api") return "user_annotation";
  if (category.ends_with("_api")) return "hip_runtime";
  return category;
}

bool is_operator_name(std::string_view name) { return name.find("::") != name.npos || name.find("Backward") != name.npos; }

// Whatever is not known as something else is work.
std::string_view stage_category(std::string_view stage) {
  if (stage == "Memcpy") return "gpu_memcpy";
  if (stage == "Memset") return "gpu_memset";
  return stage == "Annotation" ? "gpu_user_annotation" : "kernel";
}

// "stream 007" -> "7".
std::string stream_of(std::string_view queue) {
  if (!queue.starts_with("stream ")) return std::string(queue);
  std::string_view number = queue.substr(7);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return std::string(number);
}

}  // namespace

void TraceReading::take_packet(const Packet& packet, const PacketParts& parts) {
  if (parts.track.data() != nullptr) tracks_.read(ProtoSpan(parts.track));
  if (parts.usable && parts.track_event.data() != nullptr) read_track_event(packet, parts);
  if (parts.usable && parts.render_stage.data() != nullptr && parts.time) read_render_stage(packet, parts);
  if (parts.usable && parts.gpu_counters.data() != nullptr && parts.time) read_gpu_counters(parts);
  if (parts.compressed.data() != nullptr)
    packets_.unpack(parts.compressed, parts.by_zstd, packet.at);  // last: the packet's bytes may go
}

// ---- events of tracks ----

void TraceReading::read_legacy(ProtoSpan legacy, const Sequence& sequence) {
  while (legacy.next()) {
    switch (legacy.field()) {
      case event_field::kLegacyNameId:
        if (const std::string* name = sequence.names.find(legacy.unsigned_integer()); name != nullptr && !event_.has_name) {
          event_.name = *name;
          event_.has_name = true;
        }
        break;
      case event_field::kPhase:
        switch (legacy.integer()) {
          case 'B': event_.type = kBegin; break;
          case 'E': event_.type = kEnd; break;
          case 'X':
          case 'I':
          case 'i': event_.type = kInstant; break;
          default: break;
        }
        break;
      case event_field::kLegacyDuration:
        event_.duration_us = std::clamp(legacy.integer(), std::int64_t{0}, kFarthestNs / 1000);
        break;
      default: break;
    }
  }
}

// False: it has no time.
bool TraceReading::take_apart(ProtoSpan event, const PacketParts& parts) {
  Sequence& sequence = *parts.sequence;
  event_.type = kNoType;
  event_.track = sequence.default_track;
  event_.gpu_correlation = 0;
  event_.name = event_.category = {};
  event_.duration_us = -1;
  event_.has_name = event_.has_value = false;
  event_.annotations.clear();
  event_.flows.clear();
  event_.flow_ends.clear();
  event_.extra_tracks.clear();
  event_.extra_real_tracks.clear();
  event_.extra_values.clear();
  event_.extra_reals.clear();
  const auto add_id = [&](std::vector<std::uint64_t>& to) {
    event.integers([&](std::int64_t id) { to.push_back(static_cast<std::uint64_t>(id)); });
  };
  const auto add_fixed = [&](std::vector<std::uint64_t>& to) {
    event.fixed_numbers([&](std::uint64_t id) { to.push_back(id); });
  };
  while (event.next()) {
    switch (event.field()) {
      case event_field::kType: event_.type = event.unsigned_integer(); break;
      case event_field::kTrack: event_.track = event.unsigned_integer(); break;
      case event_field::kNameId:
      case event_field::kName: {
        const bool by_id = event.field() == event_field::kNameId;
        const std::string* name = by_id ? sequence.names.find(event.unsigned_integer()) : nullptr;
        event_.has_name = !by_id || name != nullptr;
        if (!by_id) name_ = to_utf8(event.bytes());
        event_.name = by_id && name != nullptr ? std::string_view(*name) : std::string_view(name_);
        break;
      }
      case event_field::kCategory:
        event.integers([&](std::int64_t id) {
          const std::string* category = sequence.categories.find(static_cast<std::uint64_t>(id));
          if (category != nullptr && event_.category.empty()) event_.category = *category;
        });
        break;
      case event_field::kCategoryText:
        if (event_.category.empty()) event_.category = event.bytes();  // only compared with known ones
        break;
      case event_field::kAnnotation: event_.annotations.push_back(event.bytes()); break;
      case event_field::kCounterValue:
        event_.value = static_cast<double>(event.integer());
        event_.has_value = true;
        break;
      case event_field::kRealValue:
        event_.value = event.real();
        event_.has_value = true;
        break;
      case event_field::kFlow: add_fixed(event_.flows); break;
      case event_field::kFlowEnd: add_fixed(event_.flow_ends); break;
      case event_field::kFlowOld: add_id(event_.flows); break;
      case event_field::kFlowEndOld: add_id(event_.flow_ends); break;
      case event_field::kExtraTracks: add_id(event_.extra_tracks); break;
      case event_field::kExtraRealTracks: add_id(event_.extra_real_tracks); break;
      case event_field::kExtraValues:
        event.integers([&](std::int64_t value) { event_.extra_values.push_back(static_cast<double>(value)); });
        break;
      case event_field::kExtraReals:
        event.fixed_numbers([&](std::uint64_t bits) { event_.extra_reals.push_back(std::bit_cast<double>(bits)); });
        break;
      case event_field::kGpuCorrelation:
        for (ProtoSpan correlation = event.message(); correlation.next();) {
          if (correlation.field() != 1 || event_.gpu_correlation != 0) continue;
          correlation.integers([&](std::int64_t id) { event_.gpu_correlation = static_cast<std::uint64_t>(id); });
        }
        break;
      case event_field::kLegacy: read_legacy(event.message(), sequence); break;
      default: break;
    }
  }
  return !event.damaged();
}

namespace {

// The time in the event itself, if the packet has none.
std::optional<Time> own_time(TraceState& state, ProtoSpan event, Sequence& sequence) {
  std::optional<Time> time;
  while (event.next()) {
    if (event.field() == event_field::kDeltaUs) time = state.add_to_reference(sequence, event.integer());
    if (event.field() == event_field::kAbsoluteUs) time = std::clamp(event.integer(), std::int64_t{0}, kFarthestNs / 1000) * 1000;
  }
  return time;
}

}  // namespace

void TraceReading::read_track_event(const Packet& packet, const PacketParts& parts) {
  const ProtoSpan event(parts.track_event);
  const std::optional<Time> time = parts.time ? parts.time : own_time(state_, event, *parts.sequence);
  if (!time) return;
  if (!take_apart(event, parts)) return state_.damaged.add(packet.at);
  if (event_.extra_tracks.empty()) event_.extra_tracks = parts.sequence->extra_tracks;
  if (event_.extra_real_tracks.empty()) event_.extra_real_tracks = parts.sequence->extra_real_tracks;
  switch (event_.type) {
    case kBegin:
    case kInstant:
      read_annotations(packet, *parts.sequence);
      add_slice(packet, *time);
      break;
    case kEnd: slices_.end(tracks_.at(event_.track).slices, *time, packet.at); break;
    case kCounter:
      if (event_.has_value) add_value(tracks_.at(event_.track), *time, event_.value);
      break;
    default: old_events_.add(packet.at);
  }
  add_counters(*time);
}

void TraceReading::read_annotations(const Packet& packet, const Sequence& sequence) {
  arguments_.clear();
  AnnotationReader reader(sequence);
  for (const std::string_view bytes : event_.annotations) {
    const ProtoSpan annotation(bytes);
    const Key& key = reader.key(annotation, known_keys_);
    arguments_.add_hint(key.hint);
    if (key.arg != Arg::count) {
      if (!reader.value(annotation, arguments_.text(key.arg))) arguments_.event().present &= ~trace_events::Event::bit(key.arg);
    } else if (key.name == "fwdbwd" && reader.value(annotation, text_)) {
      if (const auto id = whole_number<std::uint64_t>(text_)) flows_.add_pair(*id);
    }
    if (looked_for_ != kUnknown) add_found(key.name, reader.value(annotation, text_) ? text_ : std::string());
  }
  if (reader.was_cut()) cut_values_.add(packet.at);
  if (event_.gpu_correlation != 0 && !arguments_.event().has(Arg::correlation)) {
    arguments_.text(Arg::correlation) = std::to_string(static_cast<std::int64_t>(event_.gpu_correlation));
  }
  arguments_.finish();
}

// By the writer's category; without one, by what it writes only for slices of one kind.
std::string_view TraceReading::category_of(const Track& track) {
  const trace_events::Event& event = arguments_.event();
  const std::string_view name = event_.name;
  if (!event_.category.empty()) return common_category(event_.category);
  if (step_number(name) != kUnknown) return "user_annotation";
  switch (arguments_.hint()) {
    case Hint::runtime: return "cuda_runtime";
    case Hint::sync: return "cuda_sync";
    case Hint::python: return "python_function";
    case Hint::op: return is_operator_name(name) ? "cpu_op" : "user_annotation";
    case Hint::none: break;
  }
  if (track.name == "Overhead" || track.thread_name == "Overhead") return "overhead";
  if (!event.has(Arg::device) || !event.has(Arg::stream))
    return event.has(Arg::external_id) && is_operator_name(name) ? "cpu_op" : "";
  if (name.starts_with("Memcpy")) return "gpu_memcpy";
  if (name.starts_with("Memset")) return "gpu_memset";
  return event.has(Arg::grid) ? "kernel" : "";
}

// Work of a device is on the lane of its stream.
std::uint32_t TraceReading::raw_track(Track& track) {
  const trace_events::Event& event = arguments_.event();
  if (!on_device(builder_.category_of(event))) return tracks_.raw(track, TrackUse::host);
  if (event.has(Arg::device) && event.has(Arg::stream)) return tracks_.stream(event[Arg::device], event[Arg::stream]);
  return tracks_.raw(track, TrackUse::device);
}

void TraceReading::add_slice(const Packet& packet, Time time) {
  trace_events::Event& event = arguments_.event();
  Track& track = tracks_.at(event_.track);
  event.name = event_.has_name ? event_.name : std::string_view();
  if (event_.category.empty()) guessed_.add(packet.at);
  event.cat = category_of(track);
  event.offset = static_cast<std::size_t>(packet.at);
  event.pid = track.device;
  if (looked_for_ != kUnknown) return;
  if (event_.type == kInstant && event.name == "[memory]")
    return builder_.add_memory(event, tracks_.raw(track, TrackUse::host), time);
  const Time duration = event_.type == kBegin ? kStillOpen : std::max<std::int64_t>(event_.duration_us, 0) * 1000;
  const SliceRef slice = slices_.added(builder_.add_slice(event, raw_track(track), time, duration));
  if (event_.type == kBegin) slices_.begin(track.slices, time, slice);
  slices_.see(time);
  for (const std::uint64_t id : event_.flows) flows_.add(id, time, slice, false);
  for (const std::uint64_t id : event_.flow_ends) flows_.add(id, time, slice, true);
}

// ---- counters ----

void TraceReading::add_value(Track& track, Time time, double value) {
  track.value = track.is_incremental ? track.value + value : value;
  builder_.batch().counters.push_back(
      {time, tracks_.raw(track, TrackUse::counter), track.value * static_cast<double>(track.multiplier)});
  ++builder_.batch().events;
  slices_.see(time);
}

void TraceReading::add_counters(Time time) {
  const auto add = [&](const std::vector<std::uint64_t>& tracks, const std::vector<double>& values) {
    for (std::size_t i = 0; i < std::min(tracks.size(), values.size()); ++i) add_value(tracks_.at(tracks[i]), time, values[i]);
  };
  add(event_.extra_tracks, event_.extra_values);
  add(event_.extra_real_tracks, event_.extra_reals);
}

void TraceReading::read_gpu_counters(const PacketParts& parts) {
  std::optional<std::int64_t> gpu;
  const CounterDescriptor* names = nullptr;
  std::vector<std::pair<std::uint64_t, double>> values;
  std::string_view written_out;
  for (ProtoSpan event(parts.gpu_counters); event.next();) {
    switch (event.field()) {
      case counters_field::kDescriptor: written_out = event.bytes(); break;
      case counters_field::kDescriptorId: names = parts.sequence->counters.find(event.unsigned_integer()); break;
      case counters_field::kGpu: gpu = event.integer(); break;
      case counters_field::kCounters: {
        auto& [id, value] = values.emplace_back(0, kUnknownReal);
        for (ProtoSpan counter = event.message(); counter.next();) {
          if (counter.field() == counters_field::kId) id = counter.unsigned_integer();
          if (counter.field() == counters_field::kInteger) value = static_cast<double>(counter.integer());
          if (counter.field() == counters_field::kReal) value = counter.real();
        }
        break;
      }
      default: break;
    }
  }
  if (written_out.data() != nullptr) read_counter_names(ProtoSpan(written_out), gpu_counters_[gpu.value_or(0)]);
  if (names == nullptr) names = &gpu_counters_[gpu.value_or(0)];
  for (const auto& [id, value] : values) {
    const auto name = names->names.find(id);
    const std::string title = name != names->names.end() ? name->second : fmt::format("counter {}", id);
    if (!(value - value == 0)) continue;  // not a number
    builder_.batch().counters.push_back({*parts.time, tracks_.device_counter(gpu.value_or(names->gpu), title), value});
    ++builder_.batch().events;
  }
}

// ---- work of a device ----

void TraceReading::read_launch(ProtoSpan launch, const Sequence& sequence) {
  const auto write_size = [&](Arg arg) {
    std::uint64_t size[3] = {1, 1, 1};
    for (ProtoSpan dimension = launch.message(); dimension.next();) {
      if (dimension.field() >= 1 && dimension.field() <= 3) size[dimension.field() - 1] = dimension.unsigned_integer();
    }
    arguments_.text(arg) = fmt::format("[{}, {}, {}]", size[0], size[1], size[2]);
  };
  while (launch.next()) {
    if (launch.field() == stage_field::kGrid) write_size(Arg::grid);
    if (launch.field() == stage_field::kGroup) write_size(Arg::block);
    if (launch.field() != stage_field::kArguments) continue;
    Key key;
    std::int64_t value = 0;
    bool has_value = false;
    for (ProtoSpan argument = launch.message(); argument.next();) {
      if (argument.field() == stage_field::kArgumentName) key = key_named(argument.bytes());
      if (argument.field() == stage_field::kArgumentNameId) {
        if (const Key* known = sequence.argument_names.find(argument.unsigned_integer())) key = *known;
      }
      if (argument.field() != stage_field::kInteger && argument.field() != stage_field::kUnsigned) continue;
      value = argument.integer();
      has_value = true;
    }
    if (key.arg != Arg::count && has_value) arguments_.text(key.arg) = std::to_string(value);
  }
}

void TraceReading::add_found(std::string_view name, std::string_view value) {
  found_text_ += found_text_.empty() ? "" : ", ";
  append_json_string(found_text_, name);
  found_text_ += ": ";
  append_json_string(found_text_, value);
}

void TraceReading::read_render_stage(const Packet& packet, const PacketParts& parts) {
  const Sequence& sequence = *parts.sequence;
  std::uint64_t id = 0, duration = 0;
  std::int64_t gpu = 0;
  std::string queue, stage, kernel;
  std::string& name = name_;  // the event's name is a view of it
  name.clear();
  std::vector<std::uint64_t> waits;
  const auto text_of = [](const Numbered<std::string>& texts, ProtoSpan& field) {
    const std::string* text = texts.find(field.unsigned_integer());
    return text != nullptr ? *text : std::string();
  };
  arguments_.clear();
  for (ProtoSpan event(parts.render_stage); event.next();) {
    switch (event.field()) {
      case stage_field::kEventId: id = event.unsigned_integer(); break;
      case stage_field::kDuration: duration = event.unsigned_integer(); break;
      case stage_field::kGpu: gpu = event.integer(); break;
      case stage_field::kQueue: queue = text_of(sequence.specifications, event); break;
      case stage_field::kStage: stage = text_of(sequence.specifications, event); break;
      case stage_field::kQueueOld: queue = fmt::format("queue {}", event.integer()); break;
      case stage_field::kStageOld: stage = fmt::format("stage {}", event.integer()); break;
      case stage_field::kKernel: kernel = text_of(sequence.kernels, event); break;
      case stage_field::kNameId: name = text_of(sequence.names, event); break;
      case stage_field::kName: name = to_utf8(event.bytes()); break;
      case stage_field::kWaits: event.integers([&](std::int64_t on) { waits.push_back(static_cast<std::uint64_t>(on)); }); break;
      case stage_field::kLaunch: read_launch(event.message(), sequence); break;
      case stage_field::kExtra: {
        std::string key, value;
        for (ProtoSpan extra = event.message(); extra.next();) {
          if (extra.field() == 1) key = to_utf8(extra.bytes());
          if (extra.field() == 2) value = to_utf8(extra.bytes());
        }
        if (looked_for_ != kUnknown) add_found(key, value);
        if (const Key known = key_named(key); known.arg != Arg::count) arguments_.text(known.arg) = std::move(value);
        break;
      }
      default: break;
    }
  }
  if (duration > static_cast<std::uint64_t>(kFarthestNs)) return state_.unknown_times.add(packet.at);
  if (!kernel.empty() && name.empty()) name = kernel;
  if (name.empty()) name = stage;
  trace_events::Event& event = arguments_.event();
  if (!event.has(Arg::correlation)) arguments_.text(Arg::correlation) = std::to_string(static_cast<std::int64_t>(id));
  arguments_.text(Arg::device) = std::to_string(gpu);
  arguments_.text(Arg::stream) = stream_of(queue);
  arguments_.finish();
  event.name = name;
  event.cat = stage_category(stage);
  event.pid = {};
  event.offset = static_cast<std::size_t>(packet.at);
  if (looked_for_ != kUnknown) return;
  const std::uint32_t track = tracks_.stream(event[Arg::device], event[Arg::stream]);
  const SliceRef slice = slices_.added(builder_.add_slice(event, track, *parts.time, static_cast<Time>(duration)));
  slices_.see(*parts.time + static_cast<Time>(duration));
  if (id != 0) flows_.add_work(id, slice);
  for (const std::uint64_t on : waits) flows_.add_wait(on, slice);
}

}  // namespace sightline::formats::perfetto
