// What tlparse made of the log of PyTorch's compiler: a folder `tl_out` or `tlparse` beside a trace. It says of each compilation
// what was compiled and why, how long its phases took, and which files the compiler wrote.
#pragma once

#include <string>
#include <vector>

#include "formats/read_context.h"
#include "model/profile.h"

namespace sightline::formats {

// The files of the folder that are read together with the trace at `path`; empty without a folder.
std::vector<std::string> compile_log_files(const std::string& path);

// Fills compilations and compile_artifacts. What cannot be read, and what does not fit the recording, becomes a problem.
void read_compile_log(const ReadContext& context, Profile& profile);

}  // namespace sightline::formats
