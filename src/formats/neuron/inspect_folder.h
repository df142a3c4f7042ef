// Folders that the runtime writes while it inspects a program: device profiles (NTFF) and models beside traces of the host, whose
// layout is not public. What is not read is named, with what to do instead.
#pragma once

#include <string>
#include <vector>

#include "formats/reader.h"

namespace sightline::formats::neuron {

// Of a list of file names, those of the host's traces: "ntrace.pb, cpu_util.pb"; "" when there are none.
std::string host_traces(const std::vector<std::string>& files);

// Whether a folder holds such traces and nothing that is read.
bool is_host_traces_folder(const FolderEntries& folder);

// Why they are not read.
std::string unread_host_traces(const std::string& files);

}  // namespace sightline::formats::neuron
