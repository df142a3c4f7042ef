// Step sums as a table: computed rows, and stated ones where they differ or nothing was computed.
#include "analyses/steps/step_sums_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/steps/step_sums.h"
#include "analyses/words.h"

namespace sightline::analyses {

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

// Adds the rows; returns what a reader must know of steps that the file states otherwise.
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
       "That time is part of their preparing, so their bars are longer than the steps of the step time breakdown, "
       "which begin when the device is done with the step before."});
}

// Columns that say nothing here are hidden.
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

}  // namespace

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
  hide_idle_columns(table);
  Panel chart{.kind = PanelKind::bars, .id = "step_sums", .title = table.title, .table = table.key};
  chart.x = "step";
  chart.series = {"preparing", "computing_alone", "overlapped", "not_overlapped", "free"};
  chart.stacked = true;
  chart.doc =
      MetricDoc{
          "What the device did in each step, from the step's start on the host to where its next work begins.",
          "preparing + computing alone + overlapped + communication not overlapped + free; without preparing, that is stage + "
          "bubble. The last gap of a step reaches into the next step's preparing, so the bars of several steps add up to more "
          "than the recording",
          kStepSource, "The step time breakdown counts copies before communication, and ends a step where its work ends."}
          .text();
  chart.notes = std::move(notes);
  Panel rows{.kind = PanelKind::table, .id = "step_sums_table", .title = table.title, .table = table.key};
  // Docs of the bars, and of the rows, which are separate from them or, in the terminal, alone.
  if (const Message ahead = ahead_words(summary.steps); ran && !ahead.empty()) {
    for (Panel* panel : {&chart, &rows}) panel->notes.push_back({Note::Level::info, ahead});
  }
  // Beside the chart of the steps on the host, if that is there; the rows come last.
  const auto steps =
      std::find_if(report.panels.begin(), report.panels.end(), [](const Panel& panel) { return panel.id == "steps"; });
  if (steps == report.panels.end()) {
    report.panels.push_back(std::move(chart));
  } else {
    steps->width = chart.width = "half";
    report.panels.insert(std::next(steps), std::move(chart));
  }
  report.panels.push_back(std::move(rows));
  report.tables.push_back(std::move(table));
}

}  // namespace sightline::analyses
