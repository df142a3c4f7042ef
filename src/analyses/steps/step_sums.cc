// StepSums: merged intervals per device; a step takes those that begin in its range. As a table: computed rows, and stated ones
// where they differ or nothing was computed.
#include "analyses/steps/step_sums.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/words.h"
#include "model/interval.h"

namespace sightline::analyses {

// ---- sums ----

namespace {

constexpr Time kNever = std::numeric_limits<Time>::max();
constexpr Time kLongest =
    1'000'000'000'000'000'000;  // 30 years: a file that states more states nonsense, and sums would overflow

// The work of one device over the whole recording.
struct DeviceTime {
  IntervalSet computing, communicating, alone, idle;  // alone: communicating and not computing
  std::vector<Interval> receiving;                    // each receive, by start
  std::vector<Interval> ranges;                       // by step; empty where it did nothing of it
};

bool receives(const Profile& profile, Row slice) {
  const auto& slices = profile.collectives.slice;
  const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
  if (at == slices.end() || *at != slice) return false;
  return profile.collectives.kind[static_cast<std::size_t>(at - slices.begin())] == CollectiveKind::receive;
}

IntervalSet gaps_of(const IntervalSet& set) {
  IntervalSet gaps;
  for (std::size_t i = 1; i < set.size(); ++i) gaps.push_back({set[i - 1].end, set[i].start});
  return gaps;
}

std::map<std::int64_t, DeviceTime> time_of_devices(const Profile& profile, const std::vector<WorkInterval>& work) {
  std::map<std::int64_t, DeviceTime> devices;
  for (const WorkInterval& one : work) {
    const Row slice = profile.device_work.slice[one.work];
    const SliceKind kind = profile.slices.kind[slice];
    if (!is_kernel(kind)) continue;
    DeviceTime& device = devices[profile.device_work.device[one.work]];
    const Interval interval{one.start, one.end};
    extend(kind == SliceKind::kernel ? device.computing : device.communicating, interval);
    if (kind == SliceKind::collective && receives(profile, slice)) device.receiving.push_back(interval);
  }
  for (auto& [ordinal, device] : devices) {
    device.alone = subtract(device.communicating, device.computing);
    device.idle = gaps_of(unite(device.computing, device.communicating));
  }
  return devices;
}

void find_ranges(const Profile& profile, const StepWindows& steps, const std::vector<WorkInterval>& work,
                 std::map<std::int64_t, DeviceTime>& devices) {
  const bool recorded = steps.source == StepSource::recorded;
  for (auto& [ordinal, device] : devices) {
    device.ranges.assign(steps.kept.size(), recorded ? Interval{kNever, kNever} : Interval{-kNever, kNever});
  }
  if (!recorded) return;
  for (const WorkInterval& one : work) {
    const auto device = devices.find(profile.device_work.device[one.work]);
    const std::size_t step = device == devices.end() ? steps.kept.size() : step_of(profile, steps.kept, one.work);
    if (step == steps.kept.size()) continue;
    Interval& range = device->second.ranges[step];
    if (range.start == kNever) range = {one.start, std::max(one.end, steps.kept[step].host.end)};
    range.end = std::max(range.end, one.end);
  }
}

// Those that begin from `start` to before `end`.
std::span<const Interval> beginning_in(const std::vector<Interval>& intervals, Interval range) {
  const auto from_time = [](const Interval& interval, Time time) { return interval.start < time; };
  const auto first = std::lower_bound(intervals.begin(), intervals.end(), range.start, from_time);
  const auto last = std::lower_bound(first, intervals.end(), range.end, from_time);
  return {first, last};
}

Time length_of(std::span<const Interval> intervals) {
  Time length = 0;
  for (const Interval& interval : intervals) length += interval.length();
  return length;
}

// `began`: when the step began on the host; kUnknown if unknown. `range` is half-open.
void add_up(const DeviceTime& device, Interval range, Time began, StepSums& sums) {
  const auto computing = beginning_in(device.computing, range), communicating = beginning_in(device.communicating, range);
  const auto alone = beginning_in(device.alone, range), idle = beginning_in(device.idle, range);
  sums.of(StepSum::computing) = length_of(computing);
  sums.of(StepSum::communication) = length_of(communicating);
  sums.of(StepSum::not_overlapped) = length_of(alone);
  sums.of(StepSum::overlapped) = sums.of(StepSum::communication) - sums.of(StepSum::not_overlapped);
  sums.of(StepSum::bubble) = length_of(beginning_in(device.receiving, range));
  sums.of(StepSum::exclude_receive) = std::max<Time>(sums.of(StepSum::not_overlapped) - sums.of(StepSum::bubble), 0);
  Time first = kNever, last = -kNever;
  for (const auto& some : {computing, communicating}) {
    if (!some.empty()) first = std::min(first, some.front().start);
  }
  if (first == kNever) return;
  for (const auto& some : {computing, communicating, idle}) {
    if (!some.empty()) last = std::max(last, some.back().end);
  }
  sums.of(StepSum::free) = length_of(idle);
  sums.of(StepSum::stage) = last - std::min(first, idle.empty() ? first : idle.front().start) - sums.of(StepSum::bubble);
  if (began != kUnknown) sums.of(StepSum::preparing) = first - began;
}

Time first_operator(const Profile& profile) {
  Time first = kUnknown;
  for (const Row slice : profile.operators.slice) {
    const Time start = profile.slices.start[slice];
    first = first == kUnknown ? start : std::min(first, start);
  }
  return first;
}

StepSums blank(std::string step, std::int64_t device) {
  StepSums sums{std::move(step), device, {}};
  sums.sum.fill(kUnknown);
  return sums;
}

}  // namespace

const StepSumInfo& info_of(StepSum sum) {
  static constexpr std::array<StepSumInfo, kStepSums> kInfos{{
      {"preparing", "Preparing", "Preparing", "From the step's start on the host until its first work on the device.",
       "start of the first work that computes or communicates - start of the step on the host, or without steps, of the first "
       "operator"},
      {"computing", "Computing", "Computing", "Time with at least one kernel computing.",
       "length of the union of kernels that are not collectives"},
      {"overlapped", "Overlapped", "Overlapped",
       "Computing and communicating at the same time: this part of the communication costs no time.",
       "communication - communication not overlapped"},
      {"not_overlapped", "Communication not overlapped", "Communication(Not Overlapped)",
       "At least one collective runs, and nothing computes.",
       "length of the union of collectives without that of computing kernels"},
      {"communication", "Communication", "Communication", "Time with at least one collective running.",
       "length of the union of collectives"},
      {"free", "Free", "Free",
       "The device neither computes nor communicates: it copies, waits for the host, or idles. The gap after a step's last work "
       "belongs to that step, although it overlaps Preparing of the next step.",
       "length of the gaps in the union of computing and communication"},
      {"stage", "Stage", "Stage", "The step on the device, without waiting to receive from another pipeline stage.",
       "(end of the last - start of the first of computing, communication and free) - bubble"},
      {"bubble", "Bubble", "Bubble", "Receiving from another pipeline stage, including the wait for it.",
       "sum of the durations of receives"},
      {"exclude_receive", "Not overlapped, without receives", "Communication(Not Overlapped and Exclude Receive)",
       "Communication that nothing hides, other than receives.", "max(communication not overlapped - bubble, 0)"},
  }};
  return kInfos[static_cast<std::size_t>(sum)];
}

std::vector<StepSums> computed_step_sums(const Profile& profile, const StepWindows& steps,
                                         const std::vector<WorkInterval>& work) {
  std::map<std::int64_t, DeviceTime> devices = time_of_devices(profile, work);
  find_ranges(profile, steps, work, devices);
  const bool recorded = steps.source == StepSource::recorded;
  std::vector<StepSums> all;
  for (std::size_t i = 0; i < steps.kept.size(); ++i) {
    // A device's step has no beginning on the host.
    const Time began = !recorded                              ? first_operator(profile)
                       : steps.kept[i].requested_by == kNoRow ? steps.kept[i].host.start
                                                              : kUnknown;
    for (const auto& [ordinal, device] : devices) {
      StepSums& sums = all.emplace_back(blank(recorded ? std::to_string(steps.kept[i].number) : "all", ordinal));
      Interval range = device.ranges[i];
      if (recorded && range.end < kNever)
        ++range.end;  // work that begins at its end is in it, unless the next range begins there
      for (std::size_t next = i + 1; next < device.ranges.size() && range.start < kNever; ++next) {
        if (device.ranges[next].start == kNever) continue;
        range.end = std::min(range.end, std::max(range.start, device.ranges[next].start));
        break;
      }
      add_up(device, range, began, sums);
    }
  }
  return all;
}

std::vector<StepSums> stated_step_sums(const Profile& profile) {
  const ReportedSteps& stated = profile.reported_steps;
  std::vector<StepSums> all;
  std::map<std::pair<StringId, std::int64_t>, std::size_t> index;
  for (Row row = 0; row < stated.rows(); ++row) {
    const auto [at, is_new] = index.try_emplace({stated.step[row], stated.device[row]}, all.size());
    if (is_new) {
      const bool named = stated.step[row] != StringId::none;
      all.push_back(blank(named ? std::string(profile.text(stated.step[row])) : "all", stated.device[row]));
    }
    for (std::size_t sum = 0; sum < kStepSums; ++sum) {
      const Time duration = stated.duration[row];
      const bool is_sound = duration > -kLongest && duration < kLongest;
      if (is_sound && profile.text(stated.name[row]) == info_of(static_cast<StepSum>(sum)).stated) {
        all[at->second].sum[sum] = duration;
      }
    }
  }
  return all;
}

bool is_same_sum(Time a, Time b) {
  if (a == kUnknown || b == kUnknown) return true;
  return std::abs(a - b) <= 1'000 + std::max(std::abs(a), std::abs(b)) / 10'000;
}

// ---- the panels on the overview: a bar and a row per step ----

namespace {

constexpr std::string_view kStepSource =
    "device work of all streams of a device that begins in the step's range on the device: from the start of the first work "
    "launched in the step to the end of the last, or to the end of the step on the host if that is later";
constexpr std::size_t kMostNamed = 5;  // steps in a note

// Whether any sum is known on both sides: else nothing was compared.
bool is_compared(const StepSums& a, const StepSums& b) {
  for (std::size_t i = 0; i < kStepSums; ++i) {
    if (a.sum[i] != kUnknown && b.sum[i] != kUnknown) return true;
  }
  return false;
}

// Stated sums by step, so that many steps are matched in linear time.
class StatedSums {
 public:
  explicit StatedSums(const std::vector<StepSums>& stated) : stated_(stated) {
    for (std::size_t i = 0; i < stated.size(); ++i) of_step_[stated[i].step].push_back(i);
  }

