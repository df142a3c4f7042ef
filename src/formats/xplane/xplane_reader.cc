// The reader of XLA profiles: names, the layout of folders, and the two passes over a file.
#include "formats/registry.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/json_writer.h"
#include "base/result.h"
#include "base/text.h"
#include "formats/read_context.h"
#include "formats/step_metrics/step_metrics.h"
#include "formats/xplane/arrows.h"
#include "formats/xplane/builder.h"
#include "formats/xplane/device_clock.h"
#include "formats/xplane/lines.h"
#include "formats/xplane/plane_stats.h"
#include "formats/xplane/programs.h"
#include "formats/xplane/xspace.h"
#include "model/profile.h"

namespace sightline::formats::xplane {

// ---- the text of an event ----
// event_text: one event with all its stats as JSON, read again from the file in two passes: over the planes to the one that
// contains the byte, whose names are read; then to the event itself.

namespace {

// JSON parsers may round larger numbers.
void write_number(JsonWriter& json, std::uint64_t bits, bool is_signed) {
  const auto value = static_cast<std::int64_t>(bits);
  if (is_signed ? value > -kMostExactReal && value < kMostExactReal : bits < static_cast<std::uint64_t>(kMostExactReal)) {
    json.value(value);
  } else {
    json.value(is_signed ? std::to_string(value) : std::to_string(bits));
  }
}

// The meaning of the number at an arrow's end; empty for every other stat.
std::string in_words(std::string_view name, const Stat& stat) {
  if (name == "_pt" || name == "_ct") return std::string(context_name(static_cast<std::int64_t>(stat.number)));
  if (name != "flow") return "";
  const Flow flow = flow_of(static_cast<std::int64_t>(stat.number));
  const std::string_view direction = flow.in && flow.out ? "in and out" : flow.in ? "in" : flow.out ? "out" : "no direction";
  const std::string_view context = context_name(flow.context);
  return fmt::format("{}, id {}, {}", direction, flow.id, context.empty() ? fmt::format("context {}", flow.context) : context);
}

void write_stat(JsonWriter& json, const PlaneNames& names, const Stat& stat) {
  json.key(to_utf8(names.name(stat)));
  switch (stat.kind) {
    case Stat::Kind::real: json.value(std::bit_cast<double>(stat.number)); break;
    case Stat::Kind::unsigned_integer: write_number(json, stat.number, false); break;
    case Stat::Kind::integer: write_number(json, stat.number, true); break;
    default: json.value(names.text(stat)); break;
  }
  const std::string read = in_words(names.name(stat), stat);
  if (!read.empty()) json.member(to_utf8(names.name(stat)) + " in words", read);
}

struct Found {
  Plane plane;
  std::string line, event;
  LongValues left_out;
};

// The fields of the line that holds byte `at`; its event's bytes when they are there.
void read_line_at(ByteStream& in, ProtoMessage line, std::int64_t at, Found& found) {
  while (line.next()) {
    if (line.field() == field::kLineName) found.line = found.left_out.bytes(line);
    if (line.field() != field::kLineEvents) continue;
    if (in.position() == at) found.event = found.left_out.bytes(line);
    if (in.position() > at) return;
  }
}

bool find(ByteStream& in, std::int64_t at, Found& found) {
  ProtoMessage root = ProtoMessage::whole(in);
  while (root.next()) {
    if (root.field() != field::kSpacePlanes) continue;
    const std::int64_t begin = in.position();
    if (at < begin) return false;
    ProtoMessage plane = root.message();
    if (at >= plane.end()) continue;
    std::string entry;
    while (plane.next()) {
      switch (plane.field()) {
        case field::kPlaneName: found.plane.name = found.left_out.bytes(plane); break;
        case field::kPlaneLines: {
          ProtoMessage line = plane.message();
          if (at >= in.position() && at < line.end()) read_line_at(in, line, at, found);
          break;
        }
        case field::kPlaneEventMetadata:
        case field::kPlaneStatMetadata:
          found.left_out.bytes(plane, entry);
          add_names(plane.field(), entry, found.plane);
          break;
        default: break;
      }
    }
    return !found.event.empty();
  }
  return false;
}

}  // namespace

// The event whose message begins at byte `at` of the (decompressed) file.
static Result<std::string> event_text(const std::string& path, std::int64_t at) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream in(**source, path, nullptr);
  Found found;
  if (!find(in, at, found)) return Error{ErrorCode::not_found, "no event begins here", path + ":" + std::to_string(at)};
  StringPool strings;
  PlaneNames names(found.plane, strings);
  std::int64_t id = 0, offset = kUnknown, duration = 0, occurrences = kUnknown;
  std::vector<Stat> stats;
  for (ProtoSpan field(found.event); field.next();) {
    switch (field.field()) {
      case field::kEventMetadataId: id = field.integer(); break;
      case field::kEventOffset: offset = field.integer(); break;
      case field::kEventDuration: duration = field.integer(); break;
      case field::kEventOccurrences: occurrences = field.integer(); break;
      case field::kEventStats: stats.push_back(stat_of(field.bytes())); break;
      default: break;
    }
  }
  std::string text;
  JsonWriter json(text);
  const auto metadata = found.plane.events.find(id);
  json.begin_object();
  if (metadata != found.plane.events.end()) {
    json.member("name", to_utf8(metadata->second.name));
    if (!metadata->second.display_name.empty()) json.member("display_name", to_utf8(metadata->second.display_name));
  }
  json.member("plane", to_utf8(found.plane.name)).member("line", to_utf8(found.line));
  json.key("offset_ps");
  write_number(json, static_cast<std::uint64_t>(offset == kUnknown ? 0 : offset), true);
  json.key("duration_ps");
  write_number(json, static_cast<std::uint64_t>(duration), true);
  if (occurrences != kUnknown) json.member("num_occurrences", occurrences);
  json.key("stats").begin_object();
  for (const Stat& stat : stats) write_stat(json, names, stat);
  if (metadata != found.plane.events.end()) {
    for (const std::string& stat : metadata->second.stats) write_stat(json, names, stat_of(stat));
  }
  json.end_object().end_object();
  return text;
}

