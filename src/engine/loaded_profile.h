// LoadedProfile: a profile and all that is derived from it: what views share (analyses/derived_data.h), its timeline, and the
// last reports on it. What the cache keeps of these is taken from there, and the rest is made when it is first needed. It is
// released as a whole; holders of a part keep that part.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "base/packed.h"
#include "engine/kept_report.h"
#include "model/profile.h"
#include "timeline/timeline.h"

namespace sightline::engine {

class LoadedProfile {
 public:
  // `kept`: what derive() made of the same profile, in this version of the program; empty: nothing.
  explicit LoadedProfile(std::unique_ptr<const Profile> profile, Sections kept = {});

  const ProfilePtr& profile() const { return profile_; }

  // Built by the first caller; others wait for it.
  std::shared_ptr<const Timeline> timeline(unsigned threads);

  // The answer of a view about this profile alone. The first report of a view, with all parameters as declared, may be kept.
  Result<Report> answer(const Analysis& view, const Parameters& parameters) const;

  // What views across ranks need; `worker` is the name of its worker.
  RankSummary rank(const std::string& worker) const;

  // Whether answers of views are kept, so that little need be prepared.
  bool has_first_reports() const { return has_first_reports_; }

  // Those that were requested last.
  ReportCache& reports() { return reports_; }

  // What is worth keeping with the profile because it takes long to make: the timeline, what rank() returns and the first
  // reports of `views`; fewer
  // when `cancelled` becomes true.
  Sections derive(std::span<const Analysis> views, unsigned threads, const std::atomic<bool>& cancelled);

  // Of columns and strings, in memory or mapped, and of all that has been derived so far.
  std::int64_t bytes();

 private:
  ProfilePtr profile_;
  Sections kept_;
  bool has_first_reports_;
  std::int64_t column_bytes_;
  std::once_flag timeline_once_;
  std::shared_ptr<const Timeline> timeline_;
  std::atomic<const Timeline*> made_{nullptr};  // timeline_, once it is there
  ReportCache reports_;
};

using LoadedProfilePtr = std::shared_ptr<LoadedProfile>;

// A question to a view as a text: the same for the same view and values of parameters.
std::string text_of_question(const Analysis& view, const Parameters& parameters);

// Runs a view. Analyses are ours and do not throw, but the standard library may.
Result<Report> run_view(const Analysis& view, const AnalysisInput& input);

}  // namespace sightline::engine
