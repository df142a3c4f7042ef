// assemble: fills each table in the order of its slices, without sorting.
#include "formats/trace_events/assemble.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "formats/common/categories.h"
#include "formats/common/decimal.h"
#include "formats/common/serving_steps.h"
#include "formats/trace_events/event_batch.h"
#include "formats/trace_events/slice_layout.h"

namespace sightline::formats::trace_events {

// ---- facts of slices ----

void put_facts(std::vector<SliceFact> facts, Profile& profile) {
  if (facts.empty()) return;
  WorkFacts& table = profile.work_facts;
  std::vector<SliceFact> all;
  all.reserve(table.rows() + facts.size());
  for (Row i = 0; i < table.rows(); ++i) all.push_back({table.slice[i], table.name[i], table.number[i], table.text[i]});
  all.insert(all.end(), facts.begin(), facts.end());
  sort_up(all, &SliceFact::slice);
  table.for_each_column([&](const ColumnInfo&, auto& column) { column.resize(all.size()); });
  for (Row i = 0; i < all.size(); ++i) {
    table.slice[i] = all[i].slice;
    table.name[i] = all[i].name;
    table.number[i] = all[i].number;
    table.text[i] = all[i].text;
  }
}

// ---- assemble ----
// Merges the pools, lays out the slices, then fills each side table.

namespace {

// "[[2,3],[]]" as "[[2, 3], []]", for any spacing.
std::string normal_list(std::string_view text) {
  std::string out;
  bool quoted = false;
  bool escaped = false;  // the character before is a backslash that escapes this one
  for (const char c : text) {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = c == '\\' && !escaped;
    if (!quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r')) continue;
    out += c;
    if (!quoted && c == ',') out += ' ';
  }
  return out;
}

// Fewer slices take less time than starting threads.
unsigned threads_for(const std::vector<EventBatch>& batches, unsigned most) {
  constexpr std::size_t kFewSlices = std::size_t{1} << 12;
  std::size_t slices = 0;
  for (const EventBatch& batch : batches) slices += batch.slices.start.size();
  if (slices < kFewSlices) return 1;
  return most == 0 ? default_threads() : most;
}

class Assembler {
 public:
  Assembler(ParsedEvents parsed, const RootMembers& members, unsigned threads)
      : parsed_(std::move(parsed)), threads_(threads_for(parsed_.batches, threads)), profile_(std::make_unique<Profile>()) {
    merge_strings();
    base_ = apply_root_members(members, *profile_);
    origin_ = first_time();
    // Times before 2001 are relative to a base that the file may state.
    if (base_ != 0 || origin_ > 1'000'000'000'000'000'000) profile_->origin_unix_ns = base_ + origin_;
    layout_ = std::make_unique<SliceLayout>(parsed_, string_map_, origin_, *profile_, threads_);
  }

  Assembled run() {
    normalize_lists();
    gather_facts();
    run_together({[this] { gather_operators(); }, [this] { gather_launches(); }, [this] { gather_device_work(); },
                  [this] { gather_modules(); }},
                 threads_);
    gather_collectives();
    gather_memory();
    gather_flows();
    gather_counters();
    apply_names();
    gather_steps();
    add_serving_steps(*profile_);
    report_problems(parsed_.batches, *profile_);
    find_window();
    for (const EventBatch& batch : parsed_.batches) profile_->events += batch.events;
    layout_.reset();
    parsed_ = {};
    return_freed_memory();
    result_.origin = origin_;
    result_.profile = std::move(profile_);
    return std::move(result_);
  }

 private:
  StringId text(const EventBatch& batch, StringId id) const {
    const std::vector<StringId>& map = string_map_[batch.worker];
    return map.empty() ? id : map[static_cast<std::size_t>(id)];
  }
  StringId list(const EventBatch& batch, StringId id) const { return list_map_[static_cast<std::size_t>(text(batch, id))]; }

  // The pages of a new column are zero and take memory only when written: a column without texts takes none.
  static void set_known(Column<StringId>& column, Row at, StringId value) {
    static_assert(StringId::none == StringId{});
    if (value != StringId::none) column[at] = value;
  }

  void merge_strings() {
    profile_->strings = std::move(parsed_.strings[0]);
    string_map_.emplace_back();
    for (std::size_t w = 1; w < parsed_.strings.size(); ++w) {
      string_map_.push_back(profile_->strings.merge(parsed_.strings[w]));
      parsed_.strings[w] = StringPool();
    }
  }

  std::int64_t first_time() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const EventBatch& batch : parsed_.batches) {
      for (const std::int64_t start : batch.slices.start) first = std::min(first, start);
      for (const RawMemory& event : batch.memory) first = std::min(first, event.time);
    }
    return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
  }

