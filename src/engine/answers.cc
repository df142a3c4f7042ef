// Choosing profiles and running analyses on them.
#include "engine/answers.h"

#include <algorithm>
#include <exception>

#include "analyses/diff/similar_profiles.h"
#include "analyses/history/run_figures.h"
#include "analyses/ranks/rank_summary.h"
#include "base/parallel.h"
#include "engine/guarded.h"

namespace sightline::engine {

namespace {

// All parameters in the order of their declaration; a parameter that the analysis answers with replaces it.
std::vector<Parameter> merged(std::vector<Parameter> declared, const std::vector<Parameter>& answered) {
  for (Parameter& parameter : declared) {
    for (const Parameter& known : answered) {
      if (known.key == parameter.key) parameter = known;
    }
  }
  return declared;
}

// Bytes on disk that a question about one worker may read of the others.
constexpr std::int64_t kSmallOthers = std::int64_t{64} << 20;

// A caution that concerns the whole profile; in a report about several, with its worker.
void note_caution(const Capture& capture, bool several, std::vector<Note>& notes) {
  const Message caution = capture.summary()->caution;
  if (caution.empty()) return;
  notes.push_back({Note::Level::warning, several ? say("{}: {}", capture.name().worker, caution) : caution});
}

Message without_run(const Capture& run, const Error& cause) {
  return say("without run {}, which could not be read: {}", run.name().run, cause.to_string());
}

}  // namespace

// The data that an analysis runs on, and notes about what is missing.
struct Answers::Selected {
  std::vector<ProfilePtr> profiles;
  LoadedProfilePtr first;             // the owner of the first of them
  std::vector<ProfilePlace> names;    // of each
  std::vector<RunFiguresPtr> runs;    // Scope::runs: instead of profiles
  std::vector<RankSummaryPtr> ranks;  // Scope::ranks: instead of profiles; Analysis::join_ranks: of the span, if it has several
  std::vector<CapturePtr> of_ranks;   // of these
  RankSummaryPtr own;                 // Analysis::join_ranks: which of these the profile is
  std::vector<Note> notes;

  // What a report is about beside the first profile.
  ReportCache::Subjects others() const {
    ReportCache::Subjects all(ranks.begin(), ranks.end());
    all.insert(all.end(), runs.begin(), runs.end());
    if (!profiles.empty()) all.insert(all.end(), profiles.begin() + 1, profiles.end());
    return all;
  }
};

// An analysis that can be run: on which data, and with which parameters.
struct Answers::Task {
  const Analysis* analysis;
  Parameters parameters;
  Selected selected;

