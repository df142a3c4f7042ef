// Memory segments: what the allocator holds and how much of it is free, whether a request of a size would fit, and why one did
// not.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analyses/allocator/allocator_rules.h"
#include "analyses/allocator/live_stacks.h"
#include "analyses/allocator/memory_failures.h"
#include "analyses/allocator/memory_segment_tables.h"
#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

std::vector<Parameter> segments_parameters() {
  return {{"device", "Device", ParameterType::choice, "", {}, "The device whose memory is shown (default: the first)"},
          {"fit",
           "Would fit",
           ParameterType::text,
           "",
           {},
           "A size, such as 1.5GiB or 4096: whether a request of as many bytes would be served; empty is the last request that "
           "failed, "
           "or 1 GiB"},
          {"failure",
           "Failure",
           ParameterType::integer,
           "0",
           {},
           "Which failed request is explained, counted from 1; 0 is the last"}};
}

std::optional<Message> segments_unavailable(const Profile& profile) {
  if (profile.memory_segments.rows() > 0 || profile.memory_failures.rows() > 0) return std::nullopt;
  return "the file does not state the segments of the allocator: a memory snapshot does";
}

std::vector<StringId> devices_of(const Profile& profile) {
  std::map<std::string_view, StringId> names;
  for (const auto* column : {&profile.memory_segments.device_name, &profile.memory_failures.device_name}) {
    for (const StringId name : *column) names.emplace(profile.text(name), name);
  }
  std::vector<StringId> devices;
  for (const auto& [text, name] : names) devices.push_back(name);
  return devices;
}

Result<StringId> chosen_device(const Profile& profile, const std::string& wanted) {
  const std::vector<StringId> devices = devices_of(profile);
  if (wanted.empty()) return devices.front();
  std::string known;
  for (const StringId device : devices) {
    if (profile.text(device) == wanted) return device;
    known.append(known.empty() ? "" : ", ").append(profile.text(device));
  }
  return Error{ErrorCode::invalid_argument, say("no segments of a device '{}'; there are some of: {}", wanted, known), ""};
}

Parameter device_parameter(const Profile& profile, StringId device) {
  Parameter parameter = segments_parameters().front();
  parameter.value = profile.text(device);
  for (const StringId each : devices_of(profile))
    parameter.choices.push_back({std::string(profile.text(each)), Message::verbatim(profile.text(each))});
  return parameter;
}

// With the size that was judged.
Parameter fit_parameter(const std::string& given, std::int64_t size) {
  Parameter parameter = segments_parameters()[1];
  parameter.value = given.empty() ? std::to_string(size) : given;
  return parameter;
}

struct Sums {
  std::int64_t reserved = 0, allocated = 0, awaiting = 0, free = 0, largest_free = 0, free_blocks = 0;
};

Sums sums_of(const std::vector<SegmentGroup>& groups) {
  Sums sums;
  for (const SegmentGroup& group : groups) {
    sums.reserved += group.reserved;
    sums.allocated += group.allocated;
    sums.awaiting += group.awaiting;
    sums.free += group.free;
    sums.largest_free = std::max(sums.largest_free, group.largest_free);
    sums.free_blocks += group.free_blocks;
  }
  return sums;
}

// Bytes lost to rounding in blocks that are allocated; kUnknown if the file does not state what was requested.
std::int64_t lost_to_rounding(const Profile& profile, StringId device) {
  std::int64_t lost = 0;
  for (Row block = 0; block < profile.memory_blocks.rows(); ++block) {
    if (profile.memory_segments.device_name[profile.memory_blocks.segment[block]] != device) continue;
    if (profile.text(profile.memory_blocks.state[block]) != "allocated") continue;
    if (profile.memory_blocks.requested[block] == kUnknown) return kUnknown;
    lost += profile.memory_blocks.bytes[block] - profile.memory_blocks.requested[block];
  }
  return lost;
}

std::int64_t stated_active(const Profile& profile, StringId device) {
  std::int64_t sum = 0;
  for (Row segment = 0; segment < profile.memory_segments.rows(); ++segment) {
    if (profile.memory_segments.device_name[segment] != device) continue;
    if (profile.memory_segments.active[segment] == kUnknown) return kUnknown;
    sum += profile.memory_segments.active[segment];
  }
  return sum;
}

