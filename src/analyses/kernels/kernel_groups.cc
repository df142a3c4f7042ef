// Kernels filtered and grouped in one pass over device work; one line per column.
#include "analyses/kernels/kernel_groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analyses/derived_data.h"
#include "analyses/devices/device_activity.h"
#include "analyses/facts.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/stated_names.h"

namespace sightline::analyses {

// ---- groups ----

namespace {

// By node: whether it, or a node around it, bears the name.
std::vector<std::uint8_t> nodes_inside(const Profile& profile, const HostTree& tree, std::string_view name) {
  const StringId wanted = profile.strings.find(name);
  std::vector<std::uint8_t> inside(tree.nodes(), 0);
  for (Row node = 0; node < tree.nodes(); ++node) {
    const Row parent = tree.parent[node];
    const bool bears = wanted != StringId::none && profile.slices.name[tree.slice[node]] == wanted;
    inside[node] = bears || (parent != kNoRow && inside[parent]);
  }
  return inside;
}

class Filter {
 public:
  Filter(const Profile& profile, const HostTree& tree, const KernelFilter& filter)
      : profile_(profile), tree_(tree), filter_(filter) {
    type_ = profile.strings.find(filter.type);
    core_ = profile.strings.find(filter.core);
    if (!filter.operator_name.empty()) inside_ = nodes_inside(profile, tree, filter.operator_name);
  }

  bool passes(Row work) const {
    const DeviceWork& rows = profile_.device_work;
    if (!filter_.type.empty() && (type_ == StringId::none || rows.type[work] != type_)) return false;
    if (!filter_.core.empty() && (core_ == StringId::none || rows.core[work] != core_)) return false;
    if (filter_.device && rows.device[work] != *filter_.device) return false;
    if (filter_.step && !in_step(profile_, *filter_.step, work)) return false;
    return filter_.operator_name.empty() || owned_inside(rows.owner[work]);
  }

 private:
  bool owned_inside(Row owner) const {
    if (owner == kNoRow) return false;
    if (profile_.text(profile_.slices.name[owner]) == filter_.operator_name) return true;
    const Row node = tree_.node_of_owner(owner);
    return node != kNoRow && inside_[node];
  }

  const Profile& profile_;
  const HostTree& tree_;
  const KernelFilter& filter_;
  std::vector<std::uint8_t> inside_;
  StringId type_, core_;
};

std::uint32_t number_word(std::int64_t value) {
  return value < 0 || value >= kNoNumber ? kNoNumber : static_cast<std::uint32_t>(value);
}

KernelKeys::Key key_of(const Profile& profile, Row work, KernelGrouping grouping, const FactName& source) {
  const DeviceWork& rows = profile.device_work;
  const auto word = [](StringId id) { return static_cast<std::uint32_t>(id); };
  if (grouping == KernelGrouping::source)
    return {word(profile.strings.find(text_of(profile, rows.slice[work], source))), 0, 0, 0, 0, 0, 0, 0};
  const std::uint32_t name = word(profile.slices.name[rows.slice[work]]);
  if (grouping == KernelGrouping::name) return {name, 0, 0, 0, 0, 0, 0, 0};
  const std::uint32_t type = word(rows.type[work]), core = word(rows.core[work]);
  if (grouping == KernelGrouping::type) return {0, type, core, 0, 0, 0, 0, 0};
  const Row owner = rows.owner[work];
  const StringId operator_name = owner == kNoRow ? StringId::none : profile.slices.name[owner];
  return {name,
          type,
          core,
          word(operator_name),
          word(rows.grid[work]),
          word(rows.block[work]),
          number_word(rows.registers[work]),
          number_word(rows.shared_bytes[work])};
}

void add_text(SharedText& shared, StringId text, bool first) {
  if (first) shared.text = text;
  shared.differs |= shared.text != text;
}

// The capture of the graph that ran it; none if it was not matched to one.
StringId capture_of(const Profile& profile, Row work) {
  const GraphLaunches& all = profile.graph_launches;
  const auto at = std::lower_bound(all.launch.begin(), all.launch.end(), profile.device_work.launch[work]) - all.launch.begin();
  const Row row = static_cast<Row>(at);
  if (row == all.rows() || all.launch[row] != profile.device_work.launch[work] || all.captured[row] == kNoRow)
    return StringId::none;
  return profile.captured_graphs.name[all.captured[row]];
}

void add_call(KernelSums& sums, const DeviceWork& rows, Row work, Time duration) {
  sums.min = sums.calls == 0 ? duration : std::min(sums.min, duration);
  if (sums.calls == 0 || duration > sums.max) sums.longest = rows.slice[work];
  sums.max = std::max(sums.max, duration);
  sums.total += duration;
  ++sums.calls;
  if (rows.core_type[work] != sums.core_type) sums.core_type = CoreType::unknown;
  add_text(sums.type, rows.type[work], sums.calls == 1);
  add_text(sums.core, rows.core[work], sums.calls == 1);
  if (sums.calls == 1) sums.fill_source = rows.fill_source[work];
  sums.fill_differs |= sums.fill_source != rows.fill_source[work];
  if (rows.blocks_per_core[work] >= 0) {  // false for unknown
    sums.blocks_time += static_cast<double>(rows.blocks_per_core[work]) * static_cast<double>(duration);
    sums.blocks_weight += duration;
  }
  if (rows.occupancy[work] >= 0) {
    sums.occupancy_time += static_cast<double>(rows.occupancy[work]) * static_cast<double>(duration);
    sums.occupancy_weight += duration;
  }
}

void describe(KernelSums& sums, const Profile& profile, const HostTree& tree, Row work) {
  sums.core_type = profile.device_work.core_type[work];
  const Row owner = profile.device_work.owner[work];
  if (!tree.owns_itself(owner)) return;
  const Row row = tree.operator_row[tree.node_of_slice[owner]];
  sums.owner_is_operator = row != kNoRow;
  sums.operator_eligible = row != kNoRow && profile.operators.matrix_eligible[row];
}

// Adds the facts of a kernel to the sums of its group, which begin at `sums`.
void add_facts(FactSum* sums, const Profile& profile, const Facts& facts, Row work, Time duration) {
  facts.visit(work, [&](std::uint32_t column, Row fact) {
    const FactColumn& of = facts.columns()[column];
    const double number = profile.work_facts.number[fact];
    if (!of.measure || std::isnan(number)) return;
    const double weight = of.weighted() ? static_cast<double>(duration) : 1.0;
    sums[column].sum += number * of.scale * weight;
    sums[column].weight += weight;
  });
}

void add_core(std::vector<CoreTime>& cores, StringId core, Time duration) {
  auto at = std::find_if(cores.begin(), cores.end(), [&](const CoreTime& known) { return known.core == core; });
  if (at == cores.end()) at = cores.insert(at, CoreTime{core});
  ++at->calls;
  at->total += duration;
}

// The costs of the operators by the slice of their longest device work.
class CostsOfWork {
 public:
  explicit CostsOfWork(const Profile& profile) : costs_(profile) {
    const auto& works = profile.costed_calls.work;
    for (Row call = 0; call < works.size(); ++call) calls_.emplace_back(works[call], call);
    std::sort(calls_.begin(), calls_.end());
  }

