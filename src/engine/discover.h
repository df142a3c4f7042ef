// Which files under a path are captures. A directory tree is walked with links followed, each directory once, so
// that a loop of links ends. A directory that a reader claims is one capture, and its run is the directory above. In
// another the files whose name a reader claims are taken; where there are none, the JSON files that look like a profile
// inside. A file given directly may have any name. A folder in a cloud is walked in the same way, over one list
// of its objects.
//
// A folder that holds folders named for the roles of one job, such as actor and critic, is one run: each of its folders is a
// role. Their ranks have the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/reader.h"

namespace sightline::engine {

struct FoundFile {
  std::string path;        // as it can be opened; of a file, or of a folder that is one capture
  std::int64_t bytes = 0;  // as it is stored
  std::string shown;       // relative to the path that was given
  std::string directory;   // the directory that holds it, or, in a layout of folders, the one that holds those; canonical
  std::string run;         // that directory relative to the path that was given, or its base name
  const Reader* reader = nullptr;
  ProfileName name;
  std::string role = {};  // the name of `directory`, if it is one of a job of several roles; `run` is then the folder above
  bool uploaded = false;  // sent by a client: it is shown by its own name, not by its path on this machine
};

struct Discovery {
  std::vector<FoundFile> files;
  std::vector<std::string> notices;  // what could not be opened, one sentence each
};

// How much of a file's beginning says whether a reader knows it; bytes of the file as it is stored.
std::size_t bytes_to_know(std::string_view file_name);

// No such path, or no file that a reader knows: an error that says what was looked for.
Result<Discovery> discover(const std::string& path, std::span<const Reader> known);

}  // namespace sightline::engine
