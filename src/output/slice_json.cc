// A slice from its own columns, the side tables, and the relations between slices.
#include "output/slice_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "analyses/facts.h"
#include "analyses/kernels/kernel_groups.h"
#include "analyses/operators/host_tree.h"
#include "analyses/words.h"
#include "base/text.h"
#include "model/interval.h"
#include "output/timeline_json.h"

namespace sightline::output {

// ---- facts ----

namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

class FactList {
 public:
  FactList(const Timeline& timeline, Row slice) : timeline_(timeline), p_(timeline.profile()), s_(p_.slices), slice_(slice) {}

  std::vector<SliceFact> all() {
    if (is_replayed(p_, slice_)) {
      add_words("Host time", analyses::kOnlyReplayed);
    } else {
      add_nesting();
    }
    add_place();
    if (const Row op = row_of(p_.operators, slice_); op != kNoRow) {
      add("Input shapes", p_.operators.input_shapes[op]);
      add("Input types", p_.operators.input_types[op]);
      add("Input strides", p_.operators.input_strides[op]);
      add("Input values", p_.operators.concrete_inputs[op]);
      add("Call stack", p_.operators.call_stack[op]);
    }
    if (const Row call = row_of(p_.modules, slice_); call != kNoRow) add("Module instance", p_.modules.instance[call], Unit::id);
    if (const Row work = row_of(p_.device_work, slice_); work != kNoRow) add_device_work(work);
    if (const Row of = executed_operator(p_, slice_); of != kNoRow) add_program_operator(of);
    add_work_facts();
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow) add_launch(launch);
    if (const Row collective = row_of(p_.collectives, slice_); collective != kNoRow) add_collective(collective);
    return std::move(facts_);
  }

 private:
  void add(const char* label, std::string_view text) {
    if (!text.empty()) facts_.push_back({label, std::string(text)});
  }
  void add_words(const char* label, const Message& words) { facts_.push_back({label, std::string(words), Unit::none, words}); }
  void add(const char* label, StringId text) {
    if (text != StringId::none) add(label, p_.text(text));
  }
  void add(const char* label, std::int64_t value, Unit unit) {
    if (value != kUnknown) facts_.push_back({label, value, unit});
  }
  void add(const char* label, float value, Unit unit) {
    if (value == value) facts_.push_back({label, static_cast<double>(value), unit});
  }

  void add_nesting() {
    const std::vector<Row> children = direct_children(p_, slice_, kAll);
    Time inside = 0;
    for (const Row child : children) inside += s_.duration[child];
    add("Self time", s_.duration[slice_] - inside, Unit::ns);
    if (!children.empty()) add("Children", static_cast<std::int64_t>(children.size()), Unit::count);
    if (const Row parent = s_.parent[slice_]; parent != kNoRow) {
      const auto siblings = static_cast<std::int64_t>(direct_children(p_, parent, kAll).size()) - 1;
      add("Siblings", siblings, Unit::count);
    }
  }

  void add_place() {
    for (std::size_t i = 0; i < p_.steps.rows(); ++i) {
      const Time into = s_.start[slice_] - p_.steps.start[i];
      if (p_.steps.slice[i] == slice_ || into < 0 || into >= p_.steps.duration[i]) continue;
      add("Step", std::to_string(p_.steps.number[i]));
      add("Since the step's start", into, Unit::ns);
      break;
    }
    const std::vector<Row>& modules = timeline_.modules();
    const Row module = modules.empty() ? kNoRow : modules[slice_];
    if (module != kNoRow && module != slice_) add("Module", s_.name[module]);
  }