  // The first of the step on the same device, where both name one, that can be compared.
  std::optional<std::size_t> find(const StepSums& computed) const {
    const auto step = of_step_.find(computed.step);
    if (step == of_step_.end()) return std::nullopt;
    for (const std::size_t i : step->second) {
      const std::int64_t device = stated_[i].device;
      const bool same_device = device == computed.device || device == kUnknown || computed.device == kUnknown;
      if (same_device && is_compared(stated_[i], computed)) return i;
    }
    return std::nullopt;
  }

 private:
  const std::vector<StepSums>& stated_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_step_;
};

// "Free 12.3 ms (computed 11 ms)" for each sum that differs.
Message differences(const StepSums& stated, const StepSums& computed) {
  std::vector<Message> all;
  for (std::size_t i = 0; i < kStepSums; ++i) {
    if (is_same_sum(stated.sum[i], computed.sum[i])) continue;
    all.push_back(say("{} {} (computed: {})", Message(info_of(static_cast<StepSum>(i)).title), time_words(stated.sum[i]),
                      time_words(computed.sum[i])));
  }
  return listed_messages(", ", std::move(all));
}

// Sums as a row, and where they come from.
struct StepSumRow {
  StepSums sums;
  Message step;
  std::string_view source;
};

Time computing_alone(const StepSumRow& row) {
  const Time computing = row.sums.of(StepSum::computing), overlapped = row.sums.of(StepSum::overlapped);
  return computing == kUnknown || overlapped == kUnknown ? kUnknown : computing - overlapped;
}

std::string_view hue_of(StepSum sum) {
  switch (sum) {
    case StepSum::preparing: return "host";
    case StepSum::not_overlapped: return "communication";
    case StepSum::free: return "idle";
    default: return "";
  }
}

TableOf<StepSumRow> step_sum_columns() {
  const std::string unknown = "nothing of the step ran on the device, or the file does not state it";
  TableOf<StepSumRow> table({.key = "step_sums", .title = "Computation and communication"});
  table.add(
      words_column("step", "Step", "Iteration number as recorded; all: no steps were recorded").with_role(ColumnRole::label),
      &StepSumRow::step);
  table.add(integer_column("device", "Device", Unit::id, {"Device number within the worker", "", ""}),
            [](const StepSumRow& row) { return row.sums.device; });
  for (std::size_t i = 0; i < kStepSums; ++i) {
    const StepSum sum = static_cast<StepSum>(i);
    const StepSumInfo& info = info_of(sum);
    table.add(integer_column(info.key, info.title, Unit::ns, {info.meaning, info.formula, kStepSource})
                  .with_unknown(unknown)
                  .with_category(std::string(hue_of(sum))),
              [sum](const StepSumRow& row) { return row.sums.of(sum); });
    if (sum != StepSum::preparing) continue;
    table.add(integer_column("computing_alone", "Computing alone", Unit::ns,
                             {"At least one kernel computes, and no collective runs.", "computing - overlapped", kStepSource})
                  .with_unknown(unknown)
                  .with_category("kernel"),
              computing_alone);
  }
  table.add(words_column("source", "Source",
                         "computed: from slices; stated: by the file itself; both: computed, and the file states the same"),
            &StepSumRow::source);
  return table;
}

// "2, 3, 4 and 5 more".
Message some_of(std::vector<Message> names) {
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  const Message text = listed_messages(", ", std::move(names));
  return more > 0 ? say("{} and {} more", text, more) : text;
}

// Adds the rows; returns a note about steps for which the file states other sums.
std::vector<Note> add_rows(std::vector<StepSumRow>& rows, const std::vector<StepSums>& computed,
                           const std::vector<StepSums>& stated) {
  const bool several =
      std::any_of(computed.begin(), computed.end(), [&](const StepSums& s) { return s.device != computed[0].device; });
  const auto label = [&](const StepSums& sums) {
    return several && sums.device != kUnknown ? say("{}, device {}", sums.step, sums.device) : Message(sums.step);
  };
  std::vector<Message> differing, without;
  Message example;
  std::vector<bool> shown(stated.size(), false);
  const StatedSums by_step(stated);
  for (const StepSums& sums : computed) {
    const std::optional<std::size_t> match = by_step.find(sums);
    const Message difference = match ? differences(stated[*match], sums) : Message();
    rows.push_back({sums, label(sums), match && difference.empty() ? "both" : "computed"});
    if (!match) continue;
    shown[*match] = true;
    if (difference.empty()) continue;
    rows.push_back({stated[*match], say("{} (stated)", label(sums)), "stated"});
    if (differing.empty()) example = difference;
    differing.push_back(label(sums));
  }
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (shown[i]) continue;
    rows.push_back({stated[i], say("{} (stated)", label(stated[i])), "stated"});
    without.push_back(label(stated[i]));
  }
  std::vector<Note> notes;
  if (!differing.empty()) {
    notes.push_back(
        {Note::Level::warning,
         differing.size() > 1
             ? say("Step {}: the file's own sums differ from those of its slices, for the first: {}.", some_of(differing),
                   example)
             : say("Step {}: the file's own sums differ from those of its slices: {}.", some_of(differing), example)});
  }
  if (!without.empty()) {
    notes.push_back(
        {Note::Level::info,
         say("Step {}: the sums are the file's own, because there are no slices to compute them from, or the step was left out.",
             some_of(without))});
  }
  return notes;
}

constexpr double kMissing = 1.5;  // times the work of the rows

// Where the host begins steps before the device is done with those before; empty where it does not.
Message ahead_words(const StepWindows& steps) {
  if (steps.source != StepSource::recorded) return "";
  std::int64_t count = 0;
  Time sum = 0;
  for (const StepWindow& step : steps.kept) {
    const Time ahead = step.window.start - step.host.start;
    count += ahead > 0;
    sum += ahead;
  }
  if (count == 0) return "";
  return sentences(
      {say("The host runs ahead: {} of {} steps begin there, by {} on average, while the device still works on the step "
           "before.",
           count, steps.kept.size(), time_words(static_cast<double>(sum) / static_cast<double>(count))),
       "That time is part of their preparing, which the bars therefore leave out."});
}

// Columns without content here are hidden.
void hide_idle_columns(ReportTable& table) {
  const auto hide_unless = [&](std::string_view key, auto says) {
    for (ReportColumn& column : table.columns) {
      if (column.key != key) continue;
      column.hidden = true;
      for (std::size_t row = 0; row < table.rows(); ++row) column.hidden &= !says(column.values[row]);
    }
  };
  const auto above_zero = [](const Cell& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number > 0;
  };
  hide_unless("bubble", above_zero);
  hide_unless("exclude_receive", [&](const Cell&) { return !table.find("bubble")->hidden; });
  hide_unless("device", [&](const Cell& value) { return value != table.find("device")->values[0]; });
}

// Computing or communicating; kUnknown where one of the two is.
Time working(const StepSums& sums) {
  const Time computing = sums.of(StepSum::computing), communicating = sums.of(StepSum::not_overlapped);
  return computing == kUnknown || communicating == kUnknown ? kUnknown : computing + communicating;
}

}  // namespace

