// A slice's category and args in a Chrome trace, in the words that the framework's own profiler uses.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "model/profile.h"

namespace sightline {

class SliceArgs {
 public:
  explicit SliceArgs(const Profile& profile) : p_(profile) {}

  std::string_view category(Row slice) const;

  // Appends `, "args": {...}`, or nothing when nothing is known of the slice.
  void append(std::string& text, Row slice);

 private:
  // A text of the file that is JSON stays so; any other becomes a string.
  std::string_view json_of(StringId id);

  const Profile& p_;
  std::unordered_map<std::uint32_t, std::string> json_;
};

}  // namespace sightline
