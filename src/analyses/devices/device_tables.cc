// The tables of the device summary.
#include "analyses/devices/device_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/words.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kEngineWork = "work of the device's engines or streams; waiting for others does not count";
constexpr std::string_view kSingleCopies = "copies of the device, one by one";
constexpr std::string_view kHandWritten = "instructions that name a line of a hand-written kernel";

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

// A metric as it is shown.
struct MetricRow {
  Message group, title;
  double value, stated;  // in the unit
  std::string shown, stated_shown;
  std::string_view source;
  std::string key;
  std::string_view unit;
  std::string formula;
};

// Texts of a summary, such as versions, are among the metadata.
void add_only_stated(std::vector<MetricRow>& rows, const Profile& profile, const std::set<std::string, std::less<>>& computed) {
  for (Row row = 0; row < profile.metadata.rows(); ++row) {
    const std::string_view key = profile.text(profile.metadata.key[row]);
    if (!key.starts_with(stated::kSummary)) continue;
    const std::string_view name = key.substr(stated::kSummary.size());
    const double number = stated_number(profile, key);
    if (computed.contains(name) || std::isnan(number)) continue;
    const bool share = name.ends_with("_percent");
    const std::string words = share ? metric_words(number, Unit::share) : metric_words(number, Unit::none);
    rows.push_back(
        {"Stated only", title_of(name), number, number, words, words, "stated", std::string(name), share ? "share" : "", ""});
  }
}

// The engines or streams that the device's work runs on.
TableOf<EngineTotals, DeviceTotals> engines(bool has_engines, bool by_hand_known) {
  TableOf<EngineTotals, DeviceTotals> table(
      {.key = "engines", .title = has_engines ? "Engines" : "Streams", .sort_column = "active"});
  table.add(label_column("engine", has_engines ? "Engine" : "Stream", "Engine or stream, as the file names it"),
            even_empty(&EngineTotals::title));
  table.add(integer_column("active", "Active", Unit::ns,
                           {"Time in which the engine works.", "length of the union of its work", kEngineWork})
                .with_bar("share"),
            [](const EngineTotals& engine) { return std::int64_t{std::llround(engine.active)}; });
  table.add(real_column("share", "Active share", Unit::share, {"Share of the total time.", "active / total time", kEngineWork})
                .with_unknown("the program has no length"),
            [](const DeviceTotals& totals, const EngineTotals& engine) { return ratio(engine.active, totals.total); });
  table.add(integer_column("time", has_engines ? "Instruction time" : "Work time", Unit::ns,
                           {"Instructions that run at the same time are counted separately.", "sum of lengths", kEngineWork}),
            [](const EngineTotals& engine) { return std::int64_t{std::llround(engine.time)}; });
  table.add(integer_column("instructions", has_engines ? "Instructions" : "Work items", Unit::count,
                           {"Instructions of the engine, waits included.", "number of instructions", kEngineWork}),
            &EngineTotals::instructions);
  table.add(real_column("by_hand", "Hand-written", Unit::share,
                        {"Share of its instructions that come from a hand-written kernel, not from the compiler.",
                         "instructions of hand-written kernels / instructions", kHandWritten})
                .with_unknown("no instruction names a line of a hand-written kernel")
                .hide(!by_hand_known),
            [by_hand_known](const EngineTotals& engine) {
              const auto by_hand = static_cast<double>(engine.by_hand), all = static_cast<double>(engine.instructions);
              return by_hand_known ? ratio(by_hand, all) : static_cast<double>(kUnknownReal);
            });
  return table;
}

// What limits a program, and the most active engine that this limit does not cover.
struct Bound {
  std::string_view name;
  double time;
  double rest;
};

double speed_up(const DeviceTotals& totals, const Bound& bound) {
  return std::isnan(bound.time) ? bound.time : ratio(totals.total, std::max(bound.time, bound.rest));
}

// `same`: one part is so long that every bound ends at it.
TableOf<Bound, DeviceTotals> bound_columns(bool same = false) {
  constexpr std::string_view kDoc =
      "copies: their union, then bytes / bandwidth of the copies that carry data, then of inputs and outputs alone; computing: "
      "active time of the engines with matrix units, or on a device of streams the union of all kernels but collectives, then "
      "operations (scaled to 16-bit elements where known) / peak, then "
      "without those that only transpose; pipeline: "
      "the most active engine";
  const std::string unknown = "bytes, operations or peaks that it needs are not known";
  TableOf<Bound, DeviceTotals> table({.key = "bounds", .title = "What limits the program"});
  table.add(words_column("bound", "Bound", "The limit that is assumed to be the only one").with_role(ColumnRole::label),
            &Bound::name);
  table.add(real_column("time", "Time", Unit::ns, {"How long the program would run.", kDoc, kEngineWork})
                .with_unknown(unknown)
                .with_bar("share"),
            &Bound::time);
  table.add(real_column("share", "Share", Unit::share, {"Share of the total time.", "time / total time", kEngineWork})
                .with_unknown(unknown),
            [](const DeviceTotals& totals, const Bound& bound) { return ratio(bound.time, totals.total); });
  table.add(real_column("speedup", "Speed-up", Unit::none,
                        {"Speed-up of the program if it reached this bound.",
                         "total time / max(time, active time of the most active engine that it does not cover)", kEngineWork})
                .with_unknown(unknown)
                .hide(same),
            speed_up);
  return table;
}

