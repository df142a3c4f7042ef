// Serving: how fast an inference engine's steps are, by phase and by batch, and what their time is made of.
#include <algorithm>
#include <cmath>
#include <map>

#include "analyses/columns.h"
#include "analyses/percentile.h"
#include "analyses/serving/layers.h"
#include "analyses/serving/served_steps.h"
#include "analyses/serving/serving_tables.h"
#include "analyses/serving/step_skew.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::size_t kFewestPairs = 5;  // of mixed steps, for the cost of a chunk
constexpr std::string_view kTokensUnknown = "the engine does not state the tokens of each step";

struct Scope {
  const Profile& profile;
  std::span<const ServedStep> steps;

  ServingPhase phase(const ServedStep& step) const { return profile.serving_steps.phase[step.serving]; }
  std::int64_t decode_requests(const ServedStep& step) const { return profile.serving_steps.decode_requests[step.serving]; }
  // From the start of the first step to the end of the last.
  Time extent() const { return steps.back().step.window.end - steps.front().step.window.start; }

  // Those whose gap and bubble lie in the scope: before the first one is a step that does not.
  std::span<const ServedStep> after_first() const { return steps.subspan(1); }

  // NaN if it is unknown for one of them.
  double sum(const Column<std::int64_t>& column) const {
    double sum = 0;
    for (const ServedStep& step : steps) {
      const std::int64_t value = column[step.serving];
      sum += value == kUnknown ? kUnknownNumber : static_cast<double>(value);
    }
    return sum;
  }
};

// ---- figures ----

// Of each step that generates tokens.
std::vector<double> times_per_output_token(const Scope& of) {
  std::vector<double> times;
  for (const ServedStep& step : of.after_first()) {
    const std::int64_t requests = of.decode_requests(step), tokens = of.profile.serving_steps.decode_tokens[step.serving];
    if (step.gap != kUnknown && requests != kUnknown && tokens != kUnknown && requests > 0 && tokens > 0)
      times.push_back(static_cast<double>(step.interval()) * static_cast<double>(requests) / static_cast<double>(tokens));
  }
  return times;
}

struct Chunk {
  std::size_t pairs = 0;
  double cost = kUnknownNumber;
};

// What mixed steps take longer than steps that only decode as many requests.
Chunk chunk_cost(const Scope& of) {
  std::map<std::int64_t, std::vector<double>> decode;  // by requests
  for (const ServedStep& step : of.steps) {
    if (of.phase(step) == ServingPhase::decode) decode[of.decode_requests(step)].push_back(static_cast<double>(step.time()));
  }
  std::vector<double> costs;
  for (const ServedStep& step : of.steps) {
    const auto same = decode.find(of.decode_requests(step));
    if (of.phase(step) == ServingPhase::mixed && same != decode.end() && same->first != kUnknown)
      costs.push_back(static_cast<double>(step.time()) - percentile(same->second, 0.5));
  }
  return {costs.size(), costs.size() < kFewestPairs ? kUnknownNumber : percentile(costs, 0.5)};
}

struct Floor {
  double floor = kUnknownNumber, time = kUnknownNumber;  // medians of the decode steps of which the floor is known
};

Floor decode_floor(const Scope& of) {
  std::vector<double> floors, times;
  for (const ServedStep& step : of.steps) {
    if (of.phase(step) != ServingPhase::decode || step.costs.attainable_time <= 0) continue;
    floors.push_back(step.costs.attainable);
    times.push_back(static_cast<double>(step.time()));
  }
  return {percentile(std::move(floors), 0.5), percentile(std::move(times), 0.5)};
}

// ---- panels ----

Fact fact(Message label, double value, Unit unit, const MetricDoc& doc, Message unknown = {}) {
  return {std::move(label), cell(value), unit, doc.text(), std::move(unknown)};
}

void add_speed(FactSheet& sheet, const Scope& of) {
  const ServingSteps& s = of.profile.serving_steps;
  sheet.facts.push_back(fact("Steps", static_cast<double>(of.steps.size()), Unit::count,
                             {"Steps of the engine in scope.", "number of steps", kServingSource}));
  sheet.facts.push_back(fact("Tokens per second", per_second(of.sum(s.tokens), of.extent()), Unit::per_second,
                             {"Tokens that the steps process, of prompts and generated.",
                              "sum of tokens / (end of the last step - start of the first)", kServingSource},
                             kTokensUnknown));
  sheet.facts.push_back(fact("Generated tokens per second", per_second(of.sum(s.decode_tokens), of.extent()), Unit::per_second,
                             {"Tokens of decode; with speculation, those that are verified.",
                              "sum of decode tokens / (end of the last step - start of the first)", kServingSource},
                             kTokensUnknown));
}

