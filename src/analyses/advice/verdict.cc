// The parts that computing, copies and communication take are those of the step breakdown; the idle rest is divided stretch by
// stretch.
#include "analyses/advice/verdict.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/programs/program_sums.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr double kComputing = 2.0 / 3;  // of the step: then the device bounds it, whatever else there is
constexpr double kTimesMore = 2;        // or so many times the largest other part

// The parts of the wait in one idle stretch, without data loading and communication.
struct Rest {
  Time all = 0, recorded = 0;  // `recorded`: the host worked, short pauses between its ranges included
};

// What the host did, by instant.
class HostActivity {
 public:
  explicit HostActivity(const RoleSets& roles) : known_(roles.host) {
    const IntervalSet loading = subtract(roles[Role::data_loading], roles[Role::runtime]);
    accounted_ = unite(roles[Role::communication], loading);
    const IntervalSet working = unite(roles[Role::host], roles[Role::runtime]);
    for (const Interval& next : working) {
      const bool pause = !recorded_.empty() && next.start - recorded_.back().end < kLongGap;
      if (pause)
        recorded_.back().end = std::max(recorded_.back().end, next.end);
      else
        recorded_.push_back(next);
    }
    recorded_ = subtract(recorded_, accounted_);
  }

  bool known() const { return known_; }
  Rest in(const Interval& stretch) const {
    return {stretch.length() - length_within(accounted_, stretch), length_within(recorded_, stretch)};
  }

 private:
  IntervalSet accounted_, recorded_;
  bool known_;
};

// The end of the call that launched a piece of work; nothing if it is not known.
std::optional<Time> launched_at(const Profile& profile, Row work) {
  const Row launch = profile.device_work.launch[work];
  if (launch == kNoRow) return std::nullopt;
  return profile.end_of(profile.launches.slice[launch]);
}

void add_waits(Verdict& verdict, const Profile& profile, const StepSummary& summary, const IdleTime& idle) {
  const HostActivity host(summary.roles);
  const std::vector<WorkInterval>& work = *summary.work;
  std::size_t next = 0;
  for (const IdleStretch& stretch : idle.stretches) {
    const Interval& gap = stretch.interval;
    while (next < work.size() && work[next].start < gap.start) ++next;
    const Rest rest = host.in(gap);
    const std::optional<Time> launched = next < work.size() ? launched_at(profile, work[next].work) : std::nullopt;
    const bool queued = launched && *launched < gap.start;
    if (!host.known() || queued) {
      verdict.unknown.add(gap, rest.all);
      verdict.waits_for_first = verdict.unknown.longest == gap ? next == 0 : verdict.waits_for_first;
    } else if (gap.length() < kLongGap) {
      verdict.launches.add(gap, rest.all);
    } else {
      verdict.host.add(gap, rest.recorded);
      if (rest.recorded > 0) verdict.host_stretches.push_back(gap);
      verdict.unknown.add(gap, rest.all - rest.recorded);
      verdict.waits_for_first = verdict.unknown.longest == gap ? next == 0 : verdict.waits_for_first;
    }
  }
}

}  // namespace

void Waits::add(const Interval& stretch, Time part) {
  if (part <= 0) return;
  ++count;
  time += part;
  if (!longest || stretch.length() > longest->length()) longest = stretch;
}

std::string_view bound_title(Bound bound) {
  constexpr std::array<std::string_view, kBounds> kTitles{"Computing", "Memory copies", "Communication", "Data loading",
                                                          "Launches",  "Host",          "Unexplained"};
  return kTitles[static_cast<std::size_t>(bound)];
}

Verdict verdict_of(const Profile& profile, const StepSummary& summary) {
  Verdict verdict;
  verdict.step = summary.mean_total;
  verdict.has_steps = summary.steps.source == StepSource::recorded;
  verdict.steps = static_cast<std::size_t>(std::count_if(summary.steps.kept.begin(), summary.steps.kept.end(),
                                                         [](const StepWindow& step) { return step.window.length() > 0; }));
  verdict.has_device = profile.device_work.rows() > 0;
  verdict.has_host = summary.roles.host;
  verdict.ran_programs_without_kernels = !verdict.has_device && has_program_work(profile) && !summary.roles.host;
  const IntervalSet steps = merge(summary.windows());
  const RoleSets& roles = summary.roles;
  const IntervalSet working = unite(roles[Role::kernel], unite(roles[Role::memcpy], roles[Role::memset]));
  verdict.exposed_communication = intersect(steps, subtract(roles[Role::communication], working));
  if (verdict.has_device) {
    add_waits(verdict, profile, summary, idle_time(summary));
  } else {
    verdict.host_stretches = steps;
  }
  const auto part = [&](Bound bound) -> double& { return verdict.parts[static_cast<std::size_t>(bound)]; };
  part(Bound::device) = summary.mean_of(Role::kernel);
  part(Bound::copies) = summary.mean_of(Role::memcpy) + summary.mean_of(Role::memset);
  part(Bound::communication) = summary.mean_of(Role::communication);
  part(Bound::data_loading) = summary.mean_of(Role::data_loading);
  const double host = summary.mean_of(Role::host) + summary.mean_of(Role::runtime);
  const double rest = host + summary.mean_of(Role::other);
  part(Bound::launches) = std::min(rest, verdict.per_step(static_cast<double>(verdict.launches.time)));
  part(Bound::host) = verdict.has_device
                          ? std::min(rest - verdict.of(Bound::launches), verdict.per_step(static_cast<double>(verdict.host.time)))
                          : host;
  part(Bound::unknown) = std::max(0.0, rest - verdict.of(Bound::launches) - verdict.of(Bound::host));
  return verdict;
}

