// For each distance, the longest run of names that are equal to those at that distance.
#include "analyses/serving/layers.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/serving/serving_tables.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

RepeatedNames longest_at(std::span<const StringId> names, std::size_t distance) {
  std::size_t run = 0, longest = 0, end = 0;
  for (std::size_t i = 0; i + distance < names.size(); ++i) {
    run = names[i] == names[i + distance] ? run + 1 : 0;
    if (run <= longest) continue;
    longest = run;
    end = i + 1;
  }
  return {end - longest, distance, (longest + distance) / distance};
}

// One piece of work of a layer, over all layers.
struct LayerRow {
  StringId name = StringId::none;
  std::string_view own{};  // instead: what is before or after the layers
  WorkPart part{};
  std::int64_t place = kUnknown, count = 0;
  Time time = 0, all = 0;
};

TableOf<LayerRow, Profile> layer_columns() {
  TableOf<LayerRow, Profile> table({.key = "layers", .title = "Layers", .sort_column = "time"});
  constexpr std::string_view kSource = "device work of the step of median length, by start";
  table.add(label_column("name", "Work", "Name of the device work").with_words("own_name"),
            [](const Profile& profile, const LayerRow& row) {
              return std::string(row.name == StringId::none ? row.own : profile.text(row.name));
            });
  table.add(words_column("part", "Part", "What it does in a step of a language model").with_unknown("work of several kinds"),
            [](const LayerRow& row) { return row.name == StringId::none ? std::string_view{} : info_of(row.part).title; });
  table.add(integer_column("place", "Place", Unit::id, {"Its place in the layer, from 1", "", ""})
                .with_unknown("outside of the layers"),
            &LayerRow::place);
  table.add(
      integer_column("count", "Count", Unit::count, {"How often it ran.", "number of pieces of device work", kSource, kNew}),
      &LayerRow::count);
  table.add(real_column("mean", "Mean", Unit::ns, {"How long it ran on average.", "sum of durations / number", kSource, kNew}),
            [](const LayerRow& row) { return quotient(row.time, row.count); });
  table.add(integer_column("time", "Time", Unit::ns, {"How long all of them ran.", "sum of durations", kSource, kNew})
                .with_bar("share"),
            &LayerRow::time);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the device work of the step.", "time / sum of all durations", kSource, kNew}),
            [](const LayerRow& row) { return quotient(row.time, row.all); });
  table.add(own_name_column(), [](const LayerRow& row) { return row.name == StringId::none; });
  return table;
}

// The step of median length: the lower one of two.
const ServedStep& median_step(std::span<const ServedStep> steps) {
  std::vector<const ServedStep*> order;
  for (const ServedStep& step : steps) order.push_back(&step);
  const auto middle = order.begin() + (std::ssize(order) - 1) / 2;
  std::nth_element(order.begin(), middle, order.end(), [](const ServedStep* a, const ServedStep* b) {
    return std::pair(a->time(), a->serving) < std::pair(b->time(), b->serving);
  });
  return **middle;
}

// Rows of device_work, by start.
std::vector<Row> work_of_step(const Profile& profile, std::span<const ServedStep> steps, const ServedStep& chosen) {
  std::vector<StepWindow> windows;
  for (const ServedStep& step : steps) windows.push_back(step.step);
  const auto at = static_cast<std::size_t>(&chosen - steps.data());
  std::vector<Row> work;
  for (Row row = 0; row < profile.device_work.rows(); ++row) {
    if (step_of(profile, windows, row) == at) work.push_back(row);
  }
  sort_up(work, [&](Row each) { return profile.slices.start[profile.device_work.slice[each]]; });
  return work;
}

std::vector<LayerRow> rows_of(const Profile& profile, const std::vector<Row>& work, const RepeatedNames& found) {
  const std::vector<WorkPart> parts = parts_of_work(profile);
  std::vector<LayerRow> rows(found.length);
  LayerRow before{.own = "before the layers"}, after{.own = "after the layers"};
  Time all = 0;
  const std::size_t end = found.first + found.length * found.repeats;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Row slice = profile.device_work.slice[work[i]];
    const bool inside = i >= found.first && i < end;
    const std::size_t place = inside ? (i - found.first) % found.length : 0;
    LayerRow& row = inside ? rows[place] : i < found.first ? before : after;
    if (inside) row = {profile.slices.name[slice], {}, parts[work[i]], static_cast<std::int64_t>(place) + 1, row.count, row.time};
    ++row.count;
    row.time += profile.slices.duration[slice];
    all += profile.slices.duration[slice];
  }
  for (LayerRow* row : {&before, &after}) {
    if (row->count > 0) rows.push_back(*row);
  }
  for (LayerRow& row : rows) row.all = all;
  return rows;
}

}  // namespace

std::optional<RepeatedNames> repeated_names(std::span<const StringId> names) {
  std::vector<RepeatedNames> runs;
  std::size_t most = 0;
  for (std::size_t distance = 2; distance * 3 <= names.size() && names.size() <= kMostRepeated; ++distance) {
    const RepeatedNames run = longest_at(names, distance);
    if (run.repeats < 3) continue;
    runs.push_back(run);
    most = std::max(most, run.length * run.repeats);
  }
  for (const RepeatedNames& run : runs) {
    if (run.length * run.repeats * 20 >= most * 19) return run;
  }
  return std::nullopt;
}

ReportTable blank_layers_table() { return layer_columns().blank(); }

Layers layers_of(const Profile& profile, std::span<const ServedStep> steps) {
  Layers layers{.table = blank_layers_table()};
  if (steps.empty()) return layers;
  const ServedStep& chosen = median_step(steps);
  layers.step = chosen.step.number;
  const std::vector<Row> work = work_of_step(profile, steps, chosen);
  layers.works = work.size();
  std::vector<StringId> names;
  for (const Row row : work) names.push_back(profile.slices.name[profile.device_work.slice[row]]);
  const auto found = repeated_names(names);
  if (!found) return layers;
  layers.found = *found;
  layers.table = layer_columns().of(profile, rows_of(profile, work, *found));
  return layers;
}

}  // namespace sightline::analyses
