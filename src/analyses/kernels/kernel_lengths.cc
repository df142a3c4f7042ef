// Ranges of lengths grow by 1, 2, 5, 10, as on a logarithmic axis.
#include "analyses/kernels/kernel_lengths.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

// Where the ranges begin, in ns; the last has no end.
constexpr Time kLengthsFrom[] = {0,       1'000,   2'000,   5'000,     10'000,    20'000,    50'000,
                                 100'000, 200'000, 500'000, 1'000'000, 2'000'000, 5'000'000, 10'000'000};
constexpr std::size_t kLengths = std::size(kLengthsFrom);

struct LengthRange {
  std::size_t number = 0;
  std::int64_t calls = 0;
  Time time = 0;
};

struct AllLengths {
  std::int64_t calls = 0;
  Time time = 0;
};

Message range_words(const LengthRange& range) {
  constexpr Time kMicrosecond = 1'000, kMillisecond = 1'000'000;
  const auto words = [](Time time) {
    return time < kMillisecond ? std::to_string(time / kMicrosecond) + " \u00b5s" : std::to_string(time / kMillisecond) + " ms";
  };
  const Time from = kLengthsFrom[range.number];
  if (range.number == 0) return say("under {}", words(kLengthsFrom[1]));
  if (range.number + 1 == kLengths) return say("{} and more", words(from));
  return say("{} to {}", words(from), words(kLengthsFrom[range.number + 1]));
}

TableOf<LengthRange, AllLengths> lengths() {
  constexpr std::string_view kKernels = "start and end of the kernels in scope";
  TableOf<LengthRange, AllLengths> table({.key = "lengths", .title = "Kernels by length"});
  table.add(words_column("length", "Length", "How long a kernel runs; the end of a range is not part of it")
                .with_role(ColumnRole::label),
            range_words);
  table.add(integer_column("calls", "Calls", Unit::count, {"How many are this long.", "number of kernels", kKernels, kNew}),
            &LengthRange::calls);
  table.add(real_column("calls_share", "Share of calls", Unit::share,
                        {"Share of all kernels in scope.", "calls / sum of calls", kKernels, kNew}),
            [](const AllLengths& all, const LengthRange& range) { return quotient(range.calls, all.calls); });
  table.add(integer_column("time", "Time", Unit::ns, {"Their time.", "sum of durations", kKernels, kNew}).with_bar("share"),
            &LengthRange::time);
  table.add(real_column("share", "Share of time", Unit::share,
                        {"Share of the time of all kernels in scope.", "time / sum of times", kKernels, kNew}),
            [](const AllLengths& all, const LengthRange& range) { return quotient(range.time, all.time); });
  return table;
}

}  // namespace

ReportTable length_table(const Profile& profile, const std::vector<Row>& kernels) {
  std::vector<LengthRange> ranges(kLengths);
  AllLengths all;
  for (std::size_t i = 0; i < kLengths; ++i) ranges[i].number = i;
  for (const Row work : kernels) {
    const Time duration = profile.slices.duration[profile.device_work.slice[work]];
    const auto* after = std::upper_bound(std::begin(kLengthsFrom), std::end(kLengthsFrom), duration);
    LengthRange& range = ranges[static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, after - std::begin(kLengthsFrom)) - 1)];
    ++range.calls;
    ++all.calls;
    range.time += duration;
    all.time += duration;
  }
  const auto is_used = [](const LengthRange& range) { return range.calls > 0; };
  const auto first = std::find_if(ranges.begin(), ranges.end(), is_used);
  const auto last = std::find_if(ranges.rbegin(), ranges.rend(), is_used).base();
  return lengths().of(all, first == ranges.end() ? std::vector<LengthRange>{} : std::vector<LengthRange>(first, last));
}

ReportTable blank_length_table() { return lengths().blank(); }

}  // namespace sightline::analyses
