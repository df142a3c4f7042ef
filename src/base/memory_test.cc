// Memory of one repeated value, at sizes around those at which the mapping changes.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sightline::base {

namespace {

TEST(RepeatedMemory, HoldsTheValueEverywhere) {
  const std::int64_t value = -42;
  for (const std::size_t count : {std::size_t{1}, std::size_t{1} << 17, (std::size_t{1} << 17) + 1, std::size_t{36'000'001}}) {
    const auto memory = repeated_memory(std::as_bytes(std::span(&value, 1)), count * sizeof value);
    if (memory == nullptr) GTEST_SKIP() << "this system has no memory that can be mapped twice";
    const auto* const values = static_cast<const std::int64_t*>(memory.get());
    for (std::size_t i = 0; i < count; i += 511) ASSERT_EQ(values[i], value) << i;
    ASSERT_EQ(values[count - 1], value);
  }
}

TEST(RepeatedMemory, IsChangedInOnePlaceOnly) {
  const std::uint32_t value = 7;
  const std::size_t count = std::size_t{1} << 20;
  const auto memory = repeated_memory(std::as_bytes(std::span(&value, 1)), count * sizeof value);
  if (memory == nullptr) GTEST_SKIP() << "this system has no memory that can be mapped twice";
  auto* const values = static_cast<std::uint32_t*>(const_cast<void*>(memory.get()));
  values[5] = 8;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < count; ++i) changed += values[i] != value;
  EXPECT_EQ(changed, 1u);
}

}  // namespace

}  // namespace sightline::base