  // The same for the same question on the same profiles, as they are named and as far as they could be read.
  std::string text() const {
    std::string text = text_of_question(*analysis, parameters);
    for (const ProfilePlace& name : selected.names) text.append("\n").append(name.run + "\n" + name.worker + "\n" + name.span);
    for (const Note& note : selected.notes) text.append("\n").append(note.text);
    return text;
  }
};

Answers::Answers(const Catalogue& catalogue, Loader& loader, const EngineOptions& options)
    : catalogue_(catalogue),
      loader_(loader),
      views_(options.analyses),
      threads_(options.threads),
      timelines_(options.timelines) {}

// ---- choosing ----

Result<const Analysis*> Answers::find_view(std::string_view view) const {
  std::vector<std::string> ids;
  for (const Analysis& analysis : views_) {
    if (analysis.id == view) return &analysis;
    ids.emplace_back(analysis.id);
  }
  if (view.empty()) return Error{ErrorCode::invalid_argument, say("no view was named; available: {}", listed_names(ids)), ""};
  return no_such("view", std::string(view), ids);
}

Result<std::vector<CapturePtr>> Answers::captures_for(const Question& question) const {
  const Result<const Analysis*> view = find_view(question.view);
  if (!view) return view.error();
  Result<FoundCaptures> found = catalogue_.find_for(**view, question.profile, question.other);
  if (!found) return found.error();
  if ((*view)->join_ranks == nullptr) return std::move(found->all);
  std::vector<CapturePtr> span = catalogue_.span_of(*found->first);
  std::int64_t others = -found->first->progress.bytes_total;
  for (const CapturePtr& each : span) others += each->progress.bytes_total;
  return others <= kSmallOthers ? std::move(span) : std::move(found->all);
}

// A capture that is ready: it changes no more, except that its profile may be closed and opened again.
Result<CapturePtr> Answers::find_ready(const ProfileSelector& selector) const {
  Result<CapturePtr> capture = catalogue_.find(selector);
  if (!capture) return capture;
  if (const std::optional<Error> not_ready = (*capture)->not_ready()) return *not_ready;
  return capture;
}

Result<LoadedProfilePtr> Answers::open(const ProfileSelector& selector) const {
  const Result<CapturePtr> capture = find_ready(selector);
  if (!capture) return capture.error();
  return loader_.open(*capture);
}

// In their order. A worker that could not be read is missing across ranks, and a note says so.
Result<std::vector<CapturePtr>> Answers::ready_captures(const Question& question, const Analysis& view,
                                                        std::vector<Note>& notes) const {
  const Result<FoundCaptures> found = catalogue_.find_for(view, question.profile, question.other);
  if (!found) return found.error();
  std::vector<CapturePtr> ready;
  std::size_t waiting = 0;
  for (const CapturePtr& each : found->all) {
    const std::optional<Error> not_ready = each->not_ready();
    if (!not_ready) {
      loader_.note_use(*each);
      ready.push_back(each);
      note_caution(*each, found->all.size() > 1, notes);
    } else if (view.scope() == Scope::runs && not_ready->code == ErrorCode::unavailable) {
      ++waiting;
    } else if (view.scope() == Scope::runs) {
      notes.push_back({Note::Level::warning, without_run(*each, *not_ready)});
    } else if (each == found->first || view.scope() == Scope::pair || not_ready->code == ErrorCode::unavailable) {
      return *not_ready;
    } else {
      notes.push_back({Note::Level::warning,
                       say("without worker {}, which could not be read: {}", each->name().worker, not_ready->to_string())});
    }
  }
  if (waiting > 0)
    notes.push_back(
        {Note::Level::warning, say("{} of the {} runs are not read yet and are missing here.", waiting, found->all.size())});
  if (ready.empty() && waiting == 0 && view.scope() == Scope::runs) return *found->first->not_ready();
  if (ready.empty()) return Error{ErrorCode::unavailable, "still loading", found->first->path};
  return ready;
}

// Profiles are opened one after the other, where their figures are not known yet. One that cannot be opened is left out, with a
// note; an error if none can.
Result<std::vector<RunFiguresPtr>> Answers::runs_of(const std::vector<CapturePtr>& captures, std::vector<Note>& notes) const {
  std::vector<RunFiguresPtr> runs;
  std::optional<Error> last;
  for (const CapturePtr& each : captures) {
    const ProfileSelector name = each->name();
    RunFiguresPtr known = each->figures();
    if (known == nullptr || known->place.run != name.run || known->place.worker != name.worker ||
        known->place.span != name.span) {
      const Result<LoadedProfilePtr> opened = loader_.open(each);
      if (!opened) {
        notes.push_back({Note::Level::warning, without_run(*each, opened.error())});
        last = opened.error();
        continue;
      }
      RunFigures figures = figures_of((*opened)->profile(), name.run);
      figures.place = {name.run, name.worker, name.span};
      known = std::make_shared<const RunFigures>(std::move(figures));
      each->set_figures(known);
    }
    runs.push_back(std::move(known));
  }
  if (runs.empty() && last) return *last;
  return runs;
}

Result<std::vector<RankSummaryPtr>> Answers::ranks_of(const std::vector<CapturePtr>& captures) const {
  std::vector<std::vector<RankSummaryPtr>> of(captures.size());
  parallel_for(captures.size(), threads_, [&](std::size_t i) {
    try {
      of[i] = captures[i]->ranks();
    } catch (const std::exception&) {  // no memory, most likely
    }
  });
  std::vector<RankSummaryPtr> ranks;
  for (const std::vector<RankSummaryPtr>& some : of) {
    if (some.empty()) return Error{ErrorCode::unreadable, kViewing.memory, ""};
    ranks.insert(ranks.end(), some.begin(), some.end());
  }
  return ranks;
}

// All at the same time: refused if they take more than half of the memory for open profiles, since more is derived from each.
Result<std::vector<ProfilePtr>> Answers::open_all(const std::vector<CapturePtr>& captures) const {
  std::vector<ProfilePtr> profiles;
  std::int64_t bytes = 0;
  for (const CapturePtr& each : captures) {
    const Result<LoadedProfilePtr> opened = loader_.open(each);
    if (!opened) return opened.error();
    profiles.push_back((*opened)->profile());
    bytes += (*opened)->bytes();
    if (bytes <= loader_.open_profiles().memory() / 2) continue;
    return Error{
        ErrorCode::unsupported,
        say("this view needs all {} workers of the span at the same time, and {} of them take more than half of --memory",
            captures.size(), profiles.size()),
        ""};
  }
  return profiles;
}

Result<Answers::Selected> Answers::select(const Question& question, const Analysis& view) const {
  Selected selected;
  const Result<std::vector<CapturePtr>> captures = ready_captures(question, view, selected.notes);
  if (!captures) return captures.error();
  if (view.scope() == Scope::runs) {
    Result<std::vector<RunFiguresPtr>> runs = runs_of(*captures, selected.notes);
    if (!runs) return runs.error();
    selected.runs = *std::move(runs);
    return selected;
  }
  if (view.scope() == Scope::ranks) {
    Result<std::vector<RankSummaryPtr>> ranks = ranks_of(*captures);
    if (!ranks) return ranks.error();
    selected.ranks = *std::move(ranks);
    selected.of_ranks = *captures;
    return selected;
  }
  for (const CapturePtr& each : *captures) {
    const Result<LoadedProfilePtr> opened = loader_.open(each);
    if (!opened) return opened.error();
    if (selected.first == nullptr) selected.first = *opened;
    selected.profiles.push_back((*opened)->profile());
    const ProfileSelector name = each->name();
    selected.names.push_back({name.run, name.worker, name.span});
  }
  if (view.join_ranks != nullptr) add_span(captures->front(), selected);
  return selected;
}

// All workers of the span at once, when the last is read: until then a note says what is missing.
void Answers::add_span(const CapturePtr& own, Selected& selected) const {
  if (selected.first->profile()->rank == kUnknown) return;
  std::vector<CapturePtr> ready;
  const std::vector<CapturePtr> span = catalogue_.span_of(*own);
  std::size_t waiting = 0;
  for (const CapturePtr& each : span) {
    const LoadStatus status = each->status();
    if (status == LoadStatus::ready) ready.push_back(each);
    waiting += status == LoadStatus::queued || status == LoadStatus::reading;
  }
  if (waiting > 0) {
    selected.notes.push_back(
        {Note::Level::info,
         say("{} of the {} workers of this span are not read yet: advice that compares workers is missing here.", waiting,
             span.size())});
    return;
  }
  if (ready.size() < 2) return;
  Result<std::vector<RankSummaryPtr>> ranks = ranks_of(ready);
  if (!ranks) return;  // no memory: the report is about the profile alone
  selected.ranks = *std::move(ranks);
  selected.own = own->rank();
}

// ---- reports ----

Result<Answers::Task> Answers::task(const Question& question) const {
  const Result<const Analysis*> analysis = find_view(question.view);
  if (!analysis) return analysis.error();
  if (std::optional<Error> none = gives_no_report(**analysis)) return *std::move(none);
  const Result<Parameters> parameters = bind_parameters(**analysis, question.parameters);
  if (!parameters) return parameters.error();
  const Result<Selected> selected = select(question, **analysis);
  if (!selected) return selected.error();
  for (const ProfilePtr& profile : selected->profiles) {
    const std::optional<Message> reason = (*analysis)->unavailable ? (*analysis)->unavailable(*profile) : std::nullopt;
    if (reason) return Error{ErrorCode::unsupported, say("{}: {}", Message((*analysis)->title), *reason), ""};
  }
  return Task{*analysis, *parameters, *selected};
}

Result<Report> Answers::answer(const Task& task) const {
  const Selected& selected = task.selected;
  const AnalysisInput input{.profiles = selected.profiles,
                            .parameters = task.parameters,
                            .ranks = selected.ranks,
                            .open_ranks = [&] { return open_all(selected.of_ranks); },
                            .runs = selected.runs};
  Result<Report> report = task.analysis->scope() == Scope::profile ? selected.first->answer(*task.analysis, task.parameters)
                                                                   : run_view(*task.analysis, input);
  if (!report) return report;
  if (selected.own != nullptr) task.analysis->join_ranks(*report, selected.ranks, *selected.own);
  report->parameters = merged(task.parameters.all(), report->parameters);
  if (task.analysis->scope() == Scope::pair) report->profiles = selected.names;
  report->notes.insert(report->notes.end(), selected.notes.begin(), selected.notes.end());
  return report;
}

Result<Report> Answers::report(const Question& question) const {
  if (const Analysis* const view = view_to_propose_for(question)) {
    const Result<KeptReportPtr> kept = proposal_for(question, *view);
    if (!kept) return kept.error();
    return (*kept)->report();
  }
  const Result<Task> task = this->task(question);
  if (!task) return task.error();
  Result<Report> report = answer(*task);
  loader_.open_profiles().stay_within_memory_after_answer();
  return report;
}

const Analysis* Answers::view_to_propose_for(const Question& question) const {
  const auto& [run, worker, span] = question.other;
  if (!question.propose || !run.empty() || !worker.empty() || !span.empty()) return nullptr;
  const Result<const Analysis*> view = find_view(question.view);
  return view && (*view)->scope() == Scope::pair ? *view : nullptr;
}

// Of all other profiles that are ready and can have the view; what is known about each is kept.
Result<KeptReportPtr> Answers::proposal_for(const Question& question, const Analysis& view) const {
  const Result<CapturePtr> first = find_ready(question.profile);
  if (!first) return first.error();
  std::vector<CapturePtr> known{*first};
  std::size_t unknown = 0;
  for (const CapturePtr& each : catalogue_.all()) {
    if (each == *first || each->lacks(view.id)) continue;
    if (each->not_ready()) {
      ++unknown;
    } else {
      known.push_back(each);
    }
  }
  if (known.size() == 1) return Error{ErrorCode::unsupported, "no other profile has what this view compares", (*first)->path};
  const Result<std::vector<RankSummaryPtr>> ranks = ranks_of(known);
  if (!ranks) return ranks.error();
  std::vector<ProfileSketch> profiles;
  std::string text = view.id + "\n" + std::to_string(unknown);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const ProfileSelector name = known[i]->name();
    profiles.push_back({{name.run, name.worker, name.span}, (*ranks)[i].get()});
    text.append("\n").append(name.run + "\n" + name.worker + "\n" + name.span);
  }
  ReportCache& cache = loader_.open_profiles().reports_of_ranks();
  const ReportCache::Subjects subjects(ranks->begin(), ranks->end());
  if (KeptReportPtr kept = cache.find(subjects, text)) return kept;
  return cache.keep(subjects, text, proposal(view.id, view.title, profiles.front(), std::span(profiles).subspan(1), unknown));
}