  void add_device_work(Row work) {
    const DeviceWork& w = p_.device_work;
    add("Device", w.device[work], Unit::id);
    if (w.launch[work] != kNoRow) {
      const Row call = p_.launches.slice[w.launch[work]];
      add("Launch delay", s_.start[slice_] - p_.end_of(call), Unit::ns);  // from the end of the launching call
      add("Since the launch began", s_.start[slice_] - s_.start[call], Unit::ns);
    }
    add("Grid", w.grid[work]);
    add("Block", w.block[work]);
    if (w.registers[work] >= 0) add("Registers per thread", std::int64_t{w.registers[work]}, Unit::count);
    add("Shared memory", w.shared_bytes[work], Unit::bytes);
    add("Blocks per core", w.blocks_per_core[work], Unit::count);
    add("Warps per core", w.warps_per_core[work], Unit::count);
    add("Estimated occupancy", w.occupancy[work], Unit::percent);
    if (w.fill_source[work] != FillSource::file) add_words("Occupancy from", fill_words(w.fill_source[work]));
    if (w.core_type[work] == CoreType::matrix) add_words("Core", "matrix units");
    add("Bytes", w.bytes[work], Unit::bytes);
    if (w.bytes[work] != kUnknown && s_.duration[slice_] > 0) {
      const double seconds = static_cast<double>(s_.duration[slice_]) * 1e-9;
      facts_.push_back({"Bandwidth", static_cast<double>(w.bytes[work]) / seconds, Unit::bytes_per_second});
    }
    add("Correlation id", w.correlation[work], Unit::id);
    if (const Row owner = w.owner[work]; owner != kNoRow) {
      if (const Row op = row_of(p_.operators, owner); op != kNoRow) {
        add("Operator's input shapes", p_.operators.input_shapes[op]);
        add("Operator's call stack", p_.operators.call_stack[op]);
      }
    }
  }

  // What the compiler says of the operator that the slice executes; what was fused into it, and which of that also ran by itself
  // meanwhile.
  void add_program_operator(Row of) {
    const ProgramOperators& all = p_.program_operators;
    if (all.name[of] != s_.name[slice_]) add("HLO operator", all.name[of]);
    if (all.framework_operator[of] != s_.name[slice_]) add("Framework operator", all.framework_operator[of]);
    add("Operation", all.opcode[of]);
    add("Category", all.category[of]);
    add("Shape", all.shape[of]);
    add("Source", all.source[of]);
    std::vector<std::string> fused, meanwhile;
    for (Row member = 0; member < all.rows(); ++member) {
      if (all.fused_into[member] != of) continue;
      const StringId name = all.name[member] == StringId::none ? all.framework_operator[member] : all.name[member];
      fused.emplace_back(p_.text(name));
      const Time overlap = overlap_of(all.program[member], name);
      if (overlap > 0) meanwhile.push_back(fmt::format("{} ({})", p_.text(name), time_words(overlap)));
    }
    add("Fused operators", listed(fused));
    add("Also executed separately during this slice", listed(meanwhile));
  }

  // How long operators of this name and program ran while the slice did.
  Time overlap_of(StringId program, StringId name) const {
    const ProgramOperators& all = p_.program_operators;
    std::vector<Interval> ran;
    for (Row work = 0; work < p_.program_work.rows(); ++work) {
      const Row of = p_.program_work.program_operator[work], other = p_.program_work.slice[work];
      const StringId called = all.name[of] == StringId::none ? all.framework_operator[of] : all.name[of];
      if (called == name && all.program[of] == program && other != slice_) ran.push_back({s_.start[other], p_.end_of(other)});
    }
    return length_within(merge(std::move(ran)), {s_.start[slice_], p_.end_of(slice_)});
  }

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 50;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
  }

  // Under the names that the file gives them, in the units that these announce ("(us)", "_bytes").
  void add_work_facts() {
    const WorkFacts& facts = p_.work_facts;
    const auto [first, last] = std::equal_range(facts.slice.begin(), facts.slice.end(), slice_);
    for (auto at = first; at != last; ++at) {
      const auto row = static_cast<std::size_t>(at - facts.slice.begin());
      const Message label = p_.text(facts.name[row]);
      if (facts.text[row] != StringId::none) {
        facts_.push_back({label, std::string(p_.text(facts.text[row]))});
        continue;
      }
      const FactColumn known = fact_column(label);
      const double number = facts.number[row] * known.scale;
      if (number == std::floor(number) && std::abs(number) <= kMostExactReal) {
        facts_.push_back({known.title, static_cast<std::int64_t>(number), known.unit});
      } else if (number == number) {
        facts_.push_back({known.title, number, known.unit});
      }
    }
  }

  void add_launch(Row launch) {
    add("Correlation id", p_.launches.correlation[launch], Unit::id);
    const std::span<const Row> launched = timeline_.relations().launched_by(launch);
    if (launched.empty()) return;
    const Row first = p_.device_work.slice[launched.front()];
    add("Launch delay", s_.start[first] - p_.end_of(slice_), Unit::ns);
    if (launched.size() > 1) add("Launched", static_cast<std::int64_t>(launched.size()), Unit::count);
  }

  void add_collective(Row c) {
    add("Collective", p_.collectives.name[c]);
    add("Process group", p_.collectives.group[c]);
    add("Group size", p_.collectives.group_size[c], Unit::count);
    add("Element type", p_.collectives.dtype[c]);
    add("Elements in", p_.collectives.in_elements[c], Unit::count);
    add("Elements out", p_.collectives.out_elements[c], Unit::count);
    add("Sequence number", p_.collectives.sequence[c], Unit::id);
  }

  const Timeline& timeline_;
  const Profile& p_;
  const Slices& s_;
  Row slice_;
  std::vector<SliceFact> facts_;
};

}  // namespace

