// InputFolder: the folder of a fuzz target's inputs, one input after the other. It is made once, because making and removing a
// folder takes longer than reading a small input.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace sightline::tests {

class InputFolder {
 public:
  const std::string& path() const { return folder_.path(); }

  // Removes all that was written.
  void clear() {
    for (const std::string& file : files_) ::unlink(file.c_str());
    files_.clear();
  }

  // The path of a file that the caller writes.
  std::string add(std::string_view name) { return files_.emplace_back(folder_.path() + "/" + std::string(name)); }

  void write(std::string_view name, std::string_view bytes) {
    const int file = ::open(add(name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
    ::close(file);
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> files_;
};

}  // namespace sightline::tests
