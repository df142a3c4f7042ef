// Stuck groups: the process groups of a job, how far each of their ranks is, and the first collective that does not end on all.
//
// Collectives of a group have numbers, in the order in which each rank calls them. A collective has ended on a rank if its record
// says so, or if the rank says that one of a higher number has ended in the group. A library that notices no ends marks what it
// no longer watches; only where the rank states nothing else for the group does that count.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "model/profile.h"

namespace sightline::analyses {

// How far a rank is with the collective at which its group is stuck.
enum class RankState : std::uint8_t { no_file, never_called, enqueued, started, ended };
Message rank_state_words(RankState state);

struct NumberedCall {
  std::int64_t number;
  Row row;  // of collective_records
  auto operator<=>(const NumberedCall&) const = default;
};

struct GroupMember {
  std::int64_t rank = kUnknown;
  bool has_file = false;
  std::int64_t first_kept = kUnknown;  // number of the first collective with a record; kUnknown: no record
  std::int64_t last_called = -1, last_ended = -1;
  std::vector<NumberedCall> calls{};     // by number; several of one number were coalesced
  RankState state = RankState::no_file;  // of the collective at which the group is stuck

  std::span<const NumberedCall> calls_of(std::int64_t number) const;
};

// A collective about which ranks disagree. The value that most ranks have is the usual one; of equally many, that of the lowest
// rank.
enum class Property : std::uint8_t { operation, in_shapes, in_types, out_shapes, out_types, elements };
Message property_words(Property property);

struct Difference {
  std::int64_t number = kUnknown;
  Property property = Property::operation;
  std::string usual, other;
  std::vector<std::int64_t> usual_ranks, other_ranks;
  Row call = kNoRow;  // of the first of the others
};

struct StuckGroup {
  StringId name = StringId::none, about = StringId::none;
  bool stated = false;               // whether the ranks are as the files state them; else those with calls in it
  bool cut = false;                  // they state too many; so members without a file are missing
  std::vector<GroupMember> members;  // by rank; first one whose rank is not known, if a file does not state it
  std::int64_t all_ended = -1;       // the last number that ended on all ranks with a file; -1: none
  std::int64_t number = kUnknown;    // of the collective at which it is stuck; kUnknown: it is not
  std::vector<Difference> differences;
  std::vector<std::size_t> waits_for;  // groups in which a rank is stuck that never called this collective

  bool is_stuck() const { return number != kUnknown; }
  std::int64_t size() const;  // in ranks; kUnknown: cut
  bool lacks_files() const;   // of members
  std::vector<std::int64_t> ranks_in(RankState state) const;
  const GroupMember* member(std::int64_t rank) const;
  // What most ranks called there; kNoRow if no rank kept a record.
  Row usual_call(std::int64_t number) const;
};

// By name, then by ranks.
std::vector<StuckGroup> stuck_groups(const Profile& profile);

// "all_reduce" of "gloo:all_reduce".
std::string_view operation_of(std::string_view name);

// "0-3, 7"; "?" is a rank that is not known.
std::string rank_words(const std::vector<std::int64_t>& ranks);

}  // namespace sightline::analyses
