// Joins rows of kernels with slices of the trace, and derives figures and steps from them.
#include "formats/ascend/kernel_details.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "base/sort.h"
#include "formats/ascend/csv_table.h"
#include "formats/ascend/trace_view.h"
#include "formats/common/decimal.h"
#include "formats/common/near_search.h"
#include "model/stated_names.h"

namespace sightline::formats::ascend {

// ---- rows of kernels ----

using namespace trace_events;

namespace {

// The columns with a meaning here, in all spellings that they have had. Every other column is a fact of the kernel.
struct Columns {
  explicit Columns(const CsvTable& t)
      : name(t.column({"Name", "Op Name"})),
        type(t.column({"Type", "OP Type"})),
        core(t.column({"Accelerator Core", "Task Type"})),
        start(t.column({"Start Time(us)", "Task Start Time(us)", "Start Time"})),
        duration(t.column({"Duration(us)", "Task Duration(us)", "Duration"})),
        blocks(t.column({"Block Num", "Block Dim"})),
        stream(t.column({"Stream ID", "Stream Id"})),
        task(t.column({"Task ID", "Task Id"})),
        device(t.column({"Device_id", "Device Id"})) {}
  CsvTable::Column name, type, core, start, duration, blocks, stream, task, device;

  bool is_fact(CsvTable::Column column) const {
    const std::array own = {name, type, core, start, duration, blocks, device};
    return std::find(own.begin(), own.end(), column) == own.end();
  }
};

bool is_collective_core(std::string_view core) { return core == "HCCL" || core == "COMMUNICATION"; }

}  // namespace

std::optional<KernelFact> fact_of(Row of, StringId name, std::string_view cell, StringPool& strings) {
  if (is_absent(cell) || cell == "4294967295") return std::nullopt;  // "none", as an unsigned 32-bit number
  const std::optional<double> number = parse_real(cell);
  if (number && std::isfinite(*number)) return KernelFact::of_number(of, name, *number);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (cell.empty()) return std::nullopt;
  return KernelFact::of_text(of, name, strings.intern(cell));
}

namespace {

using Titles = std::vector<std::pair<CsvTable::Column, StringId>>;

template <typename IsFact>
Titles titles_of(const CsvTable& table, StringPool& strings, IsFact&& is_fact) {
  Titles titles;
  for (std::size_t c = 0; c < table.titles().size(); ++c) {
    const auto column = static_cast<CsvTable::Column>(c);
    if (is_fact(column)) titles.emplace_back(column, strings.intern(table.titles()[c]));
  }
  return titles;
}

}  // namespace

Result<KernelTable> KernelTable::open(const std::string& path, MemoryLimit* limit) {
  Result<CsvTable> opened = CsvTable::open(path, limit);
  if (!opened) return opened.error();
  KernelTable made;
  made.file_name_ = std::filesystem::path(path).filename().string();
  CsvTable& table = made.cells_.emplace(*std::move(opened));
  const Columns columns(table);
  const bool named = table.needs({"Name", "Op Name"}),
             placed = table.needs({"Start Time(us)", "Task Start Time(us)", "Start Time"});
  if (!named || !placed) return made;
  StringPool& strings = made.strings_;
  const Titles titles = titles_of(table, strings, [&](CsvTable::Column column) { return columns.is_fact(column); });
  const auto text = [&](CsvTable::Column column) {
    const std::string_view cell = table.text(column);
    return is_absent(cell) ? StringId::none : strings.intern(cell);
  };
  while (table.next()) {
    const std::int64_t start = table.moment(columns.start);
    const StringId name = text(columns.name);
    if (start == kUnknown || name == StringId::none) {
      table.skip_row();
      continue;
    }
    const std::string_view blocks = table.text(columns.blocks);
    const auto line = static_cast<Row>(made.lines_.size());
    made.lines_.push_back({start, table.us_as_ns(columns.duration), name, text(columns.core), text(columns.type),
                           blocks == "0" ? StringId::none : text(columns.blocks),  // 0: not recorded at this level
                           text(columns.stream), table.integer(columns.stream), table.integer(columns.task),
                           table.integer(columns.device), table.offset(), 0});
    for (const auto& [column, title] : titles) {
      if (const auto fact = fact_of(line, title, table.text(column), strings)) made.facts_.push_back(*fact);
    }
    made.lines_.back().facts_until = made.facts_.size();
  }
  return made;
}

ParsedEvents KernelTable::events() const {
  ParsedEvents parsed;
  StringPool& strings = parsed.strings.emplace_back();
  std::vector<RawTrack>& tracks = parsed.tracks.emplace_back();
  EventBatch batch;
  std::map<std::pair<std::int64_t, std::string_view>, std::uint32_t> known;  // device and stream
  const auto track_of = [&](std::int64_t device, std::string_view stream) {
    const auto [at, is_new] = known.try_emplace({device, stream}, static_cast<std::uint32_t>(tracks.size()));
    if (is_new) {
      const StringId pid = strings.intern(device == kUnknown ? "NPU" : std::to_string(device));
      const StringId tid = strings.intern(stream);
      tracks.push_back({pid, tid, true, false});
      const std::string title = (parse_integer(stream) ? "Stream " : "") + std::string(stream);
      batch.names.push_back({strings.intern("process_name"), pid, StringId::none, strings.intern("Ascend Hardware"), kUnknown});
      batch.names.push_back({strings.intern("thread_name"), pid, tid, strings.intern(title), kUnknown});
    }
    return at->second;
  };
  for (const Line& line : lines_) {
    if (line.duration == kUnknown || line.duration < 0) continue;
    const bool collective = is_collective_core(strings_.view(line.core));
    const auto slice = static_cast<std::uint32_t>(batch.slices.size());
    batch.slices.start.push_back(line.start);
    batch.slices.duration.push_back(line.duration);
    batch.slices.source.push_back(kUnknown);
    batch.slices.name.push_back(strings.intern(strings_.view(line.name)));
    batch.slices.track.push_back(track_of(line.device, collective                      ? "Communication"
                                                       : line.stream == StringId::none ? "Kernels"
                                                                                       : strings_.view(line.stream)));
    batch.slices.category.push_back(collective ? Category::collective : Category::engine_task);
    batch.device_work.push_back({slice, kUnknown, kUnknown, line.device, kUnknown, kUnknown, StringId::none, StringId::none,
                                 StringId::none, -1, kUnknownReal, kUnknownReal});
  }
  batch.events = static_cast<std::int64_t>(batch.slices.size());
  parsed.batches.push_back(std::move(batch));
  return parsed;
}

KernelFacts::KernelFacts(Assembled& assembled) : a_(assembled), p_(*assembled.profile), used_(p_.device_work.rows(), false) {
  for (Row i = 0; i < p_.device_work.rows(); ++i) {
    const Row slice = p_.device_work.slice[i];
    by_start_.push_back({p_.slices.start[slice], p_.slices.name[slice], i});
  }
  sort_up(by_start_, &Known::start);
}

Row KernelFacts::find(StringId name, Time start) {
  if (name == StringId::none) return kNoRow;
  const Known* const first = by_start_.data();
  const Known* const last = first + by_start_.size();
  for (const Time apart : {Time{0}, Time{-1}, Time{1}}) {  // one of the two files may round and the other cut
    const Time wanted = start + apart;
    const Known* at = partition_point_near(first, last, first + near_, [&](const Known& known) { return known.start < wanted; });
    near_ = static_cast<std::size_t>(at - first);
    for (; at != last && at->start == wanted; ++at) {
      if (at->name != name || used_[at->work]) continue;
      used_[at->work] = true;
      return at->work;
    }
  }
  return kNoRow;
}

void KernelFacts::describe(Row row, StringId core, StringId type, StringId blocks) {
  DeviceWork& work = p_.device_work;
  if (core != StringId::none) {
    work.core[row] = core;
    work.core_type[row] = core_type(p_.text(core));
  }
  if (type != StringId::none) work.type[row] = type;
  if (blocks != StringId::none) work.grid[row] = blocks;
}

void KernelFacts::add(Row slice, StringId name, std::string_view cell) {
  if (const auto fact = fact_of(slice, name, cell, p_.strings)) facts_.push_back(*fact);
}

void KernelFacts::add(Column<KernelFact> facts, const std::vector<Row>& slices, const std::vector<StringId>& texts) {
  std::size_t kept = 0;
  for (const KernelFact& fact : std::as_const(facts)) {
    const Row slice = slices[fact.of];
    if (slice == kNoRow) continue;
    facts[kept++] = fact.moved(slice, texts);
  }
  facts.resize(kept);
  take(std::move(facts));
}

void KernelFacts::take(Column<KernelFact> facts) {
  if (facts_.empty()) {
    facts_ = std::move(facts);
  } else {
    for (const KernelFact& each : facts) facts_.push_back(each);
  }
}

void KernelFacts::add_table(KernelTable table, const char* whose) {
  const std::vector<StringId> ours = p_.strings.merge(table.strings());
  const auto text = [&](StringId id) { return ours[static_cast<std::size_t>(id)]; };
  std::int64_t unmatched = 0, first_unmatched = kUnknown;
  std::size_t fact = 0, kept = 0;  // facts of unmatched rows make room
  Column<KernelFact>& facts = table.facts();
  for (const KernelTable::Line& line : table.lines()) {
    const Row row = find(text(line.name), line.start - a_.origin);
    if (row == kNoRow) {
      if (unmatched++ == 0) first_unmatched = line.offset;
      fact = line.facts_until;
      continue;
    }
    describe(row, text(line.core), text(line.type), text(line.blocks));
    const Row slice = p_.device_work.slice[row];
    for (; fact < line.facts_until; ++fact) {
      facts[kept++] = facts[fact].moved(slice, ours);
    }
    if (line.stream_number != kUnknown && line.task != kUnknown) tasks_.push_back({line.stream_number, line.task, slice});
  }
  facts.resize(kept);
  take(std::move(facts));
  table.cells().report(p_);
  if (unmatched > 0) {
    p_.add_problem(Severity::warning, "unmatched_kernel",
                   say("{}: a row belongs to a kernel that {}; its figures are not shown", table.file_name(), whose), unmatched,
                   first_unmatched);
  }
}

void KernelFacts::add_by_task(const std::string& path) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    p_.add_problem(Severity::warning, "unreadable_file", say("{}; its figures are missing", table.error().to_string()), 1, 0);
    return;
  }
  const CsvTable::Column stream = table->column({"Stream Id", "Stream ID"}), task = table->column({"Task Id", "Task ID"});
  const std::array keys = {stream, task, table->column({"Op Name", "Node"}), table->column({"Device_id"}),
                           table->column({"Timestamp(us)"})};
  const Titles facts = titles_of(
      *table, p_.strings, [&](CsvTable::Column column) { return std::find(keys.begin(), keys.end(), column) == keys.end(); });
  const auto before = [](const Task& a, const Task& b) { return std::tie(a.stream, a.number) < std::tie(b.stream, b.number); };
  std::stable_sort(tasks_.begin(), tasks_.end(), before);
  std::map<std::pair<std::int64_t, std::int64_t>, std::ptrdiff_t> taken;  // task numbers are reused
  while (table->next()) {
    const Task wanted{table->integer(stream), table->integer(task), kNoRow};
    const auto [first, last] = std::equal_range(tasks_.begin(), tasks_.end(), wanted, before);
    if (first == last) continue;
    const std::ptrdiff_t nth = std::min(taken[{wanted.stream, wanted.number}]++, last - first - 1);
    for (const auto& [column, title] : facts) add(first[nth].slice, title, table->text(column));
  }
  table->report(p_);
}

