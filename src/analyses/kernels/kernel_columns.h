// Columns that the tables of kernels share: what launched them and how, which core ran them, what the profiler says besides.
#pragma once

#include <vector>

#include "analyses/columns.h"
#include "analyses/devices/device_words.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline {

inline constexpr std::string_view kKernelDuration = "start to end of the kernel on the device";

// Which columns the kernels of a profile can fill; a table leaves the others out.
struct KernelFields {
  bool types = true;
  bool cores = true;
  bool launch = true;  // grid, block, registers or shared memory
  bool blocks = true;  // blocks per core
  bool warps = true;   // warps per core
  bool occupancy = true;
  bool computed = true;  // not all of these are as the file has them
  // The grid is one number, as on devices that divide a kernel among cores, and blocks have no size.
  bool grid_is_a_number = false;
};

KernelFields kernel_fields(const Profile& profile, const std::vector<Row>& kernels);

ReportColumn type_column();
ReportColumn core_column();
ReportColumn operator_column();
ReportColumn matrix_column(const DeviceWords& words);
ReportColumn eligible_column(const DeviceWords& words);

// Where blocks and warps per core and occupancy come from: "the file", "computed" or "computed; the file says 0".
ReportColumn fill_source_column();
std::string_view fill_words(FillSource source);

// How many kernels have an occupancy that is computed, and why, in sentences; empty where none has.
std::string computed_fill_words(const Profile& profile);

// Grid, block, registers, shared memory; or the number of blocks alone. And the cells of one kernel in the same order.
struct LaunchProperties {
  StringId grid, block;
  std::int64_t registers, shared_bytes;  // kUnknown: not known
};
void add_launch_columns(std::vector<ReportColumn>& columns, const KernelFields& fields);
void add_launch_cells(std::vector<Cell>& cells, const KernelFields& fields, const Profile& profile, const LaunchProperties& of);

}  // namespace sightline
