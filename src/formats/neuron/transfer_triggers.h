// TransferTriggers: which instruction started which transfer, where rows say so by times and not by ids.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/tables.h"

namespace sightline::formats::neuron {

class TransferTriggers {
 public:
  // Two times that both rows have: the instruction's start, and the transfer's start or the instruction's end.
  using Times = std::pair<Time, Time>;

  void add_instruction(const Times& times, std::int64_t id) {
    Pair& pair = pairs_[times];
    ++pair.instructions;
    pair.instruction = id;
  }
  void add_transfer(const Times& times, std::int64_t id) { pairs_[times].transfers.push_back(id); }
  bool is_wanted(const Times& times) const { return pairs_.find(times) != pairs_.end(); }

  // Calls visit(instruction, transfer) by ids, in the order of times. Of several instructions of the same times none is taken.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const auto& [times, pair] : pairs_) {
      if (pair.instructions != 1) continue;
      for (const std::int64_t transfer : pair.transfers) visit(pair.instruction, transfer);
    }
  }

 private:
  struct Pair {
    int instructions = 0;
    std::int64_t instruction = kUnknown;  // the last one
    std::vector<std::int64_t> transfers;
  };
  std::map<Times, Pair> pairs_;
};

}  // namespace sightline::formats::neuron
