// Metadata and problems: what the file says about itself, what was read from it (processes, devices, lanes, columns), what was
// wrong with it, and how that was handled.
#include "analyses/columns.h"
#include "analyses/costs/cost_sums.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

// ---- metadata ----

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

// Rows of one of the profile's tables.
using ProfileRows = TableOf<Row, Profile>;

// The value of a row in a column of the profile's table.
template <typename Table, typename Values>
auto value_in(Table Profile::*table, Values Table::*values) {
  return [=](const Profile& profile, Row row) { return (profile.*table.*values)[row]; };
}

// The part of the name before the first point.
std::string_view section_of(const Profile& profile, Row row) {
  const std::string_view key = profile.text(profile.metadata.key[row]);
  return key.substr(0, key.find('.') == std::string_view::npos ? 0 : key.find('.'));
}

ReportTable metadata_table(const Profile& profile) {
  ProfileRows table({.key = "metadata", .title = "File metadata"});
  table.add(label_column("key", "Key", "Name of the entry in the file"), value_in(&Profile::metadata, &Metadata::key));
  table.add(code_column("value", "Value", "Its value as text"), value_in(&Profile::metadata, &Metadata::value));
  table.add(text_column("section", "Section", "Section of the file: the part of the name before the first point"), section_of);
  return table.of(profile, all_rows(profile.metadata.rows()));
}

ReportTable processes_table(const Profile& profile) {
  ProfileRows table({.key = "processes", .title = "Processes"});
  table.add(label_column("pid", "Process", "Process id as the file writes it"), value_in(&Profile::processes, &Processes::pid));
  table.add(text_column("name", "Name", "Process name"), value_in(&Profile::processes, &Processes::name));
  table.add(text_column("label", "Label", "Its name in the file"), value_in(&Profile::processes, &Processes::label));
  return table.of(profile, all_rows(profile.processes.rows()));
}

ReportTable devices_table(const Profile& profile) {
  ProfileRows table({.key = "devices", .title = "Devices"});
  const auto add = [&](ReportColumn column, auto Devices::*values) {
    table.add(std::move(column), value_in(&Profile::devices, values));
  };
  add(plain_integer("device", "Device", Unit::id, "Device number within the worker").with_role(ColumnRole::label),
      &Devices::ordinal);
  add(text_column("name", "Name", "Product name"), &Devices::name);
  add(plain_integer("memory", "Memory", Unit::bytes, "Device memory"), &Devices::memory);
  add(plain_integer("compute_major", "Capability, major", Unit::none, "Compute capability, major"), &Devices::compute_major);
  add(plain_integer("compute_minor", "Capability, minor", Unit::none, "Compute capability, minor"), &Devices::compute_minor);
  add(plain_integer("cores", "Cores", Unit::count, "Multiprocessors or compute units"), &Devices::cores);
  add(plain_integer("threads_per_core", "Threads per core", Unit::count, "Maximum number of resident threads per core"),
      &Devices::threads_per_core);
  add(plain_integer("warp_size", "Warp size", Unit::count, "Threads per warp"), &Devices::warp_size);
  add(real_column("clock", "Clock", Unit::hertz, {"Clock rate of the cores", "", ""}), &Devices::clock);
  add(real_column("peak_flops", "Peak operations", Unit::flops_per_second, {"Peak floating-point operations per second", "", ""}),
      &Devices::peak_flops);
  add(real_column("peak_bandwidth", "Peak bandwidth", Unit::bytes_per_second,
                  {"Peak bytes per second to and from device memory", "", ""}),
      &Devices::peak_bandwidth);
  add(text_column("peak_source", "Peaks come from", "The file, or a table of the hardware"), &Devices::peak_source);
  return table.of(profile, all_rows(profile.devices.rows()));
}

ReportTable lanes_table(const Profile& profile) {
  ProfileRows table({.key = "lanes", .title = "Lanes"});
  table.add(label_column("name", "Name", "Thread or stream name"), value_in(&Profile::lanes, &Lanes::name));
  table.add(words_column("kind", "Kind", "What the lane shows"),
            [](const Profile& p, Row lane) { return lane_kind_name(p.lanes.kind[lane]); });
  table.add(text_column("process", "Process", "Process id as the file writes it"), [](const Profile& p, Row lane) {
    return p.lanes.process[lane] == kNoRow ? StringId::none : p.processes.pid[p.lanes.process[lane]];
  });
  table.add(plain_integer("device", "Device", Unit::id, "Device number, for device lanes"),
            value_in(&Profile::lanes, &Lanes::device));
  table.add(code_column("track", "Track", "Thread or stream id as the file writes it"), value_in(&Profile::lanes, &Lanes::track));
  table.add(plain_integer("slices", "Slices", Unit::count, "Slices on it"),
            [](const Profile& p, Row lane) { return std::int64_t{p.lanes.last[lane] - p.lanes.first[lane]}; });
  table.add(plain_integer("relieves", "Overflow of", Unit::id, "For an overflow lane, the row of its main lane"),
            value_in(&Profile::lanes, &Lanes::overflow_of));
  return table.of(profile, all_rows(profile.lanes.rows()));
}

template <typename T>
std::int64_t bytes_of(const Column<T>& column) {
  return static_cast<std::int64_t>(column.size() * sizeof(T));
}

struct TableSize {
  std::string_view name;
  std::int64_t columns = 0, rows = 0, bytes = 0;
};

