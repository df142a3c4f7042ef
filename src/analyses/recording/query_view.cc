// The console for SQL. Like the timeline it draws from routes of its own: the engine answers queries, and here
// is only what the registry knows: that there is such a view, and that its text is in the address.
#include "analyses/recording/query_view.h"

namespace sightline::analyses {

Analysis query_analysis() {
  return {.id = "query",
          .title = "Query",
          .group = ViewGroup::data,
          .doc = "Your own SQL over the profile's tables.",
          .parameters = {{"sql", "SQL", ParameterType::text, "", {}, "The query: one SELECT"}},
          .unavailable = [](const Profile&) -> std::optional<std::string> { return std::nullopt; },
          .run = nullptr,
          .tables = nullptr,
          .instead = "sightline query PATH 'SELECT ...'"};
}

}  // namespace sightline::analyses