Message missing_work_words(const Profile& profile, const StepSummary& summary) {
  const std::vector<StepSums> stated = stated_step_sums(profile);
  if (stated.empty()) return "";
  const StatedSums by_step(stated);
  for (const StepSums& sums : computed_step_sums(profile, summary.steps, *summary.work)) {
    const std::optional<std::size_t> match = by_step.find(sums);
    if (!match || working(sums) == kUnknown) continue;
    const StepSums& whole = stated[*match];
    if (static_cast<double>(working(whole)) <= kMissing * static_cast<double>(working(sums))) continue;
    const auto words = [](const StepSums& of, StepSum sum) { return time_words(of.of(sum)); };
    return sentences(
        {say("By the file's own sums, the device computes for {} in step {} and only communicates for {}; the work that "
             "the file lists takes {} and {}.",
             words(whole, StepSum::computing), whole.step, words(whole, StepSum::not_overlapped), words(sums, StepSum::computing),
             words(sums, StepSum::not_overlapped)),
         "Work is missing in the file: the verdict is about the rest."});
  }
  return "";
}

bool has_step_sums(const Profile& profile) {
  const auto& slices = profile.device_work.slice;
  return profile.reported_steps.rows() > 0 || std::any_of(slices.begin(), slices.end(), [&](Row slice) {
           return profile.slices.kind[slice] == SliceKind::collective;
         });
}

