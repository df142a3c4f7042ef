// Every kernel with all that is known of it, column by column: there can be millions.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analyses/kernels/kernel_tables.h"
#include "analyses/steps/step_windows.h"

namespace sightline {

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

template <typename Value>
Cells words_of(const Profile& profile, const std::vector<Row>& kernels, Value text) {
  Words words(profile, kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) words.set(i, text(kernels[i]));
  return words.take();
}

template <typename Value>
Cells integers_of(const std::vector<Row>& kernels, Value value) {
  Cells::Integers cells;
  cells.reserve(kernels.size());
  for (const Row work : kernels) cells.push_back(value(work));
  return Cells(std::move(cells));
}

template <typename Value>
Cells cells_of(const std::vector<Row>& kernels, Value value) {
  Cells cells;
  for (const Row work : kernels) cells.push_back(value(work));
  return cells;
}

// The number of the step that each kernel belongs to.
Cells steps_of(const Profile& profile, const std::vector<Row>& kernels) {
  StepWindows windows = step_windows(profile);
  std::vector<StepWindow>& steps = windows.kept;  // all of them, by start
  steps.insert(steps.end(), windows.dropped.begin(), windows.dropped.end());
  std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.host.start < b.host.start; });
  return integers_of(kernels, [&](Row work) {
    const std::size_t step = step_of(profile, steps, work);
    return step == steps.size() ? kUnknown : steps[step].number;
  });
}

// The values of one fact by row of the table, in the type of its column.
struct FactValues {
  Cells::Integers integers;
  std::vector<double> reals;
  std::optional<Words> words;
};

void fill_facts(std::vector<ReportColumn>& columns, std::size_t first, const Profile& profile, const std::vector<Row>& kernels,
                const Facts& facts) {
  std::vector<FactValues> values(facts.columns().size());
  for (std::size_t c = 0; c < values.size(); ++c) {
    const CellType type = columns[first + c].type;
    if (type == CellType::text) values[c].words.emplace(profile, kernels.size());
    if (type == CellType::integer) values[c].integers.assign(kernels.size(), kUnknown);
    if (type == CellType::real) values[c].reals.assign(kernels.size(), std::nan(""));
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
  for (std::size_t c = 0; c < values.size(); ++c) {
    Cells& cells = columns[first + c].values;
    if (values[c].words) cells = values[c].words->take();
    if (!values[c].integers.empty()) cells = Cells(std::move(values[c].integers));
    for (const double real : values[c].reals) cells.push_back(std::isnan(real) ? Cell{} : Cell{real});
  }
}

}  // namespace

ReportTable blank_call_table(const KernelFields& fields, const std::vector<FactColumn>& facts, bool steps) {
  ReportTable table{.key = "kernels", .title = "Kernels"};
  auto& columns = table.columns;
  columns.push_back(label_column("name", "Name", "Name of the kernel"));
  if (fields.types) columns.push_back(type_column());
  if (fields.cores) columns.push_back(core_column());
  if (steps) {
    columns.push_back(
        integer_column("step", "Step", Unit::id,
                       {"The step it belongs to.", "the step whose host range launched it, else in which it started",
                        "steps, launching calls"}));
    columns.back().unknown = "outside of all steps";
  }
  columns.push_back(
      integer_column("start", "Start", Unit::ns, {"When it started, since the run's origin.", "", "the kernel's event"}));
  columns.push_back(integer_column("duration", "Duration", Unit::ns, {"How long it ran.", "end - start", kKernelDuration}));
  columns.push_back(operator_column());
  columns.push_back(integer_column("device", "Device", Unit::id, {"Device number within the worker", "", ""}));
  columns.push_back(code_column("stream", "Stream", "The stream it ran on"));
  add_launch_columns(columns, fields);
  if (fields.blocks)
    columns.push_back(
        real_column("blocks_per_sm", "Blocks per core", Unit::count,
                    {"Blocks of the grid per multiprocessor.", "as stated; else blocks of the grid / cores of the device",
                     "the profiler; else the launch and the properties of the device"}));
  if (fields.warps)
    columns.push_back(real_column(
        "warps_per_sm", "Warps per core", Unit::count,
        {"Warps of the grid per multiprocessor.", "as stated; else blocks per core x threads of a block / threads of a warp",
         "the profiler; else the launch and the properties of the device"}));
  if (fields.occupancy)
    columns.push_back(real_column(
        "occupancy", "Est. achieved occupancy", Unit::percent,
        {"Active warps per multiprocessor as a share of the most it can hold.",
         "as stated; else min(blocks that fit on a core, blocks per core) x threads of a block / most threads of a core",
         "the profiler; else the launch and the properties of the device, see the formats' page"}));
  if (fields.computed) columns.push_back(fill_source_column());
  for (const FactColumn& fact : facts) {
    columns.push_back(value_column(fact));
    columns.back().hidden = fact.unit == Unit::id && !fact.title.starts_with("Step");
  }
  columns.push_back(integer_column("slice", "Slice", Unit::id, {"Row of slices", "", ""}));
  columns.back().hidden = true;
  table.sort_column = "duration";
  table.row_links.push_back({"In the timeline", "timeline", {{"slice", "$slice"}}});
  return table;
}

