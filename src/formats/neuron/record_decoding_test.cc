// The fast structures against slow ones, on random input.
#include "formats/neuron/record_decoding.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>

namespace sightline::formats::neuron {

namespace {

TEST(OpenStarts, AreFirstInFirstOutByKey) {
  std::mt19937_64 dice(3);
  OpenStarts fast(50 * 997);  // some of its pages are never used
  std::map<std::size_t, std::deque<std::int64_t>> slow;
  for (std::int64_t i = 1; i < 20'000; ++i) {
    const std::size_t key = dice() % 25 * 2 * 997;
    ASSERT_EQ(!fast.any_before(key, 30'000), slow[key].empty());
    if (slow[key].empty() || dice() % 2 == 0) {
      fast.push(key, {-i, i, 7});
      slow[key].push_back(i);
      continue;
    }
    ASSERT_EQ(fast.front(key).source, slow[key].front());
    ASSERT_EQ(fast.front(key).time, -slow[key].front());
    ASSERT_FALSE(fast.any_before(key, slow[key].front()));
    fast.pop(key);
    slow[key].pop_front();
  }
  std::vector<std::int64_t> left, expected;
  fast.for_each([&](std::size_t, const Start& start) { left.push_back(start.source); });
  for (const auto& [key, open] : slow) expected.insert(expected.end(), open.begin(), open.end());
  EXPECT_EQ(left, expected);
  EXPECT_FALSE(left.empty());
}

TEST(ClockReader, AgreesWithTheClock) {
  std::mt19937_64 dice(4);
  for (int round = 0; round < 200; ++round) {
    const auto number = [&](unsigned bits) { return dice() >> (64 - 1 - dice() % bits); };
    const Clock clock{.first = number(60), .actual = number(40), .expected = number(40)};
    const ClockReader reader(clock);
    std::uint64_t ticks = clock.first + number(58);
    for (int i = 0; i < 500; ++i) {
      const std::int64_t expected = clock.known() ? clock.picoseconds(ticks) : kUnknown;
      ASSERT_EQ(reader.picoseconds(ticks), expected)
          << clock.first << " " << clock.actual << " " << clock.expected << " " << ticks;
      ticks += dice() % 100 == 0 ? number(62) : static_cast<std::uint64_t>(static_cast<std::int64_t>(number(22)) - (1 << 20));
    }
  }
}

}  // namespace
}  // namespace sightline::formats::neuron