void add_latency(FactSheet& sheet, const Scope& of) {
  const std::vector<double> times = times_per_output_token(of);
  constexpr std::pair<const char*, double> kPercentiles[] = {
      {"Time per output token, p50", 0.5}, {"Time per output token, p90", 0.9}, {"Time per output token, p99", 0.99}};
  for (const auto& [label, part] : kPercentiles) {
    sheet.facts.push_back(
        fact(label, percentile(times, part), Unit::ns,
             {"How long a request waits for its next token, in the steps that generate.",
              "percentile over the steps of (end - end of the step before) * decode requests / decode tokens", kServingSource},
             "no step in scope states that it generates tokens, or there is no step before it"));
  }
}

void add_losses(FactSheet& sheet, const Scope& of) {
  double busy = 0, bubbles = 0, real = 0, padded = 0;
  for (const ServedStep& step : of.steps) {
    busy += static_cast<double>(step.busy);
    const Padding padding = padding_of(of.profile, step);
    if (std::isnan(padding.waste())) continue;
    real += static_cast<double>(padding.real);
    padded += static_cast<double>(padding.padded);
  }
  for (const ServedStep& step : of.after_first()) bubbles += step.bubble == kUnknown ? 0 : static_cast<double>(step.bubble);
  const auto extent = static_cast<double>(of.extent());
  sheet.facts.push_back(fact(
      "Device busy", quotient(busy, extent), Unit::share,
      {"Share of the time in which a device works for these steps.",
       "sum over the steps of the time in which a device works / (end of the last step - start of the first)", kServingSource}));
  if (of.steps.size() > 1)
    sheet.facts.push_back(fact(
        "Bubbles between steps", quotient(bubbles, extent), Unit::share,
        {"Share of the time in which the device idles between the work of one step and that of the next.",
         "sum of max(0, start of the first device work - end of the last before) / (end of the last step - start of the first)",
         kServingSource}));
  sheet.facts.push_back(
      fact("Padding", padded > 0 ? 1 - real / padded : kUnknownNumber, Unit::share,
           {"Share of the batches that is padding.", "1 - sum of requests or tokens / sum of what they were padded to",
            "the engine's ranges; names of captured graphs"},
           "neither the engine nor a captured graph states the padded size"));
}

void add_limits(FactSheet& sheet, const Scope& of) {
  const Floor floor = decode_floor(of);
  constexpr std::string_view kNoFloor = "no costs of operators or no peaks of the device are known";
  sheet.facts.push_back(fact("Decode step", floor.time, Unit::ns,
                             {"Length of a decode step whose floor is known.", "median of the lengths", kServingSource},
                             kNoFloor));
  sheet.facts.push_back(
      fact("Floor of a decode step", floor.floor, Unit::ns,
           {"Least time that the device needs for the operators of a decode step whose cost is known: it reads the weights and "
            "the cache once, and computes at its peak.",
            "median over decode steps of the sum of max(operations / peak, bytes / bandwidth) of their calls",
            "shapes of operators, sums that the engine states, peaks of the device"},
           kNoFloor));
  const Chunk chunk = chunk_cost(of);
  if (chunk.pairs == 0) return;
  sheet.facts.push_back(
      fact("Cost of a prefill chunk", chunk.cost, Unit::ns,
           {"How much longer a mixed step is than the steps that only decode as many requests.",
            "median over mixed steps of (length - median length of decode steps with as many requests)", kServingSource},
           "fewer than five mixed steps have decode steps with as many requests"));
}

Panel facts_panel(const Scope& of) {
  FactSheet sheet;
  add_speed(sheet, of);
  add_latency(sheet, of);
  add_losses(sheet, of);
  add_limits(sheet, of);
  return {.id = "facts", .title = "Serving", .content = std::move(sheet)};
}

// The layers of the step of median length.
Panel layers_panel(const Layers& layers) {
  Panel panel{.id = "layers", .title = "Layers", .content = PlainTable{"layers"}};
  panel.empty = "No sequence of device work repeats three times in the step of median length.";
  if (layers.works > kMostRepeated) {
    panel.empty =
        say("The step of median length has {} pieces of device work; a repeated sequence is searched for in at most {}.",
            layers.works, kMostRepeated);
  }
  panel.doc =
      "Device work of the step of median length that repeats in the same order, as the layers of a model do: one row for each "
      "place in a layer. A group of layers that differ from each other counts as one.";
  if (layers.found.repeats > 0) {
    panel.scope =
        say("step {}: {} pieces of device work, repeated {} times", layers.step, layers.found.length, layers.found.repeats);
  }
  return panel;
}

