// Choosing profiles and running analyses on them. A selector that names nothing is answered with what there is.
#include <algorithm>
#include <exception>
#include <set>

#include "analyses/ranks/rank_summary.h"
#include "base/check.h"
#include "base/parallel.h"
#include "engine/capture.h"
#include "engine/guarded.h"

namespace sightline::engine {

namespace {

bool matches(const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; }

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
  if (names.size() > kMost) text += ", and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

Error no_such(const char* noun, const std::string& wanted, const std::vector<std::string>& names) {
  return {ErrorCode::not_found, say("no {} '{}'; available: {}", noun, wanted, listed(names)), ""};
}

// All parameters in the order of their declaration; what the analysis says of one replaces it.
std::vector<Parameter> merged(std::vector<Parameter> declared, const std::vector<Parameter>& answered) {
  for (Parameter& parameter : declared) {
    for (const Parameter& known : answered) {
      if (known.key == parameter.key) parameter = known;
    }
  }
  return declared;
}

}  // namespace

// What an analysis is to see, and what is missing there.
struct Engine::Selected {
  std::vector<ProfilePtr> profiles;
  LoadedProfilePtr first;             // the owner of the first of them
  std::vector<ProfilePlace> names;    // of each
  std::vector<RankSummaryPtr> ranks;  // Scope::ranks: instead of profiles
  std::vector<Note> notes;

  // What a report is about beside the first profile.
  ReportShelf::Subjects others() const {
    ReportShelf::Subjects all(ranks.begin(), ranks.end());
    if (!profiles.empty()) all.insert(all.end(), profiles.begin() + 1, profiles.end());
    return all;
  }
};

// An analysis that can be run: on what, and with which parameters.
struct Engine::Task {
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

Result<const Analysis*> Engine::find_view(std::string_view view) const {
  std::vector<std::string> ids;
  for (const Analysis& analysis : options_.analyses) {
    if (analysis.id == view) return &analysis;
    ids.emplace_back(analysis.id);
  }
  if (view.empty()) return Error{ErrorCode::invalid_argument, say("no view was named; available: {}", listed(ids)), ""};
  return no_such("view", std::string(view), ids);
}

// REQUIRES: mutex_ is held.
Result<Engine::CaptureRef> Engine::find(const ProfileSelector& selector) const {
  if (captures_.empty()) return Error{ErrorCode::not_found, "no profile was given", ""};
  const auto names_in_order = [&](auto keep, auto name) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const auto& capture : captures_) {
      if (keep(capture->place) && seen.insert(name(capture->place)).second) names.push_back(name(capture->place));
    }
    return names;
  };
  const auto in_run = [&](const Place& p) { return matches(selector.run, p.run); };
  const auto of_worker = [&](const Place& p) { return in_run(p) && matches(selector.worker, p.worker); };
  for (const auto& capture : captures_) {
    if (of_worker(capture->place) && matches(selector.span, capture->place.span)) return CaptureRef(capture);
  }
  if (std::none_of(captures_.begin(), captures_.end(), [&](const auto& c) { return in_run(c->place); })) {
    return no_such("run", selector.run, names_in_order([](const Place&) { return true; }, [](const Place& p) { return p.run; }));
  }
  if (std::none_of(captures_.begin(), captures_.end(), [&](const auto& c) { return of_worker(c->place); })) {
    return no_such("worker", selector.worker, names_in_order(in_run, [](const Place& p) { return p.worker; }));
  }
  return no_such("span", selector.span, names_in_order(of_worker, [](const Place& p) { return p.span; }));
}