TableOf<CopyTotals, DeviceTotals> queue_columns() {
  const std::string no_bytes = "the file does not state the bytes of some copies";
  TableOf<CopyTotals, DeviceTotals> table({.key = "queues", .title = "Copies by queue", .sort_column = "bytes"});
  table.add(label_column("queue", "Queue", "Queue and copy engine, or stream, as the file names it"),
            even_empty(&CopyTotals::name));
  table.add(text_column("type", "Type", "Type of the queue, as the file names it"), &CopyTotals::type);
  table.add(integer_column("copies", "Copies", Unit::count, {"Copies, one by one.", "number of copies", kSingleCopies}),
            &CopyTotals::count);
  table.add(integer_column("bytes", "Bytes", Unit::bytes, {"Bytes of all copies.", "sum of bytes", kSingleCopies})
                .with_unknown(no_bytes),
            [](const CopyTotals& queue) { return queue.without_bytes > 0 ? kUnknown : queue.bytes; });
  table.add(
      real_column("mean", "Mean copy", Unit::bytes, {"Small copies cannot use the bandwidth.", "bytes / copies", kSingleCopies})
          .with_unknown(no_bytes),
      [](const CopyTotals& queue) { return ratio(queue.known_bytes(), static_cast<double>(queue.count)); });
  table.add(integer_column("active", "Active", Unit::ns,
                           {"Time with at least one copy running.", "length of the union of copies", kSingleCopies})
                .with_bar("share"),
            [](const CopyTotals& queue) { return std::int64_t{std::llround(queue.active)}; });
  table.add(real_column("share", "Active share", Unit::share, {"Share of the total time.", "active / total time", kSingleCopies}),
            [](const DeviceTotals& totals, const CopyTotals& queue) { return ratio(queue.active, totals.total); });
  table.add(
      real_column("rate", "Rate while active", Unit::bytes_per_second, {"How fast copies were.", "bytes / active", kSingleCopies})
          .with_unknown(no_bytes),
      [](const CopyTotals& queue) { return ratio(queue.known_bytes(), queue.active / 1e9); });
  return table;
}

TableOf<Row, Profile> tensor_columns() {
  constexpr std::string_view kSource = "the program's table of tensors";
  const std::string no_loads = "the file does not state loads of this tensor";
  TableOf<Row, Profile> table({.key = "tensors", .title = "Tensors", .sort_column = "bytes"});
  const auto add = [&](ReportColumn column, auto Tensors::*values) {
    table.add(std::move(column), [values](const Profile& profile, Row row) { return (profile.tensors.*values)[row]; });
  };
  add(label_column("tensor", "Tensor", "Name of the tensor"), &Tensors::name);
  add(text_column("use", "Use", "Use, as the file names it"), &Tensors::use);
  add(code_column("shape", "Shape", "Its shape"), &Tensors::shape);
  add(text_column("dtype", "Type", "Element type"), &Tensors::dtype);
  add(text_column("format", "Format", "Order of its dimensions, as the file names it"), &Tensors::format);
  add(integer_column("bytes", "Size", Unit::bytes, {"Its size.", "as stated", kSource}), &Tensors::bytes);
  add(integer_column("loads", "Loads", Unit::count,
                     {"Copies of the tensor from device memory into the core's own memory.", "as stated", kSource})
          .with_unknown(no_loads),
      &Tensors::loads);
  add(integer_column("loaded", "Loaded", Unit::bytes, {"Bytes of those copies.", "as stated", kSource}).with_unknown(no_loads),
      &Tensors::loaded_bytes);
  table.add(real_column("repeats", "Times loaded", Unit::none,
                        {"Above 1, the tensor did not stay in the core's own memory.", "loaded / size", kSource})
                .with_unknown(no_loads),
            [](const Profile& profile, Row row) {
              const Tensors& tensors = profile.tensors;
              return quotient(tensors.loaded_bytes[row], std::max<std::int64_t>(0, tensors.bytes[row]));
            });
  return table;
}