Bound Verdict::bound() const {
  if (!(step > 0)) return Bound::unknown;
  const double computing = of(Bound::device), unexplained = of(Bound::unknown);
  Bound largest = Bound::copies;
  double second = 0;
  for (const Bound next : {Bound::communication, Bound::data_loading, Bound::launches, Bound::host}) {
    second = std::max(second, std::min(of(next), of(largest)));
    if (of(next) > of(largest)) largest = next;
  }
  if (computing >= kComputing * step || computing >= kTimesMore * std::max(of(largest), unexplained)) return Bound::device;
  if (of(largest) >= second + unexplained) return largest;
  return computing >= of(largest) + unexplained ? Bound::device : Bound::unknown;
}

Message Verdict::reason() const {
  if (bound() != Bound::unknown) return {};
  if (!(step > 0)) return "no step has a duration";
  if (ran_programs_without_kernels) return "no kernels were recorded";
  if (!has_host) return "no host thread was recorded";
  return say("{} of {whole} is unexplained", share_words(share(Bound::unknown)), whole());
}

Message Verdict::part_words(double time) const {
  const std::string part = share_words(step > 0 ? time / step : 0);
  return has_steps ? say("{} of the step ({} per step)", part, time_words(time))
                   : say("{} of the recording ({})", part, time_words(time));
}

// ---- the table ----

namespace {

constexpr std::string_view kBoundFormula =
    "computing, if it is >= 2/3 of the step or >= 2 x any other part; else the largest of the other explained parts, if it is >= "
    "the next of these + unexplained, so that the unexplained part cannot change the answer; else computing, if it is >= the "
    "largest of these + unexplained; else not known";
constexpr std::string_view kPartsFormula =
    "computing = kernel; memory copies = memcpy + memset; communication and data loading: those of the step breakdown. The rest "
    "of the step is divided by the idle stretches of all devices together: a stretch is the host's if the call that launched the "
    "next work ended after the stretch began, or is not known; it is unexplained if that call ended before, or if no host thread "
    "was recorded. Stretches of the host < 1 ms are launches; in longer ones, host is the time in which operators, annotated "
    "code "
    "or runtime calls run (pauses < 1 ms between them included), and the rest is unexplained. Without device work, host = host + "
    "runtime of the step breakdown";
constexpr std::string_view kPartsSource = "the step breakdown; work of all devices, and the calls that launched it";

}  // namespace

Message bounds_doc() {
  return MetricDoc{
      "What most of the step goes to, or what the devices wait for. Computing: a kernel runs. Memory copies: a device "
      "only copies or fills. Communication, data loading: as in the step breakdown. Launches: all devices are idle for "
      "less than 1 ms, until work that is launched only then. Host: the same for 1 ms or longer, while the host works; "
      "without devices, all that the host does. Unexplained: all other time.",
      kBoundFormula, kPartsSource}
      .text();
}

namespace {

struct BoundPart {
  Bound bound;
  double time, share;
};

// The hue of the part in charts.
std::string_view bound_hue(Bound bound) {
  constexpr std::array<std::string_view, kBounds> kHues{"kernel",  "memcpy", "communication", "dataloader",
                                                        "runtime", "host",   "other"};
  return kHues[static_cast<std::size_t>(bound)];
}

TableOf<BoundPart> bound_parts() {
  TableOf<BoundPart> table({.key = "bounds", .title = "What bounds the step", .sort_column = "time"});
  table.add(words_column("part", "Part", bounds_doc()).with_role(ColumnRole::label),
            [](const BoundPart& of) { return bound_title(of.bound); });
  table.add(real_column("time", "Time", Unit::ns, {"Time per step.", kPartsFormula, kPartsSource}).with_bar("share"),
            &BoundPart::time);
  table.add(real_column("share", "Share", Unit::share, {"Share of the step.", "time / mean step", "as time"}), &BoundPart::share);
  table.add(words_column("hue", "Category", "The category whose colour the part has").with_role(ColumnRole::category).hide(),
            [](const BoundPart& of) { return bound_hue(of.bound); });
  return table;
}

}  // namespace

ReportTable blank_bounds() { return bound_parts().blank(); }

ReportTable bounds_table(const Verdict& verdict) {
  std::vector<BoundPart> rows;
  for (std::size_t i = 0; i < kBounds; ++i) {
    const Bound bound = static_cast<Bound>(i);
    if (verdict.of(bound) > 0) rows.push_back({bound, verdict.of(bound), verdict.share(bound)});
  }
  return bound_parts().of(rows);
}

}  // namespace sightline::analyses
