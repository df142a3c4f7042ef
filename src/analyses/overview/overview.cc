// Overview: what bounds the step and what to try first; what a step was spent on, and how busy the devices were.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "analyses/advice/recommendations.h"
#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/kernels/kernel_groups.h"
#include "analyses/programs/program_sums.h"
#include "analyses/steps/step_summary.h"
#include "analyses/steps/step_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/text.h"
#include "model/report.h"
#include "model/stated_names.h"

namespace sightline::analyses {

// ---- tables: steps, the average step, devices ----
// Their `blank_` functions hold the meaning of each column.

namespace {

// The row of `devices` with this ordinal, or kNoRow.
Row device_row(const Profile& profile, std::int64_t ordinal) {
  for (Row row = 0; row < profile.devices.rows(); ++row) {
    if (profile.devices.ordinal[row] == ordinal) return row;
  }
  return kNoRow;
}

constexpr std::string_view kWindows =
    "host ranges of the steps, device work launched in them; a step begins when its host range begins, or when the step before "
    "it ends if that is later, and ends when both its host range and its device work have ended";
constexpr std::string_view kBreakdown =
    "each instant of a step counts once, for the first of these that is active on any thread, stream or device: kernel, memcpy, "
    "memset, "
    "communication, runtime, data loading, host, other";
constexpr std::string_view kBreakdownDiffers =
    "Collective kernels are communication, not kernel. The TensorBoard plugin counts too much when every step is fully busy.";

bool is_shown(const RoleSets& roles, Role role) { return role == Role::communication ? roles.any(role) : roles.is_known(role); }

// One step and how its time was spent.
struct StepParts {
  StepWindow step;
  Breakdown parts;
};

// `shown`: by role; parts that were not recorded are unknown.
TableOf<StepParts> step_parts(const std::array<bool, kRoles>& shown) {
  const std::string total_formula = std::string("end - start; the sum of its parts: ").append(kBreakdown);
  TableOf<StepParts> table({.key = "steps", .title = "Steps", .sort_column = "start", .sort_descending = false});
  table.add(integer_column("step", "Step", Unit::id, {"Iteration number as recorded", "", ""}).with_role(ColumnRole::label),
            [](const StepParts& of) { return of.step.number; });
  table.add(integer_column("start", "Start", Unit::ns, {"When it began, since the run's origin.", "", kWindows}),
            [](const StepParts& of) { return of.step.window.start; });
  table.add(integer_column("total", "Total", Unit::ns,
                           {"How long it lasted, including its device work.", total_formula, kWindows, kBreakdownDiffers}),
            [](const StepParts& of) { return of.step.window.length(); });
  for (std::size_t i = 0; i < kRoles; ++i) {
    const Role role = static_cast<Role>(i);
    const bool known = shown[i];
    table.add(integer_column(role_key(role), role_title(role), Unit::ns,
                             {role_doc(role), "its part of the step breakdown, see total", "kinds and times of slices"})
                  .with_category(std::string(role_key(role)))
                  .with_unknown(known ? "" : "no activity of this kind was recorded")
                  .hide(!known),
              [role, known](const StepParts& of) { return known ? of.parts.of(role) : kUnknown; });
  }
  return table;
}

// A part of the average step, and the views that show its content.
struct AveragePart {
  Role role;
  double time, share;
  bool of_kernels, of_operators;
};

TableOf<AveragePart> average_parts() {
  TableOf<AveragePart> table(
      {.key = "average",
       .title = "Average step",
       .row_links = {{"Kernels", "kernels", {}, "of_kernels"}, {"Operators", "operators", {}, "of_operators"}}});
  table.add(words_column("category", "Category", "What the time was spent on").with_role(ColumnRole::category),
            [](const AveragePart& of) { return role_key(of.role); });
  table.add(real_column("time", "Time", Unit::ns,
                        {"Time per step.", "mean over the kept steps that are not empty", kBreakdown, kBreakdownDiffers})
                .with_bar("share"),
            &AveragePart::time);
  table.add(real_column("share", "Share", Unit::share, {"Share of the step.", "time / mean step", "the step breakdown"}),
            &AveragePart::share);
  const MetricDoc shows{"Whether that view shows the details of this time", "", ""};
  table.add(flag_column("of_kernels", "Made of kernels", shows).hide(), &AveragePart::of_kernels);
  table.add(flag_column("of_operators", "Made of operators", shows).hide(), &AveragePart::of_operators);
  return table;
}

// Of the device with this ordinal; kUnknown where the file does not describe it.
template <typename Values>
auto of_device(Values Devices::*values) {
  return [values](const Profile& p, const DeviceActivity& activity) {
    const Row row = device_row(p, activity.device);
    return row == kNoRow ? kUnknown : std::int64_t{(p.devices.*values)[row]};
  };
}

std::string capability_words(const Devices& devices, Row row) {
  if (row == kNoRow) return "";
  if (devices.compute_major[row] == kUnknown || devices.compute_minor[row] == kUnknown) return "";
  return fmt::format("{}.{}", devices.compute_major[row], devices.compute_minor[row]);
}

TableOf<DeviceActivity, Profile> device_activities(const DeviceWords& words) {
  constexpr std::string_view kWindow = "Window: from the start of the first kept step to the end of the last.";
  const auto in_window = [&](Message meaning) { return std::string(meaning).append("\n").append(kWindow); };
  const std::string utilization = in_window("Share of the time in which at least one kernel ran on the device.");
  const std::string efficiency = in_window("Share of the multiprocessors that had blocks to run, averaged over time.");
  const std::string occupancy =
      in_window("How full of warps the multiprocessors were while kernels ran, estimated from their launches.");
  const std::string not_described = "the file does not describe this device";
  TableOf<DeviceActivity, Profile> table(
      {.key = "devices", .title = "Devices", .sort_column = "device", .sort_descending = false});
  table.add(
      integer_column("device", "Device", Unit::id, {"Device number within the worker", "", ""}).with_role(ColumnRole::label),
      &DeviceActivity::device);
  table.add(text_column("name", "Name", "Product name").with_unknown(not_described),
            [](const Profile& p, const DeviceActivity& activity) {
              const Row row = device_row(p, activity.device);
              return row == kNoRow ? StringId::none : p.devices.name[row];
            });
  table.add(real_column("utilization", "Utilization", Unit::share,
                        {utilization, "length of the union of kernels in the window / length of the window",
                         "kernels of all streams, collectives included; copies do not count"})
                .with_unknown("no step with a duration"),
            &DeviceActivity::utilization);
  table.add(
      real_column("sm_efficiency", say("Est. {} efficiency", words.core), Unit::share,
                  {efficiency,
                   "integral over the window of min(1, sum of blocks per multiprocessor of the kernels running then) / length of "
                   "the window",
                   "blocks per multiprocessor of each kernel; those without a value count as 0"})
          .with_unknown(say("recorded without blocks per {}", words.core)),
      &DeviceActivity::core_efficiency);
  table.add(
      real_column("occupancy", "Est. achieved occupancy", Unit::percent,
                  {occupancy, "sum(occupancy x time in the window) / sum(time in the window), over kernels that have a value",
                   "est. achieved occupancy of each kernel"})
          .with_unknown("recorded without occupancy"),
      &DeviceActivity::occupancy);
  table.add(
      real_column("tensor_core_share", say("Kernel time on {}", words.matrix), Unit::share,
                  {say("Share of the device's kernel time on {}.", words.matrix),
                   "duration of kernels on matrix units / duration of all kernels, in the whole profile",
                   "core type of kernels, by name or as the file states it",
                   "Covers all kernels: the TensorBoard plugin leaves out those that no operator launched, such as those of a "
                   "replayed graph. Unknown, not 0, where names do not say; knows the names of newer kernels."})
          .with_unknown("the names of some kernels do not say"),
      &DeviceActivity::matrix_share);
  table.add(integer_column("memory", "Memory", Unit::bytes, {"Device memory", "", ""}).with_unknown(not_described),
            of_device(&Devices::memory));
  table.add(text_column("compute_capability", "Compute capability", "Generation of the device, in the vendor's numbering")
                .with_unknown(not_described),
            [](const Profile& p, const DeviceActivity& activity) {
              return capability_words(p.devices, device_row(p, activity.device));
            });
  table.add(
      integer_column("cores", "Cores", Unit::count, {"Multiprocessors or compute units", "", ""}).with_unknown(not_described),
      of_device(&Devices::cores));
  return table;
}

std::array<bool, kRoles> shown_roles(const RoleSets& roles) {
  std::array<bool, kRoles> shown{};
  for (std::size_t i = 0; i < kRoles; ++i) shown[i] = is_shown(roles, static_cast<Role>(i));
  return shown;
}

// The doc of the whole step breakdown, for its charts.
std::string step_breakdown_doc() {
  return MetricDoc{"How the time of each step was spent.", kBreakdown, kWindows, kBreakdownDiffers}.text();
}

ReportTable blank_steps() {
  std::array<bool, kRoles> all{};
  all.fill(true);
  return step_parts(all).blank();
}

ReportTable blank_average() { return average_parts().blank(); }

ReportTable blank_devices(const DeviceWords& words = {}) { return device_activities(words).blank(); }

ReportTable steps_table(const Profile& profile, const StepSummary& summary) {
  std::vector<StepParts> rows;
  for (std::size_t i = 0; i < summary.breakdown.size(); ++i) rows.push_back({summary.steps.kept[i], summary.breakdown[i]});
  ReportTable table = step_parts(shown_roles(summary.roles)).of(rows);
  if (has_kernels(profile)) table.row_links.push_back({"Kernels of this step", "kernels", {{"step", "$step"}}});
  if (profile.operators.rows() > 0) table.row_links.push_back({"Operators of this step", "operators", {{"step", "$step"}}});
  return table;
}

ReportTable average_table(const Profile& profile, const StepSummary& summary) {
  const auto& kinds = profile.slices.kind;
  const bool collectives = std::find(kinds.begin(), kinds.end(), SliceKind::collective) != kinds.end();
  std::vector<AveragePart> parts;
  for (std::size_t i = 0; i < kRoles && summary.mean_total > 0; ++i) {
    const Role role = static_cast<Role>(i);
    if (!is_shown(summary.roles, role)) continue;
    const bool of_kernels = has_kernels(profile) && (role == Role::kernel || (role == Role::communication && collectives));
    const bool of_operators = profile.operators.rows() > 0 && !of_kernels && role != Role::other;
    parts.push_back({role, summary.mean_of(role), summary.share_of(role), of_kernels, of_operators});
  }
  return average_parts().of(parts);
}

ReportTable devices_table(const Profile& profile, const StepSummary& summary) {
  ReportTable table = device_activities(device_words(profile)).of(profile, summary.devices);
  if (has_kernels(profile)) table.row_links = {{"Kernels of this device", "kernels", {{"device", "$device"}}}};
  return table;
}

}  // namespace

// ---- the view ----

namespace {

// ---- facts and notes ----

// Of a profile without kernels: where its compiled programs ran.
enum class ProgramsRan { nowhere, on_host, on_devices };

// A file may state where compiled programs' operators ran without listing kernels. Operators of a host are ranges of its
// threads, and so part of its time.
ProgramsRan programs_ran(const Profile& profile, const StepSummary& summary) {
  if (!summary.devices.empty() || !has_program_work(profile)) return ProgramsRan::nowhere;
  const auto& slices = profile.program_work.slice;
  const bool on_host = std::any_of(slices.begin(), slices.end(), [&](Row slice) {
    return profile.lanes.kind[profile.slices.lane[slice]] == LaneKind::host_thread;
  });
  return on_host ? ProgramsRan::on_host : ProgramsRan::on_devices;
}

Message used_devices(const Profile& profile, const StepSummary& summary) {
  const Message word = device_words(profile).device;
  if (programs_ran(profile, summary) == ProgramsRan::on_devices) {
    std::set<std::int64_t> known;
    for (const std::int64_t device : profile.reported_program_work.device) known.insert(device);
    known.erase(kUnknown);
    return known.empty() ? Message() : say("{} x {}", known.size(), word);
  }
  if (summary.devices.empty()) return say("host only");
  std::string text;
  for (const DeviceActivity& activity : summary.devices) {
    const Row row = device_row(profile, activity.device);
    const std::string name(row == kNoRow ? std::string_view{} : profile.text(profile.devices.name[row]));
    const std::string numbered = activity.device == kUnknown ? "unknown " + word : fmt::format("{} {}", word, activity.device);
    const std::string& shown = name.empty() ? numbered : name;
    if (text.find(shown) == std::string::npos) text += (text.empty() ? "" : ", ") + shown;
  }
  return summary.devices.size() == 1 ? Message::verbatim(text) : say("{} x {}", summary.devices.size(), text);
}

Fact fact(Message label, FactValue value, Unit unit, Message doc, Message unknown = "") {
  return {std::move(label), std::move(value), unit, doc, unknown};
}

// A version as people write it. Drivers and runtimes state it as one number: major x 1000 + minor x 10, or major x 10^7 + minor x
// 10^5 + patch; tools of them major x 10000 + minor x 100 + patch.
std::string version_words(std::string_view key, std::string_view value) {
  const auto number = whole_number<std::int64_t>(value);
  if (!number || *number < 1000) return std::string(value);
  const bool parts = *number % 10 == 0 && *number < 100'000;
  if (*number >= 10'000'000) return fmt::format("{}.{}.{}", *number / 10'000'000, *number / 100'000 % 100, *number % 100'000);
  if (parts && (key.ends_with("driver_version") || key.ends_with("runtime_version")))
    return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
  if (*number >= 100'000 && *number < 1'000'000 && key.starts_with("cupti"))  // vendor: only its tool counts like this
    return fmt::format("{}.{}.{}", *number / 10'000, *number / 100 % 100, *number % 100);
  return std::string(value);
}

// "cuda_driver_version": "CUDA driver version".
std::string version_label(std::string_view key) {
  constexpr std::array<std::string_view, 5> kAcronyms = {"cuda", "cupti", "nccl", "hip", "cann"};  // vendor: names of metadata
  std::string label(key);
  std::replace(label.begin(), label.end(), '_', ' ');
  const std::size_t first = std::min(label.find(' '), label.size());
  const bool acronym = std::find(kAcronyms.begin(), kAcronyms.end(), label.substr(0, first)) != kAcronyms.end();
  for (std::size_t i = 0; i < (acronym ? first : std::size_t{1}); ++i)
    label[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[i])));
  return label;
}

// Every member of the file that names a version, so that none has to be known here.
void add_versions(std::vector<Fact>& facts, const Profile& profile) {
  for (Row i = 0; i < profile.metadata.rows(); ++i) {
    std::string_view key = profile.text(profile.metadata.key[i]);
    if (key.find("version") == std::string_view::npos || key == "schemaVersion") continue;
    // The file's summary may repeat its header.
    if (key.starts_with(stated::kSummary)) key.remove_prefix(stated::kSummary.size());
    std::string label = version_label(key);
    const Cell value = cell(std::string_view(version_words(key, profile.text(profile.metadata.value[i]))));
    const auto is_same = [&](const Fact& known) { return known.label == label && known.value == value; };
    if (std::none_of(facts.begin(), facts.end(), is_same))
      facts.push_back(fact(own_title(label), value, Unit::none, "As the file says"));
  }
}

// Steps that the reader of the file left out.
std::int64_t left_out_by_reader(const Profile& profile) {
  std::int64_t steps = 0;
  for (Row i = 0; i < profile.problems.rows(); ++i) {
    if (profile.text(profile.problems.code[i]) == stated::kStepsLeftOut) steps += profile.problems.count[i];
  }
  return steps;
}

// What is not known, or says nothing here, is left out.
std::vector<Fact> configuration(const Profile& profile, const StepSummary& summary) {
  const bool recorded = summary.steps.source == StepSource::recorded;
  const std::int64_t left_out = std::ssize(summary.steps.dropped) + left_out_by_reader(profile);
  std::vector<Fact> facts{fact("Device", cell(used_devices(profile, summary)), Unit::none,
                               "Devices that did any work of this process", "the file does not say")};
  if (profile.rank != kUnknown) facts.push_back(fact("Rank", cell(profile.rank), Unit::id, "Index of this worker in the job"));
  if (profile.world_size != kUnknown)
    facts.push_back(fact("World size", cell(profile.world_size), Unit::count, "Workers of the job"));
  facts.push_back(fact("Events", Cell{profile.events}, Unit::count, "Events of the file, of any kind"));
  facts.push_back(fact("Span", Cell{profile.span_end - profile.span_start}, Unit::ns, "Length of the recording"));
  if (recorded) facts.push_back(fact("Steps", Cell{std::ssize(profile.steps.number)}, Unit::count, "Steps recorded"));
  if (left_out > 0) {
    facts.push_back(fact("Steps left out", Cell{left_out}, Unit::count,
                         "Steps whose device work was cut off by the beginning or the end of the recording"));
  }
  if (recorded) {
    facts.push_back(
        fact("Average step", summary.mean_total > 0 ? Cell{summary.mean_total} : Cell{}, Unit::ns,
             "Mean length of the kept steps that are not empty\nFormula: sum of lengths / number of steps\nSource: step windows",
             "no step with a duration"));
  }
  add_versions(facts, profile);
  return facts;
}

std::string number_list(const std::vector<StepWindow>& steps) {
  std::string text;
  for (const StepWindow& step : steps) text += (text.empty() ? "" : ", ") + std::to_string(step.number);
  return text;
}

Message dropped_words(const StepWindows& steps) {
  std::string events;
  for (const StepWindow& step : steps.dropped) events += (events.empty() ? "" : ", ") + count_words(step.device_events);
  const auto left_out = [&](const auto& text) {
    return say(text, number_list(steps.dropped), events, count_words(steps.kept.back().device_events), steps.kept.back().number);
  };
  using Text = Template<std::string, std::string, std::string, std::int64_t>;
  return steps.dropped.size() == 1
             ? left_out(Text("Step {} is left out: the recording ended before the device work launched there was complete "
                             "(device events: {}; {} in step {})."))
             : left_out(Text("Steps {} are left out: the recording ended before the device work launched there was complete "
                             "(device events: {}; {} in step {})."));
}

const char* stand_in(StepSource source) {
  switch (source) {
    case StepSource::operators: return "the extent of all operators and device work";
    case StepSource::device_work: return "the extent of all device work";
    default: return "the whole recording";
  }
}

// Not shown for recordings of devices alone: their profilers have no such function.
constexpr const char* kToSeeSteps =
    "Mark every iteration to see steps: by step() of torch.profiler, or by StepTraceAnnotation of jax.profiler.";

// The reader's notes on how it found steps.
void add_stated_notes(const Profile& profile, std::vector<Note>& notes) {
  for (Row i = 0; i < profile.problems.rows(); ++i) {
    const std::string_view code = profile.text(profile.problems.code[i]);
    if (code != stated::kNoStepMarks && code != stated::kStepsMayEndEarly && code != stated::kStepsLeftOut) continue;
    notes.push_back({Note::Level::info, as_sentence(profile.problem(i))});
  }
}

// What a user must know about the steps before trusting their numbers.
std::vector<Note> step_notes(const Profile& profile, const StepSummary& summary) {
  std::vector<Note> notes;
  add_stated_notes(profile, notes);
  if (const ProgramsRan ran = programs_ran(profile, summary); ran != ProgramsRan::nowhere) {
    notes.push_back(
        {Note::Level::info,
         ran == ProgramsRan::on_host
             ? "The compiled programs ran on the host: their time counts as Host here; the views of operators divide it."
             : "No kernels were recorded, only operators of compiled programs. Their time counts as Other here; the views of "
               "operators divide it."});
  }
  const StepWindows& steps = summary.steps;
  if (!steps.dropped.empty()) notes.push_back({Note::Level::warning, dropped_words(steps)});
  if (!summary.roles.host) {
    notes.push_back({Note::Level::info,
                     "No host thread was recorded: what the host did in a step (runtime, data loading, host) is unknown, and "
                     "counts as Other."});
  }
  if (steps.source == StepSource::recorded) return notes;
  notes.push_back(
      {Note::Level::info, sentences({say("No steps were recorded: {} counts as one step, numbered 0.", stand_in(steps.source)),
                                     summary.roles.host ? kToSeeSteps : ""})});
  return notes;
}

// ---- the verdict ----

Message bound_words(const Profile& profile, const Verdict& verdict) {
  switch (verdict.bound()) {
    case Bound::device: return say("kernels on the {}", device_words(profile).device);
    case Bound::copies: return "memory copies";
    case Bound::communication: return "communication";
    case Bound::data_loading: return "data loading";
    case Bound::launches: return "launches";
    case Bound::host: return verdict.has_device ? "the host" : "the host's operators";
    case Bound::unknown: break;
  }
  return "not known";
}

// Mean over the devices that ran kernels; NaN without any.
double mean_utilization(const StepSummary& summary) {
  double sum = 0;
  std::size_t devices = 0;
  for (const DeviceActivity& device : summary.devices) {
    if (device.kernels == 0 || std::isnan(device.utilization)) continue;
    sum += device.utilization;
    ++devices;
  }
  return devices == 0 ? std::nan("") : sum / static_cast<double>(devices);
}

// The largest kernel, or the largest operator of a host without devices, as "gemm (40.0% of the kernel time)".
Message largest_item(const Profile& profile, const StepSummary& summary, const Verdict& verdict) {
  if (verdict.has_device) {
    std::map<StringId, Time> names;
    for (const Row slice : profile.device_work.slice) {
      if (profile.slices.kind[slice] == SliceKind::kernel) names[profile.slices.name[slice]] += profile.slices.duration[slice];
    }
    const auto largest =
        std::max_element(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const Time all = kernel_time(profile);
    if (all == 0) return {};
    return say("{}, with {} of the kernel time", short_name(profile.text(largest->first)),
               share_words(static_cast<double>(largest->second) / static_cast<double>(all)));
  }
  const std::vector<NamedTime> operators = host_time_within(profile, *summary.tree, verdict.host_stretches);
  if (operators.empty()) return {};
  return say("{}, with {} of the steps", short_name(operators.front().name),
             share_words(static_cast<double>(operators.front().time) /
                         static_cast<double>(std::max<Time>(1, total_length(verdict.host_stretches)))));
}

Message no_pattern_words(const Profile& profile, const StepSummary& summary, const Verdict& verdict) {
  const Message item = largest_item(profile, summary, verdict);
  return item.empty() ? Message("No known bottleneck pattern matched.")
                      : say("No known bottleneck pattern matched. Largest item: {}.", item);
}

std::string minus(const std::string& amount) { return "\u2212" + amount; }

Panel verdict_panel(const Profile& profile, const StepSummary& summary, const Recommendations& found) {
  const Verdict& verdict = found.verdict;
  VerdictStrip strip{.table = "bounds", .label = "part", .value = "time", .hue = "hue"};
  const bool recorded = summary.steps.source == StepSource::recorded;
  strip.items.push_back(
      {"step", recorded ? "Step time" : "Recorded", Message::verbatim(verdict.step > 0 ? time_words(verdict.step) : "\u2013"),
       recorded && verdict.steps > 1 ? say("mean of {} steps", verdict.steps) : Message(),
       recorded ? "Mean length of the kept steps that are not empty" : "No steps were recorded: all of the recording"});
  const Message reason = verdict.reason();
  strip.items.push_back({"bound", "Bound by", bound_words(profile, verdict),
                         reason.empty() ? say("{} of the step", share_words(verdict.share(verdict.bound()))) : reason,
                         bounds_doc()});
  if (const double busy = mean_utilization(summary); !std::isnan(busy)) {
    strip.items.push_back({"busy",
                           say("{} busy", device_words(profile).device),
                           Message::verbatim(share_words(busy)),
                           {},
                           "Share of the steps' time in which a kernel runs on the device; mean over devices: see utilization"});
  }
  const auto first = std::find_if(found.advice.begin(), found.advice.end(), [](const Advice& a) { return a.share >= 0.01; });
  if (first == found.advice.end()) {
    const Message item = largest_item(profile, summary, verdict);
    if (!item.empty())
      strip.items.push_back({"first", "First", say("look at {}", item), {}, "No known bottleneck pattern matched"});
  } else {
    strip.items.push_back({"first", "First", first->brief, {}, first->title});
    strip.items.push_back({"gain", "At most", Message::verbatim(minus(time_words(first->gain))),
                           Message::verbatim(minus(share_words(first->share))),
                           "The time per step that this can win at most: what it is about takes no longer"});
  }
  Panel panel{.id = "verdict", .title = "Verdict", .content = std::move(strip)};
  panel.doc = bounds_doc();
  return panel;
}

// ---- panels ----

// A bar for each step; not for a single one, which the average shows.
Panel steps_panel(const ReportTable& steps) {
  BarChart chart{.table = "steps", .x = "step", .stacked = true};
  for (const ReportColumn& column : steps.columns) {
    if (!column.category.empty() && !column.hidden) chart.series.push_back(column.key);
  }
  Panel panel{.id = "steps", .title = "Step time breakdown", .content = std::move(chart)};
  panel.doc = step_breakdown_doc();
  return panel;
}

Panel table_panel(const std::string& id, const std::string& table, Message title, Message empty) {
  Panel panel{.id = id, .title = std::move(title), .content = PlainTable{table}};
  panel.empty = std::move(empty);
  return panel;
}

// The verdict and the advice first, then measurements, then the long table.
void add_panels(Report& report, const ProfilePtr& held, const StepSummary& summary, const Recommendations& found) {
  const Profile& profile = *held;
  Panel advice{.id = "advice", .title = "Advice", .content = AdviceList{found.advice}};
  if (found.advice.empty()) advice.empty = no_pattern_words(profile, summary, found.verdict);
  Panel average =
      table_panel("average", "average", summary.steps.source == StepSource::recorded ? "Average step" : "The recording",
                  "No step has a duration.");
  average.doc = report.find_table("average")->find("time")->doc;
  Panel facts{.id = "configuration", .title = "Configuration", .content = FactSheet{configuration(profile, summary)}};
  average.width = facts.width = "half";
  constexpr std::string_view kNoDevices[] = {"Recorded without device activity.",
                                             "No device did any work: the compiled programs ran on the host.",
                                             "No kernels were recorded: see the views of operators."};
  Panel devices = table_panel("devices", "devices", "Devices",
                              std::string(kNoDevices[static_cast<std::size_t>(programs_ran(*held, summary))]));
  if (Message words = computed_fill_words(profile); !words.empty())
    devices.notes.push_back({Note::Level::info, std::move(words)});
  for (Panel panel : {verdict_panel(profile, summary, found), advice, average, facts, devices})
    report.panels.push_back(std::move(panel));
  if (report.find_table("steps")->rows() < 2) return;
  report.panels.push_back(steps_panel(*report.find_table("steps")));
  report.panels.push_back(table_panel("steps_table", "steps", "Steps", "No steps."));
}

Result<Report> run_overview(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const auto summary = step_summary(profile);
  Report report{.view = "overview", .title = "Overview"};
  if (profile->slices.rows() == 0) {
    report.scope = "what the file states";
    report.notes = {{Note::Level::info, "No events with a duration in this profile, only the file's own sums of its steps."}};
    add_step_sums(report, *profile, *summary);
    return report;
  }
  report.scope = scope_words(summary->steps);
  report.notes = step_notes(*profile, *summary);
  const auto found = recommend(profile);
  report.tables = {steps_table(*profile, *summary), average_table(*profile, *summary), devices_table(*profile, *summary),
                   bounds_table(found->verdict)};
  add_panels(report, profile, *summary, *found);
  if (has_step_sums(*profile)) add_step_sums(report, *profile, *summary);
  return report;
}

std::optional<Message> overview_unavailable(const Profile& profile) {
  if (profile.slices.rows() > 0 || profile.reported_steps.rows() > 0) return std::nullopt;
  return "no events with a duration in this profile: see its problems";
}

std::vector<ReportTable> overview_tables() {
  return {blank_steps(), blank_average(), blank_devices(), blank_bounds(), blank_step_sums()};
}

}  // namespace

Analysis overview_analysis() {
  return {.id = "overview",
          .title = "Overview",
          .group = ViewGroup::where_time_went,
          .doc = "What bounds the step and what to try, how its time was spent, and how busy the devices were.",
          .parameters = {},
          .unavailable = overview_unavailable,
          .run = run_overview,
          .tables = overview_tables};
}

}  // namespace sightline::analyses
