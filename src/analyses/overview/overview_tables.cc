// The tables of the overview: steps, the average step, devices.
#include "analyses/overview/overview_tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "analyses/columns.h"

namespace sightline {

namespace {

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

ReportColumn role_column(Role role) {
  ReportColumn column =
      integer_column(role_key(role), role_title(role), Unit::ns,
                     {role_doc(role), "its part of the step breakdown, see total", "kinds and times of slices"});
  column.category = role_key(role);
  return column;
}

std::string capability_words(const Devices& devices, Row row) {
  if (devices.compute_major[row] == kUnknown || devices.compute_minor[row] == kUnknown) return "";
  return fmt::format("{}.{}", devices.compute_major[row], devices.compute_minor[row]);
}

}  // namespace

std::string step_breakdown_doc() {
  return MetricDoc{"How the time of each step was spent.", kBreakdown, kWindows, kBreakdownDiffers}.text();
}

ReportTable blank_steps() {
  const std::string total_formula = std::string("end - start; the sum of its parts: ").append(kBreakdown);
  ReportTable table{.key = "steps", .title = "Steps"};
  table.columns.push_back(integer_column("step", "Step", Unit::id, {"Iteration number as recorded", "", ""}));
  table.columns.back().role = ColumnRole::label;
  table.columns.push_back(integer_column("start", "Start", Unit::ns, {"When it began, since the run's origin.", "", kWindows}));
  table.columns.push_back(
      integer_column("total", "Total", Unit::ns,
                     {"How long it lasted, including its device work.", total_formula, kWindows, kBreakdownDiffers}));
  for (std::size_t role = 0; role < kRoles; ++role) table.columns.push_back(role_column(static_cast<Role>(role)));
  table.sort_column = "start";
  table.sort_descending = false;
  return table;
}

ReportTable blank_average() {
  ReportTable table{.key = "average", .title = "Average step"};
  table.columns = {words_column("category", "Category", "What the time was spent on"),
                   real_column("time", "Time", Unit::ns,
                               {"Time per step.", "mean over the kept steps that are not empty", kBreakdown, kBreakdownDiffers}),
                   real_column("share", "Share", Unit::share, {"Share of the step.", "time / mean step", "the step breakdown"})};
  table.columns.front().role = ColumnRole::category;
  table.columns[1].bar = "share";
  for (const auto& [key, title] : {std::pair{"of_kernels", "Made of kernels"}, std::pair{"of_operators", "Made of operators"}}) {
    table.columns.push_back(flag_column(key, title, {"Whether that view shows what the time consists of", "", ""}));
    table.columns.back().hidden = true;
  }
  table.row_links = {{"Kernels", "kernels", {}, "of_kernels"}, {"Operators", "operators", {}, "of_operators"}};
  table.sort_column = "";
  return table;
}

ReportTable blank_devices(const DeviceWords& words) {
  constexpr std::string_view kWindow = "Window: from the start of the first kept step to the end of the last.";
  const auto in_window = [&](Message meaning) { return std::string(meaning).append(" ").append(kWindow); };
  const std::string utilization = in_window("Share of the time in which at least one kernel ran on the device.");
  const std::string efficiency = in_window("How many of the multiprocessors had blocks to run, over time.");
  const std::string occupancy =
      in_window("How full of warps the multiprocessors were while kernels ran, estimated from their launches.");
  ReportTable table{.key = "devices", .title = "Devices"};
  table.columns = {
      integer_column("device", "Device", Unit::id, {"Device number within the worker", "", ""}),
      text_column("name", "Name", "Product name"),
      real_column("utilization", "Utilization", Unit::share,
                  {utilization, "length of the union of kernels in the window / length of the window",
                   "kernels of all streams, collectives included; copies do not count"}),
      real_column("sm_efficiency", say("Est. {} efficiency", words.core), Unit::share,
                  {efficiency,
                   "integral over the window of min(1, sum of blocks per multiprocessor of the kernels running then) / length of "
                   "the window",
                   "blocks per multiprocessor of each kernel; those without a value count as 0"}),
      real_column("occupancy", "Est. achieved occupancy", Unit::percent,
                  {occupancy, "sum(occupancy x time in the window) / sum(time in the window), over kernels that have a value",
                   "est. achieved occupancy of each kernel"}),
      real_column("tensor_core_share", say("Kernel time on {}", words.matrix), Unit::share,
                  {say("Share of the device's kernel time on {}.", words.matrix),
                   "duration of kernels on matrix units / duration of all kernels, in the whole profile",
                   "core type of kernels, by name or as the file states it",
                   "Of all kernels: the TensorBoard plugin leaves out those that no operator launched, such as those of a "
                   "replayed graph. Unknown, not 0, where names do not say; knows the names of newer kernels."}),
      integer_column("memory", "Memory", Unit::bytes, {"Device memory", "", ""}),
      text_column("compute_capability", "Compute capability", "Generation of the device, as its vendor numbers them"),
      integer_column("cores", "Cores", Unit::count, {"Multiprocessors or compute units", "", ""})};
  table.columns[0].role = ColumnRole::label;
  const auto why = [&](std::size_t column, Message reason) { table.columns[column].unknown = std::move(reason); };
  for (const std::size_t described : {1, 6, 7, 8}) why(described, "the file does not describe this device");
  why(2, "no step with a duration");
  why(3, say("recorded without blocks per {}", words.core));
  why(4, "recorded without occupancy");
  why(5, "the names of some kernels do not say");
  table.sort_column = "device";
  table.sort_descending = false;
  return table;
}

ReportTable steps_table(const Profile& profile, const StepSummary& summary) {
  ReportTable table = blank_steps();
  if (has_kernels(profile)) table.row_links.push_back({"Kernels of this step", "kernels", {{"step", "$step"}}});
  if (profile.operators.rows() > 0) table.row_links.push_back({"Operators of this step", "operators", {{"step", "$step"}}});
  for (std::size_t role = 0; role < kRoles; ++role) {
    ReportColumn& column = table.columns[3 + role];
    column.hidden = !is_shown(summary.roles, static_cast<Role>(role));
    if (column.hidden) column.unknown = "nothing of the kind was recorded";
  }
  for (std::size_t i = 0; i < summary.breakdown.size(); ++i) {
    const StepWindow& step = summary.steps.kept[i];
    std::vector<Cell> cells{Cell{step.number}, Cell{step.window.start}, Cell{step.window.length()}};
    for (std::size_t role = 0; role < kRoles; ++role) {
      cells.push_back(cell(table.columns[3 + role].hidden ? kUnknown : summary.breakdown[i].part[role]));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

ReportTable average_table(const Profile& profile, const StepSummary& summary) {
  ReportTable table = blank_average();
  const auto& kinds = profile.slices.kind;
  const bool collectives = std::find(kinds.begin(), kinds.end(), SliceKind::collective) != kinds.end();
  for (std::size_t i = 0; i < kRoles && summary.mean_total > 0; ++i) {
    const Role role = static_cast<Role>(i);
    if (!is_shown(summary.roles, role)) continue;
    const bool of_kernels = has_kernels(profile) && (role == Role::kernel || (role == Role::communication && collectives));
    const bool of_operators = profile.operators.rows() > 0 && !of_kernels && role != Role::other;
    table.add_row({Cell{std::string(role_key(role))}, Cell{summary.mean_of(role)}, Cell{summary.share_of(role)}, Cell{of_kernels},
                   Cell{of_operators}});
  }
  return table;
}

Row device_row(const Profile& profile, std::int64_t ordinal) {
  for (Row row = 0; row < profile.devices.rows(); ++row) {
    if (profile.devices.ordinal[row] == ordinal) return row;
  }
  return kNoRow;
}

ReportTable devices_table(const Profile& profile, const StepSummary& summary) {
  ReportTable table = blank_devices(device_words(profile));
  if (has_kernels(profile)) table.row_links = {{"Kernels of this device", "kernels", {{"device", "$device"}}}};
  const Devices& devices = profile.devices;
  for (const DeviceActivity& activity : summary.devices) {
    const Row row = device_row(profile, activity.device);
    std::vector<Cell> cells{cell(activity.device), row == kNoRow ? Cell{} : cell(profile.text(devices.name[row]))};
    for (const double real : {activity.utilization, activity.core_efficiency, activity.occupancy, activity.matrix_share}) {
      cells.push_back(cell(real));
    }
    if (row == kNoRow) {
      cells.resize(table.columns.size());
    } else {
      cells.push_back(cell(devices.memory[row]));
      cells.push_back(cell(capability_words(devices, row)));
      cells.push_back(cell(devices.cores[row]));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace sightline
