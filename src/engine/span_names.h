// Where a capture is in run > worker > span. Spans of a worker are numbered from 1 in the order of their
// stamps, those of sessions that all workers share by the sessions of the run; a capture without a stamp is "default". Two files
// of the same place are both kept: the later one gets another name and a note about it. Different ranks are different workers: if
// they have the same worker name, the rank is added to it. A name that a user may have seen is kept: spans that appear later get
// the following numbers, in the order of their stamps among themselves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/discover.h"

namespace sightline::engine {

struct Place {
  std::string run, worker, span;
  std::string stamp;          // as the file name carries it
  std::string file;           // as shown
  Message note;               // what the user should know about this name; usually empty
  bool kept = false;          // a user may have seen it: span, note and the turn among the spans of the worker stay
  int ordinal = 0, turn = 0;  // set with the name
  std::optional<std::int64_t> rank = std::nullopt;  // in the job, where it is known
  std::string shared = {};                          // the worker's name that several ranks share, once they are distinguished
};

// Sorts by run, worker, kept names and stamp, and sets worker, span and note of those whose name is not kept.
void name_spans(std::vector<Place*>& places);

// Run names that distinguish directories: the wanted name, or with as many folders above it as make it unique.
class RunNames {
 public:
  const std::string& name_of(const std::string& directory, const std::string& wanted);

 private:
  std::map<std::string, std::string> by_directory_;
  std::map<std::string, std::string> taken_;  // name -> directory
};

}  // namespace sightline::engine
