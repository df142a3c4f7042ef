// What /api/open and /api/uploads answer, on the wire (output/wire.h). docs/http.md explains it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/report_wire.h"
#include "output/state_json.h"
#include "output/wire.h"

namespace sightline::output {

// Files that were sent together.
struct SentUpload {
  std::string id, name;
  std::size_t files = 0;
  std::int64_t size = 0, arrived = 0, head = 0;
  bool open = false;
  std::vector<ProfilePlace> profiles{};
  std::vector<Error> left_out{};
};

// A profile of the cache.
struct SentRecent {
  std::string key, run, worker, file;
  std::int64_t bytes = 0, events = 0, last_used = 0;
};

struct SentOpening {
  bool files = false, paths = false;
  std::int64_t room = 0;
  std::vector<SentUpload> uploads{};
  std::vector<SentRecent> recent{};
};

template <typename Wire>
void describe(Wire& wire, const SentUpload& upload) {
  wire.type("Upload", "Files that were sent together.");
  wire.must("id", upload.id);
  wire.must("name", upload.name);
  wire.must("files", upload.files);
  wire.must("size", upload.size);
  wire.must("arrived", upload.arrived);
  wire.must("head", upload.head,
            "Bytes of the file that show whether the server can open it: send them first; 0: send all of it.");
  wire.must("open", upload.open, "Whether all files have arrived and were opened.");
  wire.must("profiles", upload.profiles);
  wire.must("left_out", upload.left_out, "Files that are not profiles, and why.");
  wire.messages();
}

template <typename Wire>
void describe(Wire& wire, const SentRecent& recent) {
  wire.type("Recent", "A profile of the server's cache.");
  wire.must("key", recent.key);
  wire.must("run", recent.run);
  wire.must("worker", recent.worker);
  wire.must("file", recent.file);
  wire.must("bytes", recent.bytes);
  wire.must("events", recent.events);
  wire.must("last_used", recent.last_used, "ms since 1970.");
}

template <typename Wire>
void describe(Wire& wire, const SentOpening& opening) {
  wire.type("Opening");
  wire.must("files", opening.files, "Whether it takes files.");
  wire.must("paths", opening.paths, "Whether it opens paths of its machine.");
  wire.must("room", opening.room, "Bytes that it takes now.");
  wire.must("uploads", opening.uploads);
  wire.must("recent", opening.recent, "The profiles of the cache that were used last.");
}

}  // namespace sightline::output
