// OutputFile: a file that is whole or not there. It is written beside its place under a name of its own and takes its name,
// replacing what had it, once it is complete; a writer that gives up leaves nothing behind.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::base {

class OutputFile {
 public:
  // The folder must be there. A path that is not a regular file (a device, a pipe) is written to as it is.
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // without finish(): what was written is gone

  // False when it could not be written completely: finish() says why, and nothing more is written.
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
