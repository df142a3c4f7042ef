// Analysis: one question about frozen profiles, answered as a Report. Pure and deterministic; any number may run at once
// on the same profiles. Adding one = a file here, a line in views.h and in registry.cc, a golden case.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// The parameters of one call: declared defaults overridden by what the caller gave.
class Parameters {
 public:
  explicit Parameters(std::vector<Parameter> values) : values_(std::move(values)) {}

  // REQUIRES: `key` is declared by the analysis.
  const std::string& text(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  std::optional<std::int64_t> time(std::string_view key) const;
  const std::vector<Parameter>& all() const { return values_; }

 private:
  std::vector<Parameter> values_;
};

struct RunFigures;
using RunFiguresPtr = std::shared_ptr<const RunFigures>;
struct RankSummary;
using RankSummaryPtr = std::shared_ptr<const RankSummary>;

struct AnalysisInput {
  std::span<const ProfilePtr> profiles;  // one; or the baseline and the other; none for Scope::ranks
  const Parameters& parameters;
  std::span<const RankSummaryPtr> ranks =
      {};  // Scope::ranks: the workers of a span, since not all of their profiles may fit in memory
  std::function<Result<std::vector<ProfilePtr>>()> open_ranks =
      {};                                    // Scope::ranks: opens the profiles of all of `ranks`, in their order
  std::span<const RunFiguresPtr> runs = {};  // Scope::runs
};

// Where a view is in the navigation rail; `none` keeps it out (row details). `runs` is listed with `compare`: it compares all
// runs.
enum class ViewGroup { where_time_went, when, memory, across_ranks, fleet, compare, data, none, runs };

// What one report of an analysis is about; `runs`: one profile of each run. `none`: there are no reports, the page draws the view
// from separate routes.
enum class Scope { profile, pair, ranks, none, runs };

struct Analysis {
  std::string id;
  std::string title;
  ViewGroup group;
  std::string doc;                    // one sentence: the question it answers
  std::vector<Parameter> parameters;  // declarations with defaults
  // Why this profile cannot have the view ("recorded without ..."), or nullopt when it can.
  std::function<std::optional<Message>(const Profile&)> unavailable;
  std::function<Result<Report>(const AnalysisInput&)> run;  // null for Scope::none
  // Its tables without rows: their columns are what the metrics page lists. Null when it has no metric of its own.
  std::vector<ReportTable> (*tables)() = nullptr;
  // Adds to a report about one profile what the workers of its span tell about it; `own` is one of them. Null: nothing.
  void (*join_ranks)(Report& report, std::span<const RankSummaryPtr> ranks, const RankSummary& own) = nullptr;
  std::string_view instead = {};  // for Scope::none: the command that answers the same question
  bool of_one_profile = false;    // although its group is across_ranks: a profile that has several ranks
  // Its report with default parameters may take as long as reading the file. So only a server computes it before it is requested.
  bool slow = false;

  Scope scope() const {
    if (run == nullptr) return Scope::none;
    if (group == ViewGroup::runs) return Scope::runs;
    if (group == ViewGroup::across_ranks) return of_one_profile ? Scope::profile : Scope::ranks;
    return group == ViewGroup::compare ? Scope::pair : Scope::profile;
  }
};

// All analyses in display order.
std::span<const Analysis> all_analyses();
const Analysis* find_analysis(std::string_view id);

// Why it never has a report: it has Scope::none.
std::optional<Error> gives_no_report(const Analysis& analysis);

// Checks `given` (key, value as text) against the declarations: an unknown key, a bad choice or a bad number is
// an invalid_argument error that lists what is allowed.
Result<Parameters> bind_parameters(const Analysis& analysis, const std::vector<std::pair<std::string, std::string>>& given);

// Computes what several views of the profile share, so that the first request does not wait; a loader calls it when the profile
// is read. Without the call, answers are the same. Thread-safe.
void prepare_analyses(const ProfilePtr& profile);

std::string_view group_title(ViewGroup group);

}  // namespace sightline::analyses
