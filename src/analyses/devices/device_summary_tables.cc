// Tables of engines, bounds, queues, tensors and metrics.
#include "analyses/devices/device_summary_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "analyses/columns.h"
#include "analyses/unknown_columns.h"
#include "analyses/words.h"
#include "model/stated_names.h"

namespace sightline {

namespace {

constexpr std::string_view kEngineWork = "work of the device's engines or streams; waiting for others does not count";
constexpr std::string_view kSingleCopies = "copies of the device, one by one";
constexpr std::string_view kHandWritten = "instructions that name a line of a hand-written kernel";

Cell ratio_cell(double part, double whole) { return whole > 0 && !std::isnan(part) ? Cell{part / whole} : Cell{}; }

// ---- metrics ----

std::string_view unit_word(Unit unit) {
  switch (unit) {
    case Unit::ns: return "s";
    case Unit::bytes: return "B";
    case Unit::flops: return "FLOP";
    case Unit::flops_per_byte: return "FLOP/B";
    case Unit::share: return "share";
    default: return "";
  }
}

bool is_whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

std::string metric_words(double value, Unit unit) {
  if (unit == Unit::ns) return time_words(value);
  if (unit == Unit::bytes) return bytes_words(value);
  if (unit == Unit::share) return fmt::format("{:.3g}%", 100 * value);
  const std::string number = is_whole(value) ? count_words(static_cast<std::int64_t>(value)) : fmt::format("{:.4g}", value);
  return unit_word(unit).empty() ? number : number + " " + std::string(unit_word(unit));
}

// Times are in seconds, unless the name gives another unit.
double as_stated(double value, const DeviceMetric& metric) {
  return metric.unit == Unit::ns && !metric.key.ends_with("_ns") ? value / 1e9 : value;
}

// "dma_queue_count" -> "dma queue count".
std::string title_of(std::string_view key) {
  std::string title(key);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

// Texts of a summary, such as versions, are among the metadata.
void add_only_stated(ReportTable& table, const Profile& profile, const std::set<std::string, std::less<>>& computed) {
  for (Row row = 0; row < profile.metadata.rows(); ++row) {
    const std::string_view key = profile.text(profile.metadata.key[row]);
    if (!key.starts_with(stated::kSummary)) continue;
    const std::string_view name = key.substr(stated::kSummary.size());
    const double number = stated_number(profile, key);
    if (computed.contains(name) || std::isnan(number)) continue;
    const bool share = name.ends_with("_percent");
    const std::string words = share ? metric_words(number, Unit::share) : metric_words(number, Unit::none);
    table.add_row({Cell{std::string("Stated only")}, Cell{title_of(name)}, Cell{words}, Cell{std::string("stated")}, Cell{words},
                   Cell{std::string(name)}, Cell{number}, cell(number), Cell{std::string(share ? "share" : "")}, Cell{}});
  }
}

}  // namespace

ReportTable blank_engines() {
  ReportTable table{.key = "engines", .title = "Engines"};
  table.columns = {
      label_column("engine", "Engine", "Engine or stream, as the file names it"),
      integer_column("active", "Active", Unit::ns,
                     {"Time in which the engine works.", "length of the union of its work", kEngineWork}),
      real_column("share", "Active share", Unit::share, {"Share of the total time.", "active / total time", kEngineWork}),
      integer_column("time", "Instruction time", Unit::ns,
                     {"Instructions that run at the same time are counted separately.", "sum of lengths", kEngineWork}),
      integer_column("instructions", "Instructions", Unit::count,
                     {"Instructions of the engine, waits included.", "number of instructions", kEngineWork}),
      real_column("by_hand", "Hand-written", Unit::share,
                  {"Share of its instructions that come from a hand-written kernel, not from the compiler.",
                   "instructions of such kernels / instructions", kHandWritten})};
  table.columns[1].bar = "share";
  table.columns[2].unknown = "the program has no length";
  table.columns[5].unknown = "no instruction names a line of a hand-written kernel";
  table.row_links = {{"Search on the timeline", "timeline", {{"search", "$engine"}}}};
  table.sort_column = "active";
  return table;
}

ReportTable engines_table(const DeviceTotals& totals) {
  ReportTable table = blank_engines();
  table.row_links.clear();
  const bool known =
      std::any_of(totals.engines.begin(), totals.engines.end(), [](const auto& engine) { return engine.by_hand > 0; });
  if (!totals.has_engines()) {
    table.title = "Streams";
    table.columns[0].title = "Stream";
    table.columns[3].title = "Work time";
    table.columns[4].title = "Work items";
  }
  for (const EngineTotals& engine : totals.engines) {
    const auto by_hand = static_cast<double>(engine.by_hand), all = static_cast<double>(engine.instructions);
    table.add_row({Cell{engine.title}, Cell{std::llround(engine.active)}, ratio_cell(engine.active, totals.total),
                   Cell{std::llround(engine.time)}, Cell{engine.instructions}, known ? ratio_cell(by_hand, all) : Cell{}});
  }
  table.columns[5].hidden = !known;
  return table;
}

ReportTable blank_bounds() {
  constexpr std::string_view kDoc =
      "copies: their union, then bytes / bandwidth of the copies that carry data, then of inputs and outputs alone; computing: "
      "active time of the engines with matrix units, or on a device of streams the union of all kernels but collectives, then "
      "operations (scaled to 16-bit elements where known) / peak, then "
      "without those that only transpose; pipeline: "
      "the most active engine";
  ReportTable table{.key = "bounds", .title = "What limits the program"};
  table.columns = {
      words_column("bound", "Bound", "The limit of the program if nothing else slowed it down"),
      real_column("time", "Time", Unit::ns, {"How long the program would run.", kDoc, kEngineWork}),
      real_column("share", "Share", Unit::share, {"Share of the total time.", "time / total time", kEngineWork}),
      real_column("speedup", "Speed-up", Unit::none,
                  {"How many times as fast the program could be if only this were optimal.",
                   "total time / max(time, active time of the most active engine that it does not cover)", kEngineWork})};
  table.columns[0].role = ColumnRole::label;
  table.columns[1].bar = "share";
  table.columns[1].unknown = table.columns[2].unknown = table.columns[3].unknown =
      "bytes, operations or peaks that it needs are not known";
  return table;
}

namespace {

// What takes a program's time beside its copies: active times, ns.
struct TableParts {
  double computing = kUnknownReal;  // NaN: nothing computed
  double others = 0;                // the most active of what does not compute
  double most = 0;                  // engine or stream
};

// Of engines those with matrix units compute. Streams are not engines: any of them runs kernels of any kind, on the same cores.
TableParts table_parts_of(const DeviceTotals& totals) {
  TableParts parts;
  for (const EngineTotals& engine : totals.engines) {
    const double active = engine.active;
    parts.most = std::max(parts.most, active);
    if (!totals.has_engines()) continue;
    if (engine.matrix) {
      parts.computing = std::isnan(parts.computing) ? active : std::max(parts.computing, active);
    } else {
      parts.others = std::max(parts.others, active);
    }
  }
  if (totals.has_engines()) return parts;
  if (totals.computing > 0) parts.computing = totals.computing;
  parts.others = totals.collectives.active;
  return parts;
}

}  // namespace

ReportTable bounds_table(const DeviceTotals& totals) {
  const auto [computed, others, most] = table_parts_of(totals);
  const double copying = totals.copies.count > 0 ? totals.copies.active : static_cast<double>(kUnknownReal);
  const auto moving = [&](double bytes) { return bytes / totals.copy_bandwidth * 1e9; };
  const auto computing = [&](double flops) { return flops / totals.peak_flops * 1e9; };
  const bool scaled = !std::isnan(totals.scaled_flops);
  const double flops = scaled ? totals.scaled_flops : totals.flops;
  const double turning = scaled ? totals.scaled_transpose_flops : totals.transpose_flops;
  const bool bytes_known = totals.copies.count > 0 && totals.copies.without_bytes == 0;
  const double needful = bytes_known ? static_cast<double>(totals.needful_bytes) : static_cast<double>(kUnknownReal);
  const double with_computing = std::isnan(computed) ? 0 : computed, with_copies = std::isnan(copying) ? 0 : copying;
  const double with_work = std::max(others, with_computing);
  struct Bound {
    std::string_view name;
    double time;
    double rest;  // the most active engine that the bound does not speak of
  };
  const std::array<Bound, 7> bounds{
      {{"Copies, as they ran", copying, with_work},
       {"Copies, at full bandwidth", moving(needful), with_work},
       {"Copies of inputs and outputs alone", moving(totals.tensors_in + totals.tensors_out), with_work},
       {"Computing, as it ran", computed, std::max(others, with_copies)},
       {"Computing, at peak", computing(flops), std::max(others, with_copies)},
       {"Computing, at peak and without transposing", computing(flops - turning), std::max(others, with_copies)},
       {totals.has_engines() ? "Most active engine" : "Most active stream", most > 0 ? most : static_cast<double>(kUnknownReal),
        std::max(with_copies, with_computing)}}};
  ReportTable table = blank_bounds();
  for (const Bound& bound : bounds) {
    const Cell speedup = std::isnan(bound.time) ? Cell{} : ratio_cell(totals.total, std::max(bound.time, bound.rest));
    table.add_row({cell(bound.name), cell(bound.time), ratio_cell(bound.time, totals.total), speedup});
  }
  return table;
}

ReportTable blank_queues() {
  ReportTable table{.key = "queues", .title = "Copies by queue"};
  table.columns = {
      label_column("queue", "Queue", "Queue and copy engine, or stream, as the file names it"),
      text_column("type", "Type", "Type of the queue, as the file names it"),
      integer_column("copies", "Copies", Unit::count, {"Copies, one by one.", "number of copies", kSingleCopies}),
      integer_column("bytes", "Bytes", Unit::bytes, {"Bytes of all copies.", "sum of bytes", kSingleCopies}),
      real_column("mean", "Mean copy", Unit::bytes, {"Small copies cannot use the bandwidth.", "bytes / copies", kSingleCopies}),
      integer_column("active", "Active", Unit::ns,
                     {"Time with at least one copy running.", "length of the union of copies", kSingleCopies}),
      real_column("share", "Active share", Unit::share, {"Share of the total time.", "active / total time", kSingleCopies}),
      real_column("rate", "Rate while active", Unit::bytes_per_second,
                  {"How fast copies were.", "bytes / active", kSingleCopies})};
  for (const std::size_t of_bytes : {3, 4, 7})
    table.columns[of_bytes].unknown = "the file does not state the bytes of some copies";
  table.columns[5].bar = "share";
  table.sort_column = "bytes";
  return table;
}

ReportTable queues_table(const DeviceTotals& totals) {
  ReportTable table = blank_queues();
  for (const CopyTotals& queue : totals.queues) {
    const double active = queue.active, bytes = queue.known_bytes();
    table.add_row({Cell{queue.name}, cell(std::string_view(queue.type)), Cell{queue.count},
                   queue.without_bytes > 0 ? Cell{} : Cell{queue.bytes}, ratio_cell(bytes, static_cast<double>(queue.count)),
                   Cell{std::llround(queue.active)}, ratio_cell(active, totals.total), ratio_cell(bytes, active / 1e9)});
  }
  return table;
}

ReportTable blank_tensors() {
  constexpr std::string_view kSource = "the program's table of tensors";
  ReportTable table{.key = "tensors", .title = "Tensors"};
  table.columns = {label_column("tensor", "Tensor", "Name of the tensor"),
                   text_column("use", "Use", "What for, as the file names it"),
                   code_column("shape", "Shape", "Its shape"),
                   text_column("dtype", "Type", "Element type"),
                   text_column("format", "Format", "Order of its dimensions, as the file names it"),
                   integer_column("bytes", "Size", Unit::bytes, {"Its size.", "as stated", kSource}),
                   integer_column("loads", "Loads", Unit::count,
                                  {"Copies of the tensor from device memory into the core's own memory.", "as stated", kSource}),
                   integer_column("loaded", "Loaded", Unit::bytes, {"Bytes of those copies.", "as stated", kSource}),
                   real_column("repeats", "Times loaded", Unit::none,
                               {"Above 1, the tensor did not stay in the core's own memory.", "loaded / size", kSource})};
  for (const std::size_t column : {6, 7, 8}) table.columns[column].unknown = "the file does not state loads of this tensor";
  table.sort_column = "bytes";
  return table;
}

ReportTable tensors_table(const Profile& profile) {
  const Tensors& tensors = profile.tensors;
  ReportTable table = blank_tensors();
  for (Row row = 0; row < tensors.rows(); ++row) {
    const bool known = tensors.loaded_bytes[row] != kUnknown && tensors.bytes[row] > 0;
    table.add_row(
        {cell(profile.text(tensors.name[row])), cell(profile.text(tensors.use[row])), cell(profile.text(tensors.shape[row])),
         cell(profile.text(tensors.dtype[row])), cell(profile.text(tensors.format[row])), cell(tensors.bytes[row]),
         cell(tensors.loads[row]), cell(tensors.loaded_bytes[row]),
         known ? Cell{static_cast<double>(tensors.loaded_bytes[row]) / static_cast<double>(tensors.bytes[row])} : Cell{}});
  }
  return table;
}

ReportTable blank_metrics() {
  ReportTable table{.key = "metrics", .title = "All metrics"};
  table.columns = {words_column("group", "Group", "What the metric is about"),
                   words_column("metric", "Metric", "What is measured"),
                   text_column("shown", "Value", "The value with its unit; empty: unknown"),
                   words_column("source", "From",
                                "computed: from slices; stated: by the file itself; both: computed, and the file states the "
                                "same; differs: computed, and the file states another value"),
                   text_column("stated_shown", "Stated", "Value that the file itself states"),
                   code_column("key", "Name", "Its name in other tools"),
                   real_column("value", "Number", Unit::none, {"The value in its unit.", "", ""}),
                   real_column("stated", "Stated number", Unit::none, {"Value that the file states, in the same unit.", "", ""}),
                   text_column("unit", "Unit", "s, B, FLOP, FLOP/B, share (0 to 1); empty: a count"),
                   code_column("formula", "Formula", "How it is computed")};
  table.columns[1].role = ColumnRole::label;
  for (const std::size_t column : {6, 7, 8, 9}) table.columns[column].hidden = true;
  return table;
}

ReportTable metrics_table(const Profile& profile, const std::vector<DeviceMetric>& metrics, std::vector<Note>& notes) {
  ReportTable table = blank_metrics();
  std::set<std::string, std::less<>> known;
  std::string differing;
  for (const DeviceMetric& metric : metrics) {
    known.insert(metric.key);
    const double stated = stated_number(profile, std::string(stated::kSummary) + metric.key);
    const double computed = as_stated(metric.value, metric);
    const double slack = as_stated(metric.slack, metric) + 1e-6 * std::abs(stated);
    const bool both = !std::isnan(stated) && !std::isnan(computed) && !metric.is_stated;
    const bool same = both && std::abs(stated - computed) <= slack;
    const std::string_view source = same                                                                 ? "both"
                                    : both                                                               ? "differs"
                                    : !std::isnan(stated) || (metric.is_stated && !std::isnan(computed)) ? "stated"
                                    : std::isnan(computed)                                               ? ""
                                                                                                         : "computed";
    const double value = std::isnan(computed) ? stated : computed;
    const double back = metric.unit == Unit::ns && !metric.key.ends_with("_ns") ? 1e9 : 1;
    const auto words = [&](double number) {
      return std::isnan(number) ? Cell{} : Cell{metric_words(number * back, metric.unit)};
    };
    table.add_row({table.words(metric.group), table.words(metric.title), words(value), cell(source), words(stated),
                   Cell{metric.key}, cell(value), cell(stated),
                   Cell{std::string(metric.key.ends_with("_ns") ? "ns" : unit_word(metric.unit))},
                   cell(std::string_view(metric.formula))});
    if (both && !same) differing += (differing.empty() ? "" : ", ") + metric.key;
  }
  add_only_stated(table, profile, known);
  if (!differing.empty())
    notes.push_back({Note::Level::warning, say("The file states values that differ from those of its slices: {}.", differing)});
  return table;
}

}  // namespace sightline
