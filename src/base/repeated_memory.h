// Memory that holds one value over and over: as much of it is really there as it takes to say it once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/layers.h"

namespace sightline::base {

// At least `size` bytes that consist of `value`, again and again. What is written there stays where it was written. Null where
// the system cannot do that. REQUIRES: the value's size is a power of two, and at most a page.
std::shared_ptr<const void> repeated_memory(std::span<const std::byte> value, std::size_t size);

}  // namespace sightline::base
