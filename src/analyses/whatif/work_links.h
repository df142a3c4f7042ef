// Which device work waited for which other device work, where the file says so: by flows (semaphores, nodes of a graph), and by
// events that a stream recorded and another waited for.
#pragma once

#include <vector>

#include "analyses/whatif/dependency_graph.h"

namespace sightline::analyses {

class WorkLinks {
 public:
  explicit WorkLinks(const Profile& profile);

  // Calls visit(row of device_work that was waited for, EdgeKind).
  template <typename Visit>
  void each_to(Row work, Visit&& visit) const {
    if (first_.empty()) return;
    for (std::uint32_t link = first_[work]; link < first_[work + 1]; ++link) visit(links_[link].from, links_[link].kind);
  }

 private:
  struct Link {
    Row from, to;  // rows of device_work
    EdgeKind kind;
  };
  void add_flows(const Profile& profile);
  void add_events(const Profile& profile);

  std::vector<Link> links_;  // by `to`
  std::vector<std::uint32_t> first_;
};

}  // namespace sightline::analyses
