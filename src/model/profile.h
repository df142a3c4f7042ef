// Profile: the tables of one worker and one span. A reader fills it and check_profile checks it. After that it is immutable and
// shared:
// any number of threads may read it. It contains no pointers; rows refer to rows by number.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "model/tables.h"

namespace sightline::model {

// Facts about the profile as a whole: C(name, type, initial value).
#define SIGHTLINE_FACTS(C)                                                                        \
  C(file, std::string, {})                  /* what it was read from, for messages */             \
  C(format, std::string, {})                /* the reader's id */                                 \
  C(origin_unix_ns, std::int64_t, kUnknown) /* Unix time of Time 0, when the format has it */     \
  C(events, std::int64_t, 0)                /* events of the file, of any kind, that were read */ \
  C(host, std::string, {})                  /* the machine that recorded it */                    \
  C(rank, std::int64_t, kUnknown)           /* index in the job */                                \
  C(world_size, std::int64_t, kUnknown)                                                           \
  C(span_start, Time, 0) /* the profiler's own window, or the extent of all slices */             \
  C(span_end, Time, 0)                                                                            \
  C(has_python_stacks, bool, false)                                                               \
  C(device_word, std::string, {}) /* what people call its devices: GPU, NPU */                    \
  C(matrix_word, std::string, {}) /* and their matrix units: tensor cores, AI cores */            \
  C(core_word, std::string, {})   /* and one of their cores: SM, CU */

struct Profile {
  // Out of line: compiling moves and destructors of so many tables in every file takes long.
  Profile();
  Profile(Profile&&) noexcept;
  Profile& operator=(Profile&&) noexcept;
  ~Profile();

  StringPool strings;

#define TABLE(Struct, name, doc) Struct name;
#include "model/table_list.h"

#define SIGHTLINE_FACT_MEMBER(name, type, initial) type name = initial;
  SIGHTLINE_FACTS(SIGHTLINE_FACT_MEMBER)
#undef SIGHTLINE_FACT_MEMBER

  std::string_view text(StringId id) const { return strings.view(id); }
  // The lane itself or, for an overflow lane, its main lane: a thread or stream has one main lane.
  Row main_lane(Row lane) const { return lanes.overflow_of[lane] == kNoRow ? lane : lanes.overflow_of[lane]; }
  Time end_of(Row slice) const { return slices.start[slice] + slices.duration[slice]; }

  // Calls visit(table) for every table, in declaration order.
  template <typename Self, typename Visit>
  static void visit_tables(Self& p, Visit&& visit) {
#define TABLE(Struct, name, doc) visit(p.name);
#include "model/table_list.h"
  }

  // Calls visit(name, fact) for every fact, in declaration order.
  template <typename Self, typename Visit>
  static void visit_facts(Self& p, Visit&& visit) {
#define SIGHTLINE_FACT_VISIT(name, type, initial) visit(std::string_view(#name), p.name);
    SIGHTLINE_FACTS(SIGHTLINE_FACT_VISIT)
#undef SIGHTLINE_FACT_VISIT
  }

  void add_problem(Severity severity, std::string_view code, const TemplateMessage& message, std::int64_t count,
                   std::int64_t offset);
  Message problem(Row row) const;  // what a row of `problems` says
};

using ProfilePtr = std::shared_ptr<const Profile>;

// Whether the slice is a row of replayed_ranges: an instant inside a launch of a graph. O(log rows).
bool is_replayed(const Profile& profile, Row slice);

// The metadata value of `key`; empty when absent.
std::string_view metadata_value(const Profile& profile, std::string_view key);

// ---- checks ----

// Checks every invariant of a Profile: one sentence per broken invariant, at most `most` of them; empty when the profile is
// sound.
// O(rows). Tests and fuzzers call it on every profile that a reader makes, also from damaged input; the program trusts the
// readers.
std::vector<std::string> check_profile(const Profile& profile, std::size_t most = 20);

}  // namespace sightline::model
