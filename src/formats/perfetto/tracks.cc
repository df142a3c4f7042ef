// Tracks: descriptors, and where a track is in the order of processes and threads.
#include "formats/perfetto/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

namespace {

// The value of a line "key: value".
std::string line_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(key) && line.substr(key.size()).starts_with(": ")) return std::string(line.substr(key.size() + 2));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

// The number in the nth pair of brackets.
std::string bracketed(std::string_view text, int nth) {
  for (; nth >= 0; --nth) {
    const std::size_t open = text.find('[');
    if (open == text.npos) return {};
    text.remove_prefix(open + 1);
  }
  const std::string_view inside = text.substr(0, text.find(']'));
  return is_number(inside) ? std::string(inside) : std::string();
}

std::string builtin_counter(std::uint64_t type) {
  constexpr std::string_view kNames[] = {"", "thread time (ns)", "instructions of the thread"};
  return type < std::size(kNames) ? std::string(kNames[type]) : std::string();
}

constexpr int kMostParents = 16;
constexpr std::size_t kLongestPlace = 1024;  // bytes: many tracks may be on one with a long name

}  // namespace

void Tracks::read(ProtoSpan descriptor) {
  Track read;
  const auto text = [](ProtoSpan& field) { return to_utf8(field.bytes()); };
  while (descriptor.next()) {
    switch (descriptor.field()) {
      case track_field::kUuid: read.uuid = descriptor.unsigned_integer(); break;
      case track_field::kParent: read.parent = descriptor.unsigned_integer(); break;
      case track_field::kName:
      case track_field::kStaticName:
      case track_field::kAtraceName: read.name = text(descriptor); break;
      case track_field::kDescription: read.description = text(descriptor); break;
      case track_field::kProcess:
        read.is_process = true;
        for (ProtoSpan process = descriptor.message(); process.next();) {
          if (process.field() == track_field::kPid) read.pid = process.integer();
          if (process.field() == track_field::kProcessName) read.process_name = text(process);
          if (process.field() == track_field::kLabel) read.label = text(process);
        }
        break;
      case track_field::kThread:
        read.is_thread = true;
        for (ProtoSpan thread = descriptor.message(); thread.next();) {
          if (thread.field() == track_field::kPid) read.pid = thread.integer();
          if (thread.field() == track_field::kTid) read.tid = thread.integer();
          if (thread.field() == track_field::kThreadName) read.thread_name = text(thread);
        }
        break;
      case track_field::kCounter:
        for (ProtoSpan counter = descriptor.message(); counter.next();) {
          if (counter.field() == track_field::kMultiplier) read.multiplier = counter.integer();
          if (counter.field() == track_field::kIncremental) read.is_incremental = counter.unsigned_integer() != 0;
          if (counter.field() == track_field::kBuiltin && read.name.empty())
            read.name = builtin_counter(counter.unsigned_integer());
        }
        break;
      default: break;
    }
  }
  if (read.multiplier == 0) read.multiplier = 1;
  if (std::string devices = line_of(read.description, "deviceProperties"); !devices.empty()) device_properties_ = devices;
  const auto named = device_of_name(read.name);
  read.device = named ? named->device : line_of(read.description, "pid");
  if (read.device.empty() && read.is_thread) read.device = std::to_string(read.pid);
  Track& track = at(read.uuid);
  read.raw = track.raw;
  read.slices = std::move(track.slices);
  read.value = track.value;
  read.is_parent = track.is_parent;
  read.is_described = true;
  track = std::move(read);
  if (track.parent == track.uuid) track.parent = 0;
  if (track.parent != 0) at(track.parent).is_parent = true;
}

Track& Tracks::at(std::uint64_t uuid) {
  if (last_ != nullptr && last_->uuid == uuid) return *last_;
  last_ = &tracks_[uuid];
  last_->uuid = uuid;
  return *last_;
}

std::uint32_t Tracks::raw(Track& track, TrackUse use) {
  std::uint32_t& raw = track.raw[static_cast<std::size_t>(use)];
  if (raw == kNoTrack) raw = out_.add_track({StringId::none, StringId::none, use == TrackUse::device, use == TrackUse::counter});
  return raw;
}

std::uint32_t Tracks::stream(std::string_view device, std::string_view stream) {
  stream_key_.assign(device).append(1, '\n').append(stream);
  const auto [at, is_new] = stream_of_.try_emplace(stream_key_, streams_.size());
  if (is_new) {
    const std::uint32_t raw = out_.add_track({out_.strings().intern(device), out_.strings().intern(stream), true, false});
    streams_.push_back({std::string(device), std::string(stream), raw});
  }
  return streams_[at->second].raw;
}

std::uint32_t Tracks::device_counter(std::int64_t gpu, const std::string& name) {
  const auto [at, is_new] = device_counters_.try_emplace({gpu, name}, 0);
  if (is_new) {
    const StringId pid = out_.strings().intern(fmt::format("GPU {} counters", gpu));
    at->second = out_.add_track({pid, out_.strings().intern(name), false, true});
  }
  return at->second;
}

