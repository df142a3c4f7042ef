// Rows of kernels and slices of the trace, brought together.
#include "formats/ascend/kernel_details.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <tuple>

#include "formats/ascend/csv_table.h"
#include "formats/ascend/layers.h"
#include "formats/trace_events/decimal.h"
#include "formats/trace_events/near_search.h"

namespace sightline::formats::ascend {

using namespace trace_events;

namespace {

// The columns that have a meaning here, with all spellings they have had. Every other column is a fact of the kernel.
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
  std::stable_sort(by_start_.begin(), by_start_.end(), [](const Known& a, const Known& b) { return a.start < b.start; });
}

Row KernelFacts::find(StringId name, Time start) {
  if (name == StringId::none) return kNoRow;
  const Known* const first = by_start_.data();
  const Known* const last = first + by_start_.size();
  for (const Time apart : {Time{0}, Time{-1}, Time{1}}) {  // one of two files may have rounded where the other cut
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

void KernelFacts::add_table(KernelTable table, std::string_view whose) {
  const std::vector<StringId> ours = p_.strings.merge(table.strings());
  const auto text = [&](StringId id) { return ours[static_cast<std::size_t>(id)]; };
  std::int64_t unmatched = 0, first_unmatched = kUnknown;
  std::size_t fact = 0, kept = 0;  // facts of rows that are about nothing make room
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
                   table.file_name() + ": a row belongs to a kernel that " + std::string(whose) + "; its figures are not shown",
                   unmatched, first_unmatched);
  }
}

void KernelFacts::add_by_task(const std::string& path) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    p_.add_problem(Severity::warning, "unreadable_file", table.error().to_string() + "; its figures are missing", 1, 0);
    return;
  }
  const CsvTable::Column stream = table->column({"Stream Id", "Stream ID"}), task = table->column({"Task Id", "Task ID"});
  const std::array keys = {stream, task, table->column({"Op Name", "Node"}), table->column({"Device_id"}),
                           table->column({"Timestamp(us)"})};
  const Titles facts = titles_of(
      *table, p_.strings, [&](CsvTable::Column column) { return std::find(keys.begin(), keys.end(), column) == keys.end(); });
  const auto before = [](const Task& a, const Task& b) { return std::tie(a.stream, a.number) < std::tie(b.stream, b.number); };
  std::stable_sort(tasks_.begin(), tasks_.end(), before);
  std::map<std::pair<std::int64_t, std::int64_t>, std::ptrdiff_t> taken;  // a task's number comes again when it is used up
  while (table->next()) {
    const Task wanted{table->integer(stream), table->integer(task), kNoRow};
    const auto [first, last] = std::equal_range(tasks_.begin(), tasks_.end(), wanted, before);
    if (first == last) continue;
    const std::ptrdiff_t nth = std::min(taken[{wanted.stream, wanted.number}]++, last - first - 1);
    for (const auto& [column, title] : facts) add(first[nth].slice, title, table->text(column));
  }
  table->report(p_);
}

// By counting: facts come in a few runs that are in the order of slices each.
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

}  // namespace sightline::formats::ascend
