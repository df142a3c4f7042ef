// Metadata: what the file says about itself, and what was made of it: processes, devices, lanes, columns.
#include "analyses/columns.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline {

namespace {

std::string_view lane_kind_name(LaneKind kind) {
  switch (kind) {
    case LaneKind::host_thread: return "host thread";
    case LaneKind::device_stream: return "device stream";
    case LaneKind::engine: return "engine";
    case LaneKind::queue: return "queue";
    case LaneKind::counter: return "counter";
    case LaneKind::other: return "other";
  }
  return "other";
}

ReportColumn plain_integer(std::string_view key, Message title, Unit unit, Message doc) {
  return integer_column(key, title, unit, {doc, "", ""});
}

ReportTable metadata_table(const Profile& profile) {
  ReportTable table{.key = "metadata", .title = "File metadata"};
  table.columns = {label_column("key", "Key", "Member of the file"), code_column("value", "Value", "Its value as text"),
                   text_column("section", "Section", "Section of the file: the part of the name before the first point")};
  for (Row i = 0; i < profile.metadata.rows(); ++i) {
    const std::string_view key = profile.text(profile.metadata.key[i]);
    const std::size_t point = key.find('.');
    table.add_row({cell(key), cell(profile.text(profile.metadata.value[i])),
                   cell(point == std::string_view::npos ? std::string_view{} : key.substr(0, point))});
  }
  return table;
}

ReportTable processes_table(const Profile& profile) {
  ReportTable table{.key = "processes", .title = "Processes"};
  table.columns = {label_column("pid", "Process", "Process id as the file writes it"),
                   text_column("name", "Name", "Process name"), text_column("label", "Label", "Its name in the file")};
  for (Row i = 0; i < profile.processes.rows(); ++i) {
    table.add_row({cell(profile.text(profile.processes.pid[i])), cell(profile.text(profile.processes.name[i])),
                   cell(profile.text(profile.processes.label[i]))});
  }
  return table;
}

ReportTable devices_table(const Profile& profile) {
  const Devices& devices = profile.devices;
  ReportTable table{.key = "devices", .title = "Devices"};
  table.columns = {
      plain_integer("device", "Device", Unit::id, "Device number within the worker"),
      text_column("name", "Name", "Product name"),
      plain_integer("memory", "Memory", Unit::bytes, "Device memory"),
      plain_integer("compute_major", "Capability, major", Unit::none, "Compute capability, major"),
      plain_integer("compute_minor", "Capability, minor", Unit::none, "Compute capability, minor"),
      plain_integer("cores", "Cores", Unit::count, "Multiprocessors or compute units"),
      plain_integer("threads_per_core", "Threads per core", Unit::count, "Most threads resident on one core"),
      plain_integer("warp_size", "Warp size", Unit::count, "Threads that issue together"),
      real_column("clock", "Clock", Unit::hertz, {"Cycles a second of its cores", "", ""}),
      real_column("peak_flops", "Peak operations", Unit::flops_per_second, {"Most floating-point operations a second", "", ""}),
      real_column("peak_bandwidth", "Peak bandwidth", Unit::bytes_per_second, {"Most bytes a second of its memory", "", ""}),
      text_column("peak_source", "Peaks come from", "The file, or a table of the hardware")};
  table.columns.front().role = ColumnRole::label;
  for (Row i = 0; i < devices.rows(); ++i) {
    table.add_row({cell(devices.ordinal[i]), cell(profile.text(devices.name[i])), cell(devices.memory[i]),
                   cell(devices.compute_major[i]), cell(devices.compute_minor[i]), cell(devices.cores[i]),
                   cell(devices.threads_per_core[i]), cell(devices.warp_size[i]), cell(devices.clock[i]),
                   cell(devices.peak_flops[i]), cell(devices.peak_bandwidth[i]), cell(profile.text(devices.peak_source[i]))});
  }
  return table;
}

ReportTable lanes_table(const Profile& profile) {
  const Lanes& lanes = profile.lanes;
  ReportTable table{.key = "lanes", .title = "Lanes"};
  table.columns = {label_column("name", "Name", "Thread or stream name"),
                   words_column("kind", "Kind", "What its row of the timeline shows"),
                   text_column("process", "Process", "Process id as the file writes it"),
                   plain_integer("device", "Device", Unit::id, "Device number, for device lanes"),
                   code_column("track", "Track", "Thread or stream id as the file writes it"),
                   plain_integer("slices", "Slices", Unit::count, "Slices on it"),
                   plain_integer("relieves", "Overflow of", Unit::id, "Row of the lane whose overlapping slices it took")};
  for (Row i = 0; i < lanes.rows(); ++i) {
    const Row process = lanes.process[i];
    const Row base = lanes.overflow_of[i];
    table.add_row({cell(profile.text(lanes.name[i])), cell(lane_kind_name(lanes.kind[i])),
                   process == kNoRow ? Cell{} : cell(profile.text(profile.processes.pid[process])), cell(lanes.device[i]),
                   cell(profile.text(lanes.track[i])), Cell{static_cast<std::int64_t>(lanes.last[i] - lanes.first[i])},
                   base == kNoRow ? Cell{} : Cell{static_cast<std::int64_t>(base)}});
  }
  return table;
}

template <typename T>
std::int64_t bytes_of(const Column<T>& column) {
  return static_cast<std::int64_t>(column.size() * sizeof(T));
}

ReportTable columns_table(const Profile& profile) {
  ReportTable table{.key = "columns", .title = "Tables in memory"};
  table.columns = {label_column("table", "Table", "Table of the profile"),
                   plain_integer("columns", "Columns", Unit::count, "Columns it has"),
                   plain_integer("rows", "Rows", Unit::count, "Rows it has"),
                   plain_integer("bytes", "Bytes", Unit::bytes, "Bytes of its columns in memory")};
  table.sort_column = "bytes";
  Profile::visit_tables(profile, [&](const auto& each) {
    std::int64_t columns = 0;
    std::int64_t bytes = 0;
    each.for_each_column([&](const ColumnInfo&, const auto& column) {
      ++columns;
      bytes += bytes_of(column);
    });
    table.add_row({cell(std::string_view(each.kName)), Cell{columns}, Cell{static_cast<std::int64_t>(each.rows())}, Cell{bytes}});
  });
  table.add_row({cell(std::string_view("strings")), Cell{std::int64_t{1}},
                 Cell{static_cast<std::int64_t>(profile.strings.size())},
                 Cell{static_cast<std::int64_t>(profile.strings.bytes())}});
  return table;
}

Panel facts_panel(const Profile& profile) {
  Panel panel{.kind = PanelKind::facts, .id = "file", .title = "File"};
  const bool dated = profile.origin_unix_ns != kUnknown;
  panel.facts = {{"File", cell(std::string_view(profile.file)), Unit::none, "What was read", ""},
                 {"Format", cell(std::string_view(profile.format)), Unit::none, "The reader that read it", ""},
                 {"Origin", dated ? Cell{unix_time_words(profile.origin_unix_ns)} : Cell{}, Unit::none, "Time 0 of this profile",
                  "the file does not say"},
                 {"Start", Cell{profile.span_start}, Unit::ns, "Start of the recording, since the origin", ""},
                 {"Length", Cell{profile.span_end - profile.span_start}, Unit::ns, "Length of the recording", ""},
                 {"Events", Cell{profile.events}, Unit::count, "Events of the file, of any kind", ""},
                 {"Rank", cell(profile.rank), Unit::id, "Index of this worker in the job", "the file does not say"},
                 {"World size", cell(profile.world_size), Unit::count, "Workers of the job", "the file does not say"}};
  return panel;
}

Result<Report> run_metadata(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  Report report{.view = "metadata", .title = "Metadata"};
  report.scope = profile.file;
  report.tables = {metadata_table(profile), processes_table(profile), devices_table(profile), lanes_table(profile),
                   columns_table(profile)};
  report.panels.push_back(facts_panel(profile));
  for (const ReportTable& table : report.tables) {
    Panel panel{.kind = PanelKind::table, .id = table.key, .title = table.title, .table = table.key};
    panel.empty = "The file has none.";
    report.panels.push_back(std::move(panel));
  }
  return report;
}

std::optional<std::string> metadata_unavailable(const Profile&) { return std::nullopt; }

}  // namespace

Analysis metadata_analysis() {
  return {.id = "metadata",
          .title = "Metadata",
          .group = ViewGroup::data,
          .doc = "Metadata of the file, and the tables that were read from it.",
          .parameters = {},
          .unavailable = metadata_unavailable,
          .run = run_metadata,
          .tables = nullptr};
}

}  // namespace sightline
