#include "analyses/allocator/memory_failures.h"

#include <algorithm>

#include "analyses/allocator/allocator_rules.h"
#include "analyses/allocator/live_stacks.h"
#include "analyses/columns.h"
#include "analyses/memory/memory_curve.h"
#include "analyses/memory/memory_records.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kFailureSource = "the allocator's record of the failure";

TableOf<Row, Profile> failure_columns() {
  TableOf<Row, Profile> table({.key = "failures", .title = "Failed requests", .sort_column = "time", .sort_descending = false});
  const auto add = [&](std::string_view key, Message title, Unit unit, const MetricDoc& doc,
                       const Column<std::int64_t> MemoryFailures::*column) {
    table.add(integer_column(key, title, unit, doc).with_unknown("the file does not state it"),
              [column](const Profile& profile, Row row) { return (profile.memory_failures.*column)[row]; });
  };
  table.add(label_column("line", "Requested at", "The innermost line of the user's program").with_unknown("no stack recorded"),
            [](const Profile& profile, Row row) {
              const Row stack = profile.memory_failures.stack[row];
              return stack == kNoRow ? std::string() : frame_words(profile, user_frame(profile, stack));
            });
  add("time", "Time", Unit::ns, {"When, since the run's origin.", "time of the failure", kFailureSource, kNew},
      &MemoryFailures::time);
  add("requested", "Requested", Unit::bytes, {"Bytes requested.", "size of the request", kFailureSource, kNew},
      &MemoryFailures::requested);
  add("device_free", "Free on the device", Unit::bytes,
      {"Bytes of the device that no process used.", "as the device stated", kFailureSource, kNew}, &MemoryFailures::device_free);
  add("stream", "Stream", Unit::id, {"Stream of the request", "", ""}, &MemoryFailures::stream);
  table.add(code_column("stack", "Call stack", "Frames, outermost last, joined by ;").hide(),
            [](const Profile& profile, Row row) { return stack_words(profile, profile.memory_failures.stack[row]); });
  return table;
}

std::vector<Row> failures_of(const Profile& profile, StringId device) {
  std::vector<Row> rows;
  for (Row row = 0; row < profile.memory_failures.rows(); ++row) {
    if (profile.memory_failures.device_name[row] == device) rows.push_back(row);
  }
  return rows;
}

// The device's events up to the failure, and what was live then.
struct Held {
  MemoryScope scope;
  LiveMemory live;
};

std::optional<Held> held_at(const ProfilePtr& profile, StringId device, Time time) {
  MemoryScope scope{.profile = profile, .tree = host_tree(profile), .records = memory_records(profile)};
  const auto& devices = scope.records->devices;
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const MemoryDevice& each) { return each.name == device; });
  if (found == devices.end()) return std::nullopt;
  scope.device = static_cast<std::size_t>(found - devices.begin());
  scope.at = time;
  Held held{std::move(scope), {}};
  held.live = live_memory(held.scope, MemoryPeaks{});
  if (!held.live.known) return std::nullopt;
  return held;
}

Message verdict(std::int64_t requested, std::int64_t unused) {
  if (requested == kUnknown || unused == kUnknown) return {};
  const std::string idle = bytes_words(static_cast<double>(unused));
  if (unused >= requested) {
    return say(
        "Fragmentation: {} that the allocator held were not allocated, more than the request, but in no free block that is large "
        "enough and of the right stream and pool.",
        idle);
  }
  return say("Too much was allocated: the allocator held {} that were not allocated, less than the request.", idle);
}

Panel facts_panel(const Profile& profile, Row failure, const Held* held) {
  const MemoryFailures& failures = profile.memory_failures;
  const MemoryEvents& events = profile.memory_events;
  const auto total = [&](const Column<std::int64_t>& column) { return held == nullptr ? kUnknown : column[held->live.moment]; };
  const std::int64_t allocated = total(events.total_allocated), reserved = total(events.total_reserved);
  const std::int64_t unused = allocated == kUnknown || reserved == kUnknown ? kUnknown : reserved - allocated;
  const std::int64_t requested = failures.requested[failure];
  FactSheet sheet;
  const auto add = [&](Message label, std::int64_t value, Unit unit, Message doc) {
    sheet.facts.push_back({std::move(label), cell(value), unit, std::move(doc), "the file does not state it"});
  };
  add("Failed at", failures.time[failure], Unit::ns, "When, since the run's origin.");
  add("Requested", requested, Unit::bytes, "Bytes requested.");
  add("Rounded", requested == kUnknown || requested <= 0 ? kUnknown : rounded_request(requested), Unit::bytes,
      "What the allocator looked for.");
  add("Free on the device", failures.device_free[failure], Unit::bytes, "Bytes of the device that no process used.");
  add("Allocated", allocated, Unit::bytes, "All that was allocated at that moment.");
  add("Reserved", reserved, Unit::bytes, "All that the allocator held at that moment.");
  add("Reserved, not allocated", unused, Unit::bytes, "Reserved - allocated: kept for reuse, or too fragmented to be used.");
  Panel panel{.id = "failure", .title = "Out of memory", .content = std::move(sheet)};
  if (Message words = verdict(requested, unused); !words.empty()) panel.notes.push_back({Note::Level::warning, std::move(words)});
  return panel;
}

}  // namespace

std::vector<ReportTable> blank_failure_tables() { return {failure_columns().blank(), blank_stacks_table()}; }

std::optional<Error> add_failure(Report& report, const AnalysisInput& input, StringId device) {
  const ProfilePtr& profile = input.profiles.front();
  const std::vector<Row> failures = failures_of(*profile, device);
  const std::int64_t wanted = input.parameters.integer("failure");
  if (wanted < 0 || wanted > std::ssize(failures)) {
    return Error{ErrorCode::invalid_argument, say("failure: there is no failure {}; there are {}", wanted, std::ssize(failures)),
                 ""};
  }
  if (failures.empty()) return std::nullopt;
  const Row failure = failures[static_cast<std::size_t>(wanted == 0 ? std::ssize(failures) : wanted) - 1];
  const std::optional<Held> held = held_at(profile, device, profile->memory_failures.time[failure]);
  report.panels.push_back(facts_panel(*profile, failure, held ? &*held : nullptr));
  if (held) {
    Panel holders = listed_panel("live_stacks", "What held the memory");
    holders.empty = "Nothing was allocated at that time.";
    report.panels.push_back(std::move(holders));
    report.tables.push_back(stacks_table(*profile, live_stacks(held->scope, held->live), false));
  }
  report.panels.push_back(listed_panel("failures", "Failed requests"));
  report.tables.push_back(failure_columns().of(*profile, failures));
  return std::nullopt;
}

}  // namespace sightline::analyses
