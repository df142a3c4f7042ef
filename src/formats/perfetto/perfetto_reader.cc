// The Perfetto reader: the whole trace, its problems, and one event's text.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/text.h"
#include "formats/kineto/completion.h"
#include "formats/perfetto/trace_reading.h"
#include "formats/read_context.h"
#include "formats/registry.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats {

namespace perfetto {

void TraceReading::read() {
  std::int64_t events = 0;
  for (Packet packet; packets_.next(packet);) {
    const PacketParts parts = state_.read(packet);
    take_packet(packet, parts);
    if (looked_for_ != kUnknown && packet.at >= looked_for_) return;
    if (progress_ != nullptr && (++events & 0xFFFF) == 0) progress_->events = events;
  }
}

trace_events::ParsedEvents TraceReading::take() {
  tracks_.for_each([&](Track& track) { slices_.finish(track.slices); });
  tracks_.name_all();
  trace_events::ParsedEvents parsed;
  parsed.batches = slices_.take();
  parsed.arrows = flows_.resolve(parsed.batches);
  parsed.tracks.push_back(builder_.tracks());
  parsed.strings.push_back(std::move(builder_.strings()));
  return parsed;
}

trace_events::RootMembers TraceReading::members() const {
  trace_events::RootMembers members;
  const std::int64_t to_unix = state_.clocks().to_unix();
  if (to_unix != kUnknown) members.emplace_back("baseTimeNanoseconds", std::to_string(to_unix));
  if (!tracks_.device_properties().empty()) members.emplace_back("deviceProperties", tracks_.device_properties());
  return members;
}

// ---- problems ----

void TraceReading::report(Profile& profile) const {
  const auto add = [&](Severity severity, std::string_view code, const TemplateMessage& message, const ProblemTally& tally) {
    if (tally.count != 0) profile.add_problem(severity, code, message, tally.count, tally.first_offset);
  };
  add(Severity::error, "damaged_packet", "a packet is damaged; what precedes the damage in it was read", state_.damaged);
  add(Severity::error, "long_packet", "a packet is longer than 16 MiB and was skipped", packets_.long_packets);
  add(Severity::error, "damaged_compressed_packets",
      "compressed packets are damaged, or unpack to more than 64 MiB; what precedes that was read", packets_.damaged_packs);
  add(Severity::warning, "not_a_packet", "parts of the file are not packets of a trace; they were skipped",
      packets_.other_fields);
  add(Severity::warning, "lost_packets", "packets were lost when the trace was recorded; it is not known what they contained",
      state_.gaps);
  add(Severity::warning, "packets_without_state", "packets refer to data that was lost or never written; they were skipped",
      state_.without_state);
  add(Severity::error, "unknown_clock",
      "packets have a time of a clock that no snapshot relates to the clock of the trace; they were skipped",
      state_.unknown_times);
  add(Severity::warning, "unmatched_end", "a slice ends that did not begin on its track", slices_.unmatched_ends);
  add(Severity::warning, "unfinished_slice", "a slice does not end; it is shown until the last time in the file",
      slices_.unfinished);
  add(Severity::warning, "unknown_event", "events of a kind that is not read (asynchronous events of old writers) were left out",
      old_events_);
  add(Severity::warning, "long_text", "a text inside a list or an object is longer than 256 bytes; the rest was left out",
      cut_values_);
  if (const std::int64_t cut = tracks_.cut_places(); cut != 0) {
    profile.add_problem(Severity::warning, "long_text",
                        "the name of a track that has others is longer than 1 KiB; theirs begin with a part of it", cut,
                        kUnknown);
  }
  add(Severity::note, "no_category", "slices have no category; their names and arguments show what they are", guessed_);
  std::vector<Message> unread;
  std::int64_t count = 0;
  for (const auto& [field, packets] : state_.unread) {
    unread.push_back(Message::verbatim(fmt::format("{} ({})", unread_name(field), packets)));
    count += packets;
  }
  if (count != 0) {
    profile.add_problem(Severity::warning, "data_not_read",
                        say("data of other kinds than tracks and devices was not read: {}", listed_messages(", ", unread)), count,
                        kUnknown);
  }
  if (packets_.was_cut()) {
    profile.add_problem(Severity::error, "truncated",
                        "the file ends inside a packet, or is damaged there; everything before it was read", 1,
                        packets_.cut_at());
  }
}

// ---- one event ----

std::string TraceReading::text_at(std::int64_t source) {
  looked_for_ = source;
  for (Packet packet; packets_.next(packet) && packet.at <= source;) {
    found_text_.clear();
    const PacketParts parts = state_.read(packet);
    if (packet.at < source) {
      if (parts.compressed.data() != nullptr) packets_.unpack(parts.compressed, parts.by_zstd, packet.at);
      continue;
    }
    take_packet(packet, parts);
    if (parts.track_event.data() == nullptr && parts.render_stage.data() == nullptr) return {};
    const trace_events::Event& event = arguments_.event();
    std::string text = "{\"name\": ";
    append_json_string(text, event.name);
    text += ", \"cat\": ";
    append_json_string(text, event.cat);
    if (parts.time) text += fmt::format(", \"timestamp\": {}", *parts.time);
    return text + fmt::format(", \"args\": {{{}}}}}", found_text_);
  }
  return {};
}

namespace {

constexpr std::string_view kEndings[] = {".pftrace", ".perfetto-trace", ".perfetto_trace", ".perfetto"};

// The first packet of a trace begins with its tag.
bool sniff(std::string_view file_name, std::string_view head) {
  const std::string_view plain = file_name.ends_with(".gz") ? file_name.substr(0, file_name.size() - 3) : file_name;
  const bool named =
      std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view end) { return plain.ends_with(end); });
  return named && (head.empty() || head.front() != '{');
}