TableOf<MetricRow> metric_columns() {
  TableOf<MetricRow> table({.key = "metrics", .title = "All metrics"});
  table.add(words_column("group", "Group", "What the metric is about"), &MetricRow::group);
  table.add(words_column("metric", "Metric", "What is measured").with_role(ColumnRole::label), &MetricRow::title);
  table.add(text_column("shown", "Value", "The value with its unit; empty: unknown"), &MetricRow::shown);
  table.add(words_column("source", "From",
                         "computed: from slices; stated: by the file itself; both: computed, and the file states the "
                         "same; differs: computed, and the file states another value"),
            &MetricRow::source);
  table.add(text_column("stated_shown", "Stated", "Value that the file itself states"), &MetricRow::stated_shown);
  table.add(code_column("key", "Name", "Its name in other tools").hide(), &MetricRow::key);
  table.add(real_column("value", "Number", Unit::none, {"The value in its unit.", "", ""}).hide(), &MetricRow::value);
  table.add(real_column("stated", "Stated number", Unit::none, {"Value that the file states, in the same unit.", "", ""}).hide(),
            &MetricRow::stated);
  table.add(text_column("unit", "Unit", "s, B, FLOP, FLOP/B, share (0 to 1); empty: a count").hide(),
            [](const MetricRow& row) { return Cell{std::string(row.unit)}; });
  table.add(code_column("formula", "Formula", "How it is computed").hide(), &MetricRow::formula);
  return table;
}

}  // namespace

ReportTable blank_engines() { return engines(true, true).blank(); }

ReportTable engines_table(const DeviceTotals& totals) {
  const bool known =
      std::any_of(totals.engines.begin(), totals.engines.end(), [](const auto& engine) { return engine.by_hand > 0; });
  return engines(totals.has_engines(), known).of(totals, totals.engines);
}

ReportTable blank_program_bounds() { return bound_columns().blank(); }

