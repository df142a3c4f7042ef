// Flows: arrows between slices that share the id of a flow, and what they say about who launched device work.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/perfetto/slices.h"
#include "formats/trace_events/parse_events.h"

namespace sightline::formats::perfetto {

class Flows {
 public:
  void add(std::uint64_t id, Time time, SliceRef slice, bool ends) { marks_.push_back({id, time, slice, ends}); }
  void add_pair(std::uint64_t id) { pairs_.push_back(id); }  // of a forward and a backward operator
  // A piece of device work had to wait for another, by the ids that the trace gives them.
  void add_work(std::uint64_t id, SliceRef slice) { work_.push_back({id, slice}); }
  void add_wait(std::uint64_t on, SliceRef slice) { waits_.push_back({on, slice}); }

  // The arrows. A launching call and its device work get no arrow: both get the flow's id as correlation id, unless they have
  // one. REQUIRES: `batches` have all slices.
  std::vector<trace_events::RawArrow> resolve(std::vector<trace_events::EventBatch>& batches);

 private:
  struct Mark {
    std::uint64_t id;
    Time time;
    SliceRef slice;
    bool ends;
  };
  struct Named {
    std::uint64_t id;
    SliceRef slice;
    friend auto operator<=>(const Named&, const Named&) = default;
  };

  std::vector<Mark> marks_;
  std::vector<std::uint64_t> pairs_;
  std::vector<Named> work_, waits_;
};

}  // namespace sightline::formats::perfetto
