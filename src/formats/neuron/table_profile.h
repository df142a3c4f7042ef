// TableProfile: what the vendor's tables say, whichever file holds them (JSON, Parquet). Its rows are kept by lane until all are
// read, because which core it is, and what the program is called, may come last.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "formats/common/profile_builder.h"

namespace sightline::formats::neuron {

inline const LaneGroup kCoreGroup{0, "", true};
inline const LaneGroup kLayerGroup{1, "Layers"};
inline constexpr std::string_view kOperatorLane = "HLO operators";  // of kLayerGroup: when which ran, as the file states it
inline const LaneGroup kDmaGroup{2, "DMA"};
inline const LaneGroup kSemaphoreGroup{4, "Semaphores"};

class TableProfile : public ProfileBuilder {
 public:
  // A later value of a holder or key replaces the former; an empty text says nothing.
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

  struct Operator {  // of the compiled program; what is not known is empty
    std::string_view subgraph, name, framework_operator;
    std::string_view attributes;  // JSON: [{"op_type", "source_file", "source_line"}]
    std::string_view source;      // file:line, where the attributes have none
  };
  // Its row of program_operators, made when it is new. `name` may be a whole line of HLO text: it is taken apart.
  Row program_operator(const Operator& operator_);

  // A device beside the profile's own, or instead of it.
  void add_device(std::int64_t ordinal) { devices_.insert(ordinal); }
  void set_instance(std::string_view type) { instance_ = type; }
  void set_program(std::string_view name) { program_ = name; }
  void set_end(Time end) { profile().span_end = end; }

  // Without any event, the profile has only the problems. REQUIRES: once, when all rows were added.
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

}  // namespace sightline::formats::neuron