// What `first` is compared with in `view`. REQUIRES: mutex_ is held.
Result<Engine::CaptureRef> Engine::find_other(const Capture& first, const ProfileSelector& other, std::string_view view) const {
  const Place& base = first.place;
  if (other.run.empty() && other.worker.empty() && other.span.empty()) {
    const auto here = std::find_if(captures_.begin(), captures_.end(), [&](const auto& c) { return c.get() == &first; });
    if (captures_.size() == 1) {
      return Error{ErrorCode::unsupported, "there is only one profile; a comparison needs two", first.path};
    }
    // The next one that can have the view. One that is still being read is not waited for.
    std::vector<CaptureRef> others(here + 1, captures_.end());
    others.insert(others.end(), captures_.begin(), here);
    const auto able = std::find_if(others.begin(), others.end(), [&](const CaptureRef& c) { return !c->lacks(view); });
    return able == others.end() || (*able)->not_ready() ? others.front() : *able;
  }
  // What is left open is as in the first where that exists, else the first there is.
  const auto chosen = [](const std::string& wanted, const std::string& fallback) { return wanted.empty() ? fallback : wanted; };
  ProfileSelector full{chosen(other.run, base.run), chosen(other.worker, base.worker), chosen(other.span, base.span)};
  if (Result<CaptureRef> exact = find(full); exact) return exact;
  full.span = other.span;
  if (Result<CaptureRef> same_worker = find(full); same_worker) return same_worker;
  full.worker = other.worker;
  return find(full);
}

// REQUIRES: mutex_ is held.
Result<std::vector<Engine::CaptureRef>> Engine::captures_for(const Question& question, const Analysis& analysis) const {
  const Result<CaptureRef> first = find(question.profile);
  if (!first) return first.error();
  if (analysis.scope() == Scope::pair) {
    const Result<CaptureRef> other = find_other(**first, question.other, analysis.id);
    if (!other) return other.error();
    return std::vector<CaptureRef>{*first, *other};
  }
  if (analysis.scope() != Scope::ranks) return std::vector<CaptureRef>{*first};
  std::vector<CaptureRef> workers;
  for (const auto& capture : captures_) {
    if (capture->place.run == (*first)->place.run && capture->place.span == (*first)->place.span) {
      workers.push_back(capture);
    }
  }
  return workers;
}

// One capture after the other; a worker that could not be read is missing across ranks, and said to be.
Result<std::vector<Engine::CaptureRef>> Engine::loaded_captures(const Question& question, const Analysis& analysis,
                                                                std::vector<Note>& notes) const {
  const std::lock_guard lock(mutex_);
  const Result<std::vector<CaptureRef>> captures = captures_for(question, analysis);
  if (!captures) return captures.error();
  const CaptureRef asked = *find(question.profile);
  std::vector<CaptureRef> loaded;
  for (const CaptureRef& each : *captures) {
    const std::optional<Error> not_ready = each->not_ready();
    if (!not_ready) {
      note_use(*each);
      loaded.push_back(each);
      if (const std::string& caution = each->summary->caution; !caution.empty()) {
        notes.push_back({Note::Level::warning,
                         captures->size() > 1 ? say("{}: {}", each->place.worker, Message(caution)) : Message(caution)});
      }
    } else if (each == asked || analysis.scope() == Scope::pair || not_ready->code == ErrorCode::unavailable) {
      return *not_ready;
    } else {
      notes.push_back({Note::Level::warning,
                       say("without worker {}, which could not be read: {}", each->place.worker, not_ready->to_string())});
    }
  }
  return loaded;
}

Result<Engine::Selected> Engine::select(const Question& question, const Analysis& analysis) const {
  Selected selected;
  const Result<std::vector<CaptureRef>> captures = loaded_captures(question, analysis, selected.notes);
  if (!captures) return captures.error();
  if (analysis.scope() == Scope::ranks) {
    selected.ranks.resize(captures->size());
    parallel_for(captures->size(), options_.threads, [&](std::size_t i) {
      try {
        selected.ranks[i] = rank_of(*(*captures)[i]);
      } catch (const std::exception&) {  // no memory, most likely
      }
    });
    if (std::find(selected.ranks.begin(), selected.ranks.end(), nullptr) == selected.ranks.end()) return selected;
    return Error{ErrorCode::unreadable, kViewing.memory, ""};
  }
  for (const CaptureRef& each : *captures) {
    const Result<LoadedProfilePtr> opened = open(*each);
    if (!opened) return opened.error();
    if (selected.first == nullptr) selected.first = *opened;
    selected.profiles.push_back((*opened)->profile());
    const std::lock_guard lock(mutex_);  // spans may be named anew
    selected.names.push_back({each->place.run, each->place.worker, each->place.span});
  }
  return selected;
}

