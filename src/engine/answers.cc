// Choosing profiles and running analyses on them.
#include "engine/answers.h"

#include <algorithm>
#include <exception>

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

// A caution that concerns the whole profile; in a report about several, with its worker.
void note_caution(const Capture& capture, bool several, std::vector<Note>& notes) {
  const Message caution = capture.summary()->caution;
  if (caution.empty()) return;
  notes.push_back({Note::Level::warning, several ? say("{}: {}", capture.name().worker, caution) : caution});
}

}  // namespace

// The data that an analysis runs on, and notes about what is missing.
struct Answers::Selected {
  std::vector<ProfilePtr> profiles;
  LoadedProfilePtr first;             // the owner of the first of them
  std::vector<ProfilePlace> names;    // of each
  std::vector<RankSummaryPtr> ranks;  // Scope::ranks: instead of profiles
  std::vector<Note> notes;

  // What a report is about beside the first profile.
  ReportCache::Subjects others() const {
    ReportCache::Subjects all(ranks.begin(), ranks.end());
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
  return std::move(found->all);
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
  for (const CapturePtr& each : found->all) {
    const std::optional<Error> not_ready = each->not_ready();
    if (!not_ready) {
      loader_.note_use(*each);
      ready.push_back(each);
      note_caution(*each, found->all.size() > 1, notes);
    } else if (each == found->first || view.scope() == Scope::pair || not_ready->code == ErrorCode::unavailable) {
      return *not_ready;
    } else {
      notes.push_back({Note::Level::warning,
                       say("without worker {}, which could not be read: {}", each->name().worker, not_ready->to_string())});
    }
  }
  return ready;
}

Result<std::vector<RankSummaryPtr>> Answers::ranks_of(const std::vector<CapturePtr>& captures) const {
  std::vector<RankSummaryPtr> ranks(captures.size());
  parallel_for(captures.size(), threads_, [&](std::size_t i) {
    try {
      ranks[i] = captures[i]->rank();
    } catch (const std::exception&) {  // no memory, most likely
    }
  });
  if (std::find(ranks.begin(), ranks.end(), nullptr) == ranks.end()) return ranks;
  return Error{ErrorCode::unreadable, kViewing.memory, ""};
}

Result<Answers::Selected> Answers::select(const Question& question, const Analysis& view) const {
  Selected selected;
  const Result<std::vector<CapturePtr>> captures = ready_captures(question, view, selected.notes);
  if (!captures) return captures.error();
  if (view.scope() == Scope::ranks) {
    Result<std::vector<RankSummaryPtr>> ranks = ranks_of(*captures);
    if (!ranks) return ranks.error();
    selected.ranks = *std::move(ranks);
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
  return selected;
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

Result<Report> Answers::answer(const Task& task) {
  const Selected& selected = task.selected;
  const AnalysisInput input{.profiles = selected.profiles, .parameters = task.parameters, .ranks = selected.ranks};
  Result<Report> report = task.analysis->scope() == Scope::profile ? selected.first->answer(*task.analysis, task.parameters)
                                                                   : run_view(*task.analysis, input);
  if (!report) return report;
  report->parameters = merged(task.parameters.all(), report->parameters);
  if (task.analysis->scope() == Scope::pair) report->profiles = selected.names;
  report->notes.insert(report->notes.end(), selected.notes.begin(), selected.notes.end());
  return report;
}

Result<Report> Answers::report(const Question& question) const {
  const Result<Task> task = this->task(question);
  if (!task) return task.error();
  Result<Report> report = answer(*task);
  loader_.open_profiles().stay_within_memory_after_answer();
  return report;
}

Result<KeptReportPtr> Answers::kept_report(const Question& question) const {
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
