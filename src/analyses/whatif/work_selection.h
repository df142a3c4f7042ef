// Selects nodes of device work by what a user names: a kernel, an operator, a module, a category, a collective.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/whatif/dependency_graph.h"
#include "base/result.h"

namespace sightline::analyses {

// operator, module: device work that was launched inside. category: the family of the operator that has a cost, else the kind
// of work.
enum class WorkGroup : std::uint8_t { kernel, op, module, category, collective };
inline constexpr std::array<std::string_view, 5> kWorkGroupNames{"kernel", "operator", "module", "category", "collective"};

// Device work of one name.
struct NamedWork {
  WorkGroup group;
  std::string name;
  std::int64_t works = 0;
  Time time = 0;  // sum of lengths
  std::vector<Node> nodes{};
};

struct SelectedWork {
  std::vector<Node> nodes;
  std::int64_t names = 0;  // how many names the text fits
};

// What the selections of a profile share.
class WorkSelection {
 public:
  WorkSelection(const ProfilePtr& profile, const DependencyGraph& graph);

  // All names of a group, the longest time first; the first `top` with their nodes. An operator inside an operator of the same
  // name counts once.
  std::vector<NamedWork> names(WorkGroup group, std::size_t top) const;

  // The device work of a name or, if nothing has this name, of all names that contain the text in any letter case. An error
  // that lists what there is, if nothing fits.
  Result<SelectedWork> select(WorkGroup group, std::string_view text) const;

  Time time() const { return time_; }  // of all device work

  // By node of device work: its row of device_work.
  Row work_of(Node node) const { return work_of_[node]; }

 private:
  template <typename Visit>
  void each_name(WorkGroup group, Row work, Visit&& visit) const;
  std::string_view category_of(Row work) const;
  StringId host_name(WorkGroup group, Row slice) const;

  const ProfilePtr profile_;
  const DependencyGraph& graph_;
  std::vector<Row> work_of_;  // by node
  std::vector<Row> modules_;  // by slice: its module call; empty if there are none
  std::vector<Row> costed_;   // by device_work: its row of costed_calls
  Time time_ = 0;
};

}  // namespace sightline::analyses
