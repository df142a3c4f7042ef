// OutputFile: a file that is either complete or absent. It is written under
// a temporary name in the same folder, and renamed when it is complete; this
// replaces an older file. A writer that gives up leaves nothing behind.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::base {

// What failed with the file at `path`, and why. `reason`: errno.
Error file_error(const char* what, int reason, const std::string& path);

class OutputFile {
 public:
  // The folder must exist. A device or a pipe at this path is written to directly.
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // without finish(), removes the file

  // False when a write failed: then nothing more is written, and finish() returns the reason.
  bool write(std::string_view bytes);
  bool failed() const { return failed_ != 0; }

  // Bytes written so far.
  std::int64_t size() const { return size_; }

  // Closes it and gives it its name.
  Result<bool> finish();

 private:
  OutputFile(std::string path, std::string made, int fd) : path_(std::move(path)), made_(std::move(made)), fd_(fd) {}

  std::string path_;
  std::string made_;  // empty: written in place
  int fd_;
  int failed_ = 0;  // errno of the write that failed
  std::int64_t size_ = 0;
};

}  // namespace sightline::base
