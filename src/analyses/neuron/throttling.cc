// How far the hardware of a Neuron device throttled it: one pass over the facts finds the lanes of states, one over those lanes
// sums them.

#include <algorithm>
#include <cmath>
#include <set>

#include "analyses/facts.h"
#include "analyses/neuron/neuron.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kGroup = "Throttling";
constexpr std::string_view kStates = "states of throttling, each until the next";
constexpr std::string_view kNoStates = "no throttling was recorded";
constexpr std::string_view kNoProgramLength = "the program has no length";

// ---- sums ----

class ThrottlingSums {
 public:
  ThrottlingSums(const Profile& profile, std::int64_t device)
      : p_(profile),
        device_(device),
        allowed_(profile, {stated::kLimitAllowed}),
        of_(profile, {stated::kLimitOf}),
        kind_(profile, {stated::kLimitKind}) {}

  Throttling run() {
    for (const Row lane : lanes()) {
      for (Row slice = p_.lanes.first[lane]; slice < p_.lanes.last[lane]; ++slice) add(slice);
    }
    return std::move(sums_);
  }

 private:
  std::set<Row> lanes() const {
    std::set<Row> lanes;
    const WorkFacts& facts = p_.work_facts;
    if (!allowed_.is_known()) return lanes;
    for (Row fact = 0; fact < facts.rows(); ++fact) {
      if (!allowed_.is(facts.name[fact]) || std::isnan(facts.number[fact])) continue;
      const Row lane = p_.slices.lane[facts.slice[fact]];
      if (p_.lanes.device[lane] == device_) lanes.insert(lane);
    }
    return lanes;
  }

  // The kind of throttling, as the file names it; empty if it does not.
  std::string kind_of(Row slice) const {
    const double number = fact_number(p_, slice, kind_);
    if (std::isnan(number)) return std::string(text_of(p_, slice, kind_));
    if (number == stated::kLimitFirstKind) return std::string(stated::kFirstKind);
    if (number == stated::kLimitUnknown) return std::string(stated::kUnknownKind);
    return "type_" + std::to_string(static_cast<int>(std::clamp(number, -1e6, 1e6)));
  }

  void add(Row slice) {
    const double part = fact_number(p_, slice, allowed_), whole = fact_number(p_, slice, of_);
    const bool is_known = !std::isnan(part) && whole > 0;
    const double share = is_known ? part / whole : 1;
    const auto length = static_cast<double>(p_.slices.duration[slice]);  // whole ns, as neuron-profile sums them
    sums_.is_known |= is_known;
    sums_.limit += share * length;
    if (share < 1) {
      sums_.time += length;
      sums_.limit_while_throttled += share * length;
    }
    const std::string name = kind_of(slice);
    if (name.empty()) return;
    std::vector<ThrottlingKind>& kinds = sums_.kinds;
    auto at = std::find_if(kinds.begin(), kinds.end(), [&](const ThrottlingKind& kind) { return kind.name == name; });
    if (at == kinds.end()) at = kinds.insert(at, ThrottlingKind{.name = name});
    at->time += length;
    at->limit += share * length;
  }

  const Profile& p_;
  std::int64_t device_;
  FactName allowed_, of_, kind_;
  Throttling sums_;
};

// ---- metrics ----

// The capitals of the device's word and its number, in lower case: "nc0".
std::string short_name(const std::string& word, std::int64_t device) {
  std::string name;
  for (const char c : word) {
    if (c >= 'A' && c <= 'Z') name += static_cast<char>(c - 'A' + 'a');
  }
  return name + (device == kUnknown ? "" : std::to_string(device));
}

std::vector<DeviceMetric> metrics_of(const Throttling& sums, const DeviceTotals& totals, const std::string& word) {
  std::vector<DeviceMetric> all;
  const auto add = [&](std::string key, Message title, Unit unit, double value, const DeviceMetric::Text& text,
                       double slack = 0) {
    all.push_back(device_metric(kGroup, std::move(key), std::move(title), unit, value, text, slack));
  };
  const auto known = [&](double value) { return sums.is_known ? value : static_cast<double>(kUnknownReal); };
  const auto recording = static_cast<double>(totals.recording);
  const double rows = rows_of(totals);
  const std::string of = short_name(word, totals.device);
  add("throttle_active_" + of + "_time_ns", "Throttled time", Unit::ns, known(sums.time),
      {"The device may not run at full speed.", "sum of states that allow less than all", kStates, kNoStates}, rows);
  add("throttle_active_time_percent", "Throttled time, share", Unit::share, known(ratio(sums.time, recording)),
      {"Share of the recording.", "throttled time / length of the recording", kStates, kNoStates});
  add("throttled_limit", "Limit while throttled", Unit::share, known(ratio(sums.limit_while_throttled, sums.time)),
      {"Allowed speed while throttled, as a share of full speed.", "sum(length x allowed) / throttled time", kStates,
       sums.is_known ? "the device was not throttled" : kNoStates});
  add("throttle_avg_util_limit_" + of + "_percent", "Limit by states", Unit::share, known(ratio(sums.limit, recording)),
      {"Time that the states allow. This is not a mean, because no state covers the time before the first.",
       "sum(length x allowed) / length of the recording; an unknown state allows all", kStates, kNoStates},
      ratio(rows, recording));
  for (const ThrottlingKind& kind : sums.kinds) {
    const Message title = say("Throttling by {}", kind.name);
    add("throttle_" + kind.name + "_active_time_" + of + "_percent", say("{}, share", title), Unit::share,
        ratio(kind.time, recording),
        {"Share of the recording.", "length of the states of this kind / length of the recording", kStates, kNoProgramLength},
        ratio(rows, recording));
    add("throttle_" + kind.name + "_avg_util_limit_" + of + "_percent", say("{}, limit", title), Unit::share,
        ratio(kind.limit, kind.time),
        {"Speed that states of this kind allow, as a share of full speed.", "sum(length x allowed) / sum(length)", kStates,
         "its states have no length"});
  }
  return all;
}

std::vector<DeviceMetric> throttling_metrics(const Profile& profile, const DeviceTotals& totals, const std::string& word) {
  return metrics_of(throttling_of(profile, totals.device), totals, word);
}

std::vector<DeviceMetric> example_throttling_metrics() {
  Throttling sums;
  sums.kinds.push_back({.name = std::string(stated::kFirstKind)});
  DeviceTotals totals;
  totals.device = 0;
  return metrics_of(sums, totals, "device");
}

}  // namespace

Throttling throttling_of(const Profile& profile, std::int64_t device) { return ThrottlingSums(profile, device).run(); }

DeviceMetricGroup neuron_throttling_metrics() { return {kGroup, throttling_metrics, example_throttling_metrics}; }

}  // namespace sightline::analyses
