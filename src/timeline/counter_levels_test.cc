// CounterLevels against a scan, on random step functions and windows.
#include "timeline/counter_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sightline::timeline {

namespace {

std::vector<CounterEntry> scan(const std::vector<Time>& time, const std::vector<double>& value, const Window& w) {
  std::vector<CounterEntry> entries;
  Time open = -1;
  for (std::size_t i = 0; i < time.size() && time[i] < w.end; ++i) {
    if (time[i] < w.start) {
      entries.assign(1, {time[i], value[i], value[i], value[i]});
      continue;
    }
    const Time pixel = (time[i] - w.start) / w.pixel;
    if (pixel != open) entries.push_back({time[i], value[i], value[i], value[i]});
    open = pixel;
    CounterEntry& entry = entries.back();
    if (!(entry.least <= value[i]) && !std::isnan(value[i])) entry.least = value[i];
    if (!(entry.most >= value[i]) && !std::isnan(value[i])) entry.most = value[i];
    entry.last = value[i];
  }
  return entries;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(CounterLevels, EqualsAScanOnRandomFunctionsAndWindows) {
  std::mt19937_64 random(7);
  std::size_t compared = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<Time> time;
    std::vector<double> value;
    Time now = -50;
    for (std::size_t n = random() % 6000; n > 0; --n) {
      time.push_back(now);
      value.push_back(random() % 20 == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(random() % 1000) - 500);
      now += 1 + static_cast<Time>(random() % (random() % 5 == 0 ? 1000 : 4));
    }
    const CounterLevels levels(time, value);
    for (int q = 0; q < 40; ++q) {
      Window w;
      w.start = static_cast<Time>(random() % static_cast<std::uint64_t>(now + 200)) - 100;
      w.end = w.start + 1 + static_cast<Time>(random() % static_cast<std::uint64_t>(now + 200));
      w.pixel = 1 + static_cast<Time>(random() % (random() % 2 == 0 ? 5 : 30000));
      std::vector<CounterEntry> entries;
      levels.query(w, entries);
      const std::vector<CounterEntry> expected = scan(time, value, w);
      ASSERT_EQ(entries.size(), expected.size());
      for (std::size_t i = 0; i < entries.size(); ++i) {
        EXPECT_EQ(entries[i].time, expected[i].time);
        EXPECT_TRUE(same(entries[i].least, expected[i].least) && same(entries[i].most, expected[i].most) &&
                    same(entries[i].last, expected[i].last));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10'000u);
}

}  // namespace
}  // namespace sightline::timeline