// Counters of a device have the device's number in the name of their process.
void name_device_counters(Profile& profile) {
  constexpr std::string_view kBefore = "GPU ", kAfter = " counters";
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] != LaneKind::counter || profile.lanes.process[lane] == kNoRow) continue;
    std::string_view pid = profile.text(profile.processes.pid[profile.lanes.process[lane]]);
    if (!pid.starts_with(kBefore) || !pid.ends_with(kAfter) || pid.size() <= kBefore.size() + kAfter.size()) continue;
    pid = pid.substr(kBefore.size(), pid.size() - kBefore.size() - kAfter.size());
    if (const auto device = whole_number<std::int32_t>(pid)) profile.lanes.device[lane] = *device;
  }
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  context.when_empty(Empty::refused_if_damaged);
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  context.stage("reading");
  TraceReading reading(**in, context.progress());
  reading.read();
  if ((*in)->failed() && (*in)->error().code != ErrorCode::malformed) return (*in)->error();
  context.stage("building tables");
  trace_events::Assembled assembled = trace_events::assemble(reading.take(), reading.members(), context.options().threads);
  name_device_counters(*assembled.profile);
  kineto::complete(context, assembled);
  reading.report(*assembled.profile);
  context.note_damage(*assembled.profile);
  return std::move(assembled.profile);
}

Result<std::string> event_text(const std::string& path, std::int64_t source) {
  Result<std::unique_ptr<ByteSource>> bytes = open_bytes(path);
  if (!bytes) return bytes.error();
  ByteStream in(**bytes, path, nullptr);
  std::string text = source < 0 ? std::string() : TraceReading(in, nullptr).text_at(source);
  if (text.empty()) return Error{ErrorCode::not_found, "the file has no event for this slice", path};
  return text;
}

}  // namespace
}  // namespace perfetto

Reader perfetto_reader() {
  return {.id = "perfetto",
          .title = "Perfetto trace",
          .endings = {std::begin(perfetto::kEndings), std::end(perfetto::kEndings)},
          .sniff_file = perfetto::sniff,
          .read_capture = perfetto::read,
          .text_at = perfetto::event_text,
          .files_of = kineto::files_of};
}

}  // namespace sightline::formats