  // Adds what the slice's operator costs, if the slice is its longest work.
  void add(Row slice, CostSums& sums) const {
    const auto at = std::lower_bound(calls_.begin(), calls_.end(), std::pair{slice, Row{0}});
    if (at != calls_.end() && at->first == slice) sums.add(costs_.of(at->second));
  }

 private:
  CallCosts costs_;
  std::vector<std::pair<Row, Row>> calls_;  // slice of the work, row of costed_calls
};

}  // namespace

std::vector<Row> kernels_that_pass(const Profile& profile, const HostTree& tree, const KernelFilter& filter) {
  const Filter chosen(profile, tree, filter);
  const auto& slices = profile.device_work.slice;
  std::vector<Row> kernels;
  for (Row work = 0; work < slices.size(); ++work) {
    if (is_kernel(profile.slices.kind[slices[work]]) && chosen.passes(work)) kernels.push_back(work);
  }
  return kernels;
}

std::int64_t held_bytes(const KernelGroups& groups) {
  return groups.keys.held_bytes() + held_bytes(groups.sums, groups.facts, groups.cores);
}

KernelGroups group_kernels(const Profile& profile, const HostTree& tree, const std::vector<Row>& kernels, const Facts& facts,
                           KernelGrouping grouping) {
  KernelGroups groups;
  const DeviceWork& rows = profile.device_work;
  const FactName source(profile, {stated::kSourceLine});
  const FactName file(profile, {kWrittenFile}), arguments(profile, {kWrittenArguments}), hash(profile, {kWrittenHash});
  const CostsOfWork costs(profile);
  for (const Row work : kernels) {
    const std::uint32_t group = groups.keys.number_of(key_of(profile, work, grouping, source));
    if (group == groups.sums.size()) {
      describe(groups.sums.emplace_back(), profile, tree, work);
      groups.facts.resize(groups.sums.size() * facts.columns().size());
    }
    const Time duration = profile.slices.duration[rows.slice[work]];
    add_call(groups.sums[group], rows, work, duration);
    const bool is_first = groups.sums[group].calls == 1;
    add_text(groups.sums[group].captured, capture_of(profile, work), is_first);
    if (file.is_known()) {
      add_text(groups.sums[group].file, text_id_of(profile, rows.slice[work], file), is_first);
      add_text(groups.sums[group].arguments, text_id_of(profile, rows.slice[work], arguments), is_first);
      add_text(groups.sums[group].hash, text_id_of(profile, rows.slice[work], hash), is_first);
    }
    costs.add(rows.slice[work], groups.sums[group].costs);
    add_facts(groups.facts.data() + group * facts.columns().size(), profile, facts, work, duration);
    add_core(groups.cores, rows.core[work], duration);
    ++groups.by_rule[static_cast<std::size_t>(rows.rule[work])];
    ++groups.calls;
    groups.total += duration;
    if (rows.core_type[work] == CoreType::matrix) groups.matrix += duration;
    if (rows.core_type[work] == CoreType::unknown) groups.unknown_core += duration;
  }
  sort_down(groups.cores, [](const auto& each) { return each.total; });
  return groups;
}

// ---- columns ----

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
  fields.captured = any([&](Row work) { return capture_of(profile, work) != StringId::none; });
  const FactName file(profile, {kWrittenFile});
  fields.written = file.is_known() && any([&](Row work) { return !text_of(profile, rows.slice[work], file).empty(); });
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

ReportColumn captured_column() {
  return code_column("captured_by", "Captured by", "The capture of the graph in which all its calls ran")
      .with_unknown("not all its calls ran in graphs of one recorded capture");
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
  const auto add = [&](std::int64_t kernels, Template<1> text) {
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