// Made while the profile is open: it is closed only afterwards.
RankSummaryPtr Engine::rank_of(const Capture& capture) const {
  std::call_once(capture.rank_once, [&] {
    LoadedProfilePtr opened;
    {
      const std::lock_guard lock(mutex_);
      opened = capture.opened;
    }
    CHECK(opened != nullptr);
    capture.rank = std::make_shared<const RankSummary>(summarise_rank(*opened->profile(), capture.place.worker));
  });
  return capture.rank;
}

Result<bool> Engine::queue_only(const Question& question) {
  const Result<const Analysis*> analysis = find_view(question.view);
  if (!analysis) return analysis.error();
  const std::lock_guard lock(mutex_);
  const Result<std::vector<CaptureRef>> wanted = captures_for(question, **analysis);
  if (!wanted) return wanted.error();
  std::erase_if(queue_, [&](const CapturePtr& c) { return std::find(wanted->begin(), wanted->end(), c) == wanted->end(); });
  return true;
}

// A capture that is ready: it changes no more, but for whether its profile is open.
Result<Engine::CaptureRef> Engine::find_loaded(const ProfileSelector& selector) const {
  const std::lock_guard lock(mutex_);
  const Result<CaptureRef> capture = find(selector);
  if (!capture) return capture.error();
  if (const std::optional<Error> not_ready = (*capture)->not_ready()) return *not_ready;
  return *capture;
}

Result<ProfilePtr> Engine::profile(const ProfileSelector& selector) const {
  const Result<CaptureRef> capture = find_loaded(selector);
  if (!capture) return capture.error();
  const Result<LoadedProfilePtr> opened = open(**capture);
  if (!opened) return opened.error();
  return (*opened)->profile();
}

Result<Engine::Task> Engine::task(const Question& question) const {
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

Result<Report> Engine::answer(const Task& task) {
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

Result<Report> Engine::report(const Question& question) const {
  const Result<Task> asked = task(question);
  if (!asked) return asked.error();
  Result<Report> report = answer(*asked);
  make_room_for_answer();
  return report;
}

Result<KeptReportPtr> Engine::kept_report(const Question& question) const {
  const Result<Task> asked = task(question);
  if (!asked) return asked.error();
  const Selected& selected = asked->selected;
  ReportShelf& shelf = selected.first == nullptr ? of_ranks_ : selected.first->reports();
  if (KeptReportPtr kept = shelf.find(selected.others(), asked->text())) return kept;
  Result<Report> report = answer(*asked);
  if (!report) return report.error();
  KeptReportPtr kept = shelf.keep(selected.others(), asked->text(), *std::move(report));
  make_room_for_answer();
  return kept;
}

Result<std::shared_ptr<const Timeline>> Engine::timeline(const ProfileSelector& selector) const {
  if (!options_.timelines) return Error{ErrorCode::unsupported, "this engine builds no timelines", ""};
  const Result<CaptureRef> capture = find_loaded(selector);
  if (!capture) return capture.error();
  note_use(**capture);
  const Result<LoadedProfilePtr> opened = open(**capture);
  if (!opened) return opened.error();
  return guarded(kViewing, (*capture)->path,
                 [&]() -> Result<std::shared_ptr<const Timeline>> { return (*opened)->timeline(options_.threads); });
}

Result<std::string> Engine::content_key(const ProfileSelector& selector) const {
  const Result<CaptureRef> capture = find_loaded(selector);
  if (!capture) return capture.error();
  return (*capture)->content->find_key((*capture)->progress.cancelled);
}

Result<std::string> Engine::event_text(const ProfileSelector& selector, Row slice) const {
  const Result<CaptureRef> capture = find_loaded(selector);
  if (!capture) return capture.error();
  const Result<LoadedProfilePtr> opened = open(**capture);
  if (!opened) return opened.error();
  const Slices& slices = (*opened)->profile()->slices;
  if (slice >= slices.rows()) return Error{ErrorCode::not_found, say("no slice {}", slice), ""};
  if (!(*capture)->content->unchanged()) {
    return Error{ErrorCode::unavailable, "the file was replaced after it was read", (*capture)->path};
  }
  return (*capture)->reader->event_text((*capture)->path, slices.source[slice]);
}

}  // namespace sightline::engine
