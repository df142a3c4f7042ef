// One line per column.
#include "analyses/kernels/kernel_columns.h"

#include <algorithm>

#include <fmt/core.h>

#include "analyses/devices/device_activity.h"
#include "analyses/words.h"
#include "base/text.h"

namespace sightline::analyses {

Cell number_of_blocks(std::string_view grid) {
  const auto number = whole_number<std::int64_t>(grid);
  return number ? Cell{*number} : Cell{};
}

KernelFields kernel_fields(const Profile& profile, const std::vector<Row>& kernels) {
  const DeviceWork& rows = profile.device_work;
  const auto any = [&](auto known) { return std::any_of(kernels.begin(), kernels.end(), known); };
  const auto is_text = [&](const auto& column) { return any([&](Row work) { return column[work] != StringId::none; }); };
  KernelFields fields;
  fields.types = is_text(rows.type);
  fields.cores = is_text(rows.core);
  const bool registers = any([&](Row work) { return rows.registers[work] >= 0 || rows.shared_bytes[work] != kUnknown; });
  fields.blocks = any([&](Row work) { return rows.blocks_per_core[work] > 0; });
  fields.warps = any([&](Row work) { return rows.warps_per_core[work] > 0; });
  fields.computed = any([&](Row work) { return rows.fill_source[work] != FillSource::file; });
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
  return code_column("type", "Type", "Kind of work, as the file names it")
      .with_unknown("the file has no name, or different names for the calls");
}

ReportColumn core_column() {
  return code_column("core", "Core", "Kind of core or engine that ran it, as the file names it")
      .with_unknown("the file has no name, or different names for the calls");
}

ReportColumn operator_column() {
  return code_column("operator", "Operator", "The host range that launched it: an operator, an annotation or a step")
      .with_unknown("not attributed to any host range");
}

ReportColumn matrix_column(const DeviceWords& words) {
  return flag_column("tensor_cores", title_word(words.matrix),
                     {say("Whether it runs on {}.", words.matrix), "by the core that the file states, else by the kernel's name",
                      "core type of kernels", "Knows the names of newer kernels; unknown where names do not say."})
      .with_unknown("neither the file nor the kernel's name says, or the calls differ");
}

ReportColumn eligible_column(const DeviceWords& words) {
  return flag_column("op_tc_eligible", say("Operator {} eligible", words.matrix),
                     {say("Whether {} could run the launching operator, judged by its name.", words.matrix),
                      "by the operator's name", "operator names"})
      .with_unknown("not launched by an operator");
}

ReportColumn fill_source_column() {
  return words_column(
             "fill_source", "Occupancy from",
             "Where blocks and warps per core and occupancy come from: the file; computed from the launch and the properties of "
             "the device; or only the occupancy is computed, or unknown, because the file says that it is 0")
      .with_unknown("the calls differ");
}

std::string_view fill_words(FillSource source) {
  switch (source) {
    case FillSource::computed: return "computed";
    case FillSource::computed_for_zero: return "computed; the file says 0";
    case FillSource::unknown_for_zero: return "nothing; the file says 0";
    case FillSource::file: break;
  }
  return "the file";
}

Message computed_fill_words(const Profile& profile) {
  std::int64_t zeros = 0, lost = 0, absent = 0, partly = 0;
  const DeviceWork& rows = profile.device_work;
  for (Row work = 0; work < rows.rows(); ++work) {
    const bool occupancy = rows.occupancy[work] >= 0;  // false for unknown
    zeros += rows.fill_source[work] == FillSource::computed_for_zero;
    lost += rows.fill_source[work] == FillSource::unknown_for_zero;
    absent += rows.fill_source[work] == FillSource::computed && occupancy;
    partly += rows.fill_source[work] == FillSource::computed && !occupancy;
  }
  std::vector<Message> all;
  const auto add = [&](std::int64_t kernels, Template<Message> text) {
    if (kernels > 0) all.push_back(say(text, count_words(kernels, "{} kernel", "{} kernels")));
  };
  add(zeros,
      "For {} the file wrongly states an occupancy of 0; it is computed here from the launch and the properties of the device.");
  add(lost,
      "For {} the file wrongly states an occupancy of 0; it is unknown here, because the file says too little about the device "
      "to compute it.");
  add(absent, "For {} the file states no occupancy; it is computed here from the launch and the properties of the device.");
  add(partly,
      "For {} blocks and warps per core are computed here from the launch and the properties of the device; the file says too "
      "little to "
      "compute the occupancy.");
  return sentences(std::move(all));
}

}  // namespace sightline::analyses
