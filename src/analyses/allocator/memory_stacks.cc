// Memory by stack: which lines of the program hold the memory of a device at a moment, and which hold more after each step.
#include <algorithm>

#include "analyses/allocator/kept_memory.h"
#include "analyses/allocator/live_stacks.h"
#include "analyses/memory/memory_curve.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

std::vector<Parameter> stacks_parameters() {
  std::vector<Parameter> all = memory_parameters();
  all.push_back({"rows",
                 "Rows",
                 ParameterType::choice,
                 "line",
                 {{"line", "Lines of the program"}, {"stack", "Whole stacks"}},
                 "Whether blocks of different stacks with the same innermost line are one row"});
  return all;
}

std::optional<Message> stacks_unavailable(const Profile& profile) {
  if (profile.memory_events.rows() == 0) return "no allocations were recorded";
  if (profile.stacks.rows() > 0) return std::nullopt;
  return "the allocations were recorded without stacks: a memory snapshot has them if its history was recorded with stacks";
}

Message moment_words(const MemoryScope& scope) { return scope.at ? say("at {}", time_words(*scope.at)) : Message("at the peak"); }

Panel facts_panel(const MemoryScope& scope, const LiveMemory& live, const LiveStacks& stacks) {
  FactSheet sheet;
  const MemoryEvents& events = scope.profile->memory_events;
  std::int64_t known = 0, blocks = 0;
  for (const LiveSum& sum : stacks.by_stack) {
    known += sum.bytes;
    blocks += sum.blocks;
  }
  const auto add = [&](Message label, std::int64_t value, Unit unit, Message doc) {
    sheet.facts.push_back({std::move(label), value == kUnknown ? Cell{} : Cell{value}, unit, std::move(doc), {}});
  };
  add("Moment", events.time[live.moment], Unit::ns, "Time of the last event up to the moment, since the run's origin.");
  add("Allocated", stacks.all, Unit::bytes, "All memory allocated at that moment.");
  add("With a stack", known, Unit::bytes, "The part of it whose allocating stack was recorded.");
  add("Blocks with a stack", blocks, Unit::count, "How many blocks that is.");
  add("Allocated before recording", stacks.unknown.bytes + stacks.rest, Unit::bytes,
      "The part of it that was there before the recording and whose stack is unknown.");
  return {.id = "summary", .title = "Summary", .content = std::move(sheet)};
}

Panel curve_panel(const MemoryScope& scope, const LiveMemory& live) {
  LineChart chart{
      .table = "curve", .x = "time", .series = {"allocated"}, .step = true, .select = RangeSelect{"start", "end", "at"}};
  chart.marks.push_back({scope.profile->memory_events.time[live.moment], scope.at ? "at" : "peak"});
  return {.id = "curve", .title = "Memory over time", .content = std::move(chart)};
}

Panel flame_panel(const MemoryScope& scope, std::size_t frames) {
  Panel panel{.id = "flame",
              .title = "Live memory by stack",
              .content = FlameChart{.table = "frames", .label = "name", .value = "size", .parent = "parent"}};
  panel.scope = moment_words(scope);
  panel.doc = "Stacks of the blocks that were allocated at that moment, outermost frame first: width is bytes, not time.";
  panel.empty = "Nothing with a stack was allocated at that time.";
  if (frames >= kMostFrames)
    panel.notes.push_back({Note::Level::info, say("The {} frames that hold most are drawn.", kMostFrames)});
  return panel;
}

Panel kept_panel(const KeptPeriods& periods) {
  Panel panel =
      listed_panel("kept", "Leak suspects",
                   periods.begins.empty() ? "The recording is too short to tell." : "No line kept more memory after each step.");
  panel.scope = periods.are_steps ? count_words(std::ssize(periods.begins), "{} step", "{} steps")
                                  : Message("no steps were recorded: by tenths of the recording");
  panel.doc =
      "Lines that allocate, in two or more steps after the first, memory that is still there at the end of the recording, at "
      "least two steps later. A cache that grows to its limit looks the same.";
  return panel;
}

Result<Report> run_stacks(const AnalysisInput& input) {
  const auto scope = memory_scope(input.profiles.front(), input.parameters);
  if (!scope) return scope.error();
  Report report{.view = "memory_stacks", .title = "Memory by stack"};
  report.parameters = {device_parameter(*scope), step_parameter(scope->profile, input.parameters)};
  report.scope = say("{}, {}", Message::verbatim(scope->device_name()), moment_words(*scope));
  const LiveMemory live = live_memory(*scope, memory_peaks(*scope));
  if (!live.known) {
    report.notes.push_back({Note::Level::warning,
                            "What was allocated is not known at that moment: nothing was recorded up to it, or "
                            "the file lacks addresses or totals."});
    return report;
  }
  const Profile& profile = *scope->profile;
  const LiveStacks stacks = live_stacks(*scope, live);
  report.tables = {memory_curve(*scope), frames_table(profile, stacks),
                   stacks_table(profile, stacks, input.parameters.text("rows") == "stack")};
  const MemoryJudge judge(*scope);
  report.tables.push_back(category_table(*scope, memory_blocks(*scope), live, judge));
  const KeptPeriods periods = kept_periods(profile);
  report.tables.push_back(kept_table(*scope, periods));
  report.panels = {facts_panel(*scope, live, stacks), curve_panel(*scope, live), flame_panel(*scope, report.tables[1].rows()),
                   listed_panel("live_stacks", "Live memory by line", "Nothing was allocated at that time.")};
  report.panels.back().scope = moment_words(*scope);
  Panel categories = listed_panel("categories", "Memory by category", "Nothing was allocated or released here.");
  categories.doc = "An estimate by rules: a recording does not say what a block was used for.\nFormula: " + category_rules();
  report.panels.push_back(std::move(categories));
  report.panels.push_back(kept_panel(periods));
  return report;
}

std::vector<ReportTable> stacks_tables() {
  return {blank_memory_curve(), blank_frames_table(), blank_stacks_table(), blank_category_table(), blank_kept_table()};
}

}  // namespace

Analysis memory_stacks_analysis() {
  return {.id = "memory_stacks",
          .title = "Memory by stack",
          .group = ViewGroup::memory,
          .doc =
              "Which lines of the program hold the memory of a device, at its peak or at any moment, and which hold more after "
              "each step.",
          .parameters = stacks_parameters(),
          .unavailable = stacks_unavailable,
          .run = run_stacks,
          .tables = stacks_tables};
}

}  // namespace sightline::analyses
