// Time per layer and engine: what each part of the program took of each engine.
#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/devices/device_activity.h"
#include "analyses/devices/device_summary_tables.h"

namespace sightline::analyses {

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
      key, engine.is_engine ? say("{} engine active", engine.title) : say("Active on {}", Message(engine.title)), Unit::ns,
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
