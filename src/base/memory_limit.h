// MemoryLimit: the most memory that a piece of work may take, compared with what the whole program has taken since it began.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/layers.h"

namespace sightline::base {

// Bytes of memory that the program has for itself, files that are mapped not counted; 0 where the system does not tell.
std::int64_t memory_in_use();

class MemoryLimit {
 public:
  // The work begins now and may take `bytes`; 0: any. REQUIRES: the others are not called meanwhile.
  void begin(std::int64_t bytes);

  std::int64_t bytes() const { return bytes_; }

  // Whether three tenths are taken: the rest is for what is made of the input once no more is read. Thread-safe; a few
  // microseconds, so call it once in a while.
  bool reached();

  // Whether reached() was true since the work began.
  bool was_reached() const { return was_reached_; }

 private:
  std::int64_t bytes_ = 0;
  std::int64_t before_ = 0;
  std::atomic<bool> was_reached_{false};
};

}  // namespace sightline::base