  // Gives shapes, types, strides, values, grids and blocks one spelling, once for each distinct text.
  void normalize_lists() {
    const std::size_t batches = parsed_.batches.size();
    const std::size_t groups = std::min<std::size_t>(batches, threads_);
    std::vector<std::vector<bool>> wanted(groups, std::vector<bool>(profile_->strings.size(), false));
    parallel_for(groups, threads_, [&](std::size_t g) {
      for (std::size_t b = g * batches / groups; b < (g + 1) * batches / groups; ++b) want_lists(parsed_.batches[b], wanted[g]);
    });
    list_map_.assign(profile_->strings.size(), StringId::none);
    for (std::size_t i = 1; i < list_map_.size(); ++i) {
      if (std::any_of(wanted.begin(), wanted.end(), [i](const std::vector<bool>& of_group) { return of_group[i]; }))
        list_map_[i] = profile_->strings.intern(normal_list(profile_->text(static_cast<StringId>(i))));
    }
  }

  // Marks the texts of a batch that are lists.
  void want_lists(const EventBatch& batch, std::vector<bool>& wanted) const {
    auto want = [&](StringId id) {
      if (id != StringId::none) wanted[static_cast<std::size_t>(text(batch, id))] = true;
    };
    for (const RawHost& host : batch.hosts) {
      want(host.shapes);
      want(host.types);
      want(host.strides);
      want(host.values);
    }
    for (const RawDeviceWork& work : batch.device_work) {
      want(work.grid);
      want(work.block);
    }
    for (const RawCollective& collective : batch.collectives) want(collective.group_ranks);
  }

  // Calls take(batch, entry, slice row) for every entry of a side table, in the order of the file.
  template <typename Entry, typename Take>
  void each(std::vector<Entry> EventBatch::*table, Take&& take) {
    for (std::size_t b = 0; b < parsed_.batches.size(); ++b) {
      EventBatch& batch = parsed_.batches[b];
      for (const Entry& entry : batch.*table) take(batch, entry, layout_->row(b, slice_of(entry)));
    }
  }

  // Frees a side table whose rows are in columns, so that it and the next columns are not in memory together.
  template <typename Entry>
  void let_go(std::vector<Entry> EventBatch::*table) {
    for (EventBatch& batch : parsed_.batches) batch.*table = {};
    return_freed_memory();
  }

  // A rank over the slices that keep(batch, entry, row) accepts.
  template <typename Entry, typename Keep>
  RowRank rank_of(std::vector<Entry> EventBatch::*table, Keep&& keep) {
    RowRank rank(profile_->slices.rows());
    each(table, [&](const EventBatch& batch, const Entry& entry, Row row) {
      if (keep(batch, entry, row)) rank.insert(row);
    });
    rank.count();
    return rank;
  }

