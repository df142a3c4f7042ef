// Two passes: over the planes to the one that holds the byte, whose names are read; then to the event itself.
#include "formats/xplane/event_text.h"

#include <fmt/core.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "formats/xplane/arrows.h"
#include "formats/xplane/facts.h"

namespace sightline::formats::xplane {

namespace {

// A reader of JSON may round what is larger.
void write_number(JsonWriter& json, std::uint64_t bits, bool is_signed) {
  const auto value = static_cast<std::int64_t>(bits);
  if (is_signed ? value > -kMostExactReal && value < kMostExactReal : bits < static_cast<std::uint64_t>(kMostExactReal)) {
    json.value(value);
  } else {
    json.value(is_signed ? std::to_string(value) : std::to_string(bits));
  }
}

// What the number of an arrow's end means; empty for every other stat.
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

Result<std::string> event_text(const std::string& path, std::int64_t at) {
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

}  // namespace sightline::formats::xplane
