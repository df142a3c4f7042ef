// The table of a device's counters: power, clocks, temperatures, as the file or a log beside it has them.
#include <algorithm>

#include "analyses/columns.h"
#include "analyses/devices/device_tables.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kSamples = "samples of the counter within the recording, each of which holds until the next";

struct Sensor {
  StringId name = StringId::none;
  std::int64_t samples = 0;
  double mean = kUnknownReal, least = kUnknownReal, most = kUnknownReal, last = kUnknownReal;
};

// Samples are by lane, then time: those of one lane.
Sensor sensor_of(const Profile& profile, Row lane, Row first, Row end) {
  const Counters& counters = profile.counters;
  Sensor sensor{.name = profile.lanes.name[lane] == StringId::none ? profile.lanes.track[lane] : profile.lanes.name[lane]};
  double sum = 0, held = 0;
  for (Row i = first; i < end; ++i) {
    const Time begins = std::max(counters.time[i], profile.span_start);
    const Time ends = std::min(i + 1 < end ? counters.time[i + 1] : profile.span_end, profile.span_end);
    if (ends < begins || counters.value[i] != counters.value[i]) continue;
    const double value = counters.value[i];
    sum += value * static_cast<double>(ends - begins);
    held += static_cast<double>(ends - begins);
    sensor.least = sensor.samples == 0 ? value : std::min(sensor.least, value);
    sensor.most = sensor.samples == 0 ? value : std::max(sensor.most, value);
    sensor.last = value;
    ++sensor.samples;
  }
  if (held > 0) sensor.mean = sum / held;
  return sensor;
}

TableOf<Sensor, Profile> sensor_columns() {
  TableOf<Sensor, Profile> table({.key = "sensors", .title = "Counters of the device"});
  table.add(
      label_column("counter", "Counter", "Power, clock, temperature and the like, as the file or the log beside it names it"),
      [](const Profile& profile, const Sensor& sensor) { return profile.text(sensor.name); });
  table.add(real_column("mean", "Mean", Unit::none,
                        {"Average over time.", "sum of value x time it held / time from the first sample to the end", kSamples})
                .with_unknown("no value held for any time"),
            &Sensor::mean);
  table.add(real_column("least", "Min", Unit::none, {"Smallest value.", "minimum", kSamples}), &Sensor::least);
  table.add(real_column("most", "Max", Unit::none, {"Largest value.", "maximum", kSamples}), &Sensor::most);
  table.add(real_column("last", "Last", Unit::none, {"Value at the end of the recording.", "last sample", kSamples}),
            &Sensor::last);
  table.add(integer_column("samples", "Samples", Unit::count, {"Samples in the recording.", "number of samples", kSamples}),
            &Sensor::samples);
  return table;
}

}  // namespace

ReportTable blank_sensors() { return sensor_columns().blank(); }

ReportTable sensors_table(const Profile& profile, std::int64_t device) {
  std::vector<Sensor> sensors;
  const Counters& counters = profile.counters;
  for (Row first = 0, end = 0; first < counters.rows(); first = end) {
    const Row lane = counters.lane[first];
    while (end < counters.rows() && counters.lane[end] == lane) ++end;
    if (profile.lanes.device[lane] != device) continue;
    const Sensor sensor = sensor_of(profile, lane, first, end);
    if (sensor.samples > 0) sensors.push_back(sensor);
  }
  return sensor_columns().of(profile, sensors);
}

}  // namespace sightline::analyses
