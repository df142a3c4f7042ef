// ProfileBuilder: what the vendor's tables say, whichever file holds them (JSON, Parquet), as lanes, side tables and flows. Rows
// come in any order and are kept by lane, as columns, until all are read; then `write` makes the profile.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "readers/binary/lane_writer.h"
#include "readers/neuron/row_writer.h"

namespace sightline::neuron {

inline constexpr std::int64_t kThisCore = kUnknown + 1;  // the device that the profile is of, known when all is read

// A process of the timeline: lanes that stand together. Groups stand by rank, then by name.
struct LaneGroup {
  int rank = 0;
  std::string name;      // behind the core's name where `of_core`
  bool of_core = false;  // the group is the core itself, or a part of it
  auto operator<=>(const LaneGroup&) const = default;
};

inline const LaneGroup kCoreGroup{0, "", true};
inline const LaneGroup kLayerGroup{1, "Layers"};
inline constexpr std::string_view kOperatorLane = "HLO operators";  // of kLayerGroup: when which ran, as the file states it
inline const LaneGroup kDmaGroup{2, "DMA"};
inline const LaneGroup kSemaphoreGroup{4, "Semaphores"};

struct LanePlace {  // lanes of a group stand by their numbers, then by title
  LaneGroup group;
  std::int64_t first = 0, second = 0;
  std::string title;
  auto operator<=>(const LanePlace&) const = default;
};

struct LaneFacts {
  LaneKind kind = LaneKind::engine;
  std::string track;
  std::string core;  // that does the lane's work
  std::int64_t device = kThisCore;
};

struct RowFact {
  StringId name, text;
  double number;
};

struct TableRow {  // a slice, and what its row says beside its facts
  NewSlice slice;
  int table = 0;  // ids are unique within a table
  std::int64_t id = kUnknown;
  CoreType core_type = CoreType::unknown;
  StringId type = StringId::none;
  std::int64_t bytes = kUnknown;
  WorkCost cost{};  // of a copy: only if no instruction states what it moved, since those would be the same bytes
  StringId element_type = StringId::none;  // of matrix work whose scaled operations its row does not state
  Row program_operator = kNoRow;
  std::int32_t collective = -1;  // what add_collective returned
};

class ProfileBuilder {
 public:
  ProfileBuilder();

  Profile& profile() { return *p_; }
  StringId text(std::string_view words) { return p_->strings.intern(words); }

  struct Lane {
    LaneFacts about;
    std::vector<TableRow> rows;
    std::vector<std::uint32_t> fact_end;  // by row: where its facts end
    std::vector<RowFact> facts;
  };
  // The lane at a place, made with `about` when it is new.
  Lane& lane(const LanePlace& place, const LaneFacts& about);
  void add(Lane& lane, const TableRow& row, const std::vector<RowFact>& facts);

  void add_sample(const LaneGroup& group, const std::string& name, Time time, double value);
  void add_dependency(int from_table, std::int64_t from, int to_table, std::int64_t to);
  void add_memory(std::string_view holder, std::int64_t bytes) { memory_[std::string(holder)] = bytes; }
  // A later value of a key replaces the former; an empty one says nothing.
  void add_metadata(std::string_view key, std::string_view value) { about_[std::string(key)] = value; }

  struct Collective {
    CollectiveKind kind = CollectiveKind::unknown;
    StringId name, group, ranks, dtype;
    std::int64_t in_bytes = kUnknown, out_bytes = kUnknown;
  };
  std::int32_t add_collective(const Collective& collective);

  struct Tensor {
    std::string_view name, use, shape, format;
    std::int64_t bytes = kUnknown, loads = kUnknown, loaded_bytes = kUnknown;
  };
  void add_tensor(const Tensor& tensor);

  struct Queue {
    std::string_view name, type;
    std::int64_t queue = kUnknown, engine = kUnknown, port = kUnknown, channel = kUnknown;
  };
  void add_queue(const Queue& queue);

  struct Operator {  // of the compiled program; what is not known is empty
    std::string_view subgraph, name, framework_operator;
    std::string_view attributes;  // JSON: [{"op_type", "source_file", "source_line"}]
    std::string_view source;      // file:line, where the attributes have none
  };
  // Its row of program_operators, made when it is new. `name` may be a whole line of HLO text: it is taken apart.
  Row program_operator(const Operator& operator_);

  // A device beside the one that the profile is of, or instead of it.
  void add_device(std::int64_t ordinal) { devices_.insert(ordinal); }
  void set_device(std::int64_t ordinal) { device_ = ordinal; }
  void set_instance(std::string_view type) { instance_ = type; }
  void set_program(std::string_view name) { program_ = name; }
  void set_end(Time end) { end_ = end; }

  // REQUIRES: once, when all rows were added.
  std::unique_ptr<Profile> write();

 private:
  using Place = std::pair<LaneGroup, std::string>;

  Row process_of(const LaneGroup& group);
  std::int64_t device_of(const LaneFacts& about) const { return about.device == kThisCore ? device_ : about.device; }
  void find_origin();
  void write_lane(const LanePlace& place, const Lane& lane);
  void write_row(Row slice, const TableRow& row, std::int64_t device, StringId core);
  void write_scaled_flops(Row slice, const TableRow& row);
  void write_devices();
  void add_operator_lanes();
  void write_counters();
  void write_flows();
  void name_program();

  std::unique_ptr<Profile> p_;
  LaneWriter lanes_;
  RowWriter rows_;
  std::map<LanePlace, Lane> slices_;
  std::map<Place, std::vector<std::pair<Time, double>>> counters_;
  std::map<LaneGroup, Row> processes_;
  struct Edge {
    int from_table, to_table;
    std::int64_t from, to;
  };
  std::vector<Edge> edges_;
  std::map<int, std::unordered_map<std::int64_t, Row>> slice_of_;  // by table and id
  std::map<std::tuple<std::string, std::string, std::string>, Row> operators_;
  std::map<StringId, double> scales_;  // of FLOPs, by element type
  std::map<std::string, std::int64_t> memory_;
  std::map<std::string, std::string> about_;
  std::vector<Collective> collectives_;
  std::set<std::int64_t> devices_;
  std::string instance_, program_, core_;
  std::int64_t device_ = kUnknown;
  Time end_ = 0;
  Time origin_ = 0;
  bool instructions_state_bytes_ = false;
};

}  // namespace sightline::neuron
