// The program's memory: how much it uses and may use, how the allocator reuses it, memory of long columns, and memory of
// repeated values.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/layers.h"

namespace sightline::base {

// ---- reuse ----

// For a program that makes many answers of about 10 MB: keeps up to 256 MB of freed memory instead of returning it to the
// system.
// To get (and clear) new pages costs more than the answer itself. Works only with glibc.
void reuse_freed_memory();

// Returns freed memory to the system. Call it after much was freed. Works only with glibc.
void return_freed_memory();

// ---- limits ----

// Bytes of the program's private memory, without mapped files; 0 when the system does not report them.
std::int64_t memory_in_use();

// The most memory that a piece of work may use, compared with the growth of the whole program since the work began.
class MemoryLimit {
 public:
  // The work begins now and may use `bytes`; 0: no limit. REQUIRES: no other function is called at the same time.
  void begin(std::int64_t bytes);

  std::int64_t bytes() const { return bytes_; }

  // Whether three tenths are used; the columns that are made after reading need the rest. Thread-safe. A call takes a few
  // microseconds, so call it occasionally.
  bool reached();

  // Whether reached() was true since the work began.
  bool was_reached() const { return was_reached_; }

 private:
  std::int64_t bytes_ = 0;
  std::int64_t before_ = 0;
  std::atomic<bool> was_reached_{false};
};

// ---- long memory ----

// Memory for a column. Long memory is a mapping of its own: it grows without a copy, leaves no holes in the allocator's memory,
// and goes back to the system at once. Sizes are in bytes, and not 0. Throws std::bad_alloc.
void* new_memory(std::size_t size);  // zeros
// The first bytes stay as they are, new ones have any value. REQUIRES: `memory` has `old` bytes.
void* resize_memory(void* memory, std::size_t old, std::size_t size);
void delete_memory(void* memory, std::size_t size);

// ---- repeated values ----

// Gives long runs of one value pages that repeat the value and that the whole run shares: about a sixteenth of the memory. A
// later write changes only the place that is written; resize_memory makes a copy. Does nothing if the system cannot do it.
// REQUIRES: `from` and `size` are whole values; the size of a value is a power of two, and at most a page.
void share_repeated_values(void* memory, std::size_t size, std::size_t from, std::size_t value_size);

// At least `size` bytes that repeat `value`, and take little real memory. A
// write changes only the place that is written. Null when the system cannot
// do that. REQUIRES: the value's size is a power of two, and at most a page.
std::shared_ptr<const void> repeated_memory(std::span<const std::byte> value, std::size_t size);

}  // namespace sightline::base
