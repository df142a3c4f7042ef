// One line per column.
#include "analyses/kernel_columns.h"

#include <algorithm>

#include "base/whole_number.h"

namespace sightline {

namespace {

Cell number_of_blocks(std::string_view grid) {
  const auto number = whole_number<std::int64_t>(grid);
  return number ? Cell{*number} : Cell{};
}

}  // namespace

KernelFields kernel_fields(const Profile& profile, const std::vector<Row>& kernels) {
  const DeviceWork& rows = profile.device_work;
  const auto any = [&](auto known) { return std::any_of(kernels.begin(), kernels.end(), known); };
  const auto is_text = [&](const auto& column) { return any([&](Row work) { return column[work] != StringId::none; }); };
  KernelFields fields;
  fields.types = is_text(rows.type);
  fields.cores = is_text(rows.core);
  const bool registers = any([&](Row work) { return rows.registers[work] >= 0 || rows.shared_bytes[work] != kUnknown; });
  fields.blocks = any([&](Row work) { return rows.blocks_per_core[work] > 0; });
  fields.occupancy = any([&](Row work) { return rows.occupancy[work] >= 0; });
  const bool grids = is_text(rows.grid), blocks = is_text(rows.block);
  fields.launch = grids || blocks || registers;
  fields.grid_is_a_number =
      grids && !registers && !blocks && !any([&](Row work) {
        return rows.grid[work] != StringId::none && is_unknown(number_of_blocks(profile.text(rows.grid[work])));
      });
  return fields;
}

ReportColumn type_column() {
  ReportColumn column = code_column("type", "Type", "Kind of work, as the file names it");
  column.unknown = "the file names none, or not the same for all calls";
  return column;
}

ReportColumn core_column() {
  ReportColumn column = code_column("core", "Core", "Kind of core or engine that ran it, as the file names it");
  column.unknown = "the file names none, or not the same for all calls";
  return column;
}

ReportColumn operator_column() {
  ReportColumn column =
      code_column("operator", "Operator", "The host range that launched it: an operator, an annotation or a step");
  column.unknown = "not attributed to any host range";
  return column;
}

ReportColumn matrix_column(const DeviceWords& words) {
  ReportColumn column =
      flag_column("tensor_cores", title_word(words.matrix),
                  {"Whether it runs on " + words.matrix + ".", "by the core that the file states, else by the kernel's name",
                   "core type of kernels", "Knows the names of newer kernels; unknown where names do not tell."});
  column.unknown = "neither the file nor the kernel's name tells, or not the same for all calls";
  return column;
}

ReportColumn eligible_column(const DeviceWords& words) {
  ReportColumn column = flag_column("op_tc_eligible", "Operator " + words.matrix + " eligible",
                                    {"Whether the launching operator, by its own name, could run on " + words.matrix + ".",
                                     "by the operator's name", "operator names"});
  column.unknown = "not launched by an operator";
  return column;
}

void add_launch_columns(std::vector<ReportColumn>& columns, const KernelFields& fields) {
  if (!fields.launch) return;
  if (fields.grid_is_a_number) {
    columns.push_back(integer_column("grid", "Blocks", Unit::none,
                                     {"Parts that the kernel was divided into, each for a core.", "", "the profiler"}));
    return;
  }
  columns.push_back(code_column("grid", "Grid", "Blocks in the grid, per dimension"));
  columns.push_back(code_column("block", "Block", "Threads in a block, per dimension"));
  columns.push_back(integer_column("registers", "Registers", Unit::count, {"Registers per thread.", "", "the profiler"}));
  columns.push_back(integer_column("shared_memory", "Shared memory", Unit::bytes,
                                   {"Shared memory per block, static and dynamic.", "", "the profiler"}));
}

void add_launch_cells(std::vector<Cell>& cells, const KernelFields& fields, const Profile& profile, const LaunchProperties& of) {
  if (!fields.launch) return;
  const std::string_view grid = profile.text(of.grid);
  if (fields.grid_is_a_number) {
    cells.push_back(number_of_blocks(grid));
    return;
  }
  cells.push_back(cell(grid));
  cells.push_back(cell(profile.text(of.block)));
  cells.push_back(cell(of.registers));
  cells.push_back(cell(of.shared_bytes));
}

}  // namespace sightline
