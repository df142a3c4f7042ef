// The second pass over a file: its lines, now that all names are known; then what refers from line to line.
#include "formats/xplane/space_profile.h"

#include <fmt/core.h>

#include "base/text.h"
#include "formats/xplane/arrows.h"
#include "formats/xplane/builder.h"
#include "formats/xplane/derived_lanes.h"
#include "formats/xplane/device_clock.h"
#include "formats/xplane/devices.h"
#include "formats/xplane/links.h"
#include "formats/xplane/memory.h"
#include "formats/xplane/operators.h"
#include "formats/xplane/profile_options.h"
#include "formats/xplane/programs.h"
#include "formats/xplane/runs.h"
#include "formats/xplane/span.h"
#include "formats/xplane/steps.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::string_view kWrappedFile = "/host:Neuron-runtime:profile//";  // how such a plane's name begins

class SpaceProfile {
 public:
  SpaceProfile(ByteStream& in, const XSpace& space)
      : in_(in), space_(space), profile_(std::make_unique<Profile>()), b_(*profile_), programs_(*profile_) {
    tally_.left_out = space.left_out;
  }

  std::unique_ptr<Profile> run() {
    add_metadata();
    for (const Plane& plane : space_.planes) add_device(plane, *profile_);
    std::size_t next = 0;
    ProtoMessage root = ProtoMessage::whole(in_);
    while (root.next() && next < space_.planes.size()) {
      if (root.field() != field::kSpacePlanes) continue;
      add_plane(space_.planes[next++], root.message());
    }
    finish();
    return std::move(profile_);
  }

 private:
  // Compiled programs, one at a time: they may be as large as the rest of the file.
  void add_programs(const Plane& plane, ProtoMessage message) {
    std::string entry;
    while (message.next()) {
      if (message.field() != field::kPlaneEventMetadata) continue;
      tally_.left_out.bytes(message, entry, kLongestProgram);
      if (in_.failed()) return;
      add_program(plane, map_entry(entry).value);
    }
  }

  void add_program(const Plane& plane, std::string_view metadata) {
    std::string_view name;
    for (ProtoSpan said(metadata); said.next();) {
      if (said.field() == field::kMetadataName) name = said.bytes();
      if (said.field() != field::kMetadataStats) continue;
      const Stat stat = stat_of(said.bytes());
      const auto stat_name = plane.stat_names.find(stat.name);
      if (stat_name != plane.stat_names.end() && stat_name->second == "Hlo Proto") programs_.add(name, hlo_program(stat.text));
    }
  }

  void add_plane(const Plane& plane, ProtoMessage message) {
    if (plane.name == kProgramPlane) return add_programs(plane, message);
    if (plane.name.starts_with(kWrappedFile)) return note_wrapped_file(plane.name);
    if (plane.lines == 0) return;
    PlaneNames names(plane, profile_->strings);
    const DevicePlane device = device_plane(plane.name);
    const bool host = plane.name.starts_with("/host:") || plane.name == "Host CPUs" || plane.name == "Syscalls";
    const bool has_clock = !host && has_device_clock(plane);
    std::vector<Line> waiting;  // for all lines of a plane whose device has a clock: one places the others
    Row process = kNoRow;
    while (message.next()) {
      if (message.field() != field::kPlaneLines) continue;
      Line line = read_line(in_, message.message(), names, origin_, tally_);
      if (line.events.empty() && line.aggregates.empty()) continue;
      if (process == kNoRow) process = add_process(plane, device, host);
      add_aggregates(b_, device, line);
      if (host) {
        add_host_line(b_, process, std::move(line));
      } else if (has_clock) {
        waiting.push_back(std::move(line));
      } else {
        add_device_line(b_, device, process, line);
      }
    }
    place_by_device_clock(waiting);
    for (const Line& line : waiting) add_device_line(b_, device, process, line);
  }

  // A plane of Neuron's older profiler is a JSON file in pieces, which its own tool puts together again.
  void note_wrapped_file(std::string_view plane) {
    profile_->add_problem(Severity::warning, "wrapped_file",
                          fmt::format("a plane that contains {} of Neuron's older profiler is not read; open the log that its "
                                      "tool writes (plugins/neuron/TIME) instead",
                                      to_utf8(plane.substr(plane.rfind('/') + 1))),
                          1, 0);
  }

