// Clocks: snapshots and conversion.
#include "formats/perfetto/clocks.h"

#include <algorithm>
#include <vector>

#include "formats/common/decimal.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

namespace {

constexpr std::uint64_t kRealTime = 1, kBootTime = 6, kOfFile = 11;

bool is_time(std::uint64_t time) { return time <= static_cast<std::uint64_t>(kFarthestNs); }

}  // namespace

void Clocks::read_snapshot(ProtoSpan snapshot, std::uint64_t sequence) {
  std::vector<Reading> readings;
  std::uint64_t primary = 0;
  while (snapshot.next()) {
    if (snapshot.field() == clock_field::kPrimary) primary = snapshot.unsigned_integer();
    if (snapshot.field() != clock_field::kClocks) continue;
    Reading reading;
    for (ProtoSpan clock = snapshot.message(); clock.next();) {
      switch (clock.field()) {
        case clock_field::kId: reading.clock = clock.unsigned_integer(); break;
        case clock_field::kTimestamp: reading.time = clock.unsigned_integer(); break;
        case clock_field::kIncremental: reading.incremental = clock.unsigned_integer() != 0; break;
        case clock_field::kMultiplier: reading.multiplier = clock.unsigned_integer(); break;
        default: break;
      }
    }
    if (is_time(reading.time) && reading.multiplier > 0 && reading.multiplier <= 1'000'000'000) readings.push_back(reading);
  }
  if (primary_ == 0) primary_ = primary != 0 ? primary : kBootTime;
  std::optional<Time> now;
  for (const Reading& reading : readings) {
    if (reading.clock == primary_) now = static_cast<Time>(reading.time);
  }
  for (const Reading& reading : readings) {  // without the trace's clock: by a clock that is known already
    const auto known = states_.find(key(reading.clock, sequence));
    if (now || known == states_.end() || known->second.incremental) continue;
    now = trace_time(reading.clock, reading.time, sequence);
  }
  if (!now) return;
  for (const Reading& reading : readings) {
    const auto time = static_cast<std::int64_t>(reading.time);
    if (reading.clock == kRealTime && to_unix_ == kUnknown) to_unix_ = time - *now;
    states_[key(reading.clock, sequence)] = {time, *now, static_cast<std::int64_t>(reading.multiplier), time,
                                             reading.incremental};
  }
}

std::optional<Time> Clocks::trace_time(std::uint64_t clock, std::uint64_t time, std::uint64_t sequence) {
  if (!is_time(time)) return std::nullopt;
  const auto ns = static_cast<Time>(time);
  if (clock == 0 || clock == kOfFile || (primary_ != 0 && clock == primary_)) return ns;
  const auto found = states_.find(key(clock, sequence));
  if (found == states_.end()) {
    if (primary_ != 0 || (adopted_ != 0 && adopted_ != clock)) return std::nullopt;
    adopted_ = clock;
    return ns;
  }
  State& state = found->second;
  if (state.incremental) state.last = std::min(state.last + ns, kFarthestNs);
  std::int64_t elapsed = 0, result = 0;
  const std::int64_t ticks = (state.incremental ? state.last : ns) - state.time;
  const bool overflows =
      __builtin_mul_overflow(ticks, state.multiplier, &elapsed) || __builtin_add_overflow(elapsed, state.trace_time, &result);
  if (overflows || result > kFarthestNs || result < -kFarthestNs) return std::nullopt;
  return result;
}

}  // namespace sightline::formats::perfetto
