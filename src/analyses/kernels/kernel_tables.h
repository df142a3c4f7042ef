// The tables of the kernels view: kernels in groups, every single kernel, the cores that ran them, and sums that the file itself
// states. Their `blank_` functions hold the meaning of each column.
#pragma once

#include "analyses/kernels/kernel_groups.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- kernels in groups ----

struct KernelTableShape {
  KernelGrouping grouping = KernelGrouping::launch;
  KernelFields fields{};
  DeviceWords words{};
};

ReportTable blank_group_table(const KernelTableShape& shape, const std::vector<FactColumn>& facts);

// Those groups for which `shown(group)` holds, the longest first.
ReportTable group_table(const Profile& profile, const KernelGroups& groups, const Facts& facts, const KernelTableShape& shape,
                        const std::vector<bool>& shown);

// ---- every kernel ----

ReportTable blank_call_table(const KernelFields& fields, const std::vector<FactColumn>& facts, bool steps);

// One row per kernel (rows of device_work), the longest first.
ReportTable call_table(const Profile& profile, std::vector<Row> kernels, const Facts& facts, const KernelFields& fields);

// ---- cores ----

// Time by kind of core, as the file names it.
ReportTable blank_core_table();
ReportTable core_table(const Profile& profile, const std::vector<CoreTime>& cores, Time total);

// Time on matrix units, on none, and not known.
ReportTable blank_matrix_table(const DeviceWords& words = {});
ReportTable matrix_table(const Profile& profile, const KernelGroups& groups);

// The parts of that table, which are also the values of the parameter that chooses one of them.
std::string_view matrix_use(CoreType type);

// ---- sums that the file states ----

bool has_reported_kernels(const Profile& profile);
ReportTable blank_reported_kernels();
ReportTable reported_kernels(const Profile& profile, std::string_view search);
std::vector<CoreTime> reported_cores(const Profile& profile);

}  // namespace sightline::analyses
