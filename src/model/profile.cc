// Profile: the few operations that touch more than one column.
#include "model/profile.h"

namespace sightline::model {

void Profile::add_problem(Severity severity, std::string_view code, std::string_view message, std::int64_t count,
                          std::int64_t offset) {
  problems.severity.push_back(severity);
  problems.code.push_back(strings.intern(code));
  problems.message.push_back(strings.intern(message));
  problems.count.push_back(count);
  problems.offset.push_back(offset);
}

std::string_view metadata_value(const Profile& profile, std::string_view key) {
  const StringId id = profile.strings.find(key);
  if (id == StringId::none) return {};
  for (std::size_t i = 0; i < profile.metadata.rows(); ++i) {
    if (profile.metadata.key[i] == id) return profile.text(profile.metadata.value[i]);
  }
  return {};
}

}  // namespace sightline::model
