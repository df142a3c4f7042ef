// Kernels in ranges of lengths.
#include "analyses/kernels/kernel_lengths.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/length_ranges.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

struct LengthRange {
  std::size_t number = 0;
  std::int64_t calls = 0;
  Time time = 0;
};

struct AllLengths {
  std::int64_t calls = 0;
  Time time = 0;
};

TableOf<LengthRange, AllLengths> lengths() {
  constexpr std::string_view kKernels = "start and end of the kernels in scope";
  TableOf<LengthRange, AllLengths> table({.key = "lengths", .title = "Kernels by length"});
  table.add(words_column("length", "Length", "How long a kernel runs; the end of a range is not part of it")
                .with_role(ColumnRole::label),
            [](const LengthRange& range) { return length_range_words(range.number); });
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
  std::vector<LengthRange> ranges(kLengthRanges);
  AllLengths all;
  for (std::size_t i = 0; i < kLengthRanges; ++i) ranges[i].number = i;
  for (const Row work : kernels) {
    const Time duration = profile.slices.duration[profile.device_work.slice[work]];
    LengthRange& range = ranges[length_range(duration)];
    ++range.calls;
    ++all.calls;
    range.time += duration;
    all.time += duration;
  }
  return lengths().of(all, within_used(std::move(ranges), [](const LengthRange& range) { return range.calls > 0; }));
}

ReportTable blank_length_table() { return lengths().blank(); }

}  // namespace sightline::analyses
