// The tables of the kernels view: kernels in groups, every single kernel, the cores that ran them, and sums that the file itself
// states. Their `blank_` functions hold the meaning of each column.
#include "analyses/kernels/kernel_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "analyses/costs/cost_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

// ---- kernels in groups ----
// Times, launch properties, how well they filled the device, and means of what the profiler measured.

namespace {

// Of numbers of groups.
using GroupTable = TableOf<std::size_t, Profile, KernelGroups>;

// A cell that the sums of a group give.
template <typename ValueOf>
auto of_sums(ValueOf value_of) {
  return [value_of](const Profile&, const KernelGroups& groups, std::size_t group) { return value_of(groups.sums[group]); };
}

void add_time_columns(GroupTable& table) {
  table.add(integer_column("calls", "Calls", Unit::count,
                           {"How often it ran.", "number of kernel events", "kernel events of all streams and devices"}),
            of_sums([](const KernelSums& of) { return of.calls; }));
  table.add(integer_column("total", "Total", Unit::ns, {"Device time of all its calls.", "sum of durations", kKernelDuration})
                .with_bar("share"),
            of_sums([](const KernelSums& of) { return of.total; }));
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "total / sum of the totals of all kernels in scope",
                         kKernelDuration, "Not in the TensorBoard plugin's table."})
                .with_sums(),
            [](const Profile&, const KernelGroups& groups, std::size_t group) {
              return quotient(groups.sums[group].total, groups.total);
            });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average device time of a call.", "total / calls", kKernelDuration}),
            of_sums([](const KernelSums& of) { return quotient(of.total, of.calls); }));
  table.add(integer_column("max", "Max", Unit::ns, {"Longest call.", "largest duration", kKernelDuration}),
            of_sums([](const KernelSums& of) { return of.max; }));
  table.add(integer_column("min", "Min", Unit::ns, {"Shortest call.", "smallest duration", kKernelDuration}),
            of_sums([](const KernelSums& of) { return of.min; }));
}

void add_mean_fill_columns(GroupTable& table, const KernelTableShape& shape) {
  constexpr std::string_view kDiffers =
      "Calls without a value are left out, and a false 0 of the file is recomputed; the TensorBoard plugin counts both as 0.";
  if (shape.fields.blocks) {
    table.add(real_column("blocks_per_sm", say("Mean blocks per {}", shape.words.core), Unit::count,
                          {"Blocks of the grid per multiprocessor; below 1 some multiprocessors have nothing to do.",
                           "sum(blocks per multiprocessor x duration) / sum(duration), over calls that have a value",
                           "the profiler, per kernel; computed where it states no value", kDiffers}),
              of_sums([](const KernelSums& of) { return quotient(of.blocks_time, static_cast<double>(of.blocks_weight)); }));
  }
  if (shape.fields.occupancy) {
    table.add(
        real_column("occupancy", "Mean est. achieved occupancy", Unit::percent,
                    {"Active warps per multiprocessor as a share of the most it can hold, estimated from the launch.",
                     "sum(occupancy x duration) / sum(duration), over calls that have a value",
                     "the profiler, per kernel; computed where it states no value, or a false 0", kDiffers}),
        of_sums([](const KernelSums& of) { return quotient(of.occupancy_time, static_cast<double>(of.occupancy_weight)); }));
  }
  if (shape.fields.computed) {
    table.add(fill_source_column(),
              of_sums([](const KernelSums& of) { return of.fill_differs ? std::string_view{} : fill_words(of.fill_source); }));
  }
}

constexpr std::ptrdiff_t kMostFactColumns = 8;

// Means of shares and rates show directly how well kernels do; means of times and counts are hidden until requested, and so
// are all where there are many.
void add_fact_columns(GroupTable& table, const std::vector<FactColumn>& facts) {
  const auto telling = [](const FactColumn& fact) { return fact.measure && fact.weighted(); };
  const bool many = std::count_if(facts.begin(), facts.end(), telling) > kMostFactColumns;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].measure) continue;
    table.add(mean_column(facts[i]).hide(many || !telling(facts[i])),
              [i, all = facts.size()](const Profile&, const KernelGroups& groups, std::size_t group) {
                const FactSum& of = groups.facts[group * all + i];
                return quotient(of.sum, of.weight);
              });
  }
}

