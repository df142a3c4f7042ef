// Advice: applies the rules of all subjects, joins what is about one cause, and ranks the rest.
#include "analyses/advice/recommendations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "analyses/advice/place.h"
#include "analyses/analysis.h"
#include "analyses/derived_data.h"
#include "base/sort.h"

namespace sightline::model {

static std::int64_t held_bytes(const Advice& advice) {
  using analyses::held_bytes;
  std::int64_t bytes = held_bytes(advice.id, advice.change, advice.title, advice.evidence, advice.where, advice.brief,
                                  advice.action, advice.link_view, advice.doc_url);
  for (const AdviceLink& link : advice.more_links)
    bytes += static_cast<std::int64_t>(sizeof(AdviceLink)) + held_bytes(link.view, link.title);
  return bytes;
}

}  // namespace sightline::model

namespace sightline::analyses {

// ---- rules ----

Advice::Level severity_of(double share_of_step) {
  if (share_of_step >= 0.30) return Advice::Level::high;
  if (share_of_step >= 0.15) return Advice::Level::medium;
  return share_of_step >= 0.01 ? Advice::Level::low : Advice::Level::note;
}

bool runs_programs(const Profile& profile) {
  for (Row lane = 0; lane < profile.lanes.rows(); ++lane) {
    if (profile.lanes.kind[lane] == LaneKind::host_thread || profile.lanes.kind[lane] == LaneKind::device_stream) return false;
  }
  return std::find(profile.lanes.kind.begin(), profile.lanes.kind.end(), LaneKind::engine) != profile.lanes.kind.end();
}

static std::vector<DeviceTotals> program_totals(const Profile& profile) {
  std::vector<DeviceTotals> programs;
  if (!runs_programs(profile)) return programs;
  for (const std::int64_t device : devices_with_work(profile)) programs.push_back(device_totals(profile, device));
  return programs;
}

// ---- what rules share ----

void go_to_window(Advice& advice, const Interval& window, Message title) {
  const Time beside = window.length() / 4;
  advice.link_view = "timeline";
  advice.link_title = std::move(title);
  // State of the page: the window shown, and the chosen range.
  advice.link_parameters = {{"timeline.range", std::to_string(window.start) + "," + std::to_string(window.end)},
                            {"timeline.window", std::to_string(std::max(std::min<Time>(0, window.start), window.start - beside)) +
                                                    "," + std::to_string(window.end + beside)}};
}

void go_to_slice(Advice& advice, Row slice) {
  advice.link_view = "timeline";
  advice.link_title = "Go to the longest call";
  advice.link_parameters = {{"slice", std::to_string(slice)}};
}

std::string short_name(std::string_view name) {
  constexpr std::size_t kFirst = 48, kLast = 40;
  if (name.size() <= kFirst + kLast + 1) return std::string(name);
  std::size_t last = name.size() - kLast, first = kFirst;
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80; };  // of a character
  while (first > 0 && inside(first)) --first;
  while (last < name.size() && inside(last)) ++last;
  return std::string(name.substr(0, first)) + "\u2026" + std::string(name.substr(last));
}

Time kernel_time(const Profile& profile) {
  Time time = 0;
  for (const Row slice : profile.device_work.slice) {
    if (profile.slices.kind[slice] == SliceKind::kernel) time += profile.slices.duration[slice];
  }
  return time;
}

double computing_gain(const AdviceInput& input, double time) {
  const auto all = static_cast<double>(kernel_time(input.profile));
  return all > 0 ? std::min(1.0, time / all) * input.verdict.of(Bound::device) : 0;
}

constexpr double kHardlyMore = 1.1;

