// Long memory, and memory of repeated values, at sizes around those at which the mapping changes.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sightline::base {

namespace {

constexpr std::size_t kMega = std::size_t{1} << 20;

TEST(LongMemory, KeepsItsValuesAtEachSize) {
  std::size_t size = 16;
  auto* bytes = static_cast<unsigned char*>(new_memory(size));
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], 0);
  const auto value_at = [](std::size_t i) { return static_cast<unsigned char>(i * 7); };
  for (std::size_t i = 0; i < size; ++i) bytes[i] = value_at(i);
  for (const std::size_t next : {kMega - 1, kMega, 5 * kMega + 3, kMega + 1, std::size_t{100}}) {
    bytes = static_cast<unsigned char*>(resize_memory(bytes, size, next));
    for (std::size_t i = 0; i < std::min(size, next); i += 3) ASSERT_EQ(bytes[i], value_at(i)) << i << " of " << next;
    for (std::size_t i = 0; i < next; ++i) bytes[i] = value_at(i);
    size = next;
  }
  delete_memory(bytes, size);
}

// Runs that begin and end inside pages, values around them, one too short to share, and writes into what is shared.
TEST(LongMemory, SharesRunsOfOneValue) {
  constexpr std::size_t kCount = 3'000'000;
  std::vector<std::uint32_t> expected(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool constant = (i > 777 && i < 900'001) || (i > 1'000'000 && i < 1'003'000) || i > 1'500'000;
    expected[i] = constant ? 0xABCDEF01 + static_cast<std::uint32_t>(i / 1'500'000) : static_cast<std::uint32_t>(i);
  }
  constexpr std::size_t kSize = kCount * sizeof(std::uint32_t);
  void* memory = new_memory(kSize);
  auto* values = static_cast<std::uint32_t*>(memory);
  std::copy(expected.begin(), expected.end(), values);
  const std::int64_t before = memory_in_use();
  share_repeated_values(memory, kSize, 4, sizeof *values);
  if (before != 0 && repeated_memory(std::as_bytes(std::span(values, 1)), kMega) != nullptr) {
    EXPECT_LT(memory_in_use(), before - static_cast<std::int64_t>(8 * kMega)) << "9.6 MB are constant";
  }
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), values));
  values[5'000] = expected[5'000] = 1;
  values[2'000'000] = expected[2'000'000] = 2;
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), values)) << "a write changes one place";
  memory = resize_memory(memory, kSize, kSize * 2);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), static_cast<std::uint32_t*>(memory)));
  delete_memory(memory, kSize * 2);
}

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