StringId shared_text(const SharedText& shared) { return shared.differs ? StringId::none : shared.text; }

std::int64_t number_of(std::uint32_t word) { return word == kNoNumber ? kUnknown : std::int64_t{word}; }

LaunchProperties launch_of_group(const KernelKeys& keys, std::size_t group) {
  const auto& key = keys.key(group);
  return {keys.text(group, 4), keys.text(group, 5), number_of(key[6]), number_of(key[7])};
}

StringId name_of_group(const Profile&, const KernelGroups& groups, std::size_t group) { return groups.keys.text(group, 0); }

void add_written_columns(GroupTable& table) {
  constexpr const char* kWhy = "no compiler wrote it, or its calls differ";
  table.add(code_column("file", "File", "File with its source").with_unknown(kWhy),
            of_sums([](const KernelSums& of) { return shared_text(of.file); }));
  table.add(code_column("arguments", "Arguments", "What it was compiled with, such as sizes of blocks").with_unknown(kWhy),
            of_sums([](const KernelSums& of) { return shared_text(of.arguments); }));
  table.add(code_column("hash", "Hash", "Hash of its source").with_unknown(kWhy).hide(),
            of_sums([](const KernelSums& of) { return shared_text(of.hash); }));
}

GroupTable kernel_groups(const KernelTableShape& shape, const std::vector<FactColumn>& facts) {
  const bool by_launch = shape.grouping == KernelGrouping::launch, by_type = shape.grouping == KernelGrouping::type;
  GroupTable table({.key = "kernels", .title = "Kernels", .sort_column = "total"});
  if (shape.grouping == KernelGrouping::source) {
    table.add(label_column("name", "Line of source", "Line of the program, or of a hand-written kernel, that it comes from")
                  .with_unknown("the file does not say which line these kernels come from"),
              name_of_group);
  } else if (!by_type) {
    table.add(label_column("name", "Name", "Name of the kernel"), name_of_group);
  }
  if (shape.fields.types) {
    table.add(type_column().with_role(by_type ? ColumnRole::label : ColumnRole::value),
              of_sums([](const KernelSums& of) { return shared_text(of.type); }));
  }
  if (shape.fields.cores) table.add(core_column(), of_sums([](const KernelSums& of) { return shared_text(of.core); }));
  if (by_launch) {
    table.add(operator_column(),
              [](const Profile&, const KernelGroups& groups, std::size_t group) { return groups.keys.text(group, 3); });
  }
  if (shape.fields.captured) table.add(captured_column(), of_sums([](const KernelSums& of) { return shared_text(of.captured); }));
  add_time_columns(table);
  table.add(matrix_column(shape.words).hide(shape.fields.cores),  // which the core shows
            of_sums([](const KernelSums& of) {
              return of.core_type == CoreType::unknown ? std::nullopt : std::optional(of.core_type == CoreType::matrix);
            }));
  if (by_launch) {
    table.add(eligible_column(shape.words), of_sums([](const KernelSums& of) {
                return of.owner_is_operator ? std::optional(of.operator_eligible) : std::nullopt;
              }));
    add_launch_columns(table, shape.fields, [](const Profile&, const KernelGroups& groups, std::size_t group) {
      return launch_of_group(groups.keys, group);
    });
  }
  add_mean_fill_columns(table, shape);
  table.add_all(cost_columns(), of_sums([](const KernelSums& of) { return of.costs; }));
  add_fact_columns(table, facts);
  if (shape.fields.written) add_written_columns(table);
  table.add(longest_slice_column("call"), of_sums([](const KernelSums& of) { return of.longest; }));
  return table;
}

}  // namespace

ReportTable blank_group_table(const KernelTableShape& shape, const std::vector<FactColumn>& facts) {
  return kernel_groups(shape, facts).blank();
}

