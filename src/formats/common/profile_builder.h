// ProfileBuilder: how a reader makes a profile. It writes a lane with its slices at once, or keeps slices by lane, in any
// order, until `finish` writes them. Slices are sorted and nested; slices that overlap others of their lane without nesting
// go to overflow lanes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace sightline::formats {

struct NewSlice {
  Time start, duration;
  StringId name;
  SliceKind kind;
  std::int64_t source;
};

struct NewLane {
  LaneKind kind;
  Row process;
  std::int64_t device;  // kUnknown: no device
  std::string_view track, name;
};

// The known costs of a slice; device memory is the HBM.
struct WorkCost {
  double flops = static_cast<double>(kUnknownReal);
  std::int64_t read = kUnknown, written = kUnknown;  // bytes
  std::int64_t moved = kUnknown;                     // both together
};

inline constexpr std::int64_t kOwnDevice = kUnknown + 1;  // the device of the profile, which may become known last

// A process of the timeline: a group of lanes. Groups are sorted by rank, then by name.
struct LaneGroup {
  int rank = 0;
  std::string name;
  bool of_core = false;  // the group is the device itself, or a part of it; `name` follows the device's name
  auto operator<=>(const LaneGroup&) const = default;
};

struct LanePlace {  // lanes of a group are sorted by their numbers, then by title
  LaneGroup group;
  std::int64_t first = 0, second = 0;
  std::string title;
  auto operator<=>(const LanePlace&) const = default;
};

struct LaneFacts {
  LaneKind kind = LaneKind::engine;
  std::string track;
  std::string core;  // that does the lane's work
  std::int64_t device = kOwnDevice;
};

struct RowFact {
  StringId name, text;
  double number;
};

struct TableRow {  // a slice, and what its row holds besides its facts
  NewSlice slice;
  int table = 0;  // ids are unique within a table
  std::int64_t id = kUnknown;
  CoreType core_type = CoreType::unknown;
  StringId type = StringId::none;
  std::int64_t bytes = kUnknown;
  WorkCost cost{};
  StringId element_type = StringId::none;
  Row program_operator = kNoRow;
  std::int32_t collective = -1;  // what add_collective returned
};

class ProfileBuilder {
 public:
  ProfileBuilder() : own_(std::make_unique<Profile>()), p_(*own_) {}
  // Adds to a profile that the caller owns.
  explicit ProfileBuilder(Profile& profile) : p_(profile) {}
  virtual ~ProfileBuilder() = default;

  Profile& profile() const { return p_; }
  StringId text(std::string_view words) const { return p_.strings.intern(words); }

  // ---- lanes that are written at once ----

  // A group of lanes, with a name that no other group has. Returns its row of processes.
  Row add_process(std::string_view name);
  // Calls `placed(i, row)` for each slice i, which became that row, by ascending row.
  void add_lane(const NewLane& lane, const std::vector<NewSlice>& slices, const std::function<void(std::size_t, Row)>& placed);
  // A lane without slices, for counters. Returns its row of lanes.
  Row add_counter_lane(const NewLane& lane);

  // ---- rows of other tables; a value that is not given is unknown ----

  // REQUIRES for rows that belong to slices: by ascending slice.
  void add_work(Row slice, std::int64_t device, StringId core, CoreType type, StringId what, std::int64_t bytes);
  void add_fact(Row slice, StringId name, double number, StringId text);
  void add_fact(Row slice, StringId name, double number) { add_fact(slice, name, number, StringId::none); }
  void add_fact(Row slice, StringId name, StringId text) { add_fact(slice, name, kUnknownReal, text); }
  // The part of `start` and `duration` beyond whole ns, in ps.
  void add_fine_time(Row slice, std::int64_t start, std::int64_t duration);
  // Adds no row if nothing is known.
  void add_cost(Row slice, const WorkCost& cost);
  void add_program_work(Row slice, Row program_operator);
  void add_flow(FlowKind kind, Row from, Row to);
  // REQUIRES: by lane, then by time.
  void add_sample(Row lane, Time time, double value);
  // Bytes held during the whole recording. REQUIRES: by device, then by holder.
  void add_memory(std::string_view device, std::string_view holder, std::int64_t bytes);
  // Counts a fault of the input: faults of one code are one problem, at the first one's offset.
  void report(Severity severity, std::string_view code, const char* message, std::int64_t offset);
  // Adds no row if the value is empty.
  void add_metadata(std::string_view key, std::string_view value);

  // ---- rows that are kept until `finish`, in any order ----

  struct Lane {
    LaneFacts about;
    std::vector<NewSlice> slices;  // of which nothing else is known; a lane has slices or rows
    std::vector<TableRow> rows;
    std::vector<std::uint32_t> fact_end;  // by row: the end of its facts
    std::vector<RowFact> facts;
  };
  // The lane at a place; a new one is made with `about`.
  Lane& lane(const LanePlace& place, const LaneFacts& about);
  // The lane of a thread of the host.
  Lane& thread(std::string_view name);
  void add(Lane& lane, const TableRow& row, const std::vector<RowFact>& facts);
  void add(Lane& lane, const NewSlice& slice);
  void add_sample(const LaneGroup& group, const std::string& name, Time time, double value);
  // An arrow between rows by their ids, which may not exist.
  void add_dependency(int from_table, std::int64_t from, int to_table, std::int64_t to);

  struct Collective {
    CollectiveKind kind = CollectiveKind::unknown;
    StringId name, group, ranks, dtype;
    std::int64_t in_bytes = kUnknown, out_bytes = kUnknown;
  };
  std::int32_t add_collective(const Collective& collective);

  void set_device(std::int64_t ordinal) { device_ = ordinal; }  // kOwnDevice

  // Writes the rows that were kept: lanes in the order of their places, then counters. Unix times then count from the first
  // of them. Returns the profile if the builder owns it. REQUIRES: called once.
  std::unique_ptr<Profile> finish();

 protected:
  using Lanes = std::map<LanePlace, Lane>;

  Lanes& kept_lanes() { return lanes_; }
  Row process_of(const LaneGroup& group);
  std::int64_t device() const { return device_; }  // kUnknown: not set

  // The name of a group's process.
  virtual std::string process_name(const LaneGroup& group) const { return group.name; }
  // Called when a kept row has become this slice and its tables have their rows.
  virtual void placed(Row, const TableRow&) {}
  // Called when all lanes with slices are written and those of counters are not.
  virtual void add_derived_lanes() {}

 private:
  using Samples = std::vector<std::pair<Time, double>>;
  struct Edge {
    int from_table, to_table;
    std::int64_t from, to;
  };

  Row open_lane(const NewLane& lane, Row overflow_of);
  void find_origin();
  void write_lane(const LanePlace& place, Lane lane);
  void write_row(Row slice, const TableRow& row, std::int64_t device, StringId core);
  void write_collective(Row slice, const Collective& from);
  void write_counters();
  void write_flows();

  std::unique_ptr<Profile> own_;  // null: the caller owns the profile
  Profile& p_;
  Lanes lanes_;
  std::map<std::pair<LaneGroup, std::string>, Samples> counters_;
  std::map<LaneGroup, Row> processes_;
  std::vector<Edge> edges_;
  std::map<int, std::unordered_map<std::int64_t, Row>> slice_of_;  // by table and id
  std::vector<Collective> collectives_;
  std::int64_t device_ = kUnknown;
  Time origin_ = 0;
};

}  // namespace sightline::formats