Result<KeptReportPtr> Answers::kept_report(const Question& question) const {
  if (const Analysis* const view = view_to_propose_for(question)) return proposal_for(question, *view);
  const Result<Task> task = this->task(question);
  if (!task) return task.error();
  const Selected& selected = task->selected;
  OpenProfiles& open = loader_.open_profiles();
  ReportCache& cache = selected.first == nullptr ? open.reports_of_ranks() : selected.first->reports();
  if (KeptReportPtr kept = cache.find(selected.others(), task->text())) return kept;
  Result<Report> report = answer(*task);
  if (!report) return report.error();
  KeptReportPtr kept = cache.keep(selected.others(), task->text(), *std::move(report));
  open.stay_within_memory_after_answer();
  return kept;
}

// ---- one profile ----

Result<ProfilePtr> Answers::profile(const ProfileSelector& selector) const {
  const Result<LoadedProfilePtr> opened = open(selector);
  if (!opened) return opened.error();
  return (*opened)->profile();
}

Result<std::shared_ptr<const Timeline>> Answers::timeline(const ProfileSelector& selector) const {
  if (!timelines_) return Error{ErrorCode::unsupported, "this engine builds no timelines", ""};
  const Result<CapturePtr> capture = find_ready(selector);
  if (!capture) return capture.error();
  loader_.note_use(**capture);
  const Result<LoadedProfilePtr> opened = loader_.open(*capture);
  if (!opened) return opened.error();
  return guarded(kViewing, (*capture)->path,
                 [&]() -> Result<std::shared_ptr<const Timeline>> { return (*opened)->timeline(threads_); });
}

