// Captures as runs > workers > spans.
#include "output/state_json.h"

#include <algorithm>

namespace sightline::output {

namespace {

// Group by group, since views in SQL come after all others.
std::vector<SentView> views_of(std::span<const Analysis> analyses) {
  std::vector<const Analysis*> listed;
  for (const Analysis& analysis : analyses) {
    if (analysis.group != ViewGroup::none) listed.push_back(&analysis);
  }
  std::ranges::stable_sort(listed, {}, &Analysis::group);
  std::vector<SentView> views;
  for (const Analysis* view : listed) {
    views.push_back({view->id, Message(view->title), group_title(view->group), Message(view->doc), view->scope(), {}});
    for (const Parameter& parameter : view->parameters) views.back().parameters.emplace_back(parameter.key);
  }
  return views;
}

std::vector<std::string_view> details_of(std::span<const Analysis> analyses) {
  std::vector<std::string_view> ids;
  for (const Analysis& analysis : analyses) {
    if (analysis.group == ViewGroup::none) ids.push_back(analysis.id);
  }
  return ids;
}

// What the captures' state does not say: which views need a second profile, and whether there is one.
struct Pairing {
  std::span<const Analysis> analyses;
  bool alone = false;

  std::optional<Message> reason(std::string_view view) const {
    for (const Analysis& analysis : analyses) {
      if (alone && analysis.id == view && analysis.scope() == Scope::pair)
        return "there is only one profile; a comparison needs two";
      if (alone && analysis.id == view && analysis.scope() == Scope::runs)
        return "there is only one profile; a history needs two runs";
    }
    return std::nullopt;
  }
};

SentSpan span_of(const CaptureState& capture, const Pairing& pairing) {
  SentSpan span{capture, {}, {}};
  if (!capture.note.empty()) span.facts.push_back({"note", capture.note});
  if (!capture.summary) return span;
  for (const CaptureFact& fact : capture.summary->facts) span.facts.push_back({fact.label, Message(fact.text)});
  for (const auto& [id, own_reason] : capture.summary->views)
    span.views.emplace_back(id, own_reason ? own_reason : pairing.reason(id));
  return span;
}

// The group of this name, which is the last one or a new one: captures of one name follow one another.
template <typename Group>
Group& group_of(std::vector<Group>& groups, const std::string& name) {
  if (groups.empty() || groups.back().name != name) groups.push_back({name, {}});
  return groups.back();
}

}  // namespace

std::string state_json(const Engine& engine, std::string_view version, const std::function<bool(const CaptureState&)>& shown) {
  SentState state{version, engine.loader().loading(), {}, {}, {},
                  {}};  // loading first: what is ready afterwards is at least as much
  std::vector<CaptureState> captures = engine.catalogue().state();
  if (shown) std::erase_if(captures, [&](const CaptureState& capture) { return !shown(capture); });
  const Pairing pairing{engine.answers().views(), captures.size() == 1};
  state.watching = engine.watcher().watched();
  state.views = views_of(engine.answers().views());
  state.details = details_of(engine.answers().views());
  for (const CaptureState& capture : captures) {
    SentRun& run = group_of(state.runs, capture.run);
    group_of(run.workers, capture.worker).spans.push_back(span_of(capture, pairing));
  }
  return wire_json(state);
}

}  // namespace sightline::output
