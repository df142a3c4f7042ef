// Reads planes without their lines. In a file on disk the lines are skipped without being read.
#include "formats/xplane/xspace.h"

namespace sightline::formats::xplane {

namespace {

constexpr unsigned kMapKey = 1, kMapValue = 2;

EventMetadata event_metadata_of(std::string_view message) {
  EventMetadata metadata;
  for (ProtoSpan member(message); member.next();) {
    switch (member.field()) {
      case field::kMetadataName: metadata.name = member.bytes(); break;
      case field::kMetadataDisplayName: metadata.display_name = member.bytes(); break;
      case field::kMetadataStats: metadata.stats.emplace_back(member.bytes()); break;
      default: break;
    }
  }
  return metadata;
}

std::string stat_name_of(std::string_view message) {
  std::string name;
  for (ProtoSpan member(message); member.next();) {
    if (member.field() == field::kMetadataName) name = member.bytes();
  }
  return name;
}

Plane read_plane(ByteStream& in, ProtoMessage message, LongValues& left_out) {
  Plane plane;
  plane.offset = in.position();
  std::string entry;
  while (message.next()) {
    switch (message.field()) {
      case field::kPlaneName: plane.name = left_out.bytes(message); break;
      case field::kPlaneLines: ++plane.lines; break;
      case field::kPlaneEventMetadata:
        if (plane.name == kProgramPlane) break;
        [[fallthrough]];
      case field::kPlaneStatMetadata:
        left_out.bytes(message, entry);
        if (!in.failed()) add_names(message.field(), entry, plane);
        break;
      case field::kPlaneStats: plane.stats.push_back(left_out.bytes(message)); break;
      default: break;
    }
  }
  return plane;
}

}  // namespace

void LongValues::bytes(ProtoMessage& field, std::string& to, std::int64_t most) {
  if (field.size() <= most) return field.bytes(to);
  to.clear();
  if (count++ == 0) first = field.position();
}

std::string LongValues::bytes(ProtoMessage& field) {
  std::string text;
  bytes(field, text);
  return text;
}

void add_names(unsigned plane_field, std::string_view entry, Plane& plane) {
  const MapEntry at = map_entry(entry);
  if (plane_field == field::kPlaneEventMetadata) plane.events.insert_or_assign(at.key, event_metadata_of(at.value));
  if (plane_field == field::kPlaneStatMetadata) plane.stat_names.insert_or_assign(at.key, stat_name_of(at.value));
}

XSpace read_space(ByteStream& in) {
  XSpace space;
  ProtoMessage root = ProtoMessage::whole(in);
  while (root.next()) {
    switch (root.field()) {
      case field::kSpacePlanes: space.planes.push_back(read_plane(in, root.message(), space.left_out)); break;
      case field::kSpaceErrors: space.errors.push_back(space.left_out.bytes(root)); break;
      case field::kSpaceWarnings: space.warnings.push_back(space.left_out.bytes(root)); break;
      case field::kSpaceHostnames: space.hostnames.push_back(space.left_out.bytes(root)); break;
      default: break;
    }
  }
  return space;
}

MapEntry map_entry(std::string_view message) {
  MapEntry entry;
  for (ProtoSpan field(message); field.next();) {
    if (field.field() == kMapKey) entry.key = field.integer();
    if (field.field() == kMapValue) entry.value = field.bytes();
  }
  return entry;
}

Stat stat_of(std::string_view message) {
  Stat stat;
  for (ProtoSpan field(message); field.next();) {
    switch (field.field()) {
      case 1: stat.name = field.integer(); break;
      case 2:
        stat.kind = Stat::Kind::real;
        stat.number = field.unsigned_integer();
        break;
      case 3:
        stat.kind = Stat::Kind::unsigned_integer;
        stat.number = field.unsigned_integer();
        break;
      case 4:
        stat.kind = Stat::Kind::integer;
        stat.number = field.unsigned_integer();
        break;
      case 5:
        stat.kind = Stat::Kind::text;
        stat.text = field.bytes();
        break;
      case 6:
        stat.kind = Stat::Kind::bytes;
        stat.text = field.bytes();
        break;
      case 7:
        stat.kind = Stat::Kind::reference;
        stat.number = field.unsigned_integer();
        break;
      default: break;
    }
  }
  return stat;
}

bool looks_like_xspace(std::string_view head) {
  ProtoSpan root = ProtoSpan::beginning(head);
  if (!root.next() || root.field() != field::kSpacePlanes) return false;
  for (ProtoSpan plane = root.message(); plane.next();) {
    if (plane.field() == field::kPlaneName) {
      const std::string_view name = plane.bytes();
      return name.starts_with("/host:") || name.starts_with("/device:") || name == "Task Environment" ||
             name.starts_with("#Chip");
    }
    if (plane.field() != 1) return false;
  }
  return false;
}

}  // namespace sightline::formats::xplane
