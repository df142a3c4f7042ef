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

constexpr std::size_t kMostFiles = 64, kHeadBytes = 4096;
constexpr Time kQuarterHour = 900'000'000'000;

std::optional<LogTable> table_of(const std::string& path) {
  const Result<std::string> head = read_head(path, kHeadBytes);
  if (!head) return std::nullopt;
  std::string_view line = std::string_view(*head).substr(0, head->find('\n'));
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return LogTable::of_header(line);
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

Result<Log> read_log(const ReadContext& context, const std::string& path, const LogTable& table) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream in(**source, path, nullptr);
  if (context.progress() != nullptr) in.obey(context.progress()->memory);
  Log log;
  std::string line;
  in.line(line, kLongestLine);
  for (std::int64_t at = in.position(); !context.is_cancelled() && in.line(line, kLongestLine); at = in.position()) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
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
  if (in.failed()) return in.error();
  if ((*source)->damage()) log.damage = *(*source)->damage();
  if (context.progress() != nullptr && context.progress()->memory.was_reached())
    log.damage = "it needs more memory than --memory allows";
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
    std::stable_sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    auto begin = std::upper_bound(samples.begin(), samples.end(), profile.span_start,
                                  [](Time time, const auto& of) { return time < of.first; });
    if (begin != samples.begin()) --begin;  // what held when the window began
    const auto end =
        std::upper_bound(begin, samples.end(), profile.span_end, [](Time time, const auto& of) { return time < of.first; });
    if (begin == end) continue;
    if (key.first != last_device) process = out.add_process(fmt::format("Device {} log", key.first));
    last_device = key.first;
    const std::string& title = table.figures()[key.second].title;
    const Row lane = out.add_counter_lane({LaneKind::counter, process, key.first, title, title});
    for (auto at = begin; at != end; ++at) out.add_sample(lane, std::max(at->first, profile.span_start), at->second);
  }
}

}  // namespace

std::vector<std::string> device_log_files(const std::string& path) {
  std::vector<std::string> logs;
  const Result<std::vector<std::string>> files = files_in_folder(std::filesystem::path(path).parent_path().string());
  if (!files) return logs;
  std::size_t tables = 0;
  for (const std::string& file : *files) {
    if (!file.ends_with(".csv") && !file.ends_with(".csv.gz")) continue;
    if (++tables > kMostFiles) break;
    if (table_of(file)) logs.push_back(file);
  }
  return logs;
}

void read_device_logs(const ReadContext& context, Profile& profile) {
  for (const std::string& path : device_log_files(context.path())) {
    context.stage("reading the device log");
    const std::string name = std::filesystem::path(path).filename().string();
    const std::optional<LogTable> table = table_of(path);
    if (!table) continue;
    if (profile.origin_unix_ns == kUnknown) {
      profile.add_problem(Severity::warning, "log_without_date",
                          say("{}: the profile has no date, so the log's samples have no place in it; they are not shown", name),
                          1, kUnknown);
      continue;
    }
    const Result<Log> log = read_log(context, path, *table);
    if (!log) {
      profile.add_problem(Severity::error, "log_not_read", say("{}: {}", name, log.error().message), 1, kUnknown);
      continue;
    }
    if (log->damage) {
      profile.add_problem(Severity::error, "log_not_read", say("{}: {}; what is before it was read", name, *log->damage), 1,
                          kUnknown);
      if (log->series.empty()) continue;
    }
    if (log->malformed != 0) {
      profile.add_problem(Severity::warning, "malformed_line", say("{}: lines without a time or a device were skipped", name),
                          log->malformed, log->first_malformed);
    }
    complete_span(profile);
    const Time begin = profile.origin_unix_ns + profile.span_start, end = profile.origin_unix_ns + profile.span_end;
    bool unique = true;
    const Time offset = log->is_local ? zone_offset(*log, begin, end, unique) : 0;
    if (log->is_local) {
      const std::string zone = fmt::format("UTC{}{:02}:{:02}", offset < 0 ? '-' : '+', std::abs(offset) / (4 * kQuarterHour),
                                           std::abs(offset) / 60'000'000'000 % 60);
      profile.add_problem(
          unique ? Severity::note : Severity::warning, "log_clock",
          unique ? say("{}: its times name no zone; they were read as {}, at which the log covers the recording", name, zone)
                 : say("{}: its times name no zone, and several fit; they were read as {}", name, zone),
          1, kUnknown);
    }
    if (log->last - offset < begin || log->first - offset > end) {
      profile.add_problem(Severity::warning, "log_of_another_time", say("{}: the log does not cover the recording", name), 1,
                          kUnknown);
      continue;
    }
    add_series(*log, *table, -offset - profile.origin_unix_ns, profile);
  }
}

}  // namespace sightline::formats
