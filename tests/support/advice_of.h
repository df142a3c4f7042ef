// The advice for a profile written as text.
#pragma once

#include <string_view>

#include "analyses/advice/recommendations.h"
#include "tests/support/text_profile.h"

namespace sightline::tests {

// The advice of one rule; empty id: the rule gave no advice.
inline Advice advice_of(std::string_view id, std::string_view text) {
  const ProfilePtr profile = text_profile(text);
  const auto found = recommend(profile);
  for (const Advice& advice : found->advice) {
    if (advice.id == id) return advice;
  }
  return {};
}

inline bool is_advised(std::string_view id, std::string_view text) { return !advice_of(id, text).id.empty(); }

}  // namespace sightline::tests
