// LoadedProfile: a profile and all that is derived from it: what views share (analyses/derived_data.h), its timeline, and the
// last reports on it. What the cache has of these is taken from it; the rest is computed at the first request. All is freed
// together; holders of a part keep that part. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "base/packed.h"
#include "engine/kept_report.h"
#include "model/profile.h"
#include "timeline/timeline.h"

namespace sightline::engine {

class LoadedProfile {
 public:
  // `kept`: the result of derive() on the same profile, in this version of the program; empty: none.
  explicit LoadedProfile(std::unique_ptr<const Profile> profile, Sections kept = {});

  const ProfilePtr& profile() const { return profile_; }

  // Built by the first caller; others wait for it.
  std::shared_ptr<const Timeline> timeline(unsigned threads);

  // The answer of a view about this profile only. The report with default parameters may come from the cache, or from derive().
  Result<Report> answer(const Analysis& view, const Parameters& parameters) const;

  // What views across ranks need; `worker` is the name in it.
  RankSummary rank(const std::string& worker) const;

  // Which first reports the cache had: those that every command computes, so that little needs to be prepared; also those that
  // only a server computes.
  bool has_first_reports() const { return find_section(kept_, kRankSection) != nullptr; }
  bool has_reports_of_servers() const { return find_section(kept_, kServerSection) != nullptr; }

  // The reports that were requested last.
  ReportCache& reports() { return reports_; }

  // What is stored with the profile because it takes long to compute: the timeline, the result of rank(), the breakdown of the
  // steps and the reports of `views` with default parameters, slow ones only `by_server`; fewer when
  // `cancelled` becomes true. Later answers use these reports.
  Sections derive(std::span<const Analysis> views, bool by_server, unsigned threads, const std::atomic<bool>& cancelled);

  // Of columns and strings, in memory or mapped, and of all that has been derived so far.
  std::int64_t bytes();

 private:
  static constexpr std::string_view kRankSection = "rank";
  static constexpr std::string_view kServerSection = "server";  // empty: derive() was called by a server

  std::optional<Report> stored_report(const Analysis& view, const Parameters& parameters) const;

  ProfilePtr profile_;
  Sections kept_;
  std::int64_t column_bytes_;
  std::once_flag timeline_once_;
  std::shared_ptr<const Timeline> timeline_;
  std::atomic<const Timeline*> made_{nullptr};  // timeline_, once it is built
  ReportCache reports_;
  mutable std::mutex derived_mutex_;  // guards what follows; no other lock is taken under it
  Sections derived_reports_;          // by derive(), packed
};

using LoadedProfilePtr = std::shared_ptr<LoadedProfile>;

// A question to a view as a text: the same for the same view and values of parameters.
std::string text_of_question(const Analysis& view, const Parameters& parameters);

// Runs a view. Analyses are ours and do not throw, but the standard library may.
Result<Report> run_view(const Analysis& view, const AnalysisInput& input);

}  // namespace sightline::engine