// ---- from lines to tables ----
// From planes and lines to the tables of a profile: the second pass over a file, when all names are known. It reads the
// lines, then builds what refers from line to line.

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
    for (ProtoSpan member(metadata); member.next();) {
      if (member.field() == field::kMetadataName) name = member.bytes();
      if (member.field() != field::kMetadataStats) continue;
      const Stat stat = stat_of(member.bytes());
      const auto stat_name = plane.stat_names.find(stat.name);
      if (stat_name != plane.stat_names.end() && stat_name->second == "Hlo Proto") programs_.add(name, hlo_program(stat.text));
    }
  }

  void add_plane(const Plane& plane, ProtoMessage message) {
    if (plane.name == kProgramPlane) return add_programs(plane, message);
    if (plane.name.starts_with(kWrappedFile)) return note_wrapped_file(plane.name);
    if (plane.lines == 0) return;
    PlaneNames names(plane, profile_->strings, &b_.accesses);
    const DevicePlane device = device_plane(plane.name);
    const bool host = plane.name.starts_with("/host:") || plane.name == "Host CPUs" || plane.name == "Syscalls";
    const bool has_clock = !host && has_device_clock(plane);
    std::vector<Line> waiting;  // all lines of a plane whose device has a clock: one places the others
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

  // A plane of Neuron's older profiler is a JSON file in pieces, which the vendor's tool puts together.
  void note_wrapped_file(std::string_view plane) {
    profile_->add_problem(Severity::warning, "wrapped_file",
                          say("a plane that contains {} of Neuron's older profiler is not read; open the log that its "
                              "tool writes (plugins/neuron/TIME) instead",
                              to_utf8(plane.substr(plane.rfind('/') + 1))),
                          1, 0);
  }

  // Hosts come first, then devices by number, then everything else.
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
    const auto add_recorded = [&](const std::vector<std::string>& texts, Severity severity, std::string_view code) {
      for (const std::string& text : texts) {
        if (!text.empty()) profile_->add_problem(severity, code, Message::verbatim(to_utf8(text)), 1, kUnknown);
      }
    };
    add_recorded(space_.errors, Severity::error, "recorded_error");
    add_recorded(space_.warnings, Severity::warning, "recorded_warning");
  }

  void finish() {
    Profile& p = *profile_;
    add_arrows(b_);
    add_memory_events(b_);
    add_operators(b_);
    add_steps(b_);
    add_run_launches(b_);
    add_links(b_);
    add_program_work(b_, programs_);
    find_matrix_operators(b_);
    find_span(p);       // derived slices are inside those that they come from
    b_.flow_ends = {};  // of use above only, and long
    b_.arrows = {};
    b_.launch_hlo = {};
    add_derived_lanes(b_);
    p.origin_unix_ns = origin_.unix_ns;
    p.events = tally_.events;
    const auto note = [&](std::int64_t count, Severity severity, std::string_view code, const char* message, std::int64_t at) {
      if (count != 0) p.add_problem(severity, code, message, count, at);
    };
    note(tally_.malformed, Severity::error, "malformed_event", "events whose bytes are damaged were left out",
         tally_.first_malformed);
    note(tally_.left_out.count, Severity::warning, "long_value",
         "names, texts and events of more than 16 MiB, and compiled programs of more than 256 MiB, were left out",
         tally_.left_out.first);
    note(tally_.impossible, Severity::error, "impossible_time", "events with an impossible time were left out",
         tally_.first_impossible);
    note(b_.implausible_details, Severity::warning, "implausible_details",
         "kernels with more registers than any device has: their registers and shared memory count as unknown", kUnknown);
    note(b_.empty_samples, Severity::warning, "counters_without_values", "counter events without a number were left out",
         kUnknown);
    note(b_.releases_of_unknown_size, Severity::warning, "releases_of_unknown_size",
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

// `in` is at the beginning of the file that `space` was read from. Everything before damage is kept: check the stream.
static std::unique_ptr<Profile> read_profile(ByteStream& in, const XSpace& space) { return SpaceProfile(in, space).run(); }

}  // namespace sightline::formats::xplane

namespace sightline::formats {

// ---- the reader ----

namespace xplane {
namespace {

constexpr std::string_view kEnding = ".xplane.pb", kRiegeli = ".xplane.riegeli";

bool sniff(std::string_view, std::string_view head) { return looks_like_xspace(head); }

// <run>/plugins/profile/<session>/<host>.xplane.pb
Reader::Layout layout(const std::string& path) {
  const std::filesystem::path session = std::filesystem::path(path).parent_path();
  const std::filesystem::path profiles = session.parent_path();
  if (profiles.filename() != "profile" || profiles.parent_path().filename() != "plugins") return {};
  return {.folders = 3, .span_stamp = session.filename().string()};
}

// What failed in a pass over the file, and at which byte.
struct Failure {
  Error error;
  std::int64_t at;
};

std::optional<Failure> failure_of(const ByteStream& stream) {
  if (!stream.failed()) return std::nullopt;
  return Failure{stream.error(), stream.failed_at()};
}

// The first pass, which ends its stream.
Result<XSpace> read_names(ReadContext& context, std::optional<Failure>& failure) {
  context.stage("reading names");
  const Result<ByteStream*> names = context.open();
  if (!names) return names.error();
  XSpace space = read_space(**names);
  failure = failure_of(**names);
  return space;
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  const std::string& path = context.path();
  if (path.ends_with(kRiegeli) || path.ends_with(std::string(kRiegeli) + ".gz")) {
    return Error{ErrorCode::unsupported,
                 "a Riegeli file of a continuous capture, which Sightline does not read: save a snapshot as .xplane.pb",
                 path + ":0"};
  }
  std::optional<Failure> failure;
  const Result<XSpace> space = read_names(context, failure);
  if (!space) return space.error();
  if (failure && (space->planes.empty() || failure->error.code == ErrorCode::cancelled)) return failure->error;
  if (space->planes.empty()) return Error{ErrorCode::malformed, "the file contains no plane of a profile", path + ":0"};

  context.stage("reading events");
  const Result<ByteStream*> events = context.open();
  if (!events) return events.error();
  context.when_empty(Empty::kept);
  std::unique_ptr<Profile> profile = read_profile(**events, *space);
  // Each pass skips bytes that the other reads: the first byte that failed is where the damage is.
  if (const auto of_events = failure_of(**events); of_events && (!failure || of_events->at < failure->at)) failure = of_events;
  if (failure) {
    if (failure->error.code != ErrorCode::malformed) return failure->error;
    profile->add_problem(Severity::error, "damaged_file", say("{}: everything before it is shown", failure->error.message), 1,
                         failure->at);
  }
  read_step_metrics(context, *profile);
  return profile;
}

Result<std::vector<std::string>> files_of(const std::string& path) { return with_step_metric_files(path, {}); }

}  // namespace
}  // namespace xplane

Reader xplane_reader() {
  return {.id = "xla",
          .title = "XLA profile (xplane.pb)",
          .endings = {xplane::kEnding, xplane::kRiegeli},
          .sniff_file = xplane::sniff,
          .read_capture = xplane::read,
          .text_at = xplane::event_text,
          .layout = xplane::layout,
          .files_of = xplane::files_of};
}

}  // namespace sightline::formats
