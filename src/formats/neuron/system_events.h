// Events of a system profile: what the runtime, the framework and the devices did, by process and thread, whichever file holds
// them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/neuron/table_profile.h"

namespace sightline::formats::neuron {

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
  // Links events that share an id, in the order of time. REQUIRES: once, when all were added.
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

// The ids of a list such as ["12", "7"].
std::vector<std::string> flow_ids(std::string_view list);

}  // namespace sightline::formats::neuron
