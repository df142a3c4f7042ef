// Steps one by one, by phase, and by the number of tokens.
#include "analyses/serving/serving_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>

#include "analyses/columns.h"
#include "analyses/percentile.h"
#include "analyses/serving/layers.h"
#include "analyses/serving/step_skew.h"
#include "analyses/words.h"

namespace sightline::analyses {

std::string_view phase_title(ServingPhase phase) {
  switch (phase) {
    case ServingPhase::prefill: return "Prefill";
    case ServingPhase::decode: return "Decode";
    case ServingPhase::mixed: return "Mixed";
    case ServingPhase::image: return "Image";
    case ServingPhase::idle: return "Idle";
    case ServingPhase::unknown: break;
  }
  return "Unknown";
}

namespace {

constexpr std::string_view kHostKey = "host";

struct Context {
  const Profile& profile;
  Time all = 0;  // sum of the lengths of the steps in scope
};

Context context_of(const Profile& profile, std::span<const ServedStep> steps) {
  Context context{profile};
  for (const ServedStep& step : steps) context.all += step.time();
  return context;
}

std::string part_key(std::size_t part) { return std::string(info_of(static_cast<WorkPart>(part)).key); }

// ---- sums over some of the steps ----

using Steps = std::vector<const ServedStep*>;

std::vector<double> values_of(const Steps& steps, const std::function<double(const ServedStep&)>& value) {
  std::vector<double> values;
  values.reserve(steps.size());
  for (const ServedStep* step : steps) values.push_back(value(*step));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  std::size_t known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++known;
  }
  return known == 0 ? kUnknownNumber : sum / static_cast<double>(known);
}

double known(std::int64_t value) { return value == kUnknown ? kUnknownNumber : static_cast<double>(value); }

// The sum of a column of serving_steps; NaN if it is unknown for one of them.
double sum_of(const Steps& steps, const Column<std::int64_t>& column) {
  double sum = 0;
  for (const ServedStep* step : steps) sum += known(column[step->serving]);
  return sum;
}

double sum_of_times(const Steps& steps) {
  double sum = 0;
  for (const ServedStep* step : steps) sum += static_cast<double>(step->time());
  return sum;
}

struct Group {
  ServingPhase phase = ServingPhase::unknown;
  std::int64_t least = kUnknown, most = kUnknown;  // tokens; of an image, requests
  Steps steps;
};

// "33 to 64 tokens".
Message range_words(const Group& group) {
  if (group.least == kUnknown) return "not stated";
  const bool images = group.phase == ServingPhase::image;
  if (group.least == group.most)
    return images ? count_words(group.least, "{} image", "{} images") : count_words(group.least, "{} token", "{} tokens");
  return images ? say("{} to {} images", count_words(group.least), count_words(group.most))
                : say("{} to {} tokens", count_words(group.least), count_words(group.most));
}

// ---- columns that the tables of groups share ----

void add_sums(TableOf<Group, Context>& table) {
  table.add(integer_column("steps", "Steps", Unit::count, {"Steps of the engine.", "number of steps", kServingSource}),
            [](const Group& group) { return std::ssize(group.steps); });
  table.add(real_column("requests", "Requests", Unit::count, {"Requests of a step.", "mean of requests", kServingSource}),
            [](const Context& of, const Group& group) {
              return mean(values_of(
                  group.steps, [&](const ServedStep& step) { return known(of.profile.serving_steps.requests[step.serving]); }));
            });
  table.add(real_column("tokens", "Tokens", Unit::count, {"Tokens that a step processes.", "mean of tokens", kServingSource}),
            [](const Context& of, const Group& group) {
              return mean(values_of(
                  group.steps, [&](const ServedStep& step) { return known(of.profile.serving_steps.tokens[step.serving]); }));
            });
  table.add(real_column(
                "time_p50", "Step time, p50", Unit::ns,
                {"Length of a step: from when the engine begins it, or the device is done with the step before, to when host and "
                 "device are done with it.",
                 "median of the lengths", kServingSource})
                .with_bar("share"),
            [](const Group& group) {
              return percentile(values_of(group.steps, [](const ServedStep& step) { return double(step.time()); }), 0.5);
            });
  table.add(real_column("time_p90", "Step time, p90", Unit::ns,
                        {"Nine of ten steps are not longer.", "90th percentile of the lengths", kServingSource}),
            [](const Group& group) {
              return percentile(values_of(group.steps, [](const ServedStep& step) { return double(step.time()); }), 0.9);
            });
  table.add(
      real_column("share", "Share of the time", Unit::share,
                  {"Share of the time of all steps in scope.", "sum of lengths / sum of the lengths of all", kServingSource}),
      [](const Context& of, const Group& group) { return quotient(sum_of_times(group.steps), double(of.all)); });
  table.add(real_column("per_token", "Time per token", Unit::ns,
                        {"Time of the steps for each token that they process.", "sum of lengths / sum of tokens", kServingSource})
                .with_unknown("the engine does not state the tokens of each step"),
            [](const Context& of, const Group& group) {
              return quotient(sum_of_times(group.steps), sum_of(group.steps, of.profile.serving_steps.tokens));
            });
  table.add(real_column("host", "No device work", Unit::ns,
                        {"Time of a step in which no device works: it waits for the host.",
                         "mean of (length - time in which a device works)", kServingSource})
                .with_category("idle"),
            [](const Group& group) {
              return mean(values_of(group.steps, [](const ServedStep& step) { return double(step.host()); }));
            });
  for (std::size_t part = 0; part < kWorkParts; ++part) {
    const WorkPartInfo& info = info_of(static_cast<WorkPart>(part));
    table.add(real_column(part_key(part), Message(info.title), Unit::ns,
                          {say("Time of a step in which this runs: {}. Parts do not overlap; with the time without device work, "
                               "they are the step.",
                               Message(info.doc)),
                           "mean over the steps of (time of this part without that of the parts before it)",
                           "names of kernels and of the ranges that caused them"})
                  .with_category(std::string(info.hue)),
              [part](const Group& group) {
                return mean(values_of(group.steps, [&](const ServedStep& step) { return double(step.parts[part]); }));
              });
  }
  table.add(real_column("graphs", "By graphs", Unit::share,
                        {"Share of the device work that graphs ran.", "pieces of work of graph launches / pieces of device work",
                         kServingSource}),
            [](const Group& group) {
              double work = 0, all = 0;
              for (const ServedStep* step : group.steps)
                work += double(step->graph_work), all += double(step->step.device_events);
              return quotient(std::min(work, all), all);
            });
  table.add(real_column("padding", "Padding", Unit::share,
                        {"Share of what the steps compute that is padding: the batch is filled up to a size that was captured.",
                         "1 - sum of requests or tokens / sum of those it was padded to",
                         "the engine's ranges; names of captured graphs"})
                .with_unknown("neither the engine nor a captured graph states the padded size"),
            [](const Context& of, const Group& group) {
              Padding sum{0, 0};
              for (const ServedStep* step : group.steps) {
                const Padding each = padding_of(of.profile, *step);
                if (std::isnan(each.waste())) continue;
                sum.real += each.real;
                sum.padded += each.padded;
              }
              return sum.waste();
            });
  table.add(
      real_column(
          "floor", "Floor", Unit::ns,
          {"Least time that the device needs for the operators of a step whose cost is known: it reads the weights and the cache "
           "once, and computes at its peak.",
           "mean over the steps of the sum of max(operations / peak, bytes / bandwidth) of their calls",
           "shapes of operators, sums that the engine states, peaks of the device"})
          .with_unknown("no costs of operators or no peaks of the device are known"),
      [](const Group& group) {
        return mean(values_of(group.steps, [](const ServedStep& step) {
          return step.costs.attainable_time > 0 ? step.costs.attainable : kUnknownNumber;
        }));
      });
  table.add(real_column("floor_covers", "Floor covers", Unit::share,
                        {"Share of the device time of the steps that belongs to operators with a known cost.",
                         "device time of those calls / time in which a device works", kServingSource})
                .with_unknown("no costs of operators or no peaks of the device are known"),
            [](const Group& group) {
              double with_cost = 0, busy = 0;
              for (const ServedStep* step : group.steps)
                with_cost += double(step->costs.attainable_time), busy += double(step->busy);
              return with_cost == 0 ? kUnknownNumber : std::min(1.0, quotient(with_cost, busy));
            });
}

TableOf<Group, Context> phases() {
  TableOf<Group, Context> table({.key = "phases", .title = "Steps by phase"});
  table.add(
      words_column("phase", "Phase", "Whether the steps process prompts, generate tokens, or both").with_role(ColumnRole::label),
      [](const Group& group) { return phase_title(group.phase); });
  add_sums(table);
  return table;
}

TableOf<Group, Context> buckets() {
  TableOf<Group, Context> table({.key = "buckets", .title = "Steps by batch"});
  table.add(words_column("batch", "Batch", "Phase, and how many tokens the steps process").with_role(ColumnRole::label),
            [](const Group& group) { return say("{}, {}", Message(phase_title(group.phase)), range_words(group)); });
  add_sums(table);
  return table;
}

// ---- single steps ----

template <typename ValueOf>
void add_stated(TableOf<ServedStep, Context>& table, const char* key, const char* title, const char* meaning, bool hidden,
                ValueOf column) {
  table.add(integer_column(key, title, Unit::count, {meaning, "", "the name of the engine's range"}).hide(hidden),
            [column](const Context& of, const ServedStep& step) { return column(of.profile.serving_steps)[step.serving]; });
}

void add_attention_sums(TableOf<ServedStep, Context>& table) {
  const auto add = [&](const char* key, const char* title, const char* meaning, Column<std::int64_t> ServingSteps::*column) {
    add_stated(
        table, key, title, meaning, true, [column](const ServingSteps& s) -> const auto& { return s.*column; });
  };
  add("prefill_sq", "Prefill queries", "Sum of the queries of prefill over the requests.", &ServingSteps::prefill_sq);
  add("prefill_sk", "Prefill keys", "Sum of the keys of prefill over the requests, the cached ones included.",
      &ServingSteps::prefill_sk);
  add("prefill_sqsq", "Prefill queries²", "Sum of queries * queries of prefill over the requests.", &ServingSteps::prefill_sqsq);
  add("prefill_sqsk", "Prefill queries * keys", "Sum of queries * keys of prefill over the requests.",
      &ServingSteps::prefill_sqsk);
  add("decode_sq", "Decode queries", "Sum of the queries of decode over the requests.", &ServingSteps::decode_sq);
  add("decode_sk", "Decode keys", "Sum of the keys of decode over the requests: the length of the cache.",
      &ServingSteps::decode_sk);
  add("decode_sqsq", "Decode queries²", "Sum of queries * queries of decode over the requests.", &ServingSteps::decode_sqsq);
  add("decode_sqsk", "Decode queries * keys", "Sum of queries * keys of decode over the requests.", &ServingSteps::decode_sqsk);
}

void add_requests(TableOf<ServedStep, Context>& table) {
  const auto add = [&](const char* key, const char* title, const char* meaning, bool hidden,
                       Column<std::int64_t> ServingSteps::*column) {
    add_stated(
        table, key, title, meaning, hidden, [column](const ServingSteps& s) -> const auto& { return s.*column; });
  };
  add("requests", "Requests", "Requests of the step.", false, &ServingSteps::requests);
  add("tokens", "Tokens", "Tokens that it processes.", false, &ServingSteps::tokens);
  add("prefill_requests", "Prefill requests", "Requests of which it processes the prompt, or a chunk of it.", true,
      &ServingSteps::prefill_requests);
  add("prefill_tokens", "Prefill tokens", "Tokens of those prompts or chunks.", true, &ServingSteps::prefill_tokens);
  add("decode_requests", "Decode requests", "Requests for which it generates tokens.", true, &ServingSteps::decode_requests);
  add("decode_tokens", "Decode tokens", "Tokens that it generates or verifies.", true, &ServingSteps::decode_tokens);
  add("padded_batch", "Padded batch", "Requests or tokens that it computes, padding included, as the engine states.", true,
      &ServingSteps::padded_batch);
}

void add_times(TableOf<ServedStep, Context>& table) {
  table.add(
      integer_column(
          "time", "Step time", Unit::ns,
          {"From when the engine begins the step, or the device is done with the step before, to when host and device are done "
           "with it.",
           "end - start", kServingSource})
          .with_bar("share"),
      &ServedStep::time);
  table.add(real_column("share", "Share", Unit::share,
                        {"Share of the time of all steps in scope.", "length / sum of lengths", kServingSource})
                .hide(),
            [](const Context& of, const ServedStep& step) { return quotient(step.time(), of.all); });
  table.add(
      integer_column("host", "No device work", Unit::ns,
                     {"Time of the step in which no device works.", "length - time in which a device works", kServingSource}),
      &ServedStep::host);
  table.add(integer_column("gap", "Gap before", Unit::ns,
                           {"From the end of the step before to its start: the engine is outside of its steps.",
                            "start - end of the step before", kServingSource})
                .with_unknown("the first step has none before it"),
            &ServedStep::gap);
  table.add(integer_column("bubble", "Bubble before", Unit::ns,
                           {"How long the device idles between the last work of the step before and the first of this one.",
                            "max(0, start of its first device work - end of the last before)", kServingSource})
                .with_unknown("the first step, or no device work"),
            &ServedStep::bubble);
  for (std::size_t part = 0; part < kWorkParts; ++part) {
    const WorkPartInfo& info = info_of(static_cast<WorkPart>(part));
    table.add(integer_column(part_key(part), Message(info.title), Unit::ns,
                             {say("Time of the step in which this runs: {}.", Message(info.doc)),
                              "time of this part without that of the parts before it",
                              "names of kernels and of the ranges that caused them"})
                  .hide(),
              [part](const ServedStep& step) { return step.parts[part]; });
  }
}

void add_work(TableOf<ServedStep, Context>& table) {
  table.add(integer_column("work", "Device work", Unit::count,
                           {"Kernels, copies and fills that it launched, also those of graphs.",
                            "number of pieces of device work", kServingSource}),
            [](const ServedStep& step) { return step.step.device_events; });
  table.add(integer_column("graph_launches", "Graph launches", Unit::count,
                           {"Graphs that it launched; 0: it ran eagerly.", "number of launches", kServingSource}),
            &ServedStep::graph_launches);
  table.add(real_column("padding", "Padding", Unit::share,
                        {"Share of what it computes that is padding.", "1 - requests or tokens / what they were padded to",
                         "the engine's ranges; names of captured graphs"})
                .with_unknown("neither the engine nor a captured graph states the padded size"),
            [](const Context& of, const ServedStep& step) { return padding_of(of.profile, step).waste(); });
  table.add(real_column("floor", "Floor", Unit::ns,
                        {"Least time that the device needs for its operators whose cost is known.",
                         "sum of max(operations / peak, bytes / bandwidth) of its calls",
                         "shapes of operators, sums that the engine states, peaks of the device"})
                .with_unknown("no costs of operators or no peaks of the device are known"),
            [](const ServedStep& step) { return step.costs.attainable_time > 0 ? step.costs.attainable : kUnknownNumber; });
}

TableOf<ServedStep, Context> steps_table() {
  TableOf<ServedStep, Context> table(
      {.key = "served", .title = "Steps of the engine", .sort_column = "number", .sort_descending = false});
  table.add(integer_column("number", "Step", Unit::id, {"Number of the step, from 0.", "", "order of the engine's ranges"})
                .with_role(ColumnRole::label),
            [](const ServedStep& step) { return step.step.number; });
  table.add(words_column("phase", "Phase", "Whether it processes prompts, generates tokens, or both"),
            [](const Context& of, const ServedStep& step) { return phase_title(of.profile.serving_steps.phase[step.serving]); });
  add_requests(table);
  add_times(table);
  add_work(table);
  add_attention_sums(table);
  table.add(label_column("name", "Range", "Name of the engine's range").with_role(ColumnRole::value),
            [](const Context& of, const ServedStep& step) {
              return of.profile.text(of.profile.slices.name[of.profile.serving_steps.slice[step.serving]]);
            });
  table.add(integer_column("slice", "Slice", Unit::id, {"Row of slices of its range.", "", "the engine's range"}).hide(),
            [](const Context& of, const ServedStep& step) { return of.profile.serving_steps.slice[step.serving]; });
  RowLink timeline{"On the timeline", "timeline", {{"slice", "$slice"}}};
  timeline.direct = true;
  table.add_link(std::move(timeline));
  return table;
}

std::vector<Group> groups_of(const Profile& profile, std::span<const ServedStep> steps, bool by_tokens) {
  std::map<std::pair<ServingPhase, int>, Group> groups;
  for (const ServedStep& step : steps) {
    const ServingPhase phase = profile.serving_steps.phase[step.serving];
    const std::int64_t size =
        phase == ServingPhase::image ? profile.serving_steps.requests[step.serving] : profile.serving_steps.tokens[step.serving];
    int bits = -1;  // sizes of (2^(bits - 1), 2^bits]
    if (by_tokens && size != kUnknown)
      bits = size <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
    Group& group = groups[{phase, bits}];
    group.phase = phase;
    if (bits >= 0) {
      group.least = group.least == kUnknown ? size : std::min(group.least, size);
      group.most = std::max(group.most, size);
    }
    group.steps.push_back(&step);
  }
  std::vector<Group> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

}  // namespace

ReportTable served_steps_table(const Profile& profile, std::span<const ServedStep> steps) {
  return steps_table().of(context_of(profile, steps), steps);
}

ReportTable served_phases_table(const Profile& profile, std::span<const ServedStep> steps) {
  return phases().of(context_of(profile, steps), groups_of(profile, steps, false));
}

ReportTable served_buckets_table(const Profile& profile, std::span<const ServedStep> steps) {
  return buckets().of(context_of(profile, steps), groups_of(profile, steps, true));
}

std::vector<ReportTable> blank_serving_tables() {
  return {phases().blank(), buckets().blank(), blank_layers_table(), blank_skew_table(), steps_table().blank()};
}

std::vector<std::string> part_columns(const ReportTable& buckets) {
  std::vector<std::string> keys;
  for (std::size_t part = 0; part < kWorkParts; ++part) {
    if (is_ever_positive(buckets, part_key(part))) keys.push_back(part_key(part));
  }
  keys.emplace_back(kHostKey);
  return keys;
}

}  // namespace sightline::analyses
