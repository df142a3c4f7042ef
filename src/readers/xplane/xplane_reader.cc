// The front door of XLA profiles: names, the layout of folders, and the two passes over a file.
#include "readers/xplane/xplane_reader.h"

#include <filesystem>
#include <optional>

#include "readers/xplane/event_text.h"
#include "readers/xplane/space_profile.h"
#include "readers/xplane/xspace.h"

namespace sightline {

namespace xplane {
namespace {

constexpr std::string_view kEnding = ".xplane.pb", kRiegeli = ".xplane.riegeli";

std::string_view without_gz(std::string_view file_name) {
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  return file_name;
}

bool claims(std::string_view file_name) {
  const std::string_view name = without_gz(file_name);
  return name.ends_with(kEnding) || name.ends_with(kRiegeli);
}

bool sniff(std::string_view, std::string_view head) { return looks_like_xspace(head); }

// The host is the worker.
ProfileName name(std::string_view file_name) {
  std::string_view host = without_gz(file_name);
  for (const std::string_view ending : {kEnding, kRiegeli}) {
    if (host.ends_with(ending)) host.remove_suffix(ending.size());
  }
  return {std::string(host), ""};
}

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
Result<XSpace> read_names(const std::string& path, const ReadOptions& options, std::optional<Failure>& failure) {
  if (options.progress != nullptr) options.progress->stage = "reading names";
  const Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream names(**source, path, options.progress);
  XSpace space = read_space(names);
  failure = failure_of(names);
  return space;
}

Result<std::unique_ptr<Profile>> read(const std::string& path, const ReadOptions& options) {
  if (without_gz(path).ends_with(kRiegeli)) {
    return Error{ErrorCode::unsupported,
                 "a Riegeli file of a continuous capture, which Sightline does not read: save a snapshot as .xplane.pb",
                 path + ":0"};
  }
  std::optional<Failure> failure;
  const Result<XSpace> space = read_names(path, options, failure);
  if (!space) return space.error();
  if (failure && (space->planes.empty() || failure->error.code == ErrorCode::cancelled)) return failure->error;
  if (space->planes.empty()) return Error{ErrorCode::malformed, "no plane of a profile is in the file", path + ":0"};

  if (options.progress != nullptr) options.progress->stage = "reading events";
  const Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream events(**source, path, options.progress);
  std::unique_ptr<Profile> profile = read_profile(events, *space);
  // What one pass steps over without reading, the other reads: the first byte that failed is where the damage is.
  if (const auto of_events = failure_of(events); of_events && (!failure || of_events->at < failure->at)) failure = of_events;
  if (failure) {
    if (failure->error.code != ErrorCode::malformed) return failure->error;
    profile->add_problem(Severity::error, "damaged_file", failure->error.message + ": what came before is shown", 1, failure->at);
  }
  if ((*source)->damage())
    profile->add_problem(Severity::error, "damaged_compression", *(*source)->damage(), 1, events.position());
  profile->file = path;
  profile->format = "xla";
  if (options.progress != nullptr) options.progress->events = profile->events;
  return profile;
}

}  // namespace
}  // namespace xplane

Reader xplane_reader() {
  return {.id = "xla",
          .title = "XLA profile (xplane.pb)",
          .claims = xplane::claims,
          .sniff = xplane::sniff,
          .name = xplane::name,
          .read = xplane::read,
          .event_text = xplane::event_text,
          .layout = xplane::layout};
}

}  // namespace sightline