// Blocks that the file does not list are in no sum but the reserved bytes.
Panel facts_panel(const Profile& profile, StringId device, const std::vector<SegmentGroup>& groups) {
  const Sums sums = sums_of(groups);
  FactSheet sheet;
  const auto add = [&](Message label, std::int64_t value, Unit unit, Message doc) {
    sheet.facts.push_back({std::move(label), cell(value), unit, std::move(doc), "the file does not state it"});
  };
  add("Reserved", sums.reserved, Unit::bytes, "Bytes of all segments.");
  add("Allocated", sums.allocated, Unit::bytes, "Bytes of blocks that the program uses.");
  add("Awaiting free", sums.awaiting, Unit::bytes, "Bytes of blocks that the program released and a stream still uses.");
  add("Active, as stated", stated_active(profile, device), Unit::bytes,
      "What the file states of the segments: bytes that the program or a stream uses.");
  add("Free", sums.free, Unit::bytes, "Bytes of blocks that nothing uses; the allocator keeps them.");
  add("Largest free block", sums.largest_free, Unit::bytes, "No request above this size can be served without new memory.");
  add("Free blocks", sums.free_blocks, Unit::count, "Into how many blocks the free bytes are divided.");
  sheet.facts.push_back({"Fragmentation", cell(sums.free == 0 ? kUnknownNumber : 1 - quotient(sums.largest_free, sums.free)),
                         Unit::share, "1 - largest free block / free bytes: 0% if one block holds all that is free.",
                         "nothing is free"});
  add("In unused segments", unused_segments(profile, device), Unit::bytes,
      "Bytes of segments without a block in use: the allocator can give them back.");
  add("Lost to rounding", lost_to_rounding(profile, device), Unit::bytes, "Bytes of allocated blocks beyond what was requested.");
  Panel panel{.id = "summary", .title = "Segments at the end of the recording", .content = std::move(sheet)};
  if (sums.allocated + sums.awaiting + sums.free != sums.reserved) {
    panel.notes.push_back(
        {Note::Level::warning,
         say("The blocks that the file lists do not add up to the segments: {} are missing or too many.",
             bytes_words(static_cast<double>(std::abs(sums.reserved - sums.allocated - sums.awaiting - sums.free))))});
  }
  return panel;
}

// The size to judge: the parameter, else the last request that failed, else 1 GiB.
Result<std::int64_t> wanted_size(const Profile& profile, StringId device, const std::string& given) {
  if (!given.empty()) {
    if (const auto size = parse_size(given)) return *size;
    return Error{ErrorCode::invalid_argument, say("fit: '{}' is no size: write 4096, 200MiB or 1.5GiB", given), ""};
  }
  std::int64_t size = 1024 * kMiB;
  for (Row row = 0; row < profile.memory_failures.rows(); ++row) {
    const std::int64_t requested = profile.memory_failures.requested[row];
    if (profile.memory_failures.device_name[row] == device && requested > 0) size = requested;
  }
  return size;
}

Panel map_panel(std::size_t left_out) {
  Panel panel{.id = "map",
              .title = "Segment map",
              .content = GanttChart{.table = "blocks",
                                    .group = "group",
                                    .lane = "segment",
                                    .start = "offset",
                                    .length = "size",
                                    .label = "label",
                                    .hue = "hue"}};
  panel.doc = "Each row is a segment, each rectangle a block at its place in the segment.";
  panel.empty = "The file states no blocks.";
  if (left_out > 0)
    panel.notes.push_back(
        {Note::Level::info, say("Left out: blocks of {}, the smallest.",
                                count_words(static_cast<std::int64_t>(left_out), "{} segment", "{} segments"))});
  return panel;
}

Result<Report> run_segments(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Result<StringId> device = chosen_device(*profile, input.parameters.text("device"));
  if (!device) return device.error();
  const Result<std::int64_t> size = wanted_size(*profile, *device, input.parameters.text("fit"));
  if (!size) return size.error();
  Report report{.view = "memory_segments", .title = "Memory segments"};
  report.parameters = {device_parameter(*profile, *device), fit_parameter(input.parameters.text("fit"), *size)};
  const std::vector<SegmentGroup> groups = segment_groups(*profile, *device);
  std::int64_t segments = 0;
  for (const SegmentGroup& group : groups) segments += std::ssize(group.segments);
  report.scope = say("{} of {}", count_words(segments, "{} segment", "{} segments"), Message::verbatim(profile->text(*device)));
  if (const auto error = add_failure(report, input, *device)) return *error;
  if (groups.empty()) return report;
  report.panels.push_back(facts_panel(*profile, *device, groups));
  Panel fits =
      listed_panel("fits", "Would it fit",
                   say("There are no segments for requests of this size: the allocator would reserve {} from the device.",
                       bytes_words(static_cast<double>(new_segment_bytes(rounded_request(*size))))));
  fits.scope = Message::verbatim(bytes_words(static_cast<double>(*size)));
  fits.doc = "What the allocator would do with a request of this size.\nFormula: " + std::string(allocator_rules()) +
             "\nSource: the constants of PyTorch's caching allocator, and the blocks at the end of the recording";
  report.panels.push_back(std::move(fits));
  report.tables.push_back(fits_table(*profile, *device, groups, *size));
  report.panels.push_back(listed_panel("pools", "By stream and pool", "There are no segments."));
  report.tables.push_back(pools_table(*profile, groups));
  BlockMap map = block_map(*profile, groups);
  report.panels.push_back(map_panel(map.left_out));
  report.tables.push_back(std::move(map.table));
  report.panels.push_back(listed_panel("segments", "Segments", "There are no segments."));
  report.tables.push_back(segments_table(*profile, groups));
  return report;
}

std::vector<ReportTable> segments_tables() {
  std::vector<ReportTable> tables = blank_failure_tables();
  for (ReportTable& table : blank_segment_tables()) tables.push_back(std::move(table));
  return tables;
}

}  // namespace

Analysis memory_segments_analysis() {
  return {.id = "memory_segments",
          .title = "Memory segments",
          .group = ViewGroup::memory,
          .doc = "What the allocator holds, how fragmented it is, whether a request would fit, and why one failed.",
          .parameters = segments_parameters(),
          .unavailable = segments_unavailable,
          .run = run_segments,
          .tables = segments_tables};
}

}  // namespace sightline::analyses
