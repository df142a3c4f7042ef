// Conditions that every reading must meet, for any input: a fuzz target ends the process if one does not hold.
#pragma once

#include <string>
#include <string_view>

#include "formats/reader.h"
#include "model/profile.h"
#include "tests/fuzz/require.h"

namespace sightline::tests {

// Reads `path`: an error names its cause and place; a profile is valid and the text of its slices can be read: of two of them,
// because each is searched for in the file.
inline auto sound_reading(const Reader& reader, const std::string& path, const ReadOptions& options) {
  auto read = reader.read(path, options);
  if (!read.ok()) {
    require(!read.error().message.empty() && !read.error().where.empty(), "an error names its cause and place");
    return read;
  }
  for (const std::string& broken : check_profile(**read)) require(false, broken);
  const auto& sources = (*read)->slices.source;
  for (std::size_t i = 0; i < sources.size(); i += sources.size() / 2 + 1) (void)reader.event_text(path, sources[i]);
  return read;
}

}  // namespace sightline::tests
