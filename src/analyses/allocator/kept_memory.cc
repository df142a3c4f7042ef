#include "analyses/allocator/kept_memory.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kTenths = 10;

struct KeptLine {
  Row frame = kNoRow;
  Row stack = kNoRow;                 // of the last of its blocks
  std::vector<std::int64_t> bytes{};  // by period: allocated in it and never released
  std::int64_t blocks = 0, total = 0;

  std::int64_t periods() const {
    return std::count_if(bytes.begin(), bytes.end(), [](std::int64_t of) { return of > 0; });
  }
};

struct KeptContext {
  const Profile* profile;
  std::int64_t periods;  // in which blocks count
};

TableOf<KeptLine, KeptContext> kept_columns() {
  TableOf<KeptLine, KeptContext> table({.key = "kept", .title = "Leak suspects", .sort_column = "per_period"});
  constexpr std::string_view kKeptSource = "the allocator's events with their stacks";
  table.add(label_column("line", "Allocated at",
                         "The innermost line of the user's program; of a stack without one, the innermost frame"),
            [](const KeptContext& of, const KeptLine& line) { return frame_words(*of.profile, line.frame); });
  table.add(integer_column("per_period", "Growth", Unit::bytes,
                           {"By how much it grows in a step, or in a tenth of the recording.",
                            "size / number of the steps, or tenths, that are counted: all but the first and the last two",
                            kKeptSource, kNew}),
            [](const KeptContext& of, const KeptLine& line) { return of.periods > 0 ? line.total / of.periods : kUnknown; });
  table.add(integer_column("periods", "Grew in", Unit::count,
                           {"In how many of these steps, or tenths.", "number of them in which it allocated some of this memory",
                            kKeptSource, kNew})
                .with_sums(false),
            [](const KeptContext&, const KeptLine& line) { return line.periods(); });
  table.add(integer_column("size", "Size", Unit::bytes,
                           {"Memory that it allocated in these steps, and that is never released.",
                            "sum of the bytes of these blocks", kKeptSource, kNew}),
            [](const KeptContext&, const KeptLine& line) { return line.total; });
  table.add(
      integer_column("blocks", "Blocks", Unit::count, {"How many blocks that is.", "number of these blocks", kKeptSource, kNew}),
      [](const KeptContext&, const KeptLine& line) { return line.blocks; });
  table.add(code_column("stack", "Call stack", "Frames of the last of these blocks, outermost last, joined by ;").hide(),
            [](const KeptContext& of, const KeptLine& line) { return stack_words(*of.profile, line.stack); });
  return table;
}

std::size_t period_of(const KeptPeriods& periods, Time time) {
  const auto after = std::upper_bound(periods.begins.begin(), periods.begins.end(), time);
  return after == periods.begins.begin() ? 0 : static_cast<std::size_t>(after - periods.begins.begin()) - 1;
}

}  // namespace

KeptPeriods kept_periods(const Profile& profile) {
  KeptPeriods periods{.begins = {}, .end = profile.span_end, .are_steps = profile.steps.rows() >= 4};
  if (periods.are_steps) {
    periods.begins.assign(profile.steps.start.begin(), profile.steps.start.end());
    return periods;
  }
  const Time length = profile.span_end - profile.span_start;
  for (std::size_t i = 0; i < kTenths && length >= static_cast<Time>(kTenths); ++i)
    periods.begins.push_back(profile.span_start + length / static_cast<Time>(kTenths) * static_cast<Time>(i));
  return periods;
}

ReportTable blank_kept_table() { return kept_columns().blank(); }

ReportTable kept_table(const MemoryScope& scope, const KeptPeriods& periods) {
  const Profile& p = *scope.profile;
  const std::size_t counted = periods.begins.size() > 3 ? periods.begins.size() - 3 : 0;
  std::map<std::tuple<StringId, StringId, std::int64_t>, KeptLine> lines;
  for (Row event = 0; event < p.memory_events.rows() && counted > 0; ++event) {
    const Row stack = p.memory_events.stack[event];
    if (scope.records->device[event] != scope.device || !allocates(p, event) || stack == kNoRow) continue;
    if (scope.records->partner[event] != kNoRow) continue;
    const std::size_t period = period_of(periods, p.memory_events.time[event]);
    if (period == 0 || period > counted) continue;
    const Row frame = user_frame(p, stack);
    KeptLine& line = lines[{p.stacks.name[frame], p.stacks.file[frame], p.stacks.line[frame]}];
    line.frame = frame;
    line.stack = stack;
    line.bytes.resize(counted);
    line.bytes[period - 1] += p.memory_events.bytes[event];
    line.total += p.memory_events.bytes[event];
    ++line.blocks;
  }
  std::vector<KeptLine> rows;
  for (auto& [place, line] : lines) {
    if (line.periods() >= 2) rows.push_back(std::move(line));
  }
  sort_down(rows, &KeptLine::total);
  return kept_columns().of({&p, static_cast<std::int64_t>(counted)}, rows);
}

}  // namespace sightline::analyses
