// Sums have their names in the file, known ones in one spelling. An empty step means that the program marked none.
#include "formats/ascend/reported_sums.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "formats/ascend/csv_table.h"
#include "formats/ascend/trace_view.h"

namespace sightline::formats::ascend {

// ---- steps and operators ----

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
    profile.add_problem(Severity::error, "unreadable_file", say("{}; the sums of steps are missing", table.error().to_string()),
                        1, 0);
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
      all.rank.push_back(kUnknown);
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
    profile.add_problem(Severity::error, "unreadable_file",
                        say("{}; the sums of operators are missing", table.error().to_string()), 1, 0);
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

// ---- kernels and calls ----
// One row per name in either file; the comparison sums slices under the same names.

namespace {

// Larger figures are damage, not a count of calls or a sum of their times: nearly ten years.
constexpr std::int64_t kMostCalls = 1'000'000'000'000;
constexpr Time kLongestTotal = 300'000'000'000'000'000;

bool within(std::int64_t figure, std::int64_t most) { return figure == kUnknown || (figure >= 0 && figure <= most); }

struct CallTitles {
  std::string_view name, part, total;
};

void add_calls(const std::string& path, const CallTitles& titles, SliceKind kind, Profile& profile) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    profile.add_problem(Severity::warning, "unreadable_file", say("{}; its sums are missing", table.error().to_string()), 1, 0);
    return;
  }
  const auto name = table->column({titles.name}), part = table->column({titles.part}), device = table->column({"Device_id"});
  const auto calls = table->column({"Count"}), total = table->column({titles.total});
  const auto shortest = table->column({"Min Time(us)", "Min(us)"}), longest = table->column({"Max Time(us)", "Max(us)"});
  ReportedCalls& all = profile.reported_calls;
  while (table->next()) {
    const std::int64_t count = table->integer(calls);
    const Time time = table->us_as_ns(total);
    if (is_absent(table->text(name)) || !within(count, kMostCalls) || !within(time, kLongestTotal)) {
      table->skip_row();
      continue;
    }
    const std::string_view core = table->text(part);
    all.kind.push_back(kind);
    all.device.push_back(kind == SliceKind::kernel ? table->integer(device) : kUnknown);  // "host" for calls of the host
    all.name.push_back(profile.strings.intern(table->text(name)));
    all.part.push_back(is_absent(core) ? StringId::none : profile.strings.intern(core));
    all.calls.push_back(count);
    all.total.push_back(time);
    all.shortest.push_back(table->us_as_ns(shortest));
    all.longest.push_back(table->us_as_ns(longest));
  }
  table->report(profile);
}

struct Sum {
  std::int64_t calls = 0;
  Time total = 0;
};
using Sums = std::map<std::pair<StringId, StringId>, Sum>;  // by name and part

// Kernels by type and core; empty if one kernel's are unknown. The file leaves collectives out.
Sums kernels_in(const Profile& p) {
  Sums sums;
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row slice = p.device_work.slice[work];
    if (p.slices.kind[slice] != SliceKind::kernel) continue;
    if (p.device_work.type[work] == StringId::none || p.device_work.core[work] == StringId::none) return {};
    Sum& sum = sums[{p.device_work.type[work], p.device_work.core[work]}];
    ++sum.calls;
    sum.total += p.slices.duration[slice];
  }
  return sums;
}

// The timeline writes the layer before the name, "AscendCL@aclnnAdd", and uses "AscendCL" for what the table calls "acl".
std::string layer_of_call(std::string_view timeline_layer) {
  if (timeline_layer == "AscendCL") return "acl";
  std::string layer(timeline_layer);
  std::transform(layer.begin(), layer.end(), layer.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return layer;
}

Sums calls_in(Profile& p) {
  std::map<StringId, Sum> by_name;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::runtime) continue;
    Sum& sum = by_name[p.slices.name[slice]];
    ++sum.calls;
    sum.total += p.slices.duration[slice];
  }
  Sums sums;
  for (const auto& [id, sum] : by_name) {
    const std::string name(p.text(id));
    const std::size_t at = name.find('@');
    if (at == std::string::npos) continue;
    sums[{p.strings.intern(name.substr(at + 1)), p.strings.intern(layer_of_call(name.substr(0, at)))}] = sum;
  }
  return sums;
}

void compare(SliceKind kind, const Sums& sums, std::string_view what, const char* where, Profile& p) {
  if (sums.empty()) return;
  const ReportedCalls& all = p.reported_calls;
  std::map<std::pair<StringId, StringId>, Sum> stated;  // over devices
  for (Row i = 0; i < all.rows(); ++i) {
    if (all.kind[i] != kind || all.calls[i] == kUnknown || all.total[i] == kUnknown) continue;
    Sum& sum = stated[{all.name[i], all.part[i]}];
    sum.calls = std::min(sum.calls + all.calls[i], kMostCalls);  // never overflows, for any number of rows
    sum.total = std::min(sum.total + all.total[i], kLongestTotal);
  }
  std::int64_t differing = 0;
  Message first;
  for (const auto& [key, reported] : stated) {
    const auto found = sums.find(key);
    const Sum ours = found == sums.end() ? Sum{} : found->second;
    const Time apart = std::abs(reported.total - ours.total);
    if (reported.calls == ours.calls && apart <= reported.calls + 1)
      continue;  // each duration was rounded or cut to a nanosecond
    if (differing++ > 0) continue;
    first = say("'{}' {} times, {} ns; in the {}: {} times, {} ns", p.text(key.first), reported.calls, reported.total, where,
                ours.calls, ours.total);
  }
  if (differing > 0) {
    p.add_problem(Severity::note, "sums_differ",
                  say("a sum of {} differs from the {}, whose sum is shown: {}", what, where, first), differing, 0);
  }
}

}  // namespace

void add_kernel_statistics(const std::string& path, Profile& profile) {
  add_calls(path, {"OP Type", "Core Type", "Total Time(us)"}, SliceKind::kernel, profile);
}

void add_call_statistics(const std::string& path, Profile& profile) {
  add_calls(path, {"API Name", "Level", "Time(us)"}, SliceKind::runtime, profile);
}

void compare_statistics(Profile& profile) {
  const auto stated = [&](SliceKind kind) {
    const auto& kinds = profile.reported_calls.kind;
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  if (stated(SliceKind::kernel)) compare(SliceKind::kernel, kernels_in(profile), "op_statistic.csv", "kernels", profile);
  if (stated(SliceKind::runtime))
    compare(SliceKind::runtime, calls_in(profile), "api_statistic.csv", "timeline's calls", profile);
}

}  // namespace sightline::formats::ascend