  // Hosts stand above devices, devices in their order, whatever else there is below.
  Row add_process(const Plane& plane, const DevicePlane& device, bool host) {
    const Row process = b_.add_process(to_utf8(plane.name));
    const bool numbered = device.kind != DeviceKind::other && device.ordinal != kUnknown;
    const std::int64_t order = host ? 0 : device_order(numbered ? device.ordinal : kUnknown);
    profile_->processes.sort_key[process] = order;
    std::string label = host ? "CPU" : "";
    if (numbered) label = fmt::format("{} {}", device.kind == DeviceKind::gpu ? "GPU" : "TPU", device.ordinal);
    profile_->processes.label[process] = profile_->strings.intern(label);
    return process;
  }

  void add_metadata_row(std::string_view key, std::string_view value) { b_.add_metadata(key, to_utf8(value)); }

  // Hosts, and the stats of the planes that describe the recording.
  void add_metadata() {
    for (const std::string& host : space_.hostnames) add_metadata_row("hostname", host);
    if (!space_.hostnames.empty()) profile_->host = to_utf8(space_.hostnames.front());
    for (const Plane& plane : space_.planes) {
      if (plane.name != kProgramPlane && plane.name != "Task Environment") continue;
      const PlaneNames names(plane, profile_->strings);
      for (const std::string& message : plane.stats) {
        const Stat stat = stat_of(message);
        if (names.name(stat) == "profile_options" && stat.kind == Stat::Kind::bytes) {
          for (const auto& [option, value] : profile_options(stat.text)) add_metadata_row("profile_options." + option, value);
          continue;
        }
        add_metadata_row(names.name(stat), names.text(stat));
        const auto begin = static_cast<std::int64_t>(stat.number);
        const bool whole = stat.kind == Stat::Kind::unsigned_integer || stat.kind == Stat::Kind::integer;
        if (names.name(stat) == "profile_start_time" && whole && begin > 0 && begin < kLatestUnix) origin_.unix_ns = begin;
      }
    }
    const auto add_said = [&](const std::vector<std::string>& texts, Severity severity, std::string_view code) {
      for (const std::string& text : texts) {
        if (!text.empty()) profile_->add_problem(severity, code, to_utf8(text), 1, kUnknown);
      }
    };
    add_said(space_.errors, Severity::error, "recorded_error");
    add_said(space_.warnings, Severity::warning, "recorded_warning");
  }

  void finish() {
    Profile& p = *profile_;
    add_arrows(b_);
    add_memory_events(b_);
    add_operators(b_);
    add_steps(b_);
    add_run_launches(b_);
    profile_ = add_links(b_, std::move(profile_));
    add_program_work(b_, programs_);
    find_matrix_operators(b_);
    add_derived_lanes(b_);
    p.origin_unix_ns = origin_.unix_ns;
    p.events = tally_.events;
    find_span(p);
    const auto say = [&](std::int64_t count, Severity severity, std::string_view code, std::string_view message,
                         std::int64_t at) {
      if (count != 0) p.add_problem(severity, code, message, count, at);
    };
    say(tally_.malformed, Severity::error, "malformed_event", "events whose bytes are damaged were left out",
        tally_.first_malformed);
    say(tally_.left_out.count, Severity::warning, "long_value",
        "names, texts and events of more than 16 MiB, and compiled programs of more than 256 MiB, were left out",
        tally_.left_out.first);
    say(tally_.impossible, Severity::error, "impossible_time", "events with an impossible time were left out",
        tally_.first_impossible);
    say(b_.implausible_details, Severity::warning, "implausible_details",
        "kernels with more registers than any device has: their registers and shared memory count as unknown", kUnknown);
    say(b_.empty_samples, Severity::warning, "counters_without_values", "counter events without a number were left out",
        kUnknown);
    say(b_.releases_of_unknown_size, Severity::warning, "releases_of_unknown_size",
        "memory releases with neither a size nor a recorded allocation were left out", kUnknown);
  }

  static constexpr std::int64_t kLatestUnix = 4'000'000'000'000'000'000;  // ns: the year 2096

  ByteStream& in_;
  const XSpace& space_;
  std::unique_ptr<Profile> profile_;
  Builder b_;
  Programs programs_;
  Origin origin_;
  LineTally tally_;
};

}  // namespace

std::unique_ptr<Profile> read_profile(ByteStream& in, const XSpace& space) { return SpaceProfile(in, space).run(); }

}  // namespace sightline::formats::xplane