ReportTable columns_table(const Profile& profile) {
  TableOf<TableSize> table({.key = "columns", .title = "Tables in memory", .sort_column = "bytes"});
  table.add(label_column("table", "Table", "Table of the profile"), &TableSize::name);
  table.add(plain_integer("columns", "Columns", Unit::count, "Columns it has"), &TableSize::columns);
  table.add(plain_integer("rows", "Rows", Unit::count, "Rows it has"), &TableSize::rows);
  table.add(plain_integer("bytes", "Bytes", Unit::bytes, "Bytes of its columns in memory"), &TableSize::bytes);
  std::vector<TableSize> sizes;
  Profile::visit_tables(profile, [&](const auto& each) {
    TableSize size{.name = each.kName, .rows = static_cast<std::int64_t>(each.rows())};
    each.for_each_column([&](const ColumnInfo&, const auto& column) {
      ++size.columns;
      size.bytes += bytes_of(column);
    });
    sizes.push_back(size);
  });
  sizes.push_back(
      {"strings", 1, static_cast<std::int64_t>(profile.strings.size()), static_cast<std::int64_t>(profile.strings.bytes())});
  return table.of(sizes);
}

Panel facts_panel(const Profile& profile) {
  const bool dated = profile.origin_unix_ns != kUnknown;
  FactSheet sheet;
  sheet.facts = {{"File", cell(std::string_view(profile.file)), Unit::none, "What was read", ""},
                 {"Format", cell(std::string_view(profile.format)), Unit::none, "The reader that read it", ""},
                 {"Origin", dated ? Cell{unix_time_words(profile.origin_unix_ns)} : Cell{}, Unit::none, "Time 0 of this profile",
                  "the file does not say"},
                 {"Start", Cell{profile.span_start}, Unit::ns, "Start of the recording, since the origin", ""},
                 {"Length", Cell{profile.span_end - profile.span_start}, Unit::ns, "Length of the recording", ""},
                 {"Events", Cell{profile.events}, Unit::count, "Events of the file, of any kind", ""},
                 {"Rank", cell(profile.rank), Unit::id, "Index of this worker in the job", "the file does not say"},
                 {"World size", cell(profile.world_size), Unit::count, "Workers of the job", "the file does not say"}};
  return {.id = "file", .title = "File", .content = std::move(sheet)};
}

Result<Report> run_metadata(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  Report report{.view = "metadata", .title = "Metadata"};
  report.scope = profile.file;
  report.tables = {metadata_table(profile), processes_table(profile), devices_table(profile), lanes_table(profile),
                   columns_table(profile)};
  report.panels.push_back(facts_panel(profile));
  for (const ReportTable& table : report.tables) {
    Panel panel{.id = table.key, .title = table.title, .content = PlainTable{table.key}};
    panel.empty = "The file has none.";
    report.panels.push_back(std::move(panel));
  }
  return report;
}

std::optional<Message> metadata_unavailable(const Profile&) { return std::nullopt; }

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

// ---- problems ----

namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "note";
}

struct ProblemRow {
  Severity severity;
  std::string code;
  Message message;
  std::int64_t count, offset;
};

TableOf<ProblemRow> problem_columns() {
  TableOf<ProblemRow> table({.key = "problems", .title = "Problems"});
  table.add(words_column("severity", "Severity", "note, warning or error"),
            [](const ProblemRow& row) { return severity_name(row.severity); });
  table.add(label_column("code", "Cause", "Stable name of the cause"), &ProblemRow::code);
  table.add(words_column("message", "What was found", "What was found and what Sightline did about it"), &ProblemRow::message);
  table.add(integer_column("count", "Count", Unit::count, {"How often", "", ""}), &ProblemRow::count);
  table.add(integer_column("offset", "First at byte", Unit::none, {"Offset of the first one, in the decompressed file", "", ""})
                .with_unknown("it has no place in the file"),
            &ProblemRow::offset);
  return table;
}

// Those of the file, and a rate that the device cannot have.
std::vector<ProblemRow> problem_rows(const Profile& profile) {
  std::vector<ProblemRow> rows;
  const Problems& problems = profile.problems;
  for (Row row = 0; row < problems.rows(); ++row) {
    rows.push_back({problems.severity[row], std::string(profile.text(problems.code[row])), profile.problem(row),
                    problems.count[row], problems.offset[row] < 0 ? kUnknown : problems.offset[row]});
  }
  if (const std::int64_t impossible = all_costs(profile).impossible; impossible > 0) {
    rows.push_back({Severity::warning, "impossible_rate",
                    "impossible: operators computed faster than the peak of their precision; a peak, a shape or a precision is "
                    "wrong, see Roofline",
                    impossible, kUnknown});
  }
  return rows;
}

Result<Report> run_problems(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  Report report{.view = "problems", .title = "Problems"};
  const std::vector<ProblemRow> rows = problem_rows(profile);
  report.scope = count_words(std::ssize(rows), "{} kind of problem", "{} kinds of problems");
  report.tables.push_back(problem_columns().of(rows));
  Panel panel{.id = "problems", .title = "Problems", .content = PlainTable{"problems"}};
  panel.empty = "Nothing unusual was found while reading this profile.";
  report.panels.push_back(std::move(panel));
  return report;
}

std::optional<Message> problems_unavailable(const Profile&) { return std::nullopt; }

}  // namespace

Analysis problems_analysis() {
  return {.id = "problems",
          .title = "Problems",
          .group = ViewGroup::data,
          .doc = "What was wrong with the file, and what Sightline did about it.",
          .parameters = {},
          .unavailable = problems_unavailable,
          .run = run_problems,
          .tables = nullptr};
}

}  // namespace sightline::analyses
