// What Nsight Compute measured of kernels, as its CSV output beside a trace: facts of the kernels that it names.
// docs/formats/nsight-compute.md has the rule by which rows and kernels are joined.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/common/files_beside.h"
#include "formats/read_context.h"

namespace sightline::formats {

// Those of the tables beside a trace that Nsight Compute wrote.
std::vector<std::string> ncu_files(const TablesBeside& tables);

// Adds their metrics as facts of kernels. REQUIRES: the profile has its device work.
void read_ncu_files(const ReadContext& context, const TablesBeside& tables, Profile& profile);

namespace ncu_csv {

// "void gemm<float>(float*, int)" -> "gemm<float>": what both tools write of a kernel.
std::string plain_name(std::string_view name);

// "(64, 1, 1)" or "64, 1, 1" -> "[64, 1, 1]"; empty for anything else.
std::string plain_size(std::string_view size);

}  // namespace ncu_csv
}  // namespace sightline::formats