Row executed_operator(const Profile& profile, Row slice) {
  const ProgramWork& work = profile.program_work;
  const auto at = std::lower_bound(work.slice.begin(), work.slice.end(), slice);
  if (at != work.slice.end() && *at == slice) return work.program_operator[static_cast<std::size_t>(at - work.slice.begin())];
  const SliceKind kind = profile.slices.kind[slice];
  if (kind != SliceKind::annotation && kind != SliceKind::device_annotation) return kNoRow;
  const ProgramOperators& all = profile.program_operators;
  for (Row of = 0; of < all.rows(); ++of) {
    const StringId name = all.name[of] == StringId::none ? all.framework_operator[of] : all.name[of];
    if (name == profile.slices.name[slice] && all.fused_into[of] == kNoRow) return of;
  }
  return kNoRow;
}

std::vector<SliceFact> slice_facts(const Timeline& timeline, Row slice) { return FactList(timeline, slice).all(); }

std::vector<Row> direct_children(const Profile& profile, Row slice, std::size_t most) {
  const Slices& s = profile.slices;
  const Time* start = s.start.data();
  const Row last = static_cast<Row>(
      std::lower_bound(start + slice + 1, start + profile.lanes.last[s.lane[slice]], profile.end_of(slice)) - start);
  std::vector<Row> found;
  for (Row i = slice + 1; i < last && found.size() < most;) {
    if (s.parent[i] == slice) found.push_back(i);
    // What starts before this child ends is inside it, or an instant beside it: step over the former.
    Row step = 1;
    Row next = i + 1;
    while (next < last && start[next] < profile.end_of(i)) {
      next = std::min(last, next + step);
      step *= 2;
    }
    i = static_cast<Row>(std::lower_bound(start + i + 1, start + next, profile.end_of(i)) - start);
  }
  return found;
}

// ---- related slices and links ----

namespace {

constexpr std::size_t kMostRelated = 50;

class SliceReader {
 public:
  SliceReader(const Timeline& timeline, Row slice) : timeline_(timeline), p_(timeline.profile()), s_(p_.slices), slice_(slice) {}

  SliceDetail read(const std::string& event) {
    detail_.slice = drawn(slice_);
    detail_.depth = s_.depth[slice_];
    detail_.facts = slice_facts(timeline_, slice_);
    add_related();
    add_links();
    if (!event.empty()) detail_.event = event;
    return std::move(detail_);
  }

 private:
  DrawnSlice drawn(Row slice) const {
    const DrawnPlace place = timeline_.place_of(slice);
    return {.slice = slice,
            .name = p_.text(s_.name[slice]),
            .kind = s_.kind[slice],
            .lane = place.lane,
            .row = place.row,
            .start = s_.start[slice],
            .duration = s_.duration[slice]};
  }

  // ---- related slices ----

  void relate(const char* relation, Row other) {
    if (other != kNoRow) detail_.related.push_back({relation, drawn(other)});
  }

  // The nearest slice of the same name on the lane, before (step -1) or after (step 1).
  Row same_name(int step) const {
    const Row lane = s_.lane[slice_];
    for (std::int64_t i = std::int64_t{slice_} + step; i >= p_.lanes.first[lane] && i < p_.lanes.last[lane]; i += step) {
      if (s_.name[static_cast<Row>(i)] == s_.name[slice_]) return static_cast<Row>(i);
    }
    return kNoRow;
  }

