// MarkerStore: the moments that a person marked on a profile's
// timeline, in named sets, stored by the profile's content key. One
// small JSON file per set, FOLDER/<content key>/<set>.json; without
// a folder, they last as long as the program. Thread-safe. Another
// program may use the same folder; the last writer of a set wins.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/tables.h"

namespace sightline::store {

struct Marker {
  Time time = 0;
  std::string name;
  friend bool operator==(const Marker&, const Marker&) = default;
};

class MarkerStore {
 public:
  static constexpr std::size_t kMostMarkers = 1000;     // of a set
  static constexpr std::size_t kMostSets = 1000;        // of a profile
  static constexpr std::size_t kLongestName = 200;      // characters
  static constexpr std::size_t kLongestSetName = 60;    // characters
  static constexpr std::size_t kMostBytes = 2'000'000;  // of a set as JSON

  explicit MarkerStore(std::string folder) : folder_(std::move(folder)) {}  // empty: in memory only

  bool saved() const { return !folder_.empty(); }

  // The names of the sets of a profile, sorted. REQUIRES of `key` here and below: is_content_key().
  std::vector<std::string> sets(const std::string& key) const;

  // Sorted by time. A set that does not exist is empty.
  Result<std::vector<Marker>> read(const std::string& key, const std::string& set) const;

  // Replaces the set. Too many, too long, not UTF-8, an empty set name: invalid_argument.
  Result<bool> write(const std::string& key, const std::string& set, std::vector<Marker> markers);

  // It is no error when the set does not exist.
  Result<bool> remove(const std::string& key, const std::string& set);

 private:
  std::string file_of(const std::string& key, const std::string& set) const;

  std::string folder_;
  mutable std::mutex mutex_;
  std::map<std::string, std::map<std::string, std::vector<Marker>>> in_memory_;  // by key, by set
};

// The markers of {"markers": [{"time": 1, "name": "..."}, ...]}; invalid_argument when the JSON is not valid.
Result<std::vector<Marker>> parse_markers(std::string_view json);

}  // namespace sightline::store
