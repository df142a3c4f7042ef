// StackPool: the table of stacks, in which stacks that share their outer frames share rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/profile.h"

namespace sightline::formats {

struct StackFrame {
  StringId name, file;
  std::int64_t line;
  bool operator==(const StackFrame&) const = default;
};

class StackPool {
 public:
  explicit StackPool(Profile& profile) : p_(profile) {}

  // The number of a frame; equal frames have the same.
  Row frame(const StackFrame& frame);

  // The row of `stacks` for a list of frames, innermost first. kNoRow: it would need more than `most` rows in all.
  Row stack(std::span<const Row> frames, std::size_t most);

 private:
  struct HashOfFrame {
    std::size_t operator()(const StackFrame& frame) const;
  };

  bool is_stack(Row stack, std::span<const Row> frames) const;
  std::size_t place_of(Row caller, Row frame) const;
  Row called_from(Row caller, Row frame);
  void add_row(Row caller, Row frame);
  void grow();

  Profile& p_;
  std::unordered_map<StackFrame, Row, HashOfFrame> numbers_;
  std::vector<StackFrame> frames_;                  // by number
  std::vector<Row> frame_of_;                       // by row of stacks
  std::vector<Row> places_;                         // rows of stacks, hashed by caller and frame
  std::unordered_map<std::uint64_t, Row> by_hash_;  // the last stack of each hash
};

}  // namespace sightline::formats
