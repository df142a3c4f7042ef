// A slice's category and args in an exported trace, in the words that the framework's own profiler uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/profile.h"

namespace sightline::output {

// Told what is known of a slice, one by one.
class ArgSink {
 public:
  virtual void integer(std::string_view key, std::int64_t value) = 0;
  virtual void real(std::string_view key, float value) = 0;
  virtual void text(std::string_view key, std::string_view value) = 0;
  virtual void json(std::string_view key, std::string_view value) = 0;  // a number, a list, a string in quotes

 protected:
  ~ArgSink() = default;
};

// What a reader needs to know of the devices beside their work, as a JSON list: among others, to compute how full they are. Empty
// if there are none.
std::string device_properties(const Profile& profile);

class SliceArgs {
 public:
  explicit SliceArgs(const Profile& profile) : p_(profile) {}

  std::string_view category(Row slice) const;

  // Names as keys of the framework's profiler.
  void visit(Row slice, ArgSink& args);

  // Appends `, "args": {...}`, or nothing when nothing is known of the slice.
  void append(std::string& text, Row slice);

 private:
  // A text of the file that is JSON stays so; any other becomes a string.
  std::string_view json_of(StringId id);

  const Profile& p_;
  std::unordered_map<std::uint32_t, std::string> json_;
};

}  // namespace sightline::output