Result<RankAxisPtr> Answers::rank_axis(const ProfileSelector& selector, const std::optional<ProfileSelector>& other) const {
  const Result<CapturePtr> first = find_ready(selector);
  if (!first) return first.error();
  std::vector<SpanOnAxis> spans{{catalogue_.span_of(**first), *first}};
  if (other) {
    const Result<CapturePtr> added = catalogue_.find(*other);
    if (!added) return added.error();
    const ProfileSelector name = (*added)->name(), own = (*first)->name();
    if (name.run != own.run || name.span != own.span) spans.push_back({catalogue_.span_of(**added), *added});
  }
  return guarded(kViewing, (*first)->path, [&]() -> Result<RankAxisPtr> { return axes_.of(spans); });
}

Result<std::shared_ptr<const RankActivity>> Answers::activity(const AxisRank& rank, Time pixel) const {
  const RankActivity& overview = rank.summary->activity;
  if (overview.pixel <= pixel) return std::shared_ptr<const RankActivity>(rank.summary, &overview);
  const Result<LoadedProfilePtr> opened = loader_.open(rank.capture);
  if (!opened) return opened.error();
  return guarded(kViewing, rank.capture->path,
                 [&]() -> Result<std::shared_ptr<const RankActivity>> { return rank_activity((*opened)->profile()); });
}

