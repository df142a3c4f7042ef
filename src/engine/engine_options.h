// EngineOptions: what the user and the command decide about finding, loading and answering. Every part of the engine has a copy.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "analyses/analysis.h"
#include "engine/cost_choice.h"
#include "formats/reader.h"
#include "store/profile_cache.h"

namespace sightline::engine {

// Which of the profiles that were read from their files are written to the cache: those that took a second or more (a command
// that runs for a moment should not write for long), or all.
enum class KeepRead { nothing, slow, all };

struct EngineOptions {
  unsigned threads = 0;                     // 0: all cores
  bool timelines = false;                   // for interactive use: timelines, and views prepared ahead
  std::span<const Reader> readers = {};     // empty: all of this program; tests have their own
  std::span<const Analysis> analyses = {};  // likewise
  std::string marker_folder = {};           // where markers are kept; empty: only in memory
  ProfileCache* cache = nullptr;            // outlives the engine; null: none
  CostChoice costs = {};                    // with any, nothing is written to the cache
  bool read_anew = false;                   // files are read even if the cache has them, and written to it again
  KeepRead keep = KeepRead::nothing;
  std::function<void(const std::string&)> say =
      {};  // called with the reason why a profile is not cached or files are not watched
  // Most bytes of profiles that are open at once. The least recently used one is closed, and opened again when a request needs
  // it. 0: a quarter of the machine's memory.
  std::int64_t memory = 0;
  // Most bytes that reading a file and the open profiles take together: a file that takes more is read in part, and its profile
  // says so. 0: `memory` if that is given, else three quarters of the machine's memory.
  std::int64_t reading_memory = 0;
};

// The same with each 0 and each empty list replaced by its default, as the parts of the engine require it.
EngineOptions completed(EngineOptions options);

// Files of this size or smaller are read several at once. It is that on disk, so about 40 MB of text.
constexpr std::int64_t kSmallFileBytes = 4 << 20;

}  // namespace sightline::engine
