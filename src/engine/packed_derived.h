// Derived data as bytes and back (base/packed.h), as the cache stores it: a report, what views across ranks
// need of a worker, and the breakdown of the steps.
// Also the memory that a report takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analyses/ranks/rank_summary.h"
#include "analyses/steps/step_summary.h"
#include "model/report.h"

namespace sightline::engine {

// `question`: what the report answers.
std::string pack_report(const std::string& question, const Report& report);

// Nothing when the bytes are not those of a report that answers the same question.
std::optional<Report> unpack_report(const std::string& question, std::span<const std::byte> bytes);

// Without the worker's name, which depends on the name of the file.
std::string pack_rank(RankSummary rank);

// Nothing when the bytes are not those of a summary.
std::optional<RankSummary> unpack_rank(std::span<const std::byte> bytes, std::string worker);

std::string pack_steps(const StepBreakdown& steps);

// Nothing when the bytes are not those of a breakdown.
std::optional<StepBreakdown> unpack_steps(std::span<const std::byte> bytes);

// Of all texts and lists of a report, in bytes.
std::int64_t held_bytes(const Report& report);

}  // namespace sightline::engine
