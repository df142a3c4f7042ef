// XSpace: the messages of a profile as XLA writes it, except for the events: planes with the names that their events refer
// to. docs/formats/xplane.md, "The wire format".
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/binary/proto_message.h"
#include "model/tables.h"

namespace sightline::formats::xplane {

// Field numbers.
namespace field {
inline constexpr unsigned kSpacePlanes = 1, kSpaceErrors = 2, kSpaceWarnings = 3, kSpaceHostnames = 4;
inline constexpr unsigned kPlaneName = 2, kPlaneLines = 3, kPlaneEventMetadata = 4, kPlaneStatMetadata = 5, kPlaneStats = 6;
inline constexpr unsigned kLineId = 1, kLineName = 2, kLineTimestamp = 3, kLineEvents = 4, kLineDisplayName = 11;
inline constexpr unsigned kMetadataName = 2, kMetadataDisplayName = 4, kMetadataStats = 5;
inline constexpr unsigned kEventMetadataId = 1, kEventOffset = 2, kEventDuration = 3, kEventStats = 4, kEventOccurrences = 5;
}  // namespace field

inline constexpr std::int64_t kLongestValue = std::int64_t{16} << 20, kLongestProgram = std::int64_t{256} << 20;  // bytes

// Names, texts and messages that are longer than any writer makes them: skipped and counted.
struct LongValues {
  std::int64_t count = 0, first = kUnknown;  // first: its byte

  // The current field; empty if it has more than `most` bytes.
  std::string bytes(ProtoMessage& field);
  void bytes(ProtoMessage& field, std::string& to, std::int64_t most = kLongestValue);
};

// An XEventMetadata: what all its events have in common.
struct EventMetadata {
  std::string name, display_name;
  std::vector<std::string> stats;  // XStat messages
};

struct Plane {
  std::int64_t offset = 0;  // of its message in the file
  std::string name;
  std::unordered_map<std::int64_t, EventMetadata> events;  // by id; empty for the plane of programs, which are read one by one
  std::unordered_map<std::int64_t, std::string> stat_names;
  std::vector<std::string> stats;  // XStat messages
  std::int64_t lines = 0;
};

struct XSpace {
  std::vector<Plane> planes;
  std::vector<std::string> errors, warnings, hostnames;
  LongValues left_out;
};

// The plane whose events' metadata are compiled programs.
inline constexpr std::string_view kProgramPlane = "/host:metadata";

// Everything except the lines, which may come before the names that they refer to. What precedes damage is kept: check
// whether the stream failed.
XSpace read_space(ByteStream& in);

// Adds an entry of a plane's map of events' metadata or of stats' names, by its field.
void add_names(unsigned plane_field, std::string_view entry, Plane& plane);

// Key and value of an entry of a map.
struct MapEntry {
  std::int64_t key = 0;
  std::string_view value;
};
MapEntry map_entry(std::string_view message);

// An XStat: a number, text or a reference to a name.
struct Stat {
  enum class Kind { none, real, unsigned_integer, integer, text, bytes, reference };
  std::int64_t name = 0;  // id of the plane's stat_names
  Kind kind = Kind::none;
  std::uint64_t number = 0;  // of integers and references; the bits of a real
  std::string_view text;     // of texts and bytes
};
Stat stat_of(std::string_view message);

// Whether the bytes begin like a profile: with a plane whose name this kind of file has.
bool looks_like_xspace(std::string_view head);

}  // namespace sightline::formats::xplane
