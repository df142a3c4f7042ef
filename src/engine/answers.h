// Answers: from a question to a report, and the other things that are requested of a profile: its timeline, the text of an event,
// its name by content. It finds the captures in the catalogue and has the loader open them. What is still being read is reported
// as unavailable, not waited for. It has no lock of its own but that of RankAxes. Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "engine/catalogue.h"
#include "engine/engine_options.h"
#include "engine/kept_report.h"
#include "engine/loader.h"
#include "engine/rank_axis.h"
#include "model/report.h"

namespace sightline::engine {

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Which view of which profile. `other`, for views that compare: see Catalogue::find_for.
struct Question {
  ProfileSelector profile = {};
  std::string view = {};
  ParameterTexts parameters = {};
  ProfileSelector other = {};
  bool propose = false;  // a view that compares, without `other`: propose profiles instead of taking the next one
};

class Answers {
 public:
  // REQUIRES: the options are completed. The catalogue and the loader outlive this.
  Answers(const Catalogue& catalogue, Loader& loader, const EngineOptions& options);

  std::span<const Analysis> views() const { return views_; }

  // The captures that a question needs; an error when it names none. For a view that other workers of the span add to: these,
  // too, if they are small enough to be read for it.
  Result<std::vector<CapturePtr>> captures_for(const Question& question) const;

  // The profile a selector names. Still loading: ErrorCode::unavailable; failed: its own error.
  Result<ProfilePtr> profile(const ProfileSelector& selector) const;

  // Runs an analysis on the selected profile, on two of them, or on all workers of its span, by the analysis' scope. Or proposes
  // profiles, see `propose`.
  Result<Report> report(const Question& question) const;

  // The same, kept for a while: a second request costs no analysis.
  Result<KeptReportPtr> kept_report(const Question& question) const;

  // An error without EngineOptions::timelines.
  Result<std::shared_ptr<const Timeline>> timeline(const ProfileSelector& selector) const;

  // The workers of the selector's span on one axis, and those of the span that `other` names, if it is given. Those that are not
  // read yet are listed without data.
  Result<RankAxisPtr> rank_axis(const ProfileSelector& selector, const std::optional<ProfileSelector>& other) const;

  // What a rank did, for pixels of that many ns: from its summary where that is fine enough, else from its profile, which is
  // opened. REQUIRES: the rank has a summary.
  Result<std::shared_ptr<const RankActivity>> activity(const AxisRank& rank, Time pixel) const;

  // The JSON text of a slice's event, read again from the file of the selector's profile.
  Result<std::string> event_text(const ProfileSelector& selector, Row slice) const;

  // The content key of the selector's file (store/content_key.h): reads the file the first time. unavailable when it has changed
  // since its profile was read.
  Result<std::string> content_key(const ProfileSelector& selector) const;

  // The name of a profile by its content (profile_name), and the profile of that name among those that are ready.
  Result<std::string> name_of(const ProfileSelector& selector) const;
  std::optional<ProfileSelector> named(std::string_view name) const;

 private:
  struct Selected;
  struct Task;

  Result<const Analysis*> find_view(std::string_view view) const;
  Result<CapturePtr> find_ready(const ProfileSelector& selector) const;
  Result<LoadedProfilePtr> open(const ProfileSelector& selector) const;
  Result<std::vector<CapturePtr>> ready_captures(const Question& question, const Analysis& view, std::vector<Note>& notes) const;
  Result<std::vector<RankSummaryPtr>> ranks_of(const std::vector<CapturePtr>& captures) const;
  Result<std::vector<RunFiguresPtr>> runs_of(const std::vector<CapturePtr>& captures, std::vector<Note>& notes) const;
  Result<std::vector<ProfilePtr>> open_all(const std::vector<CapturePtr>& captures) const;
  Result<Selected> select(const Question& question, const Analysis& view) const;
  void add_span(const CapturePtr& own, Selected& selected) const;
  Result<Task> task(const Question& question) const;
  Result<Report> answer(const Task& task) const;
  const Analysis* view_to_propose_for(const Question& question) const;  // null: the question is answered itself
  Result<KeptReportPtr> proposal_for(const Question& question, const Analysis& view) const;

  const Catalogue& catalogue_;
  Loader& loader_;
  const std::span<const Analysis> views_;
  const unsigned threads_;
  const bool timelines_;
  mutable RankAxes axes_;
};

}  // namespace sightline::engine