Result<std::string> Answers::event_text(const ProfileSelector& selector, Row slice) const {
  const Result<CapturePtr> capture = find_ready(selector);
  if (!capture) return capture.error();
  const Result<LoadedProfilePtr> opened = loader_.open(*capture);
  if (!opened) return opened.error();
  const Slices& slices = (*opened)->profile()->slices;
  if (slice >= slices.rows()) return Error{ErrorCode::not_found, say("no slice {}", slice), ""};
  if (!(*capture)->content->unchanged()) {
    return Error{ErrorCode::unavailable, "the file was replaced after it was read", (*capture)->shown_path()};
  }
  return (*capture)->reader->event_text((*capture)->path, slices.source[slice]);
}

Result<std::string> Answers::content_key(const ProfileSelector& selector) const {
  const Result<CapturePtr> capture = find_ready(selector);
  if (!capture) return capture.error();
  return (*capture)->content->find_key((*capture)->progress.cancelled);
}

Result<std::string> Answers::name_of(const ProfileSelector& selector) const {
  const Result<std::string> key = content_key(selector);
  if (!key) return key.error();
  return profile_name(*key);
}

std::optional<ProfileSelector> Answers::named(std::string_view name) const {
  for (const CapturePtr& capture : catalogue_.all()) {
    if (capture->status() != LoadStatus::ready) continue;
    const ProfileSelector selector = capture->name();
    if (const Result<std::string> known = name_of(selector); known && *known == name) return selector;
  }
  return std::nullopt;
}

}  // namespace sightline::engine
