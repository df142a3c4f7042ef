// A system profile as JSON: what the vendor's tool writes (sections trace_events, mem_usage, cpu_util), and what the runtime
// hands out while it runs (section events). Which members an event has is documented for the second only, so a member is taken
// under each of the names that the vendor's tables have for it, and events that cannot be placed in time are counted.
#pragma once

#include <simdjson.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/neuron/system_events.h"

namespace sightline::formats::neuron {

class SystemJson {
 public:
  // Ids of events are those of `table`.
  SystemJson(TableProfile& builder, int table) : builder_(builder), table_(table) {}

  // False when the section is none of a system profile.
  bool take(const std::string& section, const simdjson::dom::object& row, std::int64_t offset);
  // What began and never ended, links, and problems. REQUIRES: once, when all rows were taken.
  void finish();

 private:
  void take_event(const simdjson::dom::object& row, std::int64_t offset);
  void take_phase(const simdjson::dom::object& row, SystemEvent event);
  std::vector<RowFact> facts_of(const simdjson::dom::object& row);
  void sample(const std::string& name, const simdjson::dom::object& row, std::string_view column);

  TableProfile& builder_;
  int table_;
  SystemEvents events_{builder_};
  struct Begun {
    SystemEvent event;
    std::vector<RowFact> facts;
  };
  std::map<std::string, std::vector<Begun>> begun_;  // by what its end has in common with it
  std::int64_t next_id_ = 0;
  std::int64_t untimed_ = 0, unmatched_ = 0;
};

}  // namespace sightline::formats::neuron
