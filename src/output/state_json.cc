// Writing captures as runs > workers > spans.
#include "output/state_json.h"

namespace sightline::output {

namespace {

std::string_view scope_name(Scope scope) {
  switch (scope) {
    case Scope::profile: return "profile";
    case Scope::pair: return "pair";
    case Scope::ranks: return "ranks";
    case Scope::none: return "none";
  }
  return "profile";
}

void write_views(JsonWriter& json, std::span<const Analysis> analyses) {
  json.key("views").begin_array();
  for (const Analysis& analysis : analyses) {
    if (analysis.group == ViewGroup::none) continue;
    json.begin_object().member("id", analysis.id).member("title", analysis.title);
    json.member("group", group_title(analysis.group)).member("doc", analysis.doc);
    json.member("scope", scope_name(analysis.scope()));
    json.key("parameters").begin_array();
    for (const Parameter& parameter : analysis.parameters) json.value(parameter.key);
    json.end_array().end_object();
  }
  json.end_array();
}

// What the captures' state does not say: which views need a second profile, and whether there is one.
struct Pairing {
  std::span<const Analysis> analyses;
  bool alone = false;

  std::optional<Message> reason(std::string_view view) const {
    for (const Analysis& analysis : analyses) {
      if (alone && analysis.id == view && analysis.scope() == Scope::pair)
        return "there is only one profile; a comparison needs two";
    }
    return std::nullopt;
  }
};

void write_summary(JsonWriter& json, const CaptureState& capture, const Pairing& pairing) {
  json.member("problems", capture.summary ? capture.summary->problems : 0);
  json.member("caution", capture.summary ? capture.summary->caution : "");
  json.key("facts").begin_array();
  if (!capture.note.empty()) {
    json.begin_object().member("label", "note").member("text", capture.note).end_object();
  }
  for (const CaptureFact& fact : capture.summary ? capture.summary->facts : std::vector<CaptureFact>{}) {
    json.begin_object().member("label", fact.label).member("text", fact.text).end_object();
  }
  json.end_array().key("views").begin_object();
  if (capture.summary) {
    for (const auto& [id, own_reason] : capture.summary->views) {
      const std::optional<Message> reason = own_reason ? own_reason : pairing.reason(id);
      json.key(id);
      reason ? json.value(*reason) : json.null();
    }
  }
  json.end_object();
}

void write_span(JsonWriter& json, const CaptureState& capture, const Pairing& pairing) {
  json.begin_object().member("name", capture.span).member("status", load_status_name(capture.status));
  json.member("file", capture.file).member("stage", capture.stage);
  json.member("bytes_done", capture.bytes_done).member("bytes_total", capture.bytes_total);
  json.member("events", capture.events).member("readings", capture.readings);
  const double megabytes = static_cast<double>(capture.text_bytes) / 1e6;
  json.member("megabytes_per_second", capture.seconds > 0 ? megabytes / capture.seconds : 0.0);
  json.member("seconds", capture.seconds).key("error");
  if (capture.error) {
    write_error(json, *capture.error);
  } else {
    json.null();
  }
  write_summary(json, capture, pairing);
  json.end_object();
}

// Calls write(first, last) for each stretch of captures that have the same name.
template <typename Name, typename Write>
void for_each_group(std::span<const CaptureState> captures, Name name, Write write) {
  for (std::size_t first = 0, last = 0; first < captures.size(); first = last) {
    while (last < captures.size() && captures[last].*name == captures[first].*name) ++last;
    write(captures.subspan(first, last - first));
  }
}

void write_run(JsonWriter& json, std::span<const CaptureState> run, const Pairing& pairing) {
  json.begin_object().member("name", run.front().run).key("workers").begin_array();
  for_each_group(run, &CaptureState::worker, [&](std::span<const CaptureState> worker) {
    json.begin_object().member("name", worker.front().worker).key("spans").begin_array();
    for (const CaptureState& capture : worker) write_span(json, capture, pairing);
    json.end_array().end_object();
  });
  json.end_array().end_object();
}

}  // namespace

void write_error(JsonWriter& json, const Error& error) {
  json.begin_object().member("code", error_code_name(error.code)).member("message", error.message);
  json.member("where", error.where).end_object();
}

std::string state_json(const Engine& engine, std::string_view version, const std::function<bool(const CaptureState&)>& shown) {
  const bool loading = engine.loading();  // first: what is ready afterwards is at least as much
  std::vector<CaptureState> captures = engine.state();
  if (shown) std::erase_if(captures, [&](const CaptureState& capture) { return !shown(capture); });
  const Pairing pairing{engine.all_analyses(), captures.size() == 1};
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("version", version).member("loading", loading);
  json.key("watching").begin_array();
  for (const std::string& path : engine.watched()) json.value(path);
  json.end_array();
  write_views(json, engine.all_analyses());
  json.key("runs").begin_array();
  for_each_group(captures, &CaptureState::run, [&](std::span<const CaptureState> run) { write_run(json, run, pairing); });
  json.end_array().messages().end_object();
  return out;
}

}  // namespace sightline::output
