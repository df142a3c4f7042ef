// Time by the cores that ran kernels: as the file names them, else by whether they are matrix units.
#include "analyses/kernels/kernel_tables.h"

namespace sightline::analyses {

namespace {

TableOf<CoreTime, Profile, Time> cores_by_name() {
  TableOf<CoreTime, Profile, Time> table({.key = "cores", .title = "Accelerator core utilization", .sort_column = "time"});
  table.add(label_column("core", "Core", "Kind of core or engine, as the file names it")
                .with_unknown("the file does not say which core ran them"),
            &CoreTime::core);
  table.add(
      integer_column("calls", "Calls", Unit::count, {"How many kernels ran on it.", "number of kernels in scope", "kernels"}),
      &CoreTime::calls);
  table.add(integer_column("time", "Time", Unit::ns, {"Time of the kernels on it.", "sum of durations", kKernelDuration})
                .with_bar("share"),
            &CoreTime::total);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "time / sum of times",
                         "core of each kernel, as the file states it",
                         "Sums are exact; the TensorBoard plugin adds floating-point microseconds."}),
            [](const Profile&, Time all, const CoreTime& core) { return quotient(core.total, all); });
  return table;
}

struct MatrixUse {
  CoreType type;
  Time time;
  std::string_view hue;
};

TableOf<MatrixUse, Time> cores_by_use(const DeviceWords& words) {
  TableOf<MatrixUse, Time> table({.key = "tensor_cores", .title = title_word(words.matrix)});
  table.add(label_column("use", title_word(words.matrix), say("Whether kernels run on {}", words.matrix))
                .with_code(false)
                .with_words(std::string(kAllRows)),
            [](const MatrixUse& use) { return matrix_use(use.type); });
  table.add(integer_column("time", "Time", Unit::ns, {"Time of the kernels in scope.", "sum of durations", kKernelDuration}),
            &MatrixUse::time);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "time / sum of times",
                         "core type of kernels, by name or as the file states it",
                         "Over all kernels; kernels whose name does not say are a separate part."}),
            [](Time all, const MatrixUse& use) { return quotient(use.time, all); });
  table.add(words_column("hue", "Hue", "Category that gives its colour in the chart").with_role(ColumnRole::category).hide(),
            &MatrixUse::hue);
  return table;
}

}  // namespace

ReportTable blank_core_table() { return cores_by_name().blank(); }

ReportTable core_table(const Profile& profile, const std::vector<CoreTime>& cores, Time total) {
  return cores_by_name().of(profile, total, cores);
}

ReportTable blank_matrix_table(const DeviceWords& words) { return cores_by_use(words).blank(); }

ReportTable matrix_table(const Profile& profile, const KernelGroups& groups) {
  std::vector<MatrixUse> uses{{CoreType::matrix, groups.matrix, "kernel"},
                              {CoreType::general, groups.total - groups.matrix - groups.unknown_core, "other"}};
  if (groups.unknown_core > 0) uses.push_back({CoreType::unknown, groups.unknown_core, "idle"});
  return cores_by_use(device_words(profile)).of(groups.total, uses);
}

std::string_view matrix_use(CoreType type) {
  switch (type) {
    case CoreType::matrix: return "used";
    case CoreType::unknown: return "unknown";
    default: return "not used";
  }
}

}  // namespace sightline::analyses