ReportTable group_table(const Profile& profile, const KernelGroups& groups, const Facts& facts, const KernelTableShape& shape,
                        const std::vector<bool>& shown) {
  std::vector<std::size_t> order;
  for (std::size_t group = 0; group < shown.size(); ++group) {
    if (shown[group]) order.push_back(group);
  }
  sort_down(order, [&](auto each) { return groups.sums[each].total; });
  return kernel_groups(shape, facts.columns()).of(profile, groups, order);
}

// ---- every kernel with all that is known about it: there can be millions ----

namespace {

// Texts of the profile as cells.
class Words {
 public:
  Words(const Profile& profile, std::size_t rows) : profile_(profile) { cells_.word.assign(rows, WordCells::kNone); }

  void set(std::size_t row, StringId text) {
    if (text == StringId::none) return;
    const auto [at, is_new] = known_.try_emplace(text, static_cast<std::uint32_t>(cells_.words.size()));
    if (is_new) cells_.words.emplace_back(profile_.text(text));
    cells_.word[row] = at->second;
  }
  void set(std::size_t row, double number) {  // in a column that holds texts too
    const auto whole = static_cast<std::int64_t>(number);
    cells_.word[row] = static_cast<std::uint32_t>(cells_.words.size());
    cells_.words.push_back(static_cast<double>(whole) == number ? std::to_string(whole) : std::to_string(number));
  }
  Cells take() { return Cells(std::move(cells_)); }

