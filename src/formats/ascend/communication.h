// communication.json (how long each collective took, waited and moved data, and over which links) and
// communication_matrix.json (what moved between which ranks).
#pragma once

#include <simdjson.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::formats::ascend {

// One collective, from any file: times in ns, `start` since 1970.
struct CommunicationSums {
  StringId step, name, group;
  std::int64_t start, elapsed, transit, wait, synchronization;
};

// What moved over one kind of link, or between two ranks; `communication` is kNoRow if the collective is unknown.
struct Transfer {
  Row communication;
  StringId step, name, group, transport;
  std::int64_t source, target, bytes, duration;
};

void add_transfer(const Transfer& transfer, Transfers& all);

// In place of a collective's name: the sums over all of them.
inline constexpr std::string_view kSumOfAll = "Total Op Info";

// The collectives' slices on the device by their names.
class CollectiveSlices {
 public:
  explicit CollectiveSlices(const Profile& profile);

  // The one with that name that begins closest to `start`, ns since the origin, and at most 1 us from it: files round, and
  // the step of a double is a quarter of that. kUnknown: the first. Each is returned once; kNoRow if there is none.
  Row take(StringId name, Time start);

 private:
  std::unordered_map<StringId, std::multimap<Time, Row>> by_name_;  // not yet returned
};

// The part of "hcom_allReduce__271_0_1@group" before the last "@", and the group after it.
std::pair<std::string_view, std::string_view> name_and_group(std::string_view key);

// The links of an entry of communication.json, which belong to row `row` of communications.
void add_links(simdjson::dom::object entry, const CommunicationSums& sums, Row row, Profile& profile);

// Adds the operation with its slice, found by name. The slice's start is exact; without a slice, the stated one counts.
// Returns its row.
Row add_communication(const CommunicationSums& sums, CollectiveSlices& slices, std::int64_t origin, Profile& profile);

// A file of more than `most_json` bytes is not read, and becomes a problem.
void add_communications(const std::string& path, std::size_t most_json, std::int64_t origin, Profile& profile);
void add_matrix(const std::string& path, std::size_t most_json, Profile& profile);

// Sorts communications by their starts; transfers follow.
void sort_communications(Profile& profile);

// "hcom_allReduce__586_0_1" is a call of "hcom_allReduce": a call gets the name of what it calls.
void name_collectives(Profile& profile);

// Gives collectives the group that they do not state, from their communication.
void name_groups(Profile& profile);

}  // namespace sightline::formats::ascend
