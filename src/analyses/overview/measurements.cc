// Steps, their average, and devices as tables; the facts of the configuration. The `blank_` functions hold the meaning of each
// column.
#include "analyses/overview/measurements.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/percentile.h"
#include "analyses/programs/program_sums.h"
#include "analyses/words.h"
#include "base/text.h"
#include "model/stated_names.h"

namespace sightline::analyses {

// ---- tables ----

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

}  // namespace

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

ReportTable blank_devices(const DeviceWords& words) { return device_activities(words).blank(); }

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

// ---- facts ----

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

namespace {

Message used_devices(const Profile& profile, const StepSummary& summary) {
  const Message word = device_words(profile).device;
  if (programs_ran(profile, summary) == ProgramsRan::on_devices) {
    std::set<std::int64_t> known;
    for (const std::int64_t device : profile.reported_program_work.device) known.insert(device);
    known.erase(kUnknown);
    return known.empty() ? Message() : say("{} x {}", known.size(), word);
  }
  if (summary.devices.empty()) return say("host only");
  const auto name_of = [&](const DeviceActivity& activity) {
    const Row row = device_row(profile, activity.device);
    return row == kNoRow ? std::string_view{} : profile.text(profile.devices.name[row]);
  };
  const bool is_named = std::ranges::any_of(summary.devices, [&](const DeviceActivity& one) { return !name_of(one).empty(); });
  if (summary.devices.size() > 1 && !is_named) return say("{} x {}", summary.devices.size(), word);
  std::string text;
  for (const DeviceActivity& activity : summary.devices) {
    const std::string name(name_of(activity));
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

// Of so few steps, the 99th percentile would be the longest.
constexpr std::size_t kLeastForPercentiles = 20;

void add_percentiles(std::vector<Fact>& facts, const std::vector<StepWindow>& steps) {
  std::vector<double> lengths;
  for (const StepWindow& step : steps) {
    if (step.window.length() > 0) lengths.push_back(static_cast<double>(step.window.length()));
  }
  if (lengths.size() < kLeastForPercentiles) return;
  constexpr std::string_view kDoc =
      "The shortest length that this share of the kept steps do not exceed\nFormula: percentile of lengths\nSource: step windows";
  facts.push_back(fact("Step time, p50", Cell{percentile(lengths, 0.5)}, Unit::ns, kDoc));
  facts.push_back(fact("Step time, p90", Cell{percentile(lengths, 0.9)}, Unit::ns, kDoc));
  facts.push_back(fact("Step time, p99", Cell{percentile(lengths, 0.99)}, Unit::ns, kDoc));
}

}  // namespace

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
    add_percentiles(facts, summary.steps.kept);
  }
  add_versions(facts, profile);
  return facts;
}

}  // namespace sightline::analyses
