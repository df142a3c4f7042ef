// The files of a recording on their way to the folder of the results.
#pragma once

#include <string>

#include "base/result.h"

namespace sightline::capture {

// Makes the folder of the results and checks that a file can be written there. Call it before the recording.
Result<bool> make_result_folder(const std::string& folder);

// Writes the file `from` to `to`, packed with gzip unless it already is. The file
// `to` must not exist. It is packed in pieces, so a trace of gigabytes takes 16 MiB
// of memory: each piece is a gzip stream, and consecutive streams are one file.
Result<bool> store_packed(const std::string& from, const std::string& to);

}  // namespace sightline::capture
