// The bytes of a profile's columns and strings are counted once: they never change.
#include "engine/loaded_profile.h"

#include <algorithm>

#include "analyses/columns.h"
#include "analyses/derived_data.h"
#include "engine/guarded.h"
#include "engine/packed_derived.h"
#include "engine/sql_reports.h"

namespace sightline::engine {

namespace {

constexpr std::string_view kReportPrefix = "report.";
constexpr std::string_view kStepsSection = "steps";
constexpr std::size_t kMostReportBytes = std::size_t{64} << 20;  // of one that is kept in a file

std::int64_t column_bytes(const Profile& profile) {
  std::int64_t bytes = 0;
  Profile::visit_tables(profile, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) {
      bytes += static_cast<std::int64_t>(column.capacity() * sizeof(*column.data()));
    });
  });
  for (std::size_t i = 0; i < profile.strings.size(); ++i) bytes += std::ssize(profile.text(static_cast<StringId>(i)));
  return bytes;
}

std::string section_of(const Analysis& view) { return std::string(kReportPrefix) + view.id; }

// Whether the view is one of the program's, about one profile, and listed.
bool has_first_report(const Analysis& view, const Profile& profile) {
  const auto is_this = [&](const Analysis& own) { return own.id == view.id; };
  const auto own_views = built_in_views();
  return view.scope() == Scope::profile && view.group != ViewGroup::none &&
         std::any_of(own_views.begin(), own_views.end(), is_this) && !(view.unavailable && view.unavailable(profile));
}

}  // namespace

std::string text_of_question(const Analysis& view, const Parameters& parameters) {
  std::string text(view.id);
  for (const Parameter& parameter : parameters.all()) {
    text.append("\n").append(std::to_string(parameter.value.size())).append(":").append(parameter.value);
  }
  return text;
}

Result<Report> run_view(const Analysis& view, const AnalysisInput& input) {
  return guarded(kViewing, "", [&] {
    Result<Report> report = view.run(input);
    if (report) {
      for (ReportTable& table : report->tables) hide_unknown_columns(table);
    }
    return report;
  });
}

LoadedProfile::LoadedProfile(std::unique_ptr<const Profile> profile, Sections kept)
    : profile_(share_profile(std::move(profile))), kept_(std::move(kept)), column_bytes_(column_bytes(*profile_)) {
  const Section* const section = find_section(kept_, kStepsSection);
  std::optional<StepBreakdown> steps = section == nullptr ? std::nullopt : unpack_steps(section->bytes);
  if (steps) keep_step_breakdown(profile_, *std::move(steps));
}

std::shared_ptr<const Timeline> LoadedProfile::timeline(unsigned threads) {
  std::call_once(timeline_once_, [&] {
    timeline_ = Timeline::kept(profile_, kept_);
    if (timeline_ == nullptr) timeline_ = std::make_shared<const Timeline>(profile_, threads);
    made_ = timeline_.get();
  });
  return timeline_;
}

Result<Report> LoadedProfile::answer(const Analysis& view, const Parameters& parameters) const {
  if (std::optional<Report> stored = stored_report(view, parameters)) return *std::move(stored);
  return run_view(view, {.profiles = {&profile_, 1}, .parameters = parameters});
}

std::optional<Report> LoadedProfile::stored_report(const Analysis& view, const Parameters& parameters) const {
  std::optional<Section> stored;
  if (const Section* const kept = find_section(kept_, section_of(view))) {
    stored = *kept;
  } else {
    const std::lock_guard lock(derived_mutex_);
    if (const Section* const derived = find_section(derived_reports_, section_of(view))) stored = *derived;
  }
  return stored ? unpack_report(text_of_question(view, parameters), stored->bytes) : std::nullopt;
}

RankSummary LoadedProfile::rank(const std::string& worker) const {
  const Section* const section = find_section(kept_, kRankSection);
  std::optional<RankSummary> kept = section == nullptr ? std::nullopt : unpack_rank(section->bytes, worker);
  return kept ? *std::move(kept) : summarise_rank(*profile_, worker);
}

// A report that contains the name of the file is omitted: a copy of the file has another name.
Sections LoadedProfile::derive(std::span<const Analysis> views, bool by_server, unsigned threads,
                               const std::atomic<bool>& cancelled) {
  Sections sections;
  if (const std::shared_ptr<const Timeline> made = timeline(threads)) Timeline::keep(made, sections);
  add_section(sections, std::string(kRankSection), pack_rank(rank("")));
  add_section(sections, std::string(kStepsSection), pack_steps(*step_breakdown(profile_)));
  if (by_server) add_section(sections, std::string(kServerSection), "");
  for (const Analysis& view : views) {
    if (cancelled) break;
    if (!has_first_report(view, *profile_) || (!by_server && view.slow)) continue;
    const Parameters parameters(view.parameters);
    const Result<Report> report = answer(view, parameters);
    if (!report) continue;
    std::string packed = pack_report(text_of_question(view, parameters), *report);
    const bool names_file = !profile_->file.empty() && packed.find(profile_->file) != std::string::npos;
    if (names_file || packed.size() > kMostReportBytes) continue;
    add_section(sections, section_of(view), std::move(packed));
    const std::lock_guard lock(derived_mutex_);
    if (find_section(derived_reports_, sections.back().name) == nullptr) derived_reports_.push_back(sections.back());
  }
  return sections;
}

std::int64_t LoadedProfile::bytes() {
  const Timeline* const made = made_;
  std::int64_t derived_reports = 0;
  {
    const std::lock_guard lock(derived_mutex_);
    for (const Section& section : derived_reports_) derived_reports += std::ssize(section.bytes);
  }
  return column_bytes_ + derived_data(profile_)->bytes() + (made == nullptr ? 0 : static_cast<std::int64_t>(made->bytes())) +
         reports_.bytes() + derived_reports;
}

}  // namespace sightline::engine
