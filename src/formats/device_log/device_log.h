// Device logs: tables of power, clocks, temperatures and the like that a monitor wrote beside a profile, as counters of its
// devices. docs/formats/device-log.md has the columns and the rule for clocks.
#pragma once

#include <string>
#include <vector>

#include "formats/common/files_beside.h"
#include "formats/read_context.h"

namespace sightline::formats {

// Those of the tables beside a profile that are such logs.
std::vector<std::string> device_log_files(const TablesBeside& tables);

// Adds the samples of these logs that fall into the profile's window, and for each column the last one before it.
void read_device_logs(const ReadContext& context, const TablesBeside& tables, Profile& profile);

}  // namespace sightline::formats
