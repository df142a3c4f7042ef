// The facts of device work, found by slice and name. A fact has gone by several names: the first that is there counts.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

// The names of one fact, looked up once per profile.
class FactName {
 public:
  FactName(const Profile& profile, std::initializer_list<std::string_view> names);

  bool is_known() const { return !ids_.empty(); }  // whether the profile holds any of them
  bool is(StringId id) const;

 private:
  std::vector<StringId> ids_;
};

// NaN, and an empty text, when the slice has no such fact.
double number_of(const Profile& profile, Row slice, const FactName& name);
std::string_view text_of(const Profile& profile, Row slice, const FactName& name);

}  // namespace sightline::analyses
