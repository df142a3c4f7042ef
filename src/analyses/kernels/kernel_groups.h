// Kernels (collectives included, copies not) filtered and grouped: by name, by type and core, by line of source, or by name,
// launching operator and launch properties.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analyses/fact_columns.h"
#include "analyses/group_index.h"
#include "analyses/operators/host_tree.h"
#include "analyses/steps/step_windows.h"

namespace sightline::analyses {

// Which kernels are looked at. Unset members let all pass.
struct KernelFilter {
  std::string operator_name;           // launched by a range of this name, or inside one
  std::optional<std::int64_t> device;  // ordinal
  std::optional<StepWindow> step;      // launched inside it; without a launching call: started inside it
  std::string type;                    // of work, as the file names it
  std::string core;                    // that ran it, as the file names it
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
  SharedText type, core;
  FillSource fill_source = FillSource::file;
  bool fill_differs = false;       // in some calls it is another
  bool operator_eligible = false;  // the launching operator's own name is a matrix operation
  bool owner_is_operator = false;
  // Sums of value x duration, and of duration, over the calls that have a value.
  double blocks_time = 0;
  double occupancy_time = 0;
  Time blocks_weight = 0;
  Time occupancy_weight = 0;
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
  std::array<std::int64_t, 4> by_rule{};  // kernels per OwnerRule
  Time total = 0;                         // of all kernels that passed the filter
  Time matrix = 0;                        // of those on matrix units
  Time unknown_core = 0;                  // of those whose core type is unknown
  std::int64_t calls = 0;
};

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const std::vector<Row>& kernels, const Facts& facts,
                           KernelGrouping grouping);

}  // namespace sightline::analyses
