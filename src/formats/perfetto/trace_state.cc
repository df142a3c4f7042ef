// TraceState: one pass over the fields of a packet, which may come in any order.
#include "formats/perfetto/trace_state.h"

#include <algorithm>
#include <utility>

#include "formats/common/decimal.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

namespace {

constexpr std::uint64_t kCleared = 1, kNeedsState = 2;  // flags of a sequence

constexpr std::pair<unsigned, std::string_view> kUnread[] = {
    {1, "ftrace_events"},
    {2, "process_tree"},
    {5, "chrome_events"},
    {7, "sys_stats"},
    {9, "process_stats"},
    {37, "profile_packet"},
    {38, "battery"},
    {39, "android_log"},
    {40, "power_rails"},
    {54, "streaming_profile_packet"},
    {56, "heap_graph"},
    {57, "graphics_frame_event"},
    {62, "vulkan_memory_event"},
    {63, "gpu_log"},
    {65, "vulkan_api_event"},
    {66, "perf_sample"},
    {71, "gpu_mem_total_event"},
    {74, "streaming_allocation"},
    {75, "streaming_free"},
    {76, "frame_timeline_event"},
    {95, "etw_events"},
    {117, "generic_kernel_task_state_event"},
    {118, "generic_kernel_cpu_freq_event"},
    {129, "generic_gpu_frequency_event"},
    {135, "stack_sample"},
};

std::int64_t reference_time(ProtoSpan thread) {
  std::int64_t us = 0;
  while (thread.next()) {
    if (thread.field() == track_field::kReferenceTime) us = thread.integer();
  }
  return std::clamp(us, std::int64_t{0}, kFarthestNs / 1000);
}

}  // namespace

std::string_view unread_name(unsigned field) {
  for (const auto& [number, name] : kUnread) {
    if (number == field) return name;
  }
  return {};
}

Time TraceState::add_to_reference(Sequence& sequence, std::int64_t us) {
  const std::int64_t most = kFarthestNs / 1000;
  sequence.reference_us = std::clamp(sequence.reference_us + std::clamp(us, -most, most), std::int64_t{0}, most);
  return sequence.reference_us * 1000;
}

PacketParts TraceState::read(const Packet& packet) {
  PacketParts parts;
  std::uint64_t id = 0, flags = 0, clock = 0, time = 0;
  bool has_time = false, dropped = false;
  std::string_view defaults, snapshot, thread;
  interned_.clear();
  ProtoSpan fields(packet.bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case packet_field::kTimestamp:
        time = fields.unsigned_integer();
        has_time = true;
        break;
      case packet_field::kSequence: id = fields.unsigned_integer(); break;
      case packet_field::kFlags: flags |= fields.unsigned_integer(); break;
      case packet_field::kCleared: flags |= fields.unsigned_integer() != 0 ? kCleared : 0; break;
      case packet_field::kDropped: dropped = fields.unsigned_integer() != 0; break;
      case packet_field::kClock: clock = fields.unsigned_integer(); break;
      case packet_field::kTrackEvent: parts.track_event = fields.bytes(); break;
      case packet_field::kTrackDescriptor: parts.track = fields.bytes(); break;
      case packet_field::kRenderStage: parts.render_stage = fields.bytes(); break;
      case packet_field::kGpuCounters: parts.gpu_counters = fields.bytes(); break;
      case packet_field::kCompressed: parts.compressed = fields.bytes(); break;
      case packet_field::kInterned: interned_.push_back(fields.bytes()); break;
      case packet_field::kDefaults: defaults = fields.bytes(); break;
      case packet_field::kClockSnapshot: snapshot = fields.bytes(); break;
      case packet_field::kThread: thread = fields.bytes(); break;
      case packet_field::kZstd:
        parts.compressed = fields.bytes();
        parts.by_zstd = true;
        break;
      default:
        if (!unread_name(fields.field()).empty()) ++unread[fields.field()];
    }
  }
  if (fields.damaged()) damaged.add(packet.at);
  if (last_ == nullptr || id != last_id_) last_ = &sequences_[id];
  last_id_ = id;
  Sequence& sequence = *last_;
  parts.sequence = last_;
  if (dropped && !sequence.is_new) {
    gaps.add(packet.at);
    sequence.is_valid = false;
  }
  sequence.is_new = false;
  if ((flags & kCleared) != 0) {
    sequence.clear();
    sequence.is_valid = true;
  }
  for (const std::string_view interned : interned_) sequence.read_interned(ProtoSpan(interned));
  if (defaults.data() != nullptr) sequence.read_defaults(ProtoSpan(defaults));
  if (thread.data() != nullptr) sequence.reference_us = reference_time(ProtoSpan(thread));
  if (snapshot.data() != nullptr) clocks_.read_snapshot(ProtoSpan(snapshot), id);
  parts.usable = sequence.is_valid || (flags & kNeedsState) == 0;
  if (!parts.usable) without_state.add(packet.at);
  if (!has_time) return parts;
  parts.time = clocks_.trace_time(clock != 0 ? clock : sequence.default_clock, time, id);
  const bool has_data =
      parts.track_event.data() != nullptr || parts.render_stage.data() != nullptr || parts.gpu_counters.data() != nullptr;
  if (!parts.time && has_data) unknown_times.add(packet.at);
  return parts;
}

}  // namespace sightline::formats::perfetto