  void gather_operators() {
    const Slices& slices = profile_->slices;
    std::vector<std::uint8_t> listed(profile_->strings.size(), 2);  // by name: 1 listed, 0 not, 2 not looked up yet
    std::vector<std::uint8_t> eligible(profile_->strings.size(), 2);
    auto looked_up = [&](std::vector<std::uint8_t>& known, StringId name, bool (*question)(std::string_view)) {
      std::uint8_t& answer = known[static_cast<std::size_t>(name)];
      if (answer == 2) answer = question(profile_->text(name)) ? 1 : 0;
      return answer == 1;
    };
    auto is_operator = [&](const EventBatch&, const RawHost& host, Row row) {
      return host.is_op() && (slices.kind[row] == SliceKind::op || slices.kind[row] == SliceKind::host_communication) &&
             looked_up(listed, slices.name[row], is_listed_operator);
    };
    auto has_id = [](const RawHost& host) { return host.external_id != kUnknown && host.external_id != 0; };
    std::size_t ids = 0;
    for (const EventBatch& batch : parsed_.batches)
      ids += static_cast<std::size_t>(std::count_if(batch.hosts.begin(), batch.hosts.end(), has_id));
    result_.ids.ranges.reserve(ids);
    const RowRank rank = rank_of(&EventBatch::hosts, is_operator);
    Operators& ops = profile_->operators;
    ops.slice.resize(rank.size());
    ops.input_shapes.resize(rank.size());
    ops.input_types.resize(rank.size());
    ops.input_strides.resize(rank.size());
    ops.concrete_inputs.resize(rank.size());
    ops.call_stack.resize(rank.size());
    ops.matrix_eligible.resize(rank.size());
    each(&EventBatch::hosts, [&](const EventBatch& batch, const RawHost& host, Row row) {
      if (has_id(host)) result_.ids.ranges.emplace_back(host.external_id, row);
      if (slices.kind[row] == SliceKind::host_communication) {
        result_.communication.push_back({row, list(batch, host.shapes), list(batch, host.types)});
      }
      if (!is_operator(batch, host, row)) return;
      const Row at = rank.rank(row);
      ops.slice[at] = row;
      set_known(ops.input_shapes, at, list(batch, host.shapes));
      set_known(ops.input_types, at, list(batch, host.types));
      set_known(ops.input_strides, at, list(batch, host.strides));
      set_known(ops.concrete_inputs, at, list(batch, host.values));
      set_known(ops.call_stack, at, text(batch, host.stack));
      ops.matrix_eligible[at] = looked_up(eligible, slices.name[row], is_matrix_eligible);
    });
    let_go(&EventBatch::hosts);
  }

  void gather_launches() {
    const RowRank rank = rank_of(&EventBatch::launches, [](const EventBatch&, const RawLaunch&, Row) { return true; });
    Launches& launches = profile_->launches;
    launches.slice.resize(rank.size());
    launches.correlation.resize(rank.size());
    launches.owner.resize(rank.size(), kNoRow);
    launches.rule.resize(rank.size(), OwnerRule::none);
    result_.ids.launches.resize(rank.size());
    result_.launched_kernels.resize(rank.size());
    each(&EventBatch::launches, [&](const EventBatch& batch, const RawLaunch& launch, Row row) {
      const Row at = rank.rank(row);
      result_.launched_kernels[at] = text(batch, launch.kernel);
      launches.slice[at] = row;
      launches.correlation[at] = launch.correlation;
      result_.ids.launches[at] = launch.external_id;
    });
    let_go(&EventBatch::launches);
  }

  void gather_device_work() {
    const Slices& slices = profile_->slices;
    auto is_work = [&](const EventBatch&, const RawDeviceWork&, Row row) { return is_device_work(slices.kind[row]); };
    const RowRank rank = rank_of(&EventBatch::device_work, is_work);
    DeviceWork& work = profile_->device_work;
    work.for_each_column([&](ColumnInfo, auto& column) { column.resize(rank.size()); });
    std::fill(work.launch.begin(), work.launch.end(), kNoRow);
    std::fill(work.owner.begin(), work.owner.end(), kNoRow);
    result_.ids.work.resize(rank.size());
    std::unordered_map<StringId, CoreType> core_types;
    each(&EventBatch::device_work, [&](const EventBatch& batch, const RawDeviceWork& raw, Row row) {
      if (!is_work(batch, raw, row)) return;
      const Row at = rank.rank(row);
      work.slice[at] = row;
      work.device[at] = raw.device;
      work.correlation[at] = raw.correlation;
      set_known(work.grid, at, list(batch, raw.grid));
      set_known(work.block, at, list(batch, raw.block));
      set_known(work.core, at, text(batch, raw.core));
      work.registers[at] = raw.registers;
      work.shared_bytes[at] = raw.shared_bytes;
      work.blocks_per_core[at] = raw.blocks_per_core;
      work.warps_per_core[at] = raw.warps_per_core;
      work.occupancy[at] = raw.occupancy;
      work.bytes[at] = raw.bytes;
      const bool kernel = slices.kind[row] == SliceKind::kernel || slices.kind[row] == SliceKind::collective;
      if (kernel) {
        const auto [known, is_new] = core_types.try_emplace(slices.name[row], CoreType::unknown);
        if (is_new) known->second = core_type(profile_->text(slices.name[row]));
        const bool unknown = known->second == CoreType::general && !raw.named_by_core;
        work.core_type[at] = unknown ? CoreType::unknown : known->second;
      }
      result_.ids.work[at] = raw.external_id;
    });
    let_go(&EventBatch::device_work);
  }