std::vector<NamedTime> host_time_within(const Profile& profile, const HostTree& tree, const IntervalSet& set) {
  std::vector<Time> own(tree.nodes(), 0), all_inside(tree.nodes(), 0);
  for (Row node = static_cast<Row>(tree.nodes()); node-- > 0;) {
    if (tree.absorbed(node)) continue;
    const Row slice = tree.slice[node];
    const Time inside = length_within(set, {profile.slices.start[slice], profile.end_of(slice)});
    all_inside[node] = inside;
    own[node] += inside;
    if (tree.parent[node] != kNoRow) own[tree.parent[node]] -= inside;
  }
  struct Sum {
    Time time = 0;
    Row longest = kNoRow;  // node
  };
  std::unordered_map<StringId, Sum> by_name;
  for (Row node = 0; node < tree.nodes(); ++node) {
    if (!tree.is_operator(node) || own[node] <= 0) continue;
    Sum& sum = by_name[profile.slices.name[tree.slice[node]]];
    sum.time += own[node];
    if (sum.longest == kNoRow || own[node] > own[sum.longest]) sum.longest = node;
  }
  const auto outermost = [&](Row node) {
    const auto most = static_cast<Time>(kHardlyMore * static_cast<double>(all_inside[node]));
    for (Row up = tree.parent[node]; up != kNoRow && tree.is_operator(up) && all_inside[up] <= most; up = tree.parent[up]) {
      if (!tree.absorbed(up)) node = up;
    }
    return tree.slice[node];
  };
  std::vector<NamedTime> all;
  for (const auto& [name, sum] : by_name) all.push_back({std::string(profile.text(name)), sum.time, outermost(sum.longest)});
  std::sort(all.begin(), all.end(),
            [](const NamedTime& a, const NamedTime& b) { return std::pair(-a.time, a.name) < std::pair(-b.time, b.name); });
  return all;
}

std::optional<NamedTime> leading(const std::vector<NamedTime>& operators, Time whole, double share) {
  if (operators.empty() || static_cast<double>(operators.front().time) < share * static_cast<double>(whole)) return std::nullopt;
  return operators.front();
}

// ---- one cause, one advice ----

