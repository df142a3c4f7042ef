// Files on their way from where a process wrote them to the folder of the results: packed, and whole or not there.
#pragma once

#include <string>

#include "base/result.h"

namespace sightline::capture {

// Writes the file `from` to `to`, packed with gzip unless it already is. The file `to` must not be there.
Result<bool> store_packed(const std::string& from, const std::string& to);

}  // namespace sightline::capture
