// Sums are kept under the names that the file gives them, those that are known in one spelling; an empty step means that the
// program marked none.
#include "formats/ascend/reported_sums.h"

#include <algorithm>

#include "formats/ascend/csv_table.h"
#include "formats/ascend/trace_view.h"

namespace sightline::formats::ascend {

namespace {

std::string_view spelled(std::string_view title) {
  const auto known =
      std::find_if(kStepSums.begin(), kStepSums.end(), [&](const auto& sum) { return same_title(sum.second, title); });
  return known == kStepSums.end() ? title : known->second;
}

}  // namespace

void add_step_sums(const std::string& path, Profile& profile) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    profile.add_problem(Severity::error, "unreadable_file", table.error().to_string() + "; the sums of steps are missing", 1, 0);
    return;
  }
  const auto step = table->column({"Step"}), device = table->column({"Device_id"});
  std::vector<std::pair<CsvTable::Column, StringId>> sums;
  for (std::size_t c = 0; c < table->titles().size(); ++c) {
    const auto column = static_cast<CsvTable::Column>(c);
    if (column != step && column != device) sums.emplace_back(column, profile.strings.intern(spelled(table->titles()[c])));
  }
  ReportedSteps& all = profile.reported_steps;
  while (table->next()) {
    const std::string_view number = table->text(step);
    for (const auto& [column, name] : sums) {
      const std::int64_t duration = table->us_as_ns(column);
      if (duration == kUnknown) continue;
      all.step.push_back(is_absent(number) ? StringId::none : profile.strings.intern(number));
      all.device.push_back(table->integer(device));
      all.name.push_back(name);
      all.duration.push_back(duration);
    }
  }
  table->report(profile);
}

void add_operator_details(const std::string& path, Profile& profile) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    profile.add_problem(Severity::error, "unreadable_file", table.error().to_string() + "; the sums of operators are missing", 1,
                        0);
    return;
  }
  const auto name = table->column({"Name"}), shapes = table->column({"Input Shapes"}), stack = table->column({"Call Stack"});
  const auto host_self = table->column({"Host Self Duration(us)"}), host_total = table->column({"Host Total Duration(us)"});
  const auto device_self = table->column({"Device Self Duration(us)"}),
             device_total = table->column({"Device Total Duration(us)"});
  const auto matrix_self = table->column({"Device Self Duration With AICore(us)"});
  const auto matrix_total = table->column({"Device Total Duration With AICore(us)"});
  ReportedOperators& all = profile.reported_operators;
  const auto optional = [&](std::string_view cell, const std::string& spelled) {
    return is_absent(cell) ? StringId::none : profile.strings.intern(spelled);
  };
  const bool named = table->needs({"Name"});
  while (named && table->next()) {
    if (table->text(name).empty()) {
      table->skip_row();
      continue;
    }
    all.name.push_back(profile.strings.intern(table->text(name)));
    all.input_shapes.push_back(optional(table->text(shapes), operand_list(table->text(shapes), false)));
    all.call_stack.push_back(optional(table->text(stack), call_stack(table->text(stack))));
    all.host_self.push_back(table->us_as_ns(host_self));
    all.host_total.push_back(table->us_as_ns(host_total));
    all.device_self.push_back(table->us_as_ns(device_self));
    all.device_total.push_back(table->us_as_ns(device_total));
    all.matrix_self.push_back(table->us_as_ns(matrix_self));
    all.matrix_total.push_back(table->us_as_ns(matrix_total));
  }
  table->report(profile);
}

}  // namespace sightline::formats::ascend