std::optional<Tracks::NamedDevice> Tracks::device_of_name(const std::string& name) {
  const bool computes = name.starts_with("COMPUTE "), copies = name.starts_with("COPY to ");
  if ((!computes && !copies) || name.find("GPU") == name.npos) return std::nullopt;
  NamedDevice named{bracketed(name, 0), bracketed(name, 1), ""};
  if (named.device.empty() || named.stream.empty()) return std::nullopt;
  named.label = "GPU " + named.device;
  if (copies) named.stream = "copies " + named.stream;
  return named;
}

// Recordings of other writers than ours: a process or thread of the system has its ids; what else there is has names.
Tracks::Place Tracks::place(const Track& track, TrackUse use, int depth) {
  Place place;
  const std::string own = !track.name.empty() ? track.name : fmt::format("track {}", track.uuid);
  const auto found = tracks_.find(track.parent);
  if (const auto named = device_of_name(track.name)) {
    place = {named->device, named->stream, named->label, named->label, track.name};
  } else if (track.is_thread || track.is_process) {
    place.pid = std::to_string(track.pid);
    place.tid = track.is_thread ? std::to_string(track.tid) : "process";
    place.thread_name = !track.thread_name.empty() || !track.is_thread ? track.thread_name : track.name;
    place.process_name = track.is_thread ? "" : !track.process_name.empty() ? track.process_name : track.name;
    place.label = track.label;
  } else if (track.parent != 0 && found != tracks_.end() && depth < kMostParents) {
    const Track& parent = found->second;
    place = this->place(parent, TrackUse::host, depth + 1);
    const bool in_group = parent.is_process || (parent.parent == 0 && !parent.is_thread);
    if (!in_group && place.tid.size() > kLongestPlace) {
      cut_places_.insert(parent.uuid);
      place.tid = fmt::format("{} (track {})", to_utf8(std::string_view(place.tid).substr(0, kLongestPlace)), parent.uuid);
    }
    place.tid = in_group ? own : place.tid + " / " + own;
    place.thread_name = own;
  } else {
    place.pid = track.is_parent ? own : "tracks";
    place.process_name = track.is_parent ? own : "";
    place.tid = place.thread_name = own;
  }
  // Sightline's own traces say what the ids were.
  if (const std::string pid = line_of(track.description, "pid"); !pid.empty()) {
    place.pid = pid;
    if (const std::string tid = line_of(track.description, "tid"); !tid.empty()) {
      place.tid = tid;
      place.thread_name = line_of(track.description, "name");
    } else {
      place.process_name = line_of(track.description, "name");
      place.label = line_of(track.description, "label");
    }
  }
  if (use == TrackUse::device && place.label.empty() && place.process_name.starts_with("GPU ")) place.label = place.process_name;
  if (use == TrackUse::counter) place.tid = own;
  return place;
}

void Tracks::name_one(std::string_view what, const std::string& pid, const std::string& tid, const std::string& text) {
  if (text.empty()) return;
  StringPool& strings = out_.strings();
  const std::array<StringId, 3> of{strings.intern(what), strings.intern(pid), strings.intern(tid)};
  if (!named_.insert(of).second) return;
  out_.batch().names.push_back({of[0], of[1], of[2], strings.intern(text), kUnknown});
}

void Tracks::name(const Place& place) {
  name_one("process_name", place.pid, "", place.process_name);
  name_one("process_labels", place.pid, "", place.label);
  name_one("thread_name", place.pid, place.tid, place.thread_name);
}

void Tracks::name_all() {
  std::map<std::uint64_t, Track*> ordered;  // so that the result does not depend on the hash
  for (auto& [uuid, track] : tracks_) ordered.emplace(uuid, &track);
  for (const auto& [uuid, track] : ordered) {
    if (track->is_process) name(place(*track, track->raw[1] != kNoTrack ? TrackUse::device : TrackUse::host));
  }
  for (const auto& [uuid, track] : ordered) {
    for (const TrackUse use : {TrackUse::host, TrackUse::device, TrackUse::counter}) {
      const std::uint32_t raw = track->raw[static_cast<std::size_t>(use)];
      const Place at = place(*track, use);
      if (raw != kNoTrack) {
        out_.set_track(raw, {out_.strings().intern(at.pid), out_.strings().intern(at.tid), use == TrackUse::device,
                             use == TrackUse::counter});
      }
      if (use == TrackUse::host || raw != kNoTrack) name(at);
    }
  }
  for (const Stream& stream : streams_) {
    if (!is_number(stream.device)) continue;
    name_one("process_labels", stream.device, "", "GPU " + stream.device);
    if (is_number(stream.stream)) name_one("thread_name", stream.device, stream.stream, "stream " + stream.stream);
  }
}

}  // namespace sightline::formats::perfetto
