// A report as bytes and back (base/packed.h), as the cache keeps it, and the memory that it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/report.h"

namespace sightline::engine {

// `asked` is the question that the report answers.
std::string pack_report(const std::string& asked, const Report& report);

// Nothing when the bytes are not those of a report that answers the same question.
std::optional<Report> unpack_report(const std::string& asked, std::span<const std::byte> bytes);

// Of all texts and lists of a report, in bytes.
std::int64_t held_bytes(const Report& report);

}  // namespace sightline::engine
