// Device logs: found by their headers, put on the profile's clock, and added as counters.
#include "formats/device_log/device_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "formats/common/decimal.h"
#include "formats/common/profile_builder.h"
#include "formats/device_log/log_table.h"

namespace sightline::formats {

namespace {

using device_log::LogTable;
using device_log::LogTime;

constexpr std::size_t kHeadBytes = 4096;
constexpr Time kQuarterHour = 900'000'000'000;

std::optional<LogTable> table_of(const std::string& path) {
  const Result<std::string> head = read_head(path, kHeadBytes);
  return head ? LogTable::of_head(*head) : std::nullopt;
}

// Samples by device and figure.
struct Series {
  std::vector<std::pair<Time, double>> samples;
};
using AllSeries = std::map<std::pair<std::int64_t, std::size_t>, Series>;

struct Log {
  AllSeries series;
  Time first = kFarthestNs, last = -kFarthestNs;
  bool is_local = false;
  std::int64_t malformed = 0, first_malformed = kUnknown;
  std::optional<Message> damage;  // why the rest was not read
};

// How far a clock on the wall is from UTC cannot be known from the log. Of the offsets that are whole quarters of an hour, the
// one at which the log covers most of the window, and of those the nearest to UTC.
Time zone_offset(const Log& log, Time begin, Time end, bool& unique) {
  Time best = 0, most = -1;
  int equal = 0;
  for (int quarter = 0; quarter <= 14 * 4; ++quarter) {
    for (const int sign : {1, -1}) {
      if (quarter == 0 && sign < 0) continue;
      const Time offset = sign * quarter * kQuarterHour;
      const Time covered = std::min(log.last - offset, end) - std::max(log.first - offset, begin);
      if (covered == most) ++equal;
      if (covered <= most) continue;
      most = covered;
      best = offset;
      equal = 1;
    }
  }
  unique = equal == 1 || best == 0;
  return best;
}

Log read_log(const ReadContext& context, const std::string& path, const LogTable& table) {
  Log log;
  log.damage = read_beside(context, path, [&](ByteStream& in) {
    std::string line;
    for (std::int64_t at = 0; !context.is_cancelled() && in.line(line, kLongestLine); at = in.position()) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (table.is_header(line)) continue;
      const auto sample = table.sample(line);
      if (!sample) {
        if (log.malformed++ == 0) log.first_malformed = at;
        continue;
      }
      log.is_local |= sample->time.is_local;
      log.first = std::min(log.first, sample->time.ns);
      log.last = std::max(log.last, sample->time.ns);
      for (std::size_t i = 0; i < sample->values.size(); ++i) {
        if (sample->values[i]) log.series[{sample->device, i}].samples.emplace_back(sample->time.ns, *sample->values[i]);
      }
    }
  });
  return log;
}

// Adds a lane per figure of a device. `shift`: from times of the log to those of the profile.
void add_series(const Log& log, const LogTable& table, Time shift, Profile& profile) {
  ProfileBuilder out(profile);
  Row process = kNoRow;
  std::int64_t last_device = kUnknown;
  for (const auto& [key, series] : log.series) {
    std::vector<std::pair<Time, double>> samples;
    for (const auto& [time, value] : series.samples) samples.emplace_back(time + shift, value);
    samples = samples_in_window(std::move(samples), profile);
    if (samples.empty()) continue;
    if (key.first != last_device) process = out.add_process(fmt::format("Device {} log", key.first));
    last_device = key.first;
    const std::string& title = table.figures()[key.second].title;
    const Row lane = out.add_counter_lane({LaneKind::counter, process, key.first, title, title});
    for (const auto& [time, value] : samples) out.add_sample(lane, time, value);
  }
}

}  // namespace

std::vector<std::string> device_log_files(const TablesBeside& tables) {
  std::vector<std::string> logs;
  std::copy_if(tables.files.begin(), tables.files.end(), std::back_inserter(logs),
               [](const std::string& file) { return table_of(file).has_value(); });
  return logs;
}

void read_device_logs(const ReadContext& context, const TablesBeside& tables, Profile& profile) {
  for (const std::string& path : tables.files) {
    const std::optional<LogTable> table = table_of(path);
    if (!table) continue;
    context.stage("reading the device log");
    const std::string name = std::filesystem::path(path).filename().string();
    if (!table->has_times()) {
      profile.add_problem(
          Severity::warning, "log_without_times",
          say("{}: it has no times, so its samples have no place in the recording; `| ts %.s` behind the monitor's command adds "
              "them, and `amd-smi monitor --csv --watch 1` writes them",
              name),
          1, kUnknown);
      continue;
    }
    if (profile.origin_unix_ns == kUnknown) {
      profile.add_problem(Severity::warning, "log_without_date",
                          say("{}: the profile has no date, so the log's samples have no place in it; they are not shown", name),
                          1, kUnknown);
      continue;
    }
    const Log log = read_log(context, path, *table);
    if (log.damage) {
      profile.add_problem(Severity::error, "log_not_read", say("{}: {}; what is before it was read", name, *log.damage), 1,
                          kUnknown);
      if (log.series.empty()) continue;
    }
    if (log.malformed != 0) {
      profile.add_problem(Severity::warning, "malformed_line", say("{}: lines without a time or a device were skipped", name),
                          log.malformed, log.first_malformed);
    }
    complete_span(profile);
    const Time begin = profile.origin_unix_ns + profile.span_start, end = profile.origin_unix_ns + profile.span_end;
    bool unique = true;
    const Time offset = log.is_local ? zone_offset(log, begin, end, unique) : 0;
    if (log.is_local) {
      const std::string zone = fmt::format("UTC{}{:02}:{:02}", offset < 0 ? '-' : '+', std::abs(offset) / (4 * kQuarterHour),
                                           std::abs(offset) / 60'000'000'000 % 60);
      profile.add_problem(
          unique ? Severity::note : Severity::warning, "log_clock",
          unique ? say("{}: its times name no zone; they were read as {}, at which the log covers the recording", name, zone)
                 : say("{}: its times name no zone, and several fit; they were read as {}", name, zone),
          1, kUnknown);
    }
    if (log.last - offset < begin || log.first - offset > end) {
      profile.add_problem(Severity::warning, "log_of_another_time", say("{}: the log does not cover the recording", name), 1,
                          kUnknown);
      continue;
    }
    add_series(log, *table, -offset - profile.origin_unix_ns, profile);
  }
}

}  // namespace sightline::formats
