// Names of the runtime's files.
#include "formats/neuron/inspect_folder.h"

#include <algorithm>
#include <array>

namespace sightline::formats::neuron {

namespace {

constexpr std::array<std::string_view, 4> kHostTraces{"ntrace.pb", "cpu_util.pb", "host_mem.pb", "trace_info.pb"};
constexpr std::array<std::string_view, 5> kRead{".ntff", ".ntff.gz", ".json", ".json.gz", ".parquet"};

}  // namespace

std::string host_traces(const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) {
    const std::string_view name = std::string_view(file).substr(file.rfind('/') + 1);
    if (std::find(kHostTraces.begin(), kHostTraces.end(), name) == kHostTraces.end()) continue;
    names.append(names.empty() ? "" : ", ").append(name);
  }
  return names;
}

bool is_host_traces_folder(const FolderEntries& folder) {
  const std::vector<std::string> files(folder.files.begin(), folder.files.end());
  const bool any_read = std::any_of(files.begin(), files.end(), [](const std::string& file) {
    return std::any_of(kRead.begin(), kRead.end(), [&](std::string_view ending) { return file.ends_with(ending); });
  });
  return !any_read && folder.folders.empty() && !host_traces(files).empty();
}

std::string unread_host_traces(const std::string& files) {
  return "the host's part of this recording (" + files +
         ") has no public layout and is not read; convert it with the vendor's tool (neuron-explorer view -d FOLDER "
         "--output-format json, or parquet) and open the result";
}

}  // namespace sightline::formats::neuron