ReportTable blank_step_sums() { return step_sum_columns().blank(); }

void add_step_sums(Report& report, const Profile& profile, const StepSummary& summary) {
  const bool ran = has_kernels(profile);
  std::vector<StepSumRow> sums;
  std::vector<Note> notes = add_rows(
      sums, ran ? computed_step_sums(profile, summary.steps, *summary.work) : std::vector<StepSums>{}, stated_step_sums(profile));
  ReportTable table = step_sum_columns().of(sums);
  const std::size_t sums_rows = table.rows();
  hide_idle_columns(table);
  Panel chart{.id = "step_sums",
              .title = table.title,
              .content = BarChart{.table = table.key,
                                  .x = "step",
                                  .series = {"preparing", "computing_alone", "overlapped", "not_overlapped", "free"},
                                  .stacked = true}};
  chart.doc =
      MetricDoc{
          "What the device did in each step, from the step's start on the host to where its next work begins.",
          "preparing + computing alone + overlapped + communication not overlapped + free; without preparing, that is stage + "
          "bubble. The last gap of a step reaches into the next step's preparing, so the bars of several steps add up to more "
          "than the recording",
          kStepSource, "The step time breakdown counts copies before communication, and ends a step where its work ends."}
          .text();
  chart.notes = std::move(notes);
  const Message ahead = ran ? ahead_words(summary.steps) : Message();
  if (!ahead.empty()) chart.as<BarChart>()->series.erase(chart.as<BarChart>()->series.begin());
  Panel rows{.id = "step_sums_table", .title = table.title, .content = PlainTable{table.key}};
  // Docs of the bars, and of the rows, which are separate from them or, in the terminal, alone.
  if (!ahead.empty()) {
    for (Panel* panel : {&chart, &rows}) panel->notes.push_back({Note::Level::info, ahead});
  }
  // Beside the chart of the steps on the host, if there is one; the rows come last.
  const auto steps =
      std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& panel) { return panel.id == "steps"; });
  if (steps == report.panels.end()) {
    // One bar says no more than its row, unless there is nothing else.
    if (sums_rows > 1 || report.panels.empty())
      report.panels.push_back(std::move(chart));
    else
      rows.notes = std::move(chart.notes);
  } else {
    steps->width = chart.width = "half";
    report.panels.insert(std::next(steps), std::move(chart));
  }
  report.panels.push_back(std::move(rows));
  report.tables.push_back(std::move(table));
}

}  // namespace sightline::analyses
