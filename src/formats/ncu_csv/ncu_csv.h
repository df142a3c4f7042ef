// What Nsight Compute measured of kernels, as its CSV output beside a trace: facts of the kernels that it names.
// docs/formats/nsight-compute.md has the rule by which rows and kernels are joined.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/read_context.h"

namespace sightline::formats {

// The tables of Nsight Compute in the folder of the trace at `path`.
std::vector<std::string> ncu_files(const std::string& path);

// Adds their metrics as facts of kernels. REQUIRES: the profile has its device work.
void read_ncu_files(const ReadContext& context, Profile& profile);

namespace ncu_csv {

// The cells of a line, without quotes; a doubled quote inside quotes is one.
std::vector<std::string> cells_of(std::string_view line);

// "void gemm<float>(float*, int)" -> "gemm<float>": what both tools write of a kernel.
std::string plain_name(std::string_view name);

// "(64, 1, 1)" or "64, 1, 1" -> "[64, 1, 1]"; empty for anything else.
std::string plain_size(std::string_view size);

}  // namespace ncu_csv
}  // namespace sightline::formats