namespace {

// Two rules that find one cause: the second adds its evidence to the first, or nothing where it is only a consequence.
struct SameCause {
  std::string_view cause, also;
  bool adds_evidence = false;
};

constexpr std::array<SameCause, 18> kSameCauses = {{
    {"waiting_in_collectives", "late_rank", true},
    {"waiting_in_collectives", "slow_communicating"},
    {"exposed_communication", "waiting_in_collectives", true},
    {"small_collectives", "exposed_communication", true},
    {"small_collectives", "low_utilization"},
    {"data_loading", "slow_batch", true},
    {"launch_bound", "small_kernels", true},
    {"silent_gap", "unexplained_idle"},
    {"data_loading", "low_utilization"},
    {"exposed_communication", "low_utilization"},
    {"exposed_copies", "low_utilization"},
    {"launch_bound", "low_utilization"},
    {"host_gaps", "low_utilization"},
    {"silent_gap", "low_utilization"},
    {"unexplained_idle", "low_utilization"},
    {"idle_device", "low_utilization"},
    {"silent_gap", "idle_device"},
    {"beyond_matrix_units", "small_kernels", true},
}};

// Idle time by what the device waits for: parts of the step that do not overlap.
constexpr std::array<std::string_view, 3> kIdleRules = {"launch_bound", "host_gaps", "idle_device"};

bool is_idle_rule(const Advice& advice) { return std::ranges::find(kIdleRules, advice.id) != kIdleRules.end(); }

// The changes of both: "host*0; one-graph"; empty where one of them has none.
std::string both_changes(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return "";
  return a == b ? a : a + "; " + b;
}

// Where the device waits for one call of the host, in short gaps and in long ones, that call is the cause of both.
void join_places(std::vector<Advice>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = found.size(); is_idle_rule(found[i]) && !found[i].where.empty() && --j > i;) {
      if (!is_idle_rule(found[j]) || found[j].where != found[i].where) continue;
      if (found[j].gain > found[i].gain) std::swap(found[i], found[j]);
      add_finding(found[i], found[j]);
      found[i].gain += found[j].gain;
      found[i].change = both_changes(found[i].change, found[j].change);
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

// A wait that takes most of what a step is longer than the others is why that step is slow.
void join_slow_step(const Profile& profile, const Verdict& verdict, std::vector<Advice>& found) {
  const auto slow = std::ranges::find(found, "unbalanced_steps", &Advice::id);
  if (slow == found.end()) return;
  const auto step = window_of(profile, *slow);
  const double excess = slow->gain * static_cast<double>(verdict.steps);
  const auto explains = [&](const Advice& advice) {
    const auto window = window_of(profile, advice);
    if (&advice == &*slow || !window || !step) return false;
    const Time inside = std::min(window->end, step->end) - std::max(window->start, step->start);
    return static_cast<double>(inside) >= excess / 2;
  };
  const auto cause = std::ranges::find_if(found, explains);
  if (cause == found.end()) return;
  add_finding(*cause, *slow);
  found.erase(slow);
}

}  // namespace

static AdviceLink first_link(const Advice& advice) { return {advice.link_view, advice.link_title, advice.link_parameters}; }

static bool leads_to(const Advice& advice, const AdviceLink& link) {
  const auto same = [&](const AdviceLink& other) { return other.view == link.view && other.parameters == link.parameters; };
  return same(first_link(advice)) || std::ranges::any_of(advice.more_links, same);
}

static void add_link(Advice& advice, AdviceLink link) {
  if (link.view.empty() || leads_to(advice, link)) return;
  if (!advice.link_view.empty()) {
    advice.more_links.push_back(std::move(link));
    return;
  }
  advice.link_view = std::move(link.view);
  advice.link_title = std::move(link.title);
  advice.link_parameters = std::move(link.parameters);
}

void add_finding(Advice& cause, const Advice& also) {
  cause.evidence = sentences({cause.evidence, also.evidence});
  add_link(cause, first_link(also));
  for (const AdviceLink& link : also.more_links) add_link(cause, link);
}

void join_causes(std::vector<Advice>& found) {
  for (const SameCause& same : kSameCauses) {
    const auto cause = std::ranges::find(found, same.cause, &Advice::id), also = std::ranges::find(found, same.also, &Advice::id);
    if (cause == found.end() || also == found.end()) continue;
    if (same.adds_evidence && also->link_view == "distributed") {  // what all ranks say comes first
      const AdviceLink own = first_link(*cause);
      cause->link_view.clear();
      add_finding(*cause, *also);
      add_link(*cause, own);
    } else if (same.adds_evidence) {
      add_finding(*cause, *also);
    }
    found.erase(also);
  }
}

void complete(Advice& advice, double step) {
  if (!std::isnan(advice.gain)) advice.gain = std::clamp(advice.gain, 0.0, step);
  advice.share = step > 0 ? advice.gain / step : kUnknownNumber;
  advice.severity = severity_of(advice.share);
  const auto name = [](std::string_view view_id, Message& title) {
    const Analysis* const view = find_analysis(view_id);
    if (view != nullptr && title.empty()) title = say("Open in {}", Message(view->title));
  };
  name(advice.link_view, advice.link_title);
  for (AdviceLink& link : advice.more_links) name(link.view, link.title);
}

void sort_by_gain(std::vector<Advice>& found) {
  const auto rank = [](const Advice& advice) { return std::isnan(advice.gain) ? -1 : advice.gain; };
  sort_down(found, [&](const Advice& each) { return rank(each); });
}

static std::vector<Advice> find_advice(const Profile& profile, const StepSummary& summary, const Verdict& verdict) {
  AdviceInput input{profile, summary, verdict, idle_time(summary), {}, kernel_medians(profile), program_totals(profile)};
  for (const IdleStretch& stretch : input.idle.stretches) input.idle_set.push_back(stretch.interval);
  std::vector<Advice> found;
  for (const AdviceRule& rule : advice_rules()) {
    std::optional<Advice> advice = rule.judge(input);
    if (!advice) continue;
    advice->id = rule.id;
    if (advice->change.empty() && rule.scenario.find("NAME") == rule.scenario.npos) advice->change = rule.scenario;
    if (!can_change(profile, advice->change)) advice->change.clear();
    advice->where = place_of(profile, *advice);
    if (!profile.program_operators.name.empty())
      advice->doc_url.clear();  // the pages are of a framework that compiles no programs
    found.push_back(std::move(*advice));
  }
  join_places(found);
  join_slow_step(profile, verdict, found);
  join_causes(found);
  return found;
}

static std::int64_t held_bytes(const Recommendations& all) {
  return held_bytes(all.advice, all.verdict.host_stretches, all.verdict.exposed_communication);
}

std::shared_ptr<const Recommendations> recommend(const ProfilePtr& profile) {
  return derived<Recommendations>(profile, [](const ProfilePtr& of) {
    const auto summary = step_summary(of);
    Recommendations all{verdict_of(*of, *summary), {}};
    all.advice = find_advice(*of, *summary, all.verdict);
    for (Advice& advice : all.advice) complete(advice, all.verdict.step);
    sort_by_gain(all.advice);
    return all;
  });
}

}  // namespace sightline::analyses
