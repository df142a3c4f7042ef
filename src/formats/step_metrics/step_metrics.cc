// Logs beside a profile: which they are, whether they are of its run, and the step of each figure.
#include "formats/step_metrics/step_metrics.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/remote/remote_path.h"
#include "base/text.h"
#include "formats/common/files_beside.h"
#include "formats/common/profile_builder.h"
#include "formats/step_metrics/metric_log.h"

namespace sightline::formats {

namespace {

namespace fs = std::filesystem;
using step_metrics::kMostMetrics;
using step_metrics::Metric;
using step_metrics::MetricLog;

constexpr std::size_t kMostFiles = 1000;
constexpr Time kHour = 3'600'000'000'000;
constexpr std::string_view kRuns = "mlruns", kMetrics = "metrics";

// ---- files ----

// A log: an event file, or the metrics of a run.
struct Source {
  bool is_mlflow = false;
  std::string name;
  fs::path folder;  // of the metrics, which are named by their paths below it
  std::vector<std::string> files;
};

struct Sources {
  std::vector<Source> all;
  std::size_t files = 0;
  bool has_more = false;

  bool has_room() {
    has_more |= files == kMostFiles;
    files += files < kMostFiles;
    return !has_more;
  }
};

std::vector<fs::path> entries_of(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  for (const fs::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;
    if (folders ? entry->is_directory(unknown) : entry->is_regular_file(unknown)) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A name of a metric may have slashes: the folders that it names are not deep.
void add_metric_files(const fs::path& folder, int depth, Source& run, Sources& sources) {
  constexpr int kDeepest = 8;
  for (const fs::path& file : entries_of(folder, false)) {
    if (!sources.has_room()) return;
    run.files.push_back(file.string());
  }
  if (depth == kDeepest) return;
  for (const fs::path& below : entries_of(folder, true)) add_metric_files(below, depth + 1, run, sources);
}

// False if there is no room for more files.
bool add_event_files(const fs::path& folder, Sources& sources) {
  const Result<std::vector<std::string>> beside = files_in_folder(folder.string());
  if (!beside) return true;
  for (const std::string& file : *beside) {
    const std::string name = fs::path(file).filename().string();
    if (name.find(".tfevents.") == name.npos) continue;
    if (!sources.has_room()) return false;
    sources.all.push_back({false, name, {}, {file}});
  }
  return true;
}

void add_runs(const fs::path& folder, Sources& sources) {
  for (const fs::path& experiment : entries_of(folder / kRuns, true)) {
    for (const fs::path& of_run : entries_of(experiment, true)) {
      Source run{true, (experiment.filename() / of_run.filename()).string(), of_run / kMetrics, {}};
      add_metric_files(run.folder, 0, run, sources);
      if (!run.files.empty()) sources.all.push_back(std::move(run));
    }
  }
}

// The folder of the profile. In TensorBoard's layout, RUN/plugins/profile/SESSION/FILE, also that of the run, where the job logs.
std::vector<fs::path> folders_of_logs(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path(), profiles = folder.parent_path(), plugins = profiles.parent_path();
  std::vector<fs::path> folders{folder};
  if (profiles.filename() == "profile" && plugins.filename() == "plugins") folders.push_back(plugins.parent_path());
  return folders;
}

Sources sources_beside(const std::string& path) {
  Sources sources;
  for (const fs::path& folder : folders_of_logs(path)) {
    if (!add_event_files(folder, sources)) return sources;
    if (!is_remote(path)) add_runs(folder, sources);
  }
  return sources;
}

// ---- steps ----

class StepsOfLog {
 public:
  explicit StepsOfLog(const Profile& profile) : p_(profile) {
    for (Row row = 0; row < p_.steps.rows(); ++row) {
      const auto [at, is_new] = by_number_.try_emplace(p_.steps.number[row], row);
      if (!is_new) at->second = kNoRow;  // which of them is not known
    }
  }

  // With a clock: the step of that number, if the figure was logged in it or in a step's time after it; else the step around the
  // time. Without: the step of that number.
  Row step_of(const Metric& metric) const {
    const auto named = by_number_.find(metric.number);
    const Row by_number = named == by_number_.end() ? kNoRow : named->second;
    if (p_.origin_unix_ns == kUnknown || metric.unix_ns == kUnknown) return by_number;
    const Time time = metric.unix_ns - p_.origin_unix_ns;
    if (by_number != kNoRow) {
      const Time start = p_.steps.start[by_number], length = p_.steps.duration[by_number];
      if (time >= start && time - start < 2 * length) return by_number;
    }
    const auto& starts = p_.steps.start;
    const auto after = std::upper_bound(starts.begin(), starts.end(), time);
    if (after == starts.begin()) return kNoRow;
    const Row row = static_cast<Row>(after - starts.begin() - 1);
    return time < starts[row] + p_.steps.duration[row] ? row : kNoRow;
  }

 private:
  const Profile& p_;
  std::unordered_map<std::int64_t, Row> by_number_;
};

// ---- logs ----

class LogReading {
 public:
  LogReading(const ReadContext& context, Profile& profile) : context_(context), p_(profile), steps_(profile) {}

  void read(const Source& source) {
    MetricLog log{source.name, {}, 0, kUnknown, false};
    std::optional<Message> failed;
    for (const std::string& file : source.files) {
      if (context_.is_cancelled()) return;
      const std::size_t room = kMostMetrics - std::min(kMostMetrics, read_);
      const std::optional<Message> damage = read_beside(context_, file, [&](ByteStream& in) {
        if (source.is_mlflow) {
          const std::string name = fs::path(file).lexically_relative(source.folder).generic_string();
          read_mlflow_metric(in, p_.strings.intern(to_utf8(name)), room, log);
        } else {
          read_event_file(in, room, p_.strings, log);
        }
      });
      if (damage) failed = damage;
    }
    const bool is_full = read_ + log.metrics.size() >= kMostMetrics;
    was_full_ |= is_full;
    report(log, failed);
    if (!log.metrics.empty() && (is_full || !is_of_another_time(log))) take(log);
  }

  void finish(bool has_more) {
    if (has_more || was_full_) {
      p_.add_problem(Severity::warning, "step_metrics_left_out",
                     say("of the logs of step metrics, the first {} files and {} values were read", kMostFiles, kMostMetrics), 1,
                     kUnknown);
    }
    if (others_ > 0) {
      p_.add_problem(Severity::note, "step_metrics_of_other_runs",
                     "logs of step metrics have nothing within an hour of the recording; they are not shown", others_, kUnknown);
    }
    if (read_ > 0) {
      p_.add_problem(
          Severity::note, "step_metrics_joined",
          p_.origin_unix_ns == kUnknown
              ? say("{} of {} logged values of step metrics belong to recorded steps, by the step's number: the profile has no "
                    "date",
                    joined_, read_)
              : say("{} of {} logged values of step metrics belong to recorded steps, by the step's number and the time", joined_,
                    read_),
          1, kUnknown);
    }
    add_counters();
  }

 private:
  void report(const MetricLog& log, const std::optional<Message>& failed) {
    if (failed) {
      p_.add_problem(Severity::error, "step_metrics_not_read", say("{}: {}; what is before it was read", log.name, *failed), 1,
                     kUnknown);
    }
    if (log.malformed > 0) {
      p_.add_problem(Severity::error, "step_metrics_damaged", say("{}: damaged records of step metrics were left out", log.name),
                     log.malformed, log.first_malformed);
    }
    if (log.is_cut) {
      p_.add_problem(Severity::warning, "step_metrics_cut",
                     say("{}: the log ends inside a record; what is before it was read", log.name), 1, kUnknown);
    }
  }

  bool is_of_another_time(const MetricLog& log) {
    if (p_.origin_unix_ns == kUnknown) return false;
    const Time begin = p_.origin_unix_ns + p_.span_start - kHour, end = p_.origin_unix_ns + p_.span_end + kHour;
    const bool is_near = std::any_of(log.metrics.begin(), log.metrics.end(), [&](const Metric& metric) {
      return metric.unix_ns == kUnknown || (metric.unix_ns >= begin && metric.unix_ns <= end);
    });
    others_ += !is_near;
    return !is_near;
  }

  void take(const MetricLog& log) {
    const StringId name = p_.strings.intern(to_utf8(log.name));
    StepMetrics& to = p_.step_metrics;
    for (const Metric& metric : log.metrics) {
      const Row row = add_unknown_row(to);
      to.step[row] = steps_.step_of(metric);
      to.number[row] = metric.number;
      if (metric.unix_ns != kUnknown && p_.origin_unix_ns != kUnknown) to.time[row] = metric.unix_ns - p_.origin_unix_ns;
      to.name[row] = metric.name;
      to.value[row] = metric.value;
      to.log[row] = name;
      joined_ += to.step[row] != kNoRow;
    }
    read_ += log.metrics.size();
  }

  // Counters hold from when a figure was logged to when it was logged again.
  void add_counters() {
    const StepMetrics& from = p_.step_metrics;
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<Time, double>>> series;
    for (Row row = 0; row < from.rows(); ++row) {
      if (from.time[row] == kUnknown || std::isnan(from.value[row])) continue;
      series[{std::string(p_.text(from.log[row])), std::string(p_.text(from.name[row]))}].emplace_back(from.time[row],
                                                                                                       from.value[row]);
    }
    ProfileBuilder out(p_);
    std::string last;
    Row process = kNoRow;
    for (auto& [key, all] : series) {
      const auto samples = samples_in_window(std::move(all), p_);
      if (samples.empty()) continue;
      if (process == kNoRow || key.first != last) process = out.add_process(key.first);
      last = key.first;
      const Row lane = out.add_counter_lane({LaneKind::counter, process, kUnknown, key.second, key.second});
      for (const auto& [time, value] : samples) out.add_sample(lane, time, value);
    }
  }

  const ReadContext& context_;
  Profile& p_;
  StepsOfLog steps_;
  std::size_t read_ = 0;
  bool was_full_ = false;  // no more values were read
  std::int64_t joined_ = 0, others_ = 0;
};

}  // namespace

std::vector<std::string> step_metric_files(const std::string& path) {
  std::vector<std::string> files;
  for (Source& source : sources_beside(path).all) {
    for (std::string& file : source.files) files.push_back(std::move(file));
  }
  return files;
}

std::vector<std::string> with_step_metric_files(const std::string& path, std::vector<std::string> files) {
  std::vector<std::string> logs = step_metric_files(path);
  if (files.empty() && !logs.empty()) files.push_back(path);
  files.insert(files.end(), std::make_move_iterator(logs.begin()), std::make_move_iterator(logs.end()));
  return files;
}

void read_step_metrics(const ReadContext& context, Profile& profile) {
  const Sources sources = sources_beside(context.path());
  if (sources.all.empty()) return;
  context.stage("reading step metrics");
  complete_span(profile);
  LogReading reading(context, profile);
  for (const Source& source : sources.all) {
    if (context.is_cancelled()) return;
    reading.read(source);
  }
  reading.finish(sources.has_more);
}

}  // namespace sightline::formats
