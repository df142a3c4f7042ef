// The comparison of training logs. Like the console it is no question to a profile: the page sends the logs to a route of their
// own, and here is only what the registry knows: that there is such a view, and what of it is in the address.
#include "analyses/losses/loss_comparison.h"
#include "analyses/views.h"

namespace sightline::analyses {

Analysis losses_analysis() {
  return {
      .id = "losses",
      .title = "Losses",
      .group = ViewGroup::data,
      .doc =
          "Whether two training runs computed the same losses: the losses in their logs, and the differences between two logs.",
      .parameters = {{"base", "Base", ParameterType::integer, "1", {}, "Number of the log that the other is compared with"},
                     {"compared", "Compared", ParameterType::integer, "2", {}, "Number of the other log"}},
      .unavailable = [](const Profile&) -> std::optional<std::string> { return std::nullopt; },
      .run = nullptr,
      .tables = loss_tables,
      .instead = "sightline losses A.log B.log"};
}

}  // namespace sightline::analyses
