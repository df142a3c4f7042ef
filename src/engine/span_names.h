// Where a capture is in run > worker > span. Spans of a worker are numbered from 1 in the order of their
// stamps, those of sessions that all workers share by the sessions of the run; a capture without a stamp is "default". Two files
// that would have the same place both keep one: the later gets a name of its own, and a note that says so. Different ranks are
// different workers: where they have one worker's name, each gets its rank behind it. Once a name may have been seen it is
// kept: spans that appear later are numbered on from there, in the order of their stamps among themselves.
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
  Message note;               // what a person should know of this name; usually empty
  bool kept = false;          // it has been seen: span and note stay, and so does its turn among the spans of the worker
  int ordinal = 0, turn = 0;  // set with the name
  std::optional<std::int64_t> rank = std::nullopt;  // in the job, where it is known
  std::string shared = {};                          // the worker's name as several ranks have it, once they are distinguished
};

// Sorts by run, worker, kept names and stamp, and sets worker, span and note of those whose name is not kept.
void name_spans(std::vector<Place*>& places);

// Run names that tell directories apart: the wanted name, or as much of the path as makes it another one.
class RunNames {
 public:
  const std::string& name_of(const std::string& directory, const std::string& wanted);

 private:
  std::map<std::string, std::string> by_directory_;
  std::map<std::string, std::string> taken_;  // name -> directory
};

}  // namespace sightline::engine
