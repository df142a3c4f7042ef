// Kernels (collectives included, copies not) filtered and grouped: by name, by type and core, by line of source, or by name,
// launching operator and launch properties; and the columns that the tables of kernels share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "analyses/costs/cost_sums.h"
#include "analyses/devices/device_activity.h"
#include "analyses/facts.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- groups ----

// Which kernels are included. Unset members include all.
struct KernelFilter {
  std::string operator_name;           // launched by a range of this name, or inside one
  std::optional<std::int64_t> device;  // ordinal
  std::optional<StepWindow> step;      // launched inside it; without a launching call: started inside it
  std::string type;                    // of work, as the file names it
  std::string core;                    // that ran it, as the file names it

  bool includes_all() const { return operator_name.empty() && !device && !step && type.empty() && core.empty(); }
};

// Rows of device_work.
std::vector<Row> kernels_that_pass(const Profile& profile, const HostTree& tree, const KernelFilter& filter);

// A text that is the same in all kernels of a group, or not.
struct SharedText {
  StringId text = StringId::none;
  bool differs = false;
};

struct KernelSums {
  std::int64_t calls = 0;
  Time total = 0;
  Time max = 0;
  Time min = 0;
  Row longest = kNoRow;                    // row of slices, the first of equals
  CoreType core_type = CoreType::unknown;  // also where it is not the same in all calls
  SharedText type, core, captured;
  SharedText file, arguments, hash;  // of a kernel that a compiler wrote
  FillSource fill_source = FillSource::file;
  bool fill_differs = false;       // in some calls it is another
  bool operator_eligible = false;  // the launching operator's own name is a matrix operation
  bool owner_is_operator = false;
  // Sums of value x duration, and of duration, over the calls that have a value.
  double blocks_time = 0;
  double occupancy_time = 0;
  Time blocks_weight = 0;
  Time occupancy_weight = 0;
  CostSums costs{};  // of the operators whose longest device work they are
};

// For the mean of a fact: value x weight and weight, where the weight is the duration or 1 (FactColumn::weighted).
struct FactSum {
  double sum = 0;
  double weight = 0;
};

// The time of all kernels on one kind of core, as the file names it (none: it does not).
struct CoreTime {
  StringId core = StringId::none;
  std::int64_t calls = 0;
  Time total = 0;
};

enum class KernelGrouping { name, type, launch, source };

// Words of the key: name (of a grouping by source: the line), type, core, operator, grid, block (string ids), registers, shared
// bytes (kNoNumber: unknown). Words that a grouping leaves out are 0.
using KernelKeys = GroupIndex<8>;
inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

struct KernelGroups {
  KernelKeys keys;
  std::vector<KernelSums> sums;           // by group
  std::vector<FactSum> facts;             // by group and column of Facts
  std::vector<CoreTime> cores;            // the longest first
  std::array<std::int64_t, 5> by_rule{};  // kernels per OwnerRule
  Time total = 0;                         // of all kernels that passed the filter
  Time matrix = 0;                        // of those on matrix units
  Time unknown_core = 0;                  // of kernels with unknown core type
  std::int64_t calls = 0;
};

std::int64_t held_bytes(const KernelGroups& groups);

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const std::vector<Row>& kernels, const Facts& facts,
                           KernelGrouping grouping);

// ---- columns ----

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
  bool captured = true;  // some ran in a graph whose capture was recorded
  bool written = true;   // a compiler wrote some, and the file says where
  // The grid is one number, as on devices that divide a kernel among cores, and blocks have no size.
  bool grid_is_a_number = false;
};

KernelFields kernel_fields(const Profile& profile, const std::vector<Row>& kernels);

ReportColumn type_column();
ReportColumn core_column();
ReportColumn operator_column();
ReportColumn captured_column();

// What a compiler says of a kernel that it wrote.
inline constexpr std::string_view kWrittenFile = "kernel_file", kWrittenArguments = "kernel_kwargs", kWrittenHash = "kernel_hash";
ReportColumn matrix_column(const DeviceWords& words);
ReportColumn eligible_column(const DeviceWords& words);

// The source of blocks and warps per core and of occupancy: "the file", "computed" or "computed; the file says 0".
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
