// The file that a recorded process writes: where it may be, when it is whole, and what it holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace sightline::capture {

struct TraceFile {
  std::string path;
  bool whole = false;
};

// Looks for the trace of one request. A process writes NAME.tmp and renames it; older releases write it in place, and newer ones
// write it elsewhere when the path is not to their liking.
class TraceSearch {
 public:
  // `file`: as in the configuration; `own_pid`: as the process numbers itself.
  TraceSearch(const std::string& file, std::int32_t own_pid);

  // What is there by now; a file is whole when it ends as a trace does and looks the same as at the look before.
  std::optional<TraceFile> look();

  // Whether the process took the request: it makes its file at once.
  bool begun() const;

  // What is there when nothing more will come: the process has ended. It may be torn.
  std::optional<TraceFile> remains() const;

 private:
  std::string asked_for_, elsewhere_;
  std::string seen_;  // at the look before: which, and how large
  std::int64_t seen_size_ = -1;
  std::int64_t since_;  // ns since 1970: what is older at the other place is of another time
};

// Whether it holds an operator or a kernel: a process in which nothing ran, such as one that still imports, writes a trace all
// the same.
bool holds_operators(const std::string& trace);

// Whether it holds an allocation. Releases so far record none on demand, although they take the option.
bool holds_allocations(const std::string& trace);

// The rank in a distributed job that the trace says it is of.
std::optional<std::int64_t> rank_in(const std::string& trace);

}  // namespace sightline::capture