  // How long work waited in the queue, if the writer states when it was queued by the clock of its start.
  void add_time_in_queue(std::vector<SliceFact>& facts) {
    constexpr std::int64_t kLongest = 3'600'000'000'000;  // ns
    const StringId name = profile_->strings.intern("Time in queue (ns)");
    for (std::size_t b = 0; b < parsed_.batches.size(); ++b) {
      for (const RawDeviceWork& raw : parsed_.batches[b].device_work) {
        if (raw.queued <= 0) continue;
        const Row row = layout_->row(b, raw.slice);
        const std::int64_t start = base_ + origin_ + profile_->slices.start[row];
        if (raw.queued <= start && raw.queued >= start - kLongest)
          facts.push_back({row, name, static_cast<double>(start - raw.queued), StringId::none});
      }
    }
  }

  void gather_facts() {
    std::vector<SliceFact> facts;
    each(&EventBatch::facts, [&](const EventBatch& batch, const RawFact& raw, Row row) {
      facts.push_back({row, text(batch, raw.name), raw.number, text(batch, raw.text)});
    });
    add_time_in_queue(facts);
    put_facts(std::move(facts), *profile_);
    let_go(&EventBatch::facts);
  }

  void gather_modules() {
    const RowRank rank = rank_of(&EventBatch::modules, [](const EventBatch&, const RawModule&, Row) { return true; });
    Modules& modules = profile_->modules;
    modules.slice.resize(rank.size());
    modules.instance.resize(rank.size());
    each(&EventBatch::modules, [&](const EventBatch&, const RawModule& module, Row row) {
      modules.slice[rank.rank(row)] = row;
      modules.instance[rank.rank(row)] = module.instance;
      profile_->slices.kind[row] = SliceKind::module;
    });
  }

  // A process group without a description has this one.
  StringId described(StringId about) const { return profile_->text(about) == "undefined" ? StringId::none : about; }

  void gather_collectives() {
    const RowRank rank = rank_of(&EventBatch::collectives, [](const EventBatch&, const RawCollective&, Row) { return true; });
    Collectives& c = profile_->collectives;
    c.for_each_column([&](ColumnInfo, auto& column) { column.resize(rank.size()); });
    each(&EventBatch::collectives, [&](const EventBatch& batch, const RawCollective& raw, Row row) {
      // A kernel with a collective's arguments is one, whatever its name.
      SliceKind& kind = profile_->slices.kind[row];
      if (kind == SliceKind::kernel) kind = SliceKind::collective;
      const Row at = rank.rank(row);
      c.slice[at] = row;
      c.name[at] = text(batch, raw.name);
      c.group[at] = text(batch, raw.group);
      c.group_about[at] = described(text(batch, raw.group_about));
      c.group_ranks[at] = list(batch, raw.group_ranks);
      c.group_size[at] = raw.group_size;
      c.dtype[at] = text(batch, raw.dtype);
      c.in_elements[at] = raw.in_elements;
      c.out_elements[at] = raw.out_elements;
      c.sequence[at] = raw.sequence;
    });
  }

  void gather_memory() {
    std::vector<std::pair<RawMemory, Row>> all;
    for (const EventBatch& batch : parsed_.batches) {
      for (const RawMemory& event : batch.memory) all.emplace_back(event, layout_->lane(batch.worker, event.track));
    }
    sort_up(all, [](const auto& each) { return each.first.time; });
    MemoryEvents& m = profile_->memory_events;
    for (const auto& [event, lane] : all) {
      m.time.push_back(event.time - origin_);
      m.lane.push_back(lane);
      m.device_type.push_back(event.device_type);
      m.device.push_back(event.device);
      m.device_name.push_back(profile_->strings.intern(memory_device_name(event.device_type, event.device)));
      m.address.push_back(event.address);
      m.bytes.push_back(event.bytes);
      m.total_allocated.push_back(event.total_allocated);
      m.total_reserved.push_back(event.total_reserved);
    }
    fill_unknown_columns(m);
  }

