// LevelOfDetail and CounterLevels against a scan, on random rows, functions and windows.
#include "timeline/level_of_detail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace sightline::timeline {

namespace {

// The slow oracle: the definition of query, slice by slice.
std::vector<Mark> scan(const Slices& s, const Window& w) {
  std::vector<Mark> marks;
  Time open_pixel = -1;  // the pixel of the last mark of short slices, while it may still grow
  for (Row i = 0; i < s.rows(); ++i) {
    const Time end = s.start[i] + s.duration[i];
    const bool touches = s.start[i] < w.end && (s.start[i] >= w.start || end > w.start);
    if (!touches) continue;
    const Time pixel = s.start[i] < w.start ? -1 : (s.start[i] - w.start) / w.pixel;
    const bool alone = s.duration[i] >= w.pixel || pixel < 0;
    if (!alone && pixel == open_pixel) {
      Mark& mark = marks.back();
      mark.end = end;
      mark.busy += s.duration[i];
      mark.count += 1;
      if (s.duration[i] > s.duration[mark.longest]) mark.longest = i;
      mark.name = s.name[mark.longest];
      mark.kind = s.kind[mark.longest];
    } else {
      marks.push_back({s.start[i], end, s.duration[i], i, 1, s.name[i], s.kind[i]});
    }
    open_pixel = alone ? -1 : pixel;
  }
  return marks;
}

TEST(LevelOfDetail, EqualsAScanOnRandomRowsAndWindows) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 120; ++round) {
    Slices s;
    Time now = round % 3 == 0 ? -5000 : 0;
    const std::size_t n = random() % (round % 4 == 0 ? 60'000 : 3000);
    for (std::size_t i = 0; i < n; ++i) {
      now += static_cast<Time>(random() % (random() % 5 == 0 ? 1000 : 4));
      if (round % 5 == 0 && random() % 1000 == 0) now += 10'000'000;  // clusters far apart
      const Time duration = static_cast<Time>(random() % (random() % 40 == 0 ? 5000 : 12));
      s.start.push_back(now);
      s.duration.push_back(duration);
      s.name.push_back(static_cast<StringId>(random() % 9));
      s.kind.push_back(static_cast<SliceKind>(random() % 5));
      now += duration;
    }
    std::vector<Row> rows(n);
    std::iota(rows.begin(), rows.end(), 0u);
    const LevelOfDetail lod(s, rows);
    for (int q = 0; q < 60; ++q) {
      Window w;
      const auto extent = static_cast<std::uint64_t>(now + 6000);
      w.start = static_cast<Time>(random() % extent) - 5100;
      w.end = w.start + 1 + static_cast<Time>(random() % (q % 3 == 0 ? extent : extent / 50 + 1));
      w.pixel = 1 + static_cast<Time>(random() % (std::uint64_t{1} << random() % 24));
      w = aligned(w);
      std::vector<Mark> marks;
      lod.query(w, marks);
      ASSERT_EQ(marks, scan(s, w)) << "round " << round << " window " << w.start << ".." << w.end << " / " << w.pixel;
    }
  }
}

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
