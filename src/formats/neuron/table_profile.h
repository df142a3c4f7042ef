// TableProfile: a profile from the vendor's tables, in any kind of file (JSON, Parquet). It keeps rows by lane until all are
// read, because the core and the program's name may come last.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/common/profile_builder.h"

namespace sightline::formats::neuron {

// ---- tables ----

inline const LaneGroup kCoreGroup{0, "", true};
inline const LaneGroup kLayerGroup{1, "Layers"};
inline constexpr std::string_view kOperatorLane = "HLO operators";  // of kLayerGroup: when each ran, as the file states it
inline const LaneGroup kDmaGroup{2, "DMA"};
inline const LaneGroup kSemaphoreGroup{4, "Semaphores"};

class TableProfile : public ProfileBuilder {
 public:
  // A later value of a holder or key replaces the earlier one; an empty text is ignored.
  void set_memory(std::string_view holder, std::int64_t bytes) { memory_[std::string(holder)] = bytes; }
  void set_metadata(std::string_view key, std::string_view value) { about_[std::string(key)] = value; }

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

  struct Operator {  // of the compiled program; unknown values are empty
    std::string_view subgraph, name, framework_operator;
    std::string_view attributes;  // JSON: [{"op_type", "source_file", "source_line"}]
    std::string_view source;      // file:line, if the attributes have none
  };
  // Its row of program_operators, added if it is new. `name` may be a whole line of HLO text, which is taken apart.
  Row program_operator(const Operator& operator_);

  // A device beside the profile's own, or instead of it.
  void add_device(std::int64_t ordinal) { devices_.insert(ordinal); }
  void set_instance(std::string_view type) { instance_ = type; }
  void set_program(std::string_view name) { program_ = name; }
  void set_end(Time end) { profile().span_end = end; }

  // Without events, the profile has only the problems. REQUIRES: called once, after all rows.
  std::unique_ptr<Profile> finish();

 private:
  std::string process_name(const LaneGroup& group) const override { return group.of_core ? core_ + group.name : group.name; }
  void placed(Row slice, const TableRow& row) override;
  void add_derived_lanes() override;
  void drop_costs_of_copies();
  void write_devices();
  void name_program();

  std::map<std::tuple<std::string, std::string, std::string>, Row> operators_;
  std::map<StringId, double> scales_;  // of FLOPs, by element type
  std::map<std::string, std::int64_t> memory_;
  std::map<std::string, std::string> about_;
  std::set<std::int64_t> devices_;
  std::string instance_, program_, core_;
};

// ---- events of a system ----
// Events of a system profile: what the runtime, the framework and the devices did, by process and thread, from any kind of
// file.

struct SystemEvent {
  std::string name;
  Time start = 0, duration = 0;
  std::string origin;  // neuron_rt, neuron_hw or framework
  std::string instance;
  std::int64_t process = kUnknown, thread = kUnknown, core = kUnknown;
  std::string stream;              // of the framework's device work
  std::vector<std::string> flows;  // ids that related events share
  std::int64_t source = 0;
};

class SystemEvents {
 public:
  explicit SystemEvents(TableProfile& builder) : builder_(builder) {}

  void add(const SystemEvent& event, int table, std::int64_t id, const std::vector<RowFact>& facts);
  // Links events that share an id, in order of time. REQUIRES: called once, after all events.
  void link();

 private:
  struct Place {
    Time start;
    int table;
    std::int64_t id;
  };
  TableProfile& builder_;
  std::map<std::string, std::vector<Place>> flows_;
};

// A number in a name: "?" for kUnknown.
std::string number_or_mark(std::int64_t value);

// The ids of a list such as ["12", "7"].
std::vector<std::string> flow_ids(std::string_view list);

}  // namespace sightline::formats::neuron
