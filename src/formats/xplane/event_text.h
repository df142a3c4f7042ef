// event_text: one event with all its stats as JSON, found again in the file.
#pragma once

#include <string>

#include "base/result.h"

namespace sightline::formats::xplane {

// The event whose message begins at byte `at` of the (decompressed) file.
Result<std::string> event_text(const std::string& path, std::int64_t at);

}  // namespace sightline::formats::xplane
