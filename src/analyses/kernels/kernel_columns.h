// Columns that the tables of kernels share: what launched them and how, which core ran them, what the profiler says besides.
#pragma once

#include <vector>

#include "analyses/columns.h"
#include "analyses/devices/device_words.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

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
Message computed_fill_words(const Profile& profile);

// How a kernel was launched.
struct LaunchProperties {
  StringId grid, block;
  std::int64_t registers, shared_bytes;  // kUnknown: not known
};

// "12" -> 12; unknown for a grid of several dimensions.
Cell number_of_blocks(std::string_view grid);

// Grid, block, registers, shared memory; or the number of blocks alone. `launch_of(profile, context..., item)` gives
// LaunchProperties.
template <typename Item, typename... Context, typename LaunchOf>
void add_launch_columns(TableOf<Item, Profile, Context...>& table, const KernelFields& fields, LaunchOf launch_of) {
  if (!fields.launch) return;
  if (fields.grid_is_a_number) {
    table.add(integer_column("grid", "Blocks", Unit::none,
                             {"Parts that the kernel was divided into, each for a core.", "", "the profiler"}),
              [=](const Profile& p, const auto&... of) { return number_of_blocks(p.text(launch_of(p, of...).grid)); });
    return;
  }
  table.add(code_column("grid", "Grid", "Blocks in the grid, per dimension"),
            [=](const Profile& p, const auto&... of) { return launch_of(p, of...).grid; });
  table.add(code_column("block", "Block", "Threads in a block, per dimension"),
            [=](const Profile& p, const auto&... of) { return launch_of(p, of...).block; });
  table.add(integer_column("registers", "Registers", Unit::count, {"Registers per thread.", "", "the profiler"}),
            [=](const Profile& p, const auto&... of) { return launch_of(p, of...).registers; });
  table.add(integer_column("shared_memory", "Shared memory", Unit::bytes,
                           {"Shared memory per block, static and dynamic.", "", "the profiler"}),
            [=](const Profile& p, const auto&... of) { return launch_of(p, of...).shared_bytes; });
}

}  // namespace sightline::analyses
