// Time by the cores that ran kernels: as the file names them, else by whether they are matrix units.
#include "analyses/kernels/kernel_tables.h"

namespace sightline {

ReportTable blank_core_table() {
  ReportTable table{.key = "cores", .title = "Accelerator core utilization"};
  table.columns = {
      label_column("core", "Core", "Kind of core or engine, as the file names it"),
      integer_column("calls", "Calls", Unit::count, {"How many kernels ran on it.", "number of kernels in scope", "kernels"}),
      integer_column("time", "Time", Unit::ns, {"Time of the kernels on it.", "sum of durations", kKernelDuration}),
      real_column(
          "share", "Share", Unit::share,
          {"Share of the time of all kernels in scope.", "time / sum of times", "core of each kernel, as the file states it",
           "Sums are exact; the TensorBoard plugin's are of floating microseconds."})};
  table.columns[2].bar = "share";
  table.columns[0].unknown = "the file does not say which core ran them";
  table.sort_column = "time";
  return table;
}

ReportTable core_table(const Profile& profile, const std::vector<CoreTime>& cores, Time total) {
  ReportTable table = blank_core_table();
  for (const CoreTime& core : cores) {
    table.add_row({cell(profile.text(core.core)), cell(core.calls), cell(core.total), share_cell(core.total, total)});
  }
  return table;
}

ReportTable blank_matrix_table(const DeviceWords& words) {
  ReportTable table{.key = "tensor_cores", .title = title_word(words.matrix)};
  table.columns = {
      label_column("use", table.title, "Whether kernels run on " + words.matrix),
      integer_column("time", "Time", Unit::ns, {"Time of the kernels in scope.", "sum of durations", kKernelDuration}),
      real_column("share", "Share", Unit::share,
                  {"Share of the time of all kernels in scope.", "time / sum of times",
                   "core type of kernels, by name or as the file states it",
                   "Over all kernels; kernels whose name does not say are a separate part."})};
  table.columns.front().code = false;
  table.columns.front().words = kAllRows;
  table.columns.push_back(words_column("hue", "Hue", "The category whose colour it has in the chart"));
  table.columns.back().role = ColumnRole::category;
  table.columns.back().hidden = true;
  return table;
}

ReportTable matrix_table(const Profile& profile, const KernelGroups& groups) {
  ReportTable table = blank_matrix_table(device_words(profile));
  const auto add = [&](CoreType type, Time time, std::string hue) {
    table.add_row({Cell{std::string(matrix_use(type))}, Cell{time}, share_cell(time, groups.total), Cell{std::move(hue)}});
  };
  add(CoreType::matrix, groups.matrix, "kernel");
  add(CoreType::general, groups.total - groups.matrix - groups.unknown_core, "other");
  if (groups.unknown_core > 0) add(CoreType::unknown, groups.unknown_core, "idle");
  return table;
}

std::string_view matrix_use(CoreType type) {
  switch (type) {
    case CoreType::matrix: return "used";
    case CoreType::unknown: return "unknown";
    default: return "not used";
  }
}

}  // namespace sightline