  void gather_flows() {
    for (const MatchedFlow& flow : match_flows(parsed_, *layout_, origin_, *profile_, threads_)) {
      if (flow.channel == FlowChannel::to_device) {
        result_.device_flows.emplace_back(flow.from, flow.to);
        continue;
      }
      profile_->flows.kind.push_back(flow.channel == FlowChannel::forward_backward ? FlowKind::forward_backward
                                                                                   : FlowKind::other);
      profile_->flows.from.push_back(flow.from);
      profile_->flows.to.push_back(flow.to);
    }
    let_go(&EventBatch::flow_ends);
    for (const RawArrow& arrow : parsed_.arrows) {
      profile_->flows.kind.push_back(arrow.kind);
      profile_->flows.from.push_back(layout_->row(arrow.from_batch, arrow.from));
      profile_->flows.to.push_back(layout_->row(arrow.to_batch, arrow.to));
    }
  }

  void gather_counters() {
    std::vector<std::tuple<Row, Time, double>> all;
    for (const EventBatch& batch : parsed_.batches) {
      for (const RawCounter& sample : batch.counters) {
        all.emplace_back(layout_->lane(batch.worker, sample.track), sample.time - origin_, sample.value);
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (const auto& [lane, time, value] : all) {
      profile_->counters.lane.push_back(lane);
      profile_->counters.time.push_back(time);
      profile_->counters.value.push_back(value);
    }
  }

  void apply_names() {
    Processes& processes = profile_->processes;
    Lanes& lanes = profile_->lanes;
    const StringPool& strings = profile_->strings;
    std::unordered_map<StringId, Row> process_of;
    for (Row p = 0; p < processes.rows(); ++p) process_of.emplace(processes.pid[p], p);
    const auto key = [](Row process, StringId track) { return std::uint64_t{process} << 32 | static_cast<std::uint32_t>(track); };
    std::unordered_map<std::uint64_t, std::vector<Row>> lanes_of;
    for (Row l = 0; l < lanes.rows(); ++l) lanes_of[key(lanes.process[l], lanes.track[l])].push_back(l);
    for (const EventBatch& batch : parsed_.batches) {
      for (const RawName& name : batch.names) {
        const std::string_view what = strings.view(text(batch, name.what));
        const auto process = process_of.find(text(batch, name.pid));
        if (process == process_of.end()) continue;
        if (what == "process_name") processes.name[process->second] = text(batch, name.text);
        if (what == "process_labels") processes.label[process->second] = text(batch, name.text);
        if (what == "process_sort_index") processes.sort_key[process->second] = name.sort_key;
        if (what != "thread_name" && what != "thread_sort_index") continue;
        const auto named = lanes_of.find(key(process->second, text(batch, name.tid)));
        if (named == lanes_of.end()) continue;
        for (const Row lane : named->second) {
          if (what == "thread_name") {
            lanes.name[lane] = text(batch, name.text);
          } else {
            lanes.sort_key[lane] = name.sort_key;
          }
        }
      }
    }
  }

  void gather_steps() {
    const Slices& slices = profile_->slices;
    std::vector<Row> rows;
    for (Row i = 0; i < slices.rows(); ++i) {
      if (slices.kind[i] == SliceKind::step) rows.push_back(i);
    }
    sort_up(rows, [&](Row each) { return slices.start[each]; });
    for (const Row row : rows) {
      profile_->steps.number.push_back(step_number(profile_->text(slices.name[row])));
      profile_->steps.start.push_back(slices.start[row]);
      profile_->steps.duration.push_back(slices.duration[row]);
      profile_->steps.slice.push_back(row);
    }
  }

  // The window that the profiler states.
  void find_window() {
    const Slices& slices = profile_->slices;
    profile_->has_python_stacks = std::find(slices.kind.begin(), slices.kind.end(), SliceKind::python) != slices.kind.end();
    for (Row i = 0; i < slices.rows(); ++i) {
      if (slices.kind[i] == SliceKind::span && profile_->text(slices.name[i]).starts_with("PyTorch Profiler (")) {
        profile_->span_start = slices.start[i];
        profile_->span_end = profile_->end_of(i);
      }
    }
  }

  ParsedEvents parsed_;
  unsigned threads_;
  std::unique_ptr<Profile> profile_;
  std::vector<std::vector<StringId>> string_map_;  // by worker
  std::vector<StringId> list_map_;                 // by string id: the normal spelling of a list
  std::int64_t origin_ = 0;
  std::int64_t base_ = 0;  // what the file wants added to its times
  std::unique_ptr<SliceLayout> layout_;
  Assembled result_;
};

}  // namespace

Assembled assemble(ParsedEvents parsed, const RootMembers& members, unsigned threads) {
  return Assembler(std::move(parsed), members, threads).run();
}

}  // namespace sightline::formats::trace_events