 private:
  const Profile& profile_;
  WordCells cells_;
  std::unordered_map<StringId, std::uint32_t> known_;
};

// The number of the step that each kernel belongs to.
Cells steps_of(const Profile& profile, std::span<const Row> kernels) {
  StepWindows windows = step_windows(profile);
  std::vector<StepWindow>& steps = windows.kept;  // all of them, by start
  steps.insert(steps.end(), windows.dropped.begin(), windows.dropped.end());
  sort_up(steps, [](const auto& each) { return each.host.start; });
  Cells cells;
  fill_cells(cells, kernels.size(), nullptr, [&](std::size_t i) {
    const std::size_t step = step_of(profile, steps, kernels[i]);
    return step == steps.size() ? kUnknown : steps[step].number;
  });
  return cells;
}

// The values of one fact by row of the table, in the type of its column.
struct FactValues {
  Cells::Integers integers;
  Cells::Reals reals;
  std::optional<Words> words;
};

// The cells of each fact, by column of Facts: there are few facts of many names, so all are filled in one pass.
using FactCells = std::vector<Cells>;

FactCells fact_cells(const Profile& profile, const std::vector<Row>& kernels, const Facts& facts) {
  std::vector<FactValues> values(facts.columns().size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    const CellType type = value_column(facts.columns()[c]).type;
    if (type == CellType::text) values[c].words.emplace(profile, kernels.size());
    if (type == CellType::integer) values[c].integers.assign(kernels.size(), kUnknown);
    if (type == CellType::real) values[c].reals.assign(kernels.size(), kUnknownNumber);
  }
  const WorkFacts& all = profile.work_facts;
  for (std::size_t row = 0; row < kernels.size(); ++row) {
    facts.visit(kernels[row], [&](std::uint32_t c, Row fact) {
      const double number = all.number[fact] * facts.columns()[c].scale;
      FactValues& of = values[c];
      if (of.words && all.text[fact] != StringId::none) of.words->set(row, all.text[fact]);
      if (std::isnan(number)) return;
      if (of.words) of.words->set(row, all.number[fact]);
      if (!of.integers.empty() && std::abs(number) < 9e18) of.integers[row] = std::llround(number);
      if (!of.reals.empty()) of.reals[row] = number;
    });
  }
  FactCells cells;
  for (FactValues& of : values) {
    if (of.words) {
      cells.push_back(of.words->take());
    } else if (!of.integers.empty()) {
      cells.emplace_back(std::move(of.integers));
    } else {
      cells.emplace_back(std::move(of.reals));
    }
  }
  return cells;
}

Row slice_of(const Profile& p, Row work) { return p.device_work.slice[work]; }

Time duration_of(const Profile& p, Row work) { return p.slices.duration[slice_of(p, work)]; }

StringId stream_of(const Profile& p, Row work) {
  const Row lane = p.main_lane(p.slices.lane[slice_of(p, work)]);
  return p.lanes.name[lane] == StringId::none ? p.lanes.track[lane] : p.lanes.name[lane];
}

LaunchProperties launch_of(const Profile& p, Row work) {
  const DeviceWork& rows = p.device_work;
  return {rows.grid[work], rows.block[work], rows.registers[work] < 0 ? kUnknown : rows.registers[work], rows.shared_bytes[work]};
}

// A column of one fact of a kernel, or of the figure that represents all facts in the metrics page.
ReportColumn fact_value_column(const FactColumn& fact) {
  return value_column(fact).hide(fact.unit == Unit::id && !fact.title.starts_with("Step"));
}

// Of rows of device_work.
using CallTable = TableOf<Row, Profile, FactCells>;

void add_fill_columns(CallTable& table, const KernelFields& fields) {
  if (fields.blocks) {
    table.add(real_column("blocks_per_sm", "Blocks per core", Unit::count,
                          {"Blocks of the grid per multiprocessor.", "as stated; else blocks of the grid / cores of the device",
                           "the profiler; else the launch and the properties of the device"}),
              [](const Profile& p, const FactCells&, Row work) { return p.device_work.blocks_per_core[work]; });
  }
  if (fields.warps) {
    table.add(real_column("warps_per_sm", "Warps per core", Unit::count,
                          {"Warps of the grid per multiprocessor.",
                           "as stated; else blocks per core x threads of a block / threads of a warp",
                           "the profiler; else the launch and the properties of the device"}),
              [](const Profile& p, const FactCells&, Row work) { return p.device_work.warps_per_core[work]; });
  }
  if (fields.occupancy) {
    table.add(real_column("occupancy", "Est. achieved occupancy", Unit::percent,
                          {"Active warps per multiprocessor as a share of the most it can hold.",
                           "as stated; else min(blocks that fit on a core, blocks per core) x threads of a block / most threads "
                           "of a core",
                           "the profiler; else the launch and the properties of the device, see the formats' page"}),
              [](const Profile& p, const FactCells&, Row work) { return p.device_work.occupancy[work]; });
  }
  if (fields.computed) {
    table.add(fill_source_column(),
              [](const Profile& p, const FactCells&, Row work) { return fill_words(p.device_work.fill_source[work]); });
  }
}

CallTable calls(const KernelFields& fields, const std::vector<FactColumn>& facts, bool steps) {
  CallTable table({.key = "kernels",
                   .title = "Kernels",
                   .sort_column = "duration",
                   .row_links = {{"In the timeline", "timeline", {{"slice", "$slice"}}}}});
  table.add(label_column("name", "Name", "Name of the kernel"),
            [](const Profile& p, const FactCells&, Row work) { return p.slices.name[slice_of(p, work)]; });
  if (fields.types)
    table.add(type_column(), [](const Profile& p, const FactCells&, Row work) { return p.device_work.type[work]; });
  if (fields.cores)
    table.add(core_column(), [](const Profile& p, const FactCells&, Row work) { return p.device_work.core[work]; });
  if (steps) {
    table.add_whole(integer_column("step", "Step", Unit::id,
                                   {"The step it belongs to.", "the step whose host range launched it, else in which it started",
                                    "steps, launching calls"})
                        .with_unknown("outside of all steps"),
                    [](const Profile& p, const FactCells&, std::span<const Row> kernels) { return steps_of(p, kernels); });
  }
  table.add(integer_column("start", "Start", Unit::ns, {"When it started, since the run's origin.", "", "the kernel's event"}),
            [](const Profile& p, const FactCells&, Row work) { return p.slices.start[slice_of(p, work)]; });
  table.add(integer_column("duration", "Duration", Unit::ns, {"How long it ran.", "end - start", kKernelDuration}).with_sums(),
            [](const Profile& p, const FactCells&, Row work) { return duration_of(p, work); });
  table.add(operator_column(), [](const Profile& p, const FactCells&, Row work) {
    const Row owner = p.device_work.owner[work];
    return owner == kNoRow ? StringId::none : p.slices.name[owner];
  });
  table.add(integer_column("device", "Device", Unit::id, {"Device number within the worker", "", ""}),
            [](const Profile& p, const FactCells&, Row work) { return p.device_work.device[work]; });
  table.add(code_column("stream", "Stream", "The stream it ran on"),
            [](const Profile& p, const FactCells&, Row work) { return stream_of(p, work); });
  add_launch_columns(table, fields, [](const Profile& p, const FactCells&, Row work) { return launch_of(p, work); });
  add_fill_columns(table, fields);
  for (std::size_t c = 0; c < facts.size(); ++c) {
    table.add_whole(fact_value_column(facts[c]),
                    [c](const Profile&, const FactCells& cells, std::span<const Row>) { return cells[c]; });
  }
  table.add(integer_column("slice", "Slice", Unit::id, {"Row of slices", "", ""}).hide(),
            [](const Profile& p, const FactCells&, Row work) { return slice_of(p, work); });
  return table;
}

}  // namespace

