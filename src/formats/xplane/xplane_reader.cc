// The front door of XLA profiles: names, the layout of folders, and the two passes over a file.
#include "formats/xplane/xplane_reader.h"

#include <filesystem>
#include <optional>

#include "formats/read_context.h"
#include "formats/xplane/event_text.h"
#include "formats/xplane/space_profile.h"
#include "formats/xplane/xspace.h"

namespace sightline::formats {

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

// The first pass, whose stream ends with it.
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
  // What one pass steps over without reading, the other reads: the first byte that failed is where the damage is.
  if (const auto of_events = failure_of(**events); of_events && (!failure || of_events->at < failure->at)) failure = of_events;
  if (failure) {
    if (failure->error.code != ErrorCode::malformed) return failure->error;
    profile->add_problem(Severity::error, "damaged_file", failure->error.message + ": everything before it is shown", 1,
                         failure->at);
  }
  return profile;
}

}  // namespace
}  // namespace xplane

Reader xplane_reader() {
  return {.id = "xla",
          .title = "XLA profile (xplane.pb)",
          .endings = {xplane::kEnding, xplane::kRiegeli},
          .sniff_file = xplane::sniff,
          .read_capture = xplane::read,
          .text_at = xplane::event_text,
          .layout = xplane::layout};
}

}  // namespace sightline::formats