  void add_related() {
    relate("parent", s_.parent[slice_]);
    for (const Row child : direct_children(p_, slice_, kMostRelated)) relate("child", child);
    relate("previous", same_name(-1));
    relate("next", same_name(1));
    const Relations& relations = timeline_.relations();
    if (const Row work = row_of(p_.device_work, slice_); work != kNoRow) {
      if (p_.device_work.launch[work] != kNoRow) relate("launch", p_.launches.slice[p_.device_work.launch[work]]);
      relate("owner", p_.device_work.owner[work]);
    }
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow) {
      relate("owner", p_.launches.owner[launch]);
      relate_work("launched", relations.launched_by(launch));
    }
    relate_work("owned", relations.owned_by(slice_));
    const auto is_pair = [&](Row flow) { return p_.flows.kind[flow] == FlowKind::forward_backward; };
    for (const Row flow : relations.flows_from(slice_)) relate(is_pair(flow) ? "backward" : "leads_to", p_.flows.to[flow]);
    for (const Row flow : relations.flows_to(slice_)) relate(is_pair(flow) ? "forward" : "comes_from", p_.flows.from[flow]);
    for (std::size_t i = 0; i < p_.steps.rows() && p_.steps.start[i] <= s_.start[slice_]; ++i) {
      if (s_.start[slice_] < p_.steps.start[i] + p_.steps.duration[i] && p_.steps.slice[i] != slice_)
        relate("step", p_.steps.slice[i]);
    }
    const std::vector<Row>& modules = timeline_.modules();
    if (!modules.empty() && modules[slice_] != slice_) relate("module", modules[slice_]);
  }

  void relate_work(const char* relation, std::span<const Row> work) {
    for (const Row row : work.first(std::min(work.size(), kMostRelated))) relate(relation, p_.device_work.slice[row]);
  }

  // ---- rows of other views ----

  void link(std::string_view title, std::string_view view, std::vector<std::pair<std::string, std::string>> parameters,
            Row find) {
    detail_.links.push_back({title, view, std::move(parameters), {}});
    if (find != kNoRow) detail_.links.back().find = p_.text(s_.name[find]);
  }

  // Rows of the views of compiled programs' operators.
  void link_operator(Row of) {
    const ProgramOperators& all = p_.program_operators;
    const auto to = [&](std::string_view title, std::string_view view, StringId name) {
      if (name != StringId::none) detail_.links.push_back({title, view, {}, p_.text(name)});
    };
    to("HLO operators", "program_operators", all.name[of]);
    to("Framework operators", "framework_operators", all.framework_operator[of]);
  }

  bool is_operator(Row slice) const { return slice != kNoRow && row_of(p_.operators, slice) != kNoRow; }

  void add_links() {
    const std::string name(p_.text(s_.name[slice_]));
    const bool has_kernels = std::any_of(p_.device_work.slice.begin(), p_.device_work.slice.end(), [&](Row slice) {
      return s_.kind[slice] == SliceKind::kernel || s_.kind[slice] == SliceKind::collective;
    });
    if (is_operator(slice_)) {
      link("Operators", "operators", {}, slice_);
      if (has_kernels) link("Kernels of this operator", "kernels", {{"group_by", "launch"}, {"operator", name}}, kNoRow);
    }
    const Row work = row_of(p_.device_work, slice_);
    if (work != kNoRow && (s_.kind[slice_] == SliceKind::kernel || s_.kind[slice_] == SliceKind::collective)) {
      link("Kernels", "kernels", {}, slice_);
      link("Launches of this kernel", "kernels", {{"group_by", "launch"}, {"search", name}}, kNoRow);
    }
    if (const Row of = executed_operator(p_, slice_); of != kNoRow) link_operator(of);
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow && is_operator(p_.launches.owner[launch])) {
      link("Operator that made the call", "operators", {}, p_.launches.owner[launch]);
    }
    if (work != kNoRow && is_operator(p_.device_work.owner[work])) {
      link("Operator that launched it", "operators", {}, p_.device_work.owner[work]);
    }
    const auto step = std::find(p_.steps.slice.begin(), p_.steps.slice.end(), slice_);
    if (step != p_.steps.slice.end() && p_.operators.rows() != 0) {
      const std::int64_t number = p_.steps.number[static_cast<std::size_t>(step - p_.steps.slice.begin())];
      link("Operators of this step", "operators", {{"step", std::to_string(number)}}, kNoRow);
    }
  }

  const Timeline& timeline_;
  const Profile& p_;
  const Slices& s_;
  Row slice_;
  SliceDetail detail_;
};

}  // namespace

std::string slice_json(const Timeline& timeline, Row slice, const std::string& event) {
  return wire_json(SliceReader(timeline, slice).read(event));
}

}  // namespace sightline::output