ReportTable blank_call_table(const KernelFields& fields, const std::vector<FactColumn>& facts, bool steps) {
  return calls(fields, facts, steps).blank();
}

ReportTable call_table(const Profile& profile, std::vector<Row> kernels, const Facts& facts, const KernelFields& fields) {
  sort_down(kernels, [&](Row each) { return duration_of(profile, each); });
  const auto& known = facts.columns();
  const bool stated =
      std::any_of(known.begin(), known.end(), [](const FactColumn& fact) { return fact.title.starts_with("Step"); });
  const bool steps = profile.steps.rows() > 0 && !stated;
  return calls(fields, known, steps).of(profile, fact_cells(profile, kernels, facts), kernels);
}

// ---- time by core: as the file names it, else by whether it has matrix units ----

namespace {

TableOf<CoreTime, Profile, Time> cores_by_name() {
  TableOf<CoreTime, Profile, Time> table({.key = "cores", .title = "Accelerator core utilization", .sort_column = "time"});
  table.add(label_column("core", "Core", "Kind of core or engine, as the file names it")
                .with_unknown("the file does not say which core ran them"),
            &CoreTime::core);
  table.add(
      integer_column("calls", "Calls", Unit::count, {"How many kernels ran on it.", "number of kernels in scope", "kernels"}),
      &CoreTime::calls);
  table.add(integer_column("time", "Time", Unit::ns, {"Time of the kernels on it.", "sum of durations", kKernelDuration})
                .with_bar("share"),
            &CoreTime::total);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "time / sum of times",
                         "core of each kernel, as the file states it",
                         "Sums are exact; the TensorBoard plugin adds floating-point microseconds."}),
            [](const Profile&, Time all, const CoreTime& core) { return quotient(core.total, all); });
  return table;
}

struct MatrixUse {
  CoreType type;
  Time time;
  std::string_view hue;
};

TableOf<MatrixUse, Time> cores_by_use(const DeviceWords& words) {
  TableOf<MatrixUse, Time> table({.key = "tensor_cores", .title = title_word(words.matrix)});
  table.add(label_column("use", title_word(words.matrix), say("Whether kernels run on {}", words.matrix))
                .with_code(false)
                .with_words(kAllRows),
            [](const MatrixUse& use) { return matrix_use(use.type); });
  table.add(integer_column("time", "Time", Unit::ns, {"Time of the kernels in scope.", "sum of durations", kKernelDuration}),
            &MatrixUse::time);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all kernels in scope.", "time / sum of times",
                         "core type of kernels, by name or as the file states it",
                         "Over all kernels; kernels whose name does not say are a separate part."}),
            [](Time all, const MatrixUse& use) { return quotient(use.time, all); });
  table.add(words_column("hue", "Hue", "Category that gives its colour in the chart").with_role(ColumnRole::category).hide(),
            &MatrixUse::hue);
  return table;
}

}  // namespace

ReportTable blank_core_table() { return cores_by_name().blank(); }

ReportTable core_table(const Profile& profile, const std::vector<CoreTime>& cores, Time total) {
  return cores_by_name().of(profile, total, cores);
}

ReportTable blank_matrix_table(const DeviceWords& words) { return cores_by_use(words).blank(); }

