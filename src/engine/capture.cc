// Captures: snapshots and order.
#include "engine/capture.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace sightline::engine {

Engine::Capture::Capture(const FoundFile& file) : path(file.path), directory(file.directory), run(file.run), reader(file.reader) {
  place.worker = file.name.worker;
  place.stamp = file.name.span_stamp;
  place.rank = file.name.rank;
  place.file = file.shown;
  content->path = path;
  content->reader = reader;
}

Engine::Capture::Capture(const CatalogueEntry& entry) : in_catalogue(true) {
  const auto text = [&](std::string_view name) { return std::string(record_value(entry.about, name)); };
  path = content->path = text("path");
  directory = text("directory");
  run = text("run");
  named = text("named") == "yes";
  place.file = path;
  place.worker = text("worker");
  place.stamp = text("stamp");
  content->identity = identity_in(entry.about);
  content->key = entry.key;
  progress.bytes_total = record_number(entry.about, "bytes", 0);
}

Engine::Capture::Capture(CapturePtr before)
    : path(before->path),
      directory(before->directory),
      run(before->run),
      reader(before->reader),
      named(before->named),
      replaces(std::move(before)) {
  place = replaces->place;
  content->path = path;
  content->reader = reader;
  readings = replaces->readings + 1;
}

Message Engine::Capture::note() const {
  const Message failed = again_failed ? say("the file has changed and could not be read again, this is what it was before: {}",
                                            again_failed->to_string())
                                      : Message();
  return listed_messages("; ", {place.note, remark, failed});
}

Record Engine::Capture::about() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const SourceFiles source = source_of(*reader, path);
  Record record{{"path", source.files.empty() ? absolute_path(path) : source.path},
                {"directory", directory},
                {"run", run},
                {"named", named ? "yes" : "no"},
                {"worker", place.worker},
                {"stamp", place.stamp},
                {"reader", std::string(reader->id)},
                {"bytes", std::to_string(progress.bytes_total)},
                {"events", std::to_string(progress.events)},
                {"text_bytes", std::to_string(progress.text_bytes)},
                {"seconds", std::to_string(seconds)},
                {"read_at", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count())}};
  add_identity(record, *content->identity);
  return record;
}

// Folders of a layout tell their files apart by the stamp.
std::string Engine::Capture::file_name() const { return place.stamp + "/" + std::filesystem::path(path).filename().string(); }

double Engine::Capture::seconds_reading() const {
  if (status != LoadStatus::reading) return seconds;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

CaptureState Engine::Capture::state() const {
  return {.run = place.run,
          .worker = place.worker,
          .span = place.span,
          .file = place.file,
          .note = note(),
          .status = status,
          .stage = progress.stage.load(),
          .bytes_done = progress.bytes_done,
          .bytes_total = progress.bytes_total,
          .text_bytes = progress.text_bytes,
          .events = progress.events,
          .readings = readings,
          .seconds = seconds_reading(),
          .error = error,
          .profile = opened == nullptr ? nullptr : opened->profile(),
          .summary = summary};
}

bool Engine::Capture::lacks(std::string_view view) const {
  const auto is_lacking = [&](const auto& each) { return each.first == view && each.second.has_value(); };
  return summary != nullptr && std::any_of(summary->views.begin(), summary->views.end(), is_lacking);
}

std::optional<Error> Engine::Capture::not_ready() const {
  if (status == LoadStatus::failed) return *error;
  if (status == LoadStatus::ready) return std::nullopt;
  return Error{ErrorCode::unavailable, "still loading", path};
}

}  // namespace sightline::engine
