// A folder of Parquet files as Neuron Explorer keeps a profile: one table a file, `<Table>.parquet`, or several of them,
// `<Table>_0.parquet` and so on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/reader.h"

namespace sightline::formats::neuron {

bool is_explorer_folder(const FolderEntries& folder);

// Worker and span of a folder at this path.
ProfileName explorer_name(const std::string& path, const FolderEntries& folder);

// The tables' files in the folder, in order; none when there are none.
Result<std::vector<std::string>> explorer_files(const std::string& folder);

Result<std::unique_ptr<Profile>> read_explorer_folder(const std::string& folder, ReadProgress* progress);

// The row at a slice's `source`, as JSON.
Result<std::string> explorer_row(const std::string& folder, std::int64_t source);

}  // namespace sightline::formats::neuron
