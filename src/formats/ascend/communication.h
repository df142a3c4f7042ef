// communication.json (how long each collective took, waited and moved data, and over which links) and
// communication_matrix.json (what moved between which ranks).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/profile.h"

namespace sightline::formats::ascend {

// One collective, however it was stated: times in ns, `start` since 1970.
struct CommunicationSums {
  StringId step, name, group;
  std::int64_t start, elapsed, transit, wait, synchronization;
};

// What moved over one kind of link, or between two ranks; `communication` is kNoRow where it is not known of which one.
struct Transfer {
  Row communication;
  StringId step, name, group, transport;
  std::int64_t source, target, bytes, duration;
};

void add_transfer(const Transfer& transfer, Transfers& all);

// Where a name of a collective should be: the sums over all of them.
inline constexpr std::string_view kSumOfAll = "Total Op Info";

// The collectives' slices on the device by their names.
class CollectiveSlices {
 public:
  explicit CollectiveSlices(const Profile& profile);

  // The one of that name that begins closest to `start`, ns since the origin, and at most 1 us from it: files round, a double's
  // step is a quarter of that. kUnknown: the first. Each is given away once; kNoRow when there is none.
  Row take(StringId name, Time start);

 private:
  std::unordered_map<StringId, std::multimap<Time, Row>> by_name_;  // those that are left
};

// Adds the operation with its slice, found by name, whose own start is exact, or as it states it itself. Returns its row.
Row add_communication(const CommunicationSums& sums, CollectiveSlices& slices, std::int64_t origin, Profile& profile);

// A file of more than `most_json` bytes is not read: a problem.
void add_communications(const std::string& path, std::size_t most_json, std::int64_t origin, Profile& profile);
void add_matrix(const std::string& path, std::size_t most_json, Profile& profile);

// Brings communications into the order of their starts; transfers follow.
void sort_communications(Profile& profile);

// "hcom_allReduce__586_0_1" is a call of "hcom_allReduce": calls get the name of what they call.
void name_collectives(Profile& profile);

// What collectives do not say themselves: their group, from the communication that they are.
void name_groups(Profile& profile);

}  // namespace sightline::formats::ascend
