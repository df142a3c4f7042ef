// Damage: the words for each kind.
#include "formats/neuron/damage.h"

#include <array>

namespace sightline::formats::neuron {

namespace {

struct Kind {
  Tally Damage::*tally;
  Severity severity;
  std::string_view code, message;
};

constexpr std::array<Kind, 10> kKinds{{
    {&Damage::cut, Severity::error, "truncated", "the file ends inside the records: the rest is missing"},
    {&Damage::errors, Severity::error, "device_errors",
     "the device reported errors during the run; their codes are not documented, so they are only counted: Sightline reads their "
     "names from the tables of the vendor's tool (view --output-format parquet)"},
    {&Damage::unfinished, Severity::warning, "unfinished_packet",
     "DMA packets that were still running at the end of the recording were left out"},
    {&Damage::unmatched, Severity::warning, "unmatched_end", "an end without a beginning was left out"},
    {&Damage::backwards, Severity::warning, "negative_duration", "an end is before its beginning: the length is taken as 0"},
    {&Damage::untimed, Severity::warning, "missing_time", "records of a unit without a usable clock were left out"},
    {&Damage::unknown, Severity::warning, "unknown_record",
     "records of undocumented types were left out: Sightline reads them from the output of the vendor's tool (view "
     "--output-format json, or parquet)"},
    {&Damage::overlapping, Severity::warning, "overlapping_records", "records that overlap those of another unit were left out"},
    {&Damage::uneven, Severity::warning, "uneven_records", "bytes after the last whole record of a unit were left out"},
    {&Damage::foreign, Severity::warning, "undecoded_unit",
     "records of a unit without a public layout (collectives, a second physical core) were left out: Sightline reads them from "
     "the tables of the vendor's tool (view --output-format parquet)"},
}};

}  // namespace

void Tally::add(const Tally& other) {
  if (other.count == 0) return;
  first = count == 0 ? other.first : std::min(first, other.first);
  count += other.count;
}

void Damage::add(const Damage& other) {
  for (const Kind& kind : kKinds) (this->*kind.tally).add(other.*kind.tally);
}

void Damage::report(Profile& profile) const {
  for (const Kind& kind : kKinds) {
    const Tally& tally = this->*kind.tally;
    if (tally.count != 0) profile.add_problem(kind.severity, kind.code, kind.message, tally.count, tally.first);
  }
}

}  // namespace sightline::formats::neuron