ReportTable call_table(const Profile& profile, std::vector<Row> kernels, const Facts& facts, const KernelFields& fields) {
  const DeviceWork& rows = profile.device_work;
  const auto duration = [&](Row work) { return profile.slices.duration[rows.slice[work]]; };
  std::stable_sort(kernels.begin(), kernels.end(), [&](Row a, Row b) { return duration(a) > duration(b); });
  const auto& known = facts.columns();
  const bool stated =
      std::any_of(known.begin(), known.end(), [](const FactColumn& fact) { return fact.title.starts_with("Step"); });
  const bool steps = profile.steps.rows() > 0 && !stated;
  ReportTable table = blank_call_table(fields, known, steps);
  std::size_t next = 0;
  const auto fill = [&](Cells cells) { table.columns[next++].values = std::move(cells); };
  fill(words_of(profile, kernels, [&](Row work) { return profile.slices.name[rows.slice[work]]; }));
  if (fields.types) fill(words_of(profile, kernels, [&](Row work) { return rows.type[work]; }));
  if (fields.cores) fill(words_of(profile, kernels, [&](Row work) { return rows.core[work]; }));
  if (steps) fill(steps_of(profile, kernels));
  fill(integers_of(kernels, [&](Row work) { return profile.slices.start[rows.slice[work]]; }));
  fill(integers_of(kernels, duration));
  fill(words_of(profile, kernels,
                [&](Row work) { return rows.owner[work] == kNoRow ? StringId::none : profile.slices.name[rows.owner[work]]; }));
  fill(integers_of(kernels, [&](Row work) { return rows.device[work]; }));
  fill(words_of(profile, kernels, [&](Row work) {
    const Row lane = profile.main_lane(profile.slices.lane[rows.slice[work]]);
    return profile.lanes.name[lane] == StringId::none ? profile.lanes.track[lane] : profile.lanes.name[lane];
  }));
  if (fields.launch) {
    std::vector<Cells> launch(fields.grid_is_a_number ? 1 : 4);
    for (const Row work : kernels) {
      std::vector<Cell> cells;
      add_launch_cells(cells, fields, profile,
                       {rows.grid[work], rows.block[work], rows.registers[work] < 0 ? kUnknown : rows.registers[work],
                        rows.shared_bytes[work]});
      for (std::size_t c = 0; c < launch.size(); ++c) launch[c].push_back(std::move(cells[c]));
    }
    for (Cells& cells : launch) fill(std::move(cells));
  }
  const auto real = [](float value) { return cell(static_cast<double>(value)); };
  if (fields.blocks) fill(cells_of(kernels, [&](Row work) { return real(rows.blocks_per_core[work]); }));
  if (fields.warps) fill(cells_of(kernels, [&](Row work) { return real(rows.warps_per_core[work]); }));
  if (fields.occupancy) fill(cells_of(kernels, [&](Row work) { return real(rows.occupancy[work]); }));
  if (fields.computed) fill(cells_of(kernels, [&](Row work) { return Cell{std::string(fill_words(rows.fill_source[work]))}; }));
  fill_facts(table.columns, next, profile, kernels, facts);
  table.columns.back().values = integers_of(kernels, [&](Row work) { return std::int64_t{rows.slice[work]}; });
  return table;
}

}  // namespace sightline