// By counting: facts are a few runs, each in the order of slices.
void KernelFacts::finish() {
  by_start_ = {};
  std::vector<std::uint32_t> next(p_.slices.rows() + 1, 0);  // where the next fact of a slice goes
  for (const KernelFact& fact : facts_) ++next[fact.of + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  WorkFacts& all = p_.work_facts;
  all.for_each_column([&](const ColumnInfo&, auto& column) { column.resize(facts_.size()); });
  for (const KernelFact& fact : facts_) {
    const std::uint32_t row = next[fact.of]++;
    all.slice[row] = fact.of;
    all.name[row] = fact.name;
    all.number[row] = fact.number();
    all.text[row] = fact.text();
  }
  facts_.clear();
}

// ---- figures of kernels ----

namespace {

enum class Input : std::uint8_t { none, mte2, mac, vec, hits, misses, memory_bound };

// The ratios of a chip with two kinds of cores have the core's name.
enum class Core : std::uint8_t { any, cube, vector };
constexpr std::size_t kCores = 3;

struct Meaning {
  Input input = Input::none;
  Core core = Core::any;
};

Meaning meaning_of(std::string_view name) {
  if (name.starts_with("memory_bound")) return {Input::memory_bound, Core::any};
  if (name.ends_with("_cache_hit")) return {Input::hits, Core::any};
  if (name.ends_with("_cache_miss_allocate")) return {Input::misses, Core::any};
  Meaning meaning;
  if (name.starts_with("aic_")) meaning.core = Core::cube;
  if (name.starts_with("aiv_")) meaning.core = Core::vector;
  if (meaning.core != Core::any) name.remove_prefix(4);
  constexpr std::array kRatios{std::pair{"mte2_ratio", Input::mte2}, std::pair{"mac_ratio", Input::mac},
                               std::pair{"vec_ratio", Input::vec}};
  for (const auto& [ratio, input] : kRatios) {
    if (name == ratio) meaning.input = input;
  }
  return meaning;
}

// The inputs of one kernel.
struct Inputs {
  struct Ratios {
    std::optional<double> mte2;
    double busiest = 0;  // of the products and the vectors
  };
  std::array<Ratios, kCores> ratios{};
  std::optional<double> hits, misses;
  bool states_memory_bound = false;

  void add(Meaning meaning, double number) {
    Ratios& of = ratios[static_cast<std::size_t>(meaning.core)];
    switch (meaning.input) {
      case Input::none: return;
      case Input::mte2: of.mte2 = number; return;
      case Input::mac:
      case Input::vec: of.busiest = std::max(of.busiest, number); return;
      case Input::hits: hits = hits.value_or(0) + number; return;
      case Input::misses: misses = misses.value_or(0) + number; return;
      case Input::memory_bound: states_memory_bound = true; return;
    }
  }

  // A kernel that ran on both kinds of cores has no single ratio.
  std::optional<double> memory_bound(CoreType type) const {
    if (states_memory_bound) return std::nullopt;
    Core core = Core::any;
    if (!ratios[0].mte2 && type == CoreType::matrix) core = Core::cube;
    if (!ratios[0].mte2 && type == CoreType::vector) core = Core::vector;
    const Ratios& of = ratios[static_cast<std::size_t>(core)];
    if (!of.mte2 || of.busiest <= 0) return std::nullopt;
    return *of.mte2 / of.busiest;
  }

  std::optional<double> hit_rate() const {
    if (!hits || !misses || *hits + *misses <= 0) return std::nullopt;
    return *hits / (*hits + *misses);
  }
};

struct Derived {
  Row slice;
  StringId name;
  double number;
};

// By string id; empty if no fact is an input.
std::vector<Meaning> meanings(const Profile& profile) {
  std::vector<Meaning> known(profile.strings.size());
  std::vector<bool> seen(profile.strings.size());
  bool any = false;
  for (const StringId name : profile.work_facts.name) {
    const auto id = static_cast<std::size_t>(name);
    if (seen[id]) continue;
    seen[id] = true;
    known[id] = meaning_of(profile.text(name));
    any |= known[id].input != Input::none;
  }
  return any ? known : std::vector<Meaning>{};
}

// Puts each after the other facts of its slice, from the last on; the room is there already. `derived` by slice, all of them
// slices with facts.
void insert(const std::vector<Derived>& derived, WorkFacts& facts) {
  Row from = static_cast<Row>(facts.rows());
  std::size_t left = derived.size();
  Row to = from + static_cast<Row>(left);
  facts.for_each_column([&](const ColumnInfo&, auto& column) { column.resize(to); });
  while (left > 0 && from > 0) {
    const Row last = --from;
    for (; left > 0 && derived[left - 1].slice == facts.slice[last]; --left) {
      --to;
      facts.slice[to] = derived[left - 1].slice;
      facts.name[to] = derived[left - 1].name;
      facts.number[to] = derived[left - 1].number;
      facts.text[to] = StringId::none;
    }
    --to;
    facts.for_each_column([&](const ColumnInfo&, auto& column) { column[to] = column[last]; });
  }
}

}  // namespace

void derive_facts(Profile& profile) {
  const std::vector<Meaning> known = meanings(profile);
  if (known.empty()) return;
  const WorkFacts& facts = profile.work_facts;
  const DeviceWork& work = profile.device_work;
  const StringId bound = profile.strings.intern("memory_bound (derived)"), rate = profile.strings.intern("L2 hit rate (derived)");
  std::vector<Derived> derived;
  Row row = 0;
  for (Row i = 0; i < facts.rows();) {
    const Row slice = facts.slice[i];
    Inputs inputs;
    for (; i < facts.rows() && facts.slice[i] == slice; ++i) {
      if (!std::isnan(facts.number[i])) inputs.add(known[static_cast<std::size_t>(facts.name[i])], facts.number[i]);
    }
    while (row < work.rows() && work.slice[row] < slice) ++row;
    const bool is_work = row < work.rows() && work.slice[row] == slice;
    const auto add = [&](StringId name, std::optional<double> number) {
      if (number) derived.push_back({slice, name, *number});
    };
    add(bound, inputs.memory_bound(is_work ? work.core_type[row] : CoreType::unknown));
    add(rate, inputs.hit_rate());
  }
  if (!derived.empty()) insert(derived, profile.work_facts);
}

// ---- steps ----
// Views assign work to the step in which the host launched it (analyses/step_windows), so a step is a time of the host if
// that is known.

namespace {

struct Extent {
  Time start = std::numeric_limits<Time>::max(), end = std::numeric_limits<Time>::min();

  bool any() const { return start <= end; }
  void add(const Profile& p, Row slice) {
    start = std::min(start, p.slices.start[slice]);
    end = std::max(end, p.end_of(slice));
  }
};

struct StepExtents {
  Extent on_host, on_device;
};

// What launched a piece of device work: the call, or the operator if it ended before a queue made the call.
Row request_of(const Profile& p, Row work) {
  const Row launch = p.device_work.launch[work];
  if (launch == kNoRow) return kNoRow;
  const Row call = p.launches.slice[launch], owner = p.launches.owner[launch];
  return owner != kNoRow && p.end_of(owner) <= p.slices.start[call] ? owner : call;
}

}  // namespace

void add_steps_of_kernels(Profile& p) {
  const StringId title = std::max(p.strings.find("Step Id"), p.strings.find("Step ID"));
  if (p.steps.rows() != 0 || title == StringId::none) return;
  std::map<std::int64_t, StepExtents> steps;  // by number
  for (Row fact = 0, work = 0; fact < p.work_facts.rows(); ++fact) {
    const double number = p.work_facts.number[fact];
    if (p.work_facts.name[fact] != title || !std::isfinite(number)) continue;
    while (work < p.device_work.rows() && p.device_work.slice[work] < p.work_facts.slice[fact]) ++work;
    if (work == p.device_work.rows() || p.device_work.slice[work] != p.work_facts.slice[fact]) continue;
    StepExtents& step = steps[std::llround(number)];
    step.on_device.add(p, p.device_work.slice[work]);
    if (const Row request = request_of(p, work); request != kNoRow) step.on_host.add(p, request);
  }
  std::vector<std::pair<Extent, std::int64_t>> found;
  found.reserve(steps.size());
  for (const auto& [number, request] : steps)
    found.emplace_back(request.on_host.any() ? request.on_host : request.on_device, number);
  sort_up(found, [](const auto& each) { return each.first.start; });
  for (const auto& [extent, number] : found) {
    p.steps.number.push_back(number);
    p.steps.start.push_back(extent.start);
    p.steps.duration.push_back(extent.end - extent.start);
    p.steps.slice.push_back(kNoRow);
  }
  if (found.empty()) return;
  p.add_problem(Severity::note, stated::kNoStepMarks,
                "the trace has no step marks: each step here is the time of the kernels with its number in the table of kernels",
                static_cast<std::int64_t>(found.size()), kUnknown);
}

}  // namespace sightline::formats::ascend
