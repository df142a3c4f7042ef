// Rows of kernels and slices of the trace, brought together.
#include "readers/ascend/kernel_details.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "readers/ascend/csv_table.h"
#include "readers/ascend/layers.h"
#include "readers/trace_events/decimal.h"

namespace sightline::ascend {

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

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

Result<ParsedEvents> kernels_as_events(const std::string& path) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) return table.error();
  const Columns columns(*table);
  ParsedEvents parsed;
  StringPool& strings = parsed.strings.emplace_back();
  std::vector<RawTrack>& tracks = parsed.tracks.emplace_back();
  EventBatch batch;
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> known;  // device and stream
  const auto track_of = [&](std::int64_t device, const std::string& stream) {
    const auto [at, is_new] = known.try_emplace({device, stream}, static_cast<std::uint32_t>(tracks.size()));
    if (is_new) {
      const StringId pid = strings.intern(device == kUnknown ? "NPU" : std::to_string(device));
      tracks.push_back({pid, strings.intern(stream), true, false});
      const bool number = parse_integer(stream).has_value();
      batch.names.push_back({strings.intern("process_name"), pid, StringId::none, strings.intern("Ascend Hardware"), kUnknown});
      batch.names.push_back({strings.intern("thread_name"), pid, strings.intern(stream),
                             strings.intern(number ? "Stream " + stream : stream), kUnknown});
    }
    return at->second;
  };
  while (table->next()) {
    const std::int64_t start = table->us_as_ns(columns.start);
    const std::int64_t duration = table->us_as_ns(columns.duration);
    if (start == kUnknown || duration == kUnknown || duration < 0 || is_absent(table->text(columns.name))) continue;
    const bool collective = is_collective_core(table->text(columns.core));
    const std::string_view stream = table->text(columns.stream);
    const std::int64_t device = table->integer(columns.device);
    const auto slice = static_cast<std::uint32_t>(batch.slices.size());
    batch.slices.start.push_back(start);
    batch.slices.duration.push_back(duration);
    batch.slices.source.push_back(kUnknown);
    batch.slices.name.push_back(strings.intern(table->text(columns.name)));
    batch.slices.track.push_back(track_of(device, collective          ? "Communication"
                                                  : is_absent(stream) ? "Kernels"
                                                                      : std::string(stream)));
    batch.slices.category.push_back(collective ? Category::collective : Category::engine_task);
    batch.device_work.push_back({slice, kUnknown, kUnknown, device, kUnknown, kUnknown, StringId::none, StringId::none,
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

Row KernelFacts::find(std::string_view text, Time start) {
  const StringId name = p_.strings.find(text);
  if (name == StringId::none) return kNoRow;
  const auto before = [](const Known& known, Time time) { return known.start < time; };
  for (const Time apart : {Time{0}, Time{-1}, Time{1}}) {  // one of two files may have rounded where the other cut
    const Time wanted = start + apart;
    for (auto at = std::lower_bound(by_start_.begin(), by_start_.end(), wanted, before);
         at != by_start_.end() && at->start == wanted; ++at) {
      if (at->name != name || used_[at->work]) continue;
      used_[at->work] = true;
      return at->work;
    }
  }
  return kNoRow;
}

void KernelFacts::describe(Row row, std::string_view core, std::string_view type, std::string_view blocks) {
  DeviceWork& work = p_.device_work;
  if (!is_absent(core)) {
    work.core[row] = p_.strings.intern(core);
    work.core_type[row] = core_type(core);
  }
  if (!is_absent(type)) work.type[row] = p_.strings.intern(type);
  if (!is_absent(blocks) && blocks != "0") work.grid[row] = p_.strings.intern(blocks);  // 0: not recorded at this level
}

void KernelFacts::add_fact(Row slice, StringId name, std::string_view cell) {
  if (is_absent(cell)) return;
  const std::optional<double> number = parse_real(cell);
  if (number && std::isfinite(*number)) {
    facts_.push_back({slice, name, StringId::none, *number});
    return;
  }
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (!cell.empty()) facts_.push_back({slice, name, p_.strings.intern(cell), std::numeric_limits<double>::quiet_NaN()});
}

void KernelFacts::add_kernel_details(const std::string& path) {
  Result<CsvTable> table = CsvTable::open(path);
  if (!table) {
    p_.add_problem(Severity::error, "unreadable_file", table.error().to_string() + "; what it says of kernels is missing", 1, 0);
    return;
  }
  const Columns columns(*table);
  if (columns.name < 0 || columns.start < 0) {
    p_.add_problem(Severity::error, "missing_column",
                   file_name(path) + ": there is no column of names or of starts; its rows say nothing", 1, 0);
    return;
  }
  std::vector<std::pair<CsvTable::Column, StringId>> facts;
  for (std::size_t c = 0; c < table->titles().size(); ++c) {
    const auto column = static_cast<CsvTable::Column>(c);
    if (columns.is_fact(column)) facts.emplace_back(column, p_.strings.intern(table->titles()[c]));
  }
  std::int64_t unmatched = 0, first_unmatched = kUnknown;
  while (table->next()) {
    const std::int64_t start = table->us_as_ns(columns.start);
    if (start == kUnknown) {
      table->skip_row();
      continue;
    }
    const Row row = find(table->text(columns.name), start - a_.origin);
    if (row == kNoRow) {
      if (unmatched++ == 0) first_unmatched = table->offset();
      continue;
    }
    describe(row, table->text(columns.core), table->text(columns.type), table->text(columns.blocks));
    const Row slice = p_.device_work.slice[row];
    for (const auto& [column, title] : facts) add_fact(slice, title, table->text(column));
    const std::int64_t stream = table->integer(columns.stream), task = table->integer(columns.task);
    if (stream != kUnknown && task != kUnknown) by_task_[{stream, task}].push_back(slice);
  }
  table->report(p_);
  if (unmatched > 0) {
    p_.add_problem(Severity::warning, "unmatched_kernel",
                   file_name(path) + ": a row is about a kernel that the trace does not hold; its figures are not shown",
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
  std::vector<std::pair<CsvTable::Column, StringId>> facts;
  for (std::size_t c = 0; c < table->titles().size(); ++c) {
    const auto column = static_cast<CsvTable::Column>(c);
    if (std::find(keys.begin(), keys.end(), column) == keys.end()) {
      facts.emplace_back(column, p_.strings.intern(table->titles()[c]));
    }
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> taken;  // a task's number comes again when it is used up
  while (table->next()) {
    const std::pair key{table->integer(stream), table->integer(task)};
    const auto at = by_task_.find(key);
    if (at == by_task_.end()) continue;
    const std::size_t nth = std::min(taken[key]++, at->second.size() - 1);
    for (const auto& [column, title] : facts) add_fact(at->second[nth], title, table->text(column));
  }
  table->report(p_);
}

void KernelFacts::finish() {
  std::stable_sort(facts_.begin(), facts_.end(), [](const Fact& a, const Fact& b) { return a.slice < b.slice; });
  WorkFacts& all = p_.work_facts;
  for (const Fact& fact : facts_) {
    all.slice.push_back(fact.slice);
    all.name.push_back(fact.name);
    all.number.push_back(fact.number);
    all.text.push_back(fact.text);
  }
}

}  // namespace sightline::ascend
