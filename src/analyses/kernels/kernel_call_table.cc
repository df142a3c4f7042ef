// Every kernel with all that is known of it: there can be millions.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analyses/kernels/kernel_tables.h"
#include "analyses/steps/step_windows.h"

namespace sightline::analyses {

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
  std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.host.start < b.host.start; });
  return cells_of(kernels.size(), nullptr, [&](std::size_t i) {
    const std::size_t step = step_of(profile, steps, kernels[i]);
    return step == steps.size() ? kUnknown : steps[step].number;
  });
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
  table.add(integer_column("duration", "Duration", Unit::ns, {"How long it ran.", "end - start", kKernelDuration}),
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
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](Row a, Row b) { return duration_of(profile, a) > duration_of(profile, b); });
  const auto& known = facts.columns();
  const bool stated =
      std::any_of(known.begin(), known.end(), [](const FactColumn& fact) { return fact.title.starts_with("Step"); });
  const bool steps = profile.steps.rows() > 0 && !stated;
  return calls(fields, known, steps).of(profile, fact_cells(profile, kernels, facts), kernels);
}

}  // namespace sightline::analyses