ReportTable matrix_table(const Profile& profile, const KernelGroups& groups) {
  std::vector<MatrixUse> uses{{CoreType::matrix, groups.matrix, "kernel"},
                              {CoreType::general, groups.total - groups.matrix - groups.unknown_core, "other"}};
  if (groups.unknown_core > 0) uses.push_back({CoreType::unknown, groups.unknown_core, "idle"});
  return cores_by_use(device_words(profile)).of(groups.total, uses);
}

std::string_view matrix_use(CoreType type) {
  switch (type) {
    case CoreType::matrix: return "used";
    case CoreType::unknown: return "unknown";
    default: return "not used";
  }
}

// ---- kernels for which the file states only sums by type and core ----

namespace {

constexpr std::string_view kStated = "the file's own sums by type and core";

std::vector<Row> kernel_rows(const Profile& profile) {
  std::vector<Row> rows;
  for (Row i = 0; i < profile.reported_calls.rows(); ++i) {
    if (profile.reported_calls.kind[i] == SliceKind::kernel) rows.push_back(i);
  }
  return rows;
}

Time known(Time time) { return time == kUnknown ? 0 : time; }

// Of rows of reported_calls, and the total of all.
using ReportedTable = TableOf<Row, Profile, Time>;

ReportedTable reported_calls_by_type() {
  ReportedTable table({.key = "reported_kernels", .title = "Kernels by type, as the file sums them", .sort_column = "total"});
  table.add(label_column("type", "Type", "Kind of work, as the file names it"),
            [](const Profile& p, Time, Row row) { return p.reported_calls.name[row]; });
  table.add(core_column(), [](const Profile& p, Time, Row row) { return p.reported_calls.part[row]; });
  table.add(integer_column("calls", "Calls", Unit::count, {"Number of kernels of this type on this kind of core.", "", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.calls[row]; });
  table.add(integer_column("total", "Total", Unit::ns, {"Time of all of them.", "none: as stated", kStated}).with_bar("share"),
            [](const Profile& p, Time, Row row) { return p.reported_calls.total[row]; });
  table.add(
      real_column("share", "Share", Unit::share, {"Share of the time of all kernels.", "total / sum of the totals", kStated}),
      [](const Profile& p, Time all, Row row) { return quotient(p.reported_calls.total[row], all); });
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of one.", "total / calls", kStated}),
            [](const Profile& p, Time, Row row) {
              return quotient(p.reported_calls.total[row], std::max<std::int64_t>(0, p.reported_calls.calls[row]));
            });
  table.add(integer_column("max", "Max", Unit::ns, {"The longest.", "none: as stated", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.longest[row]; });
  table.add(integer_column("min", "Min", Unit::ns, {"The shortest.", "none: as stated", kStated}),
            [](const Profile& p, Time, Row row) { return p.reported_calls.shortest[row]; });
  return table;
}

}  // namespace

bool has_reported_kernels(const Profile& profile) { return !kernel_rows(profile).empty(); }

ReportTable blank_reported_kernels() { return reported_calls_by_type().blank(); }

ReportTable reported_kernels(const Profile& profile, std::string_view search) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<Row> rows = kernel_rows(profile);
  sort_down(rows, [&](Row each) { return calls.total[each]; });
  const Time all =
      std::accumulate(rows.begin(), rows.end(), Time{0}, [&](Time sum, Row row) { return sum + known(calls.total[row]); });
  std::erase_if(rows, [&](Row row) { return !contains_text(profile.text(calls.name[row]), search); });
  return reported_calls_by_type().of(profile, all, rows);
}

std::vector<CoreTime> reported_cores(const Profile& profile) {
  const ReportedCalls& calls = profile.reported_calls;
  std::vector<CoreTime> cores;
  for (const Row row : kernel_rows(profile)) {
    auto at = std::find_if(cores.begin(), cores.end(), [&](const CoreTime& core) { return core.core == calls.part[row]; });
    if (at == cores.end()) at = cores.insert(at, CoreTime{calls.part[row]});
    at->calls += std::max<std::int64_t>(0, calls.calls[row]);
    at->total += known(calls.total[row]);
  }
  sort_down(cores, [](const auto& each) { return each.total; });
  return cores;
}

}  // namespace sightline::analyses