namespace {

// The parts of a program's time other than copies: active times, ns.
struct TableParts {
  double computing = kUnknownReal;  // NaN: nothing computed
  double others = 0;                // the most active engine that does not compute
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

ReportTable program_bounds_table(const DeviceTotals& totals) {
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
  const std::array<Bound, 7> bounds{
      {{"Copies, as they ran", copying, with_work},
       {"Copies, at full bandwidth", moving(needful), with_work},
       {"Copies of inputs and outputs alone", moving(totals.tensors_in + totals.tensors_out), with_work},
       {"Computing, as it ran", computed, std::max(others, with_copies)},
       {"Computing, at peak", computing(flops), std::max(others, with_copies)},
       {"Computing, at peak and without transposing", computing(flops - turning), std::max(others, with_copies)},
       {totals.has_engines() ? "Most active engine" : "Most active stream", most > 0 ? most : static_cast<double>(kUnknownReal),
        std::max(with_copies, with_computing)}}};
  std::set<double> known;
  for (const Bound& bound : bounds) {
    if (const double faster = speed_up(totals, bound); !std::isnan(faster)) known.insert(faster);
  }
  return bound_columns(known.size() == 1).of(totals, bounds);
}

ReportTable blank_queues() { return queue_columns().blank(); }

ReportTable queues_table(const DeviceTotals& totals) { return queue_columns().of(totals, totals.queues); }

ReportTable blank_tensors() { return tensor_columns().blank(); }

ReportTable tensors_table(const Profile& profile) { return tensor_columns().of(profile, all_rows(profile.tensors.rows())); }

ReportTable blank_metrics() { return metric_columns().blank(); }

ReportTable metrics_table(const Profile& profile, const std::vector<DeviceMetric>& metrics, std::vector<Note>& notes) {
  std::vector<MetricRow> rows;
  std::set<std::string, std::less<>> known;
  std::vector<Message> differing;
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
    const auto words = [&](double number) { return std::isnan(number) ? "" : metric_words(number * back, metric.unit); };
    rows.push_back({metric.group, metric.title, value, stated, words(value), words(stated), source, metric.key,
                    metric.key.ends_with("_ns") ? "ns" : unit_word(metric.unit), metric.formula});
    if (both && !same) differing.push_back(metric.title);
  }
  add_only_stated(rows, profile, known);
  if (!differing.empty())
    notes.push_back({Note::Level::warning, say("The file states values that differ from those of its slices: {}.",
                                               listed_messages(", ", std::move(differing)))});
  return metric_columns().of(rows);
}

// ---- time per layer and engine ----

namespace {

constexpr std::string_view kLayerSource = "work with a known operator of the program";

struct Layer {
  StringId name = StringId::none;
  std::int64_t instructions = 0;
  double flops = kUnknownReal, bytes = kUnknownReal;
  std::vector<std::vector<Interval>> work;  // by engine
  Time first = 0, last = 0;
  Time active = 0;              // on any engine
  std::vector<Time> active_on;  // by engine
};

void add_if_known(double& sum, double value) {
  if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
}

// The framework's operator that the program's was made from, else the program's own name.
StringId layer_of(const ProgramOperators& operators, Row row) {
  return operators.framework_operator[row] != StringId::none ? operators.framework_operator[row] : operators.name[row];
}

ReportColumn engine_column(const EngineTotals& engine) {
  std::string key = "active_" + engine.name;
  for (char& c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == ' ' ? '_' : c;
  return integer_column(
      key, engine.is_engine ? say("{} engine active", engine.title) : say("Active on {}", own_title(engine.title)), Unit::ns,
      {"Time in which the engine works for the layer.", "length of the union of its work for the layer", kLayerSource});
}

TableOf<Layer, Profile> layers(const std::vector<EngineTotals>& engines) {
  TableOf<Layer, Profile> table({.key = "layers", .title = "Layers", .sort_column = "start", .sort_descending = false});
  table.add(label_column("layer", "Layer", "The framework's operator, else the program's"), &Layer::name);
  table.add(integer_column("start", "Start", Unit::ns, {"When its first work begins.", "least start", kLayerSource}),
            &Layer::first);
  table.add(
      integer_column("elapsed", "Elapsed", Unit::ns,
                     {"From the start of its first work to the end of its last.", "greatest end - least start", kLayerSource}),
      [](const Layer& layer) { return layer.last - layer.first; });
  table.add(integer_column("active", "Active", Unit::ns,
                           {"Time with at least one engine working for it.", "length of the union of its work", kLayerSource}),
            &Layer::active);
  for (std::size_t i = 0; i < engines.size(); ++i)
    table.add(engine_column(engines[i]), [i](const Layer& layer) { return layer.active_on[i]; });
  table.add(integer_column("instructions", "Instructions", Unit::count, {"Its work.", "number of work items", kLayerSource}),
            &Layer::instructions);
  table.add(real_column("flops", "Operations", Unit::flops,
                        {"Floating-point operations.", "sum; a multiplication with an addition is two", kLayerSource}),
            &Layer::flops);
  table.add(real_column("bytes", "Bytes", Unit::bytes, {"Moved to and from device memory.", "sum", kLayerSource}), &Layer::bytes);
  return table;
}

}  // namespace

ReportTable blank_layers() { return layers({{.name = "Tensor", .title = "Tensor", .is_engine = true}}).blank(); }

ReportTable layers_table(const Profile& profile, const DeviceTotals& totals) {
  const std::vector<EngineTotals>& engines = totals.engines;
  std::map<std::string_view, std::size_t> engine_at;
  for (std::size_t at = 0; at < engines.size(); ++at) engine_at[engines[at].name] = at;
  std::map<StringId, Layer> by_name;
  const ProgramWork& work = profile.program_work;
  Row cost = 0;
  for (Row row = 0; row < work.rows(); ++row) {
    const Row slice = work.slice[row];
    const Row lane = profile.slices.lane[slice];
    const auto engine = engine_at.find(profile.text(profile.lanes.track[lane]));
    if (profile.lanes.device[lane] != totals.device || !is_kernel(profile.slices.kind[slice]) || engine == engine_at.end())
      continue;
    Layer& layer = by_name[layer_of(profile.program_operators, work.program_operator[row])];
    if (layer.work.empty()) {
      layer.work.resize(engines.size());
      layer.first = profile.slices.start[slice];
    }
    const Interval interval{profile.slices.start[slice], profile.end_of(slice)};
    layer.first = std::min(layer.first, interval.start);
    layer.last = std::max(layer.last, interval.end);
    layer.work[engine->second].push_back(interval);
    ++layer.instructions;
    const WorkCosts& costs = profile.work_costs;
    while (cost < costs.rows() && costs.slice[cost] < slice) ++cost;
    if (cost == costs.rows() || costs.slice[cost] != slice) continue;
    add_if_known(layer.flops, costs.flops[cost]);
    if (costs.bytes[cost] != kUnknown) add_if_known(layer.bytes, static_cast<double>(costs.bytes[cost]));
  }
  std::vector<Layer> rows;
  for (auto& [name, layer] : by_name) {
    layer.name = name;
    std::vector<IntervalSet> busy;
    for (std::vector<Interval>& intervals : layer.work) busy.push_back(merge(std::move(intervals)));
    for (const IntervalSet& of_engine : busy) layer.active_on.push_back(total_length(of_engine));
    layer.active = total_length(unite_all(busy));
    rows.push_back(std::move(layer));
  }
  return layers(engines).of(profile, rows);
}

}  // namespace sightline::analyses