bool any_known(const ReportTable& table, std::string_view key) {
  const ReportColumn* column = table.find(key);
  for (std::size_t row = 0; column != nullptr && row < table.rows(); ++row) {
    if (!is_unknown(column->values[row])) return true;
  }
  return false;
}

void add_panels(Report& report, const Scope& of) {
  report.panels.push_back(facts_panel(of));
  ReportTable served = served_steps_table(of.profile, of.steps), buckets = served_buckets_table(of.profile, of.steps);
  if (any_known(served, "tokens"))
    report.panels.push_back(
        {.id = "points",
         .title = "Step time and tokens, by phase",
         .content = ScatterChart{.table = "served", .label = "phase", .value = "requests", .x = "tokens", .y = "time"}});
  report.panels.push_back({.id = "parts",
                           .title = "Parts of a step, by batch",
                           .content = BarChart{"buckets", "batch", part_columns(buckets), true}});
  if (of.steps.size() > 1 && any_known(served, "requests"))
    report.panels.push_back({.id = "requests",
                             .title = "Requests and tokens over the steps",
                             .content = LineChart{"served", "number", {"requests", "tokens"}, true}});
  report.panels.push_back({.id = "phases", .title = "By phase", .content = PlainTable{"phases"}});
  report.panels.push_back({.id = "buckets", .title = "By batch", .content = PlainTable{"buckets"}});
  Layers layers = layers_of(of.profile, of.steps);
  report.panels.push_back(layers_panel(layers));
  report.panels.push_back({.id = "served", .title = "Steps", .content = PlainTable{"served"}});
  report.tables = {served_phases_table(of.profile, of.steps), std::move(buckets), std::move(layers.table), std::move(served)};
  for (ReportTable& table : report.tables) hide_unknown_columns(table);
}

Message scope_of(std::size_t shown, std::size_t all, bool steady) {
  if (shown == all) return count_words(std::int64_t(all), "{} step", "{} steps");
  return steady ? say("steady state: {} of {} steps", count_words(std::int64_t(shown)), count_words(std::int64_t(all)))
                : say("{} of {} steps", count_words(std::int64_t(shown)), count_words(std::int64_t(all)));
}

Result<Report> run_serving(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const std::vector<ServedStep> all = served_steps(profile);
  const bool steady = input.parameters.text("range") == "steady";
  const std::span<const ServedStep> steps = steady ? steady_state(profile, all) : std::span(all);
  Report report{.view = "serving", .title = "Serving"};
  report.scope = scope_of(steps.size(), all.size(), steady);
  if (all.size() < profile.serving_steps.rows())
    report.notes.push_back(
        {Note::Level::warning,
         say("{} of {} steps that the engine's ranges name are not shown: they are on other threads, or inside another step",
             count_words(std::int64_t(profile.serving_steps.rows() - all.size())),
             count_words(std::int64_t(profile.serving_steps.rows())))});
  if (profile.serving_steps.guessed[0])
    report.notes.push_back(
        {Note::Level::warning,
         "The steps are guessed: no range names them, so each outermost call in which the engine runs its model counts as "
         "one. Phases, requests and tokens are unknown."});
  add_panels(report, {profile, steps});
  return report;
}

std::optional<Message> serving_unavailable(const Profile& profile) {
  if (profile.serving_steps.rows() > 0) return std::nullopt;
  return "no steps of an inference engine were recorded";
}

}  // namespace

Analysis serving_analysis() {
  return {.id = "serving",
          .title = "Serving",
          .group = ViewGroup::where_time_went,
          .doc = "How fast the steps of an inference engine are, by phase and batch, and what their time is made of.",
          .parameters =
              {{"range",
                "Steps",
                ParameterType::choice,
                "steady",
                {{"steady", "Steady state"}, {"all", "All"}},
                "Steady state: the longest run of more than five steps with about the most requests; all, if there is none"}},
          .unavailable = serving_unavailable,
          .run = run_serving,
          .tables = blank_serving_tables,
          .join_ranks = add_step_skew};
}

}  // namespace sightline::analyses
