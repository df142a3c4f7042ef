// The state of an engine on the wire: what is loaded and how far, and which views each profile can have.
// docs/http.md describes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "capture/torch/torch_capture.h"
#include "engine/engine.h"
#include "output/wire.h"

namespace sightline::output {

std::string state_json(const Engine& engine, std::string_view version,
                       const std::function<bool(const CaptureState&)>& shown = {});

// ---- on the wire ----

template <>
struct WireEnum<LoadStatus> {
  static constexpr std::string_view kType = "LoadStatus";
  static constexpr std::array<std::string_view, 4> kNames{
      load_status_name(LoadStatus::queued), load_status_name(LoadStatus::reading), load_status_name(LoadStatus::ready),
      load_status_name(LoadStatus::failed)};
};

template <>
struct WireEnum<Scope> {
  static constexpr std::string_view kType = "ViewScope";
  static constexpr std::array<std::string_view, 5> kNames{"profile", "pair", "ranks", "none", "runs"};
};

struct SentError {
  std::string_view code;
  Message message;
  std::string_view where;
};

struct SentErrorBody {
  SentError error;
};

struct SentView {
  std::string_view id;
  Message title;
  std::string_view group;
  Message doc;
  Scope scope = Scope::profile;
  std::vector<std::string_view> parameters;
};

struct SentCaptureFact {
  std::string_view label;
  Message text;
};

struct SentSpan {
  CaptureState of;
  std::vector<SentCaptureFact> facts;
  std::vector<std::pair<std::string, std::optional<Message>>> views;
};

struct SentWorker {
  std::string name;
  std::vector<SentSpan> spans;
};

struct SentRun {
  std::string name;
  std::vector<SentWorker> workers;
};

// The version of what the server sends (docs/http.md).
inline constexpr int kWireVersion = 1;

struct SentState {
  std::string_view version;
  bool loading = false;
  std::vector<std::string> watching;
  std::vector<SentView> views;
  std::vector<std::string_view> details;
  std::vector<SentRun> runs;
};

template <typename Wire>
void describe(Wire& wire, const SentError& error) {
  wire.type("WireError");
  wire.must("code", error.code);
  wire.must("message", error.message);
  wire.must("where", error.where, "The file and the byte, where there is one.");
}

template <typename Wire>
void describe(Wire& wire, const Error& error) {
  describe(wire, SentError{error_code_name(error.code), error.message, error.where});
}

template <typename Wire>
void describe(Wire& wire, const SentErrorBody& body) {
  wire.type("ErrorBody", "The answer of a request that failed.");
  wire.must("error", body.error);
  wire.messages();
}

template <typename Wire>
void describe(Wire& wire, const SentView& view) {
  wire.type("ViewEntry");
  wire.must("id", view.id);
  wire.must("title", view.title);
  wire.must("group", view.group);
  wire.must("doc", view.doc);
  wire.must("scope", view.scope);
  wire.must("parameters", view.parameters, "Keys of its parameters, to find those that another view shares.");
}

template <typename Wire>
void describe(Wire& wire, const SentCaptureFact& fact) {
  wire.type("FactEntry");
  wire.must("label", fact.label);
  wire.must("text", fact.text);
}

template <typename Wire>
void describe(Wire& wire, const SentSpan& span) {
  const CaptureState& of = span.of;
  const double megabytes = static_cast<double>(of.text_bytes) / 1e6;
  wire.type("SpanState");
  wire.must("name", of.span);
  wire.must("status", of.status);
  wire.must("file", of.file);
  wire.must("stage", of.stage);
  wire.must("bytes_done", of.bytes_done);
  wire.must("bytes_total", of.bytes_total);
  wire.must("events", of.events);
  wire.must("readings", of.readings, "How often the file was read: when it changes, the content has changed.");
  wire.must("megabytes_per_second", KnownNumber{of.seconds > 0 ? megabytes / of.seconds : 0.0});
  wire.must("seconds", KnownNumber{of.seconds}, "Reading time so far, or in total.");
  wire.must("error", of.error);
  wire.must("problems", of.summary ? of.summary->problems : 0);
  wire.must("caution", of.summary ? of.summary->caution : "",
            "A warning to show beside every figure of the profile; usually empty.");
  wire.must("facts", span.facts);
  wire.must("views", span.views, "Per view: null when it is available, else the reason why not.");
}

template <typename Wire>
void describe(Wire& wire, const SentWorker& worker) {
  wire.type("WorkerState");
  wire.must("name", worker.name);
  wire.must("spans", worker.spans);
}

template <typename Wire>
void describe(Wire& wire, const SentRun& run) {
  wire.type("RunState");
  wire.must("name", run.name);
  wire.must("workers", run.workers);
}

template <typename Wire>
void describe(Wire& wire, const SentState& state) {
  wire.type("ServerState");
  wire.must("version", state.version);
  wire.must("wire", kWireVersion, "Grows when a member changes its meaning or goes away; new members alone do not change it.");
  wire.must("loading", state.loading);
  wire.must("watching", state.watching, "Watched paths: new recordings below them appear.");
  wire.must("views", state.views);
  wire.must("details", state.details, "Ids of the views that only rows of other views open.");
  wire.must("runs", state.runs);
  wire.messages();
}

// ---- recording from the page ----

struct SentCapture {
  bool running = false;
  std::optional<std::string> folder{};
  Message progress{}, error{};
  std::vector<Message> notes{};
  std::vector<std::string> files{};
  std::optional<std::vector<TorchListing>> processes{};
};

template <typename Wire>
void describe(Wire& wire, const TorchListing& process) {
  wire.type("CaptureTarget");
  wire.must("pid", process.pid);
  wire.must("user", process.user);
  wire.must("devices", process.devices);
  wire.must("release", process.release, "Of the framework.");
  wire.must("command", process.command);
  wire.must("busy", process.busy, "It is being recorded.");
}

template <typename Wire>
void describe(Wire& wire, const SentCapture& capture) {
  wire.type("CaptureState");
  wire.must("running", capture.running);
  wire.must("folder", capture.folder, "Folder of the results; null: this page cannot record.");
  wire.must("progress", capture.progress);
  wire.must("error", capture.error);
  wire.must("notes", capture.notes);
  wire.must("files", capture.files);
  wire.must("processes", capture.processes, "Result of the last search; null: no search yet.");
  wire.messages();
}

}  // namespace sightline::output
