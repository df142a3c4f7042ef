// The tool diagnose: the Overview in 2 kB: how long a step takes, what it is made of, what to change first and what that can win
// at most, what to beware of, and what this recording cannot tell.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "agent/report_answer.h"
#include "base/fields.h"
#include "base/text.h"

namespace sightline::agent {

namespace {

constexpr std::size_t kMostFindings = 5, kMostCautions = 3, kMostUnknown = 4;
constexpr std::size_t kTitleWidth = 90, kCautionWidth = 160;
constexpr double kWorthwhile = 0.01;     // of the step; what can win less is not listed
constexpr std::size_t kEnoughSteps = 3;  // for a mean that does not depend on one of them

struct Diagnosis {
  const Agent& agent;
  const Agent::Chosen& chosen;
  const Profile& profile;
  const Report& overview;
  const ReportTable* bounds = nullptr;  // parts of the step
  const ReportTable* steps = nullptr;
  bool has_steps = false;  // recorded ones
};

// An object of one of the lists, by name.
struct Listed {
  std::string_view list;
  std::function<void(JsonWriter&)> write;
};

// ---- the step and its parts ----

double number_at(const ReportTable& table, std::string_view column, std::size_t row) {
  return number_of(table.find(column)->values[row]);
}

void write_step(JsonWriter& json, const Diagnosis& of) {
  double step = 0;
  for (std::size_t row = 0; row < of.bounds->rows(); ++row) step += number_at(*of.bounds, "time", row);
  json.key("step").begin_object().key("time_ns");
  write_number(json, step);
  if (!of.has_steps) json.member("is", "the whole recording, because no steps were recorded");
  if (of.has_steps && of.steps != nullptr && of.steps->rows() > 0) {
    double least = number_at(*of.steps, "total", 0), most = least;
    for (std::size_t row = 0; row < of.steps->rows(); ++row) {
      least = std::min(least, number_at(*of.steps, "total", row));
      most = std::max(most, number_at(*of.steps, "total", row));
    }
    json.member("mean_of", static_cast<std::int64_t>(of.steps->rows())).key("min_ns");
    write_number(json, least);
    write_number(json.key("max_ns"), most);
  }
  json.member("id", "overview/bounds").end_object();
}

void write_breakdown(JsonWriter& json, const Diagnosis& of) {
  json.key("breakdown").begin_array();
  for (std::size_t row = 0; row < of.bounds->rows(); ++row) {
    json.begin_object().key("part");
    write_cell(json, of.bounds->find("part")->values[row]);
    write_number(json.key("ns"), number_at(*of.bounds, "time", row));
    write_number(json.key("share"), std::round(number_at(*of.bounds, "share", row) * 1e4) / 1e4);
    json.member("id", evidence_id({"overview", {}, "bounds", row})).end_object();
  }
  json.end_array();
}

// What bounds the step, from the verdict.
void write_bound(JsonWriter& json, const Diagnosis& of) {
  const auto* const strip = panel_of<VerdictStrip>(of.overview, "verdict");
  if (strip == nullptr) return;
  for (const VerdictItem& item : strip->items) {
    if (item.id == "bound") json.member("bound_by", quoted_name(sentences({item.value, item.note}), kCautionWidth));
  }
}

// ---- findings ----

// The call that looks at what the advice links to: a window of the timeline, a call on it, or a view.
void write_next(JsonWriter& json, const Diagnosis& of, const Advice& advice) {
  if (advice.link_view.empty()) return;
  const auto find = [&](std::string_view key) {
    const auto at = std::find_if(advice.link_parameters.begin(), advice.link_parameters.end(),
                                 [&](const auto& pair) { return pair.first == key; });
    return at == advice.link_parameters.end() ? std::string_view() : std::string_view(at->second);
  };
  std::optional<Time> start, end;
  if (const std::vector<std::string_view> range = split_fields(find("timeline.range"), ","); range.size() == 2) {
    start = whole_number<Time>(range[0]);
    end = whole_number<Time>(range[1]);
  } else if (const auto slice = whole_number<Row>(find("slice")); slice && *slice < of.profile.slices.rows()) {
    start = of.profile.slices.start[*slice];
    end = of.profile.end_of(*slice);
  }
  if (advice.link_view == "timeline" && !start) return;
  json.key("next").begin_object().member("tool", start ? "window" : "view").key("arguments").begin_object();
  if (start && end) {
    json.member("start_ns", *start).member("end_ns", *end);
  } else {
    json.member("view", advice.link_view);
    if (!advice.link_parameters.empty()) json.key("params").begin_object();
    for (const auto& [key, value] : advice.link_parameters) json.member(key, quoted_name(value));
    if (!advice.link_parameters.empty()) json.end_object();
  }
  json.end_object().end_object();
}

// How far the figures of this recording can be relied on; a finding without a known gain is a hint.
std::string_view confidence_of(const Diagnosis& of) {
  if (!of.has_steps) return "low";
  return of.steps->rows() >= kEnoughSteps ? "high" : "medium";
}

void add_findings(const Diagnosis& of, std::vector<Listed>& items) {
  const auto* const advice = panel_of<AdviceList>(of.overview, "advice");
  if (advice == nullptr) return;
  for (std::size_t i = 0; i < advice->items.size() && items.size() < kMostFindings; ++i) {
    const Advice& one = advice->items[i];
    if (one.share < kWorthwhile) continue;
    items.push_back({"findings", [&of, &one, i](JsonWriter& json) {
                       json.begin_object().member("rule", one.id).member("title", quoted_name(one.title, kTitleWidth));
                       write_gain(json, one);
                       if (!one.where.empty()) json.member("where", quoted_name(one.where, kTitleWidth));
                       json.member("try", quoted_name(one.brief, kTitleWidth))
                           .member("confidence", std::isnan(one.gain) ? "low" : confidence_of(of));
                       json.member("id", evidence_id({"overview", {}, "advice", i}));
                       write_next(json, of, one);
                       json.end_object();
                     }});
  }
}

// ---- cautions, and what is not recorded ----

void add_cautions(const Diagnosis& of, std::vector<Listed>& items) {
  const auto add = [&](const std::string& text, std::string id) {
    items.push_back({"cautions", [text, id = std::move(id)](JsonWriter& json) {
                       json.begin_object().member("text", quoted_name(text, kCautionWidth));
                       if (!id.empty()) json.member("id", id);
                       json.end_object();
                     }});
  };
  const Result<Report> problems = of.agent.engine().answers().report({.profile = of.chosen.name, .view = "problems"});
  const ReportTable* const table = problems ? problems->find_table("problems") : nullptr;
  for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
    if (table->find("severity")->values[row] == Cell{std::string("note")}) continue;
    add(std::get<std::string>(table->find("message")->values[row]), evidence_id({"problems", {}, "problems", row}));
  }
  for (const Note& note : of.overview.notes) add(note.text, "");
}

// Views that this profile cannot have because something was not recorded; their reasons name what records it.
void add_unknown(const Diagnosis& of, std::vector<Listed>& items) {
  for (const Analysis& view : of.agent.engine().answers().views()) {
    if (!view.unavailable) continue;
    const std::optional<Message> reason = view.unavailable(of.profile);
    if (!reason || reason->find(" record") == std::string::npos || reason->find("=True") == std::string::npos) continue;
    items.push_back(
        {"unknown", [&view, text = *reason](JsonWriter& json) {
           json.begin_object().member("view", view.id).member("reason", quoted_name(text, kCautionWidth)).end_object();
         }});
  }
}

// ---- the whole ----

// The most important first: when not all fit, the last are left out.
std::vector<Listed> items_by_importance(const Diagnosis& of) {
  std::vector<Listed> findings, cautions, unknown, all;
  add_findings(of, findings);
  add_cautions(of, cautions);
  add_unknown(of, unknown);
  const auto take = [&](const std::vector<Listed>& from, std::size_t first, std::size_t most) {
    for (std::size_t i = first; i < std::min(from.size(), most); ++i) all.push_back(from[i]);
  };
  take(findings, 0, 2);
  take(cautions, 0, kMostCautions);
  take(findings, 2, kMostFindings);
  take(unknown, 0, kMostUnknown);
  return all;
}

void write_list(JsonWriter& json, const std::vector<Listed>& items, std::size_t shown, std::string_view list) {
  json.key(list).begin_array();
  for (std::size_t i = 0; i < shown; ++i) {
    if (items[i].list == list) items[i].write(json);
  }
  json.end_array();
}

std::string diagnosis_text(const Diagnosis& of, const std::vector<Listed>& items, std::size_t shown) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_profile(json, "profile", of.chosen);
  if (of.bounds != nullptr) {
    write_step(json, of);
    write_bound(json, of);
    write_breakdown(json, of);
    json.member("confidence", confidence_of(of));
  }
  write_list(json, items, shown, "findings");
  const bool healthy = std::none_of(items.begin(), items.end(), [](const Listed& item) { return item.list == "findings"; });
  if (healthy) {
    for (const Panel& panel : of.overview.panels) {
      if (panel.id == "advice" && !panel.empty.empty()) json.member("nothing_found", quoted_name(panel.empty, kCautionWidth));
    }
  }
  write_list(json, items, shown, "cautions");
  write_list(json, items, shown, "unknown");
  json.member("untrusted", "names in title, where, try, text, reason, bound_by");
  if (const std::string link = of.agent.link(of.chosen.name, "overview"); !link.empty()) json.member("link", link);
  if (shown < items.size())
    write_truncated(json, shown, items.size(), "view overview; view problems; open for unavailable views");
  json.end_object();
  return out;
}

Result<std::string> answer_diagnose(const Agent& agent, const Call& call) {
  const Result<Agent::Chosen> chosen = agent.choose(call.arguments);
  if (!chosen) return chosen.error();
  const Result<ProfilePtr> profile = agent.engine().answers().profile(chosen->name);
  if (!profile) return profile.error();
  const Result<Report> overview = agent.engine().answers().report({.profile = chosen->name, .view = "overview"});
  if (!overview) return overview.error();
  Diagnosis of{agent, *chosen, **profile, *overview};
  of.bounds = overview->find_table("bounds");
  of.steps = overview->find_table("steps");
  of.has_steps = of.steps != nullptr && of.profile.steps.rows() > 0;
  const std::vector<Listed> items = items_by_importance(of);
  std::string text =
      longest_within(kMostDiagnosisBytes, items.size(), [&](std::size_t n) { return diagnosis_text(of, items, n); });
  if (text.empty()) text = diagnosis_text(of, items, 0);  // long names of run and worker
  return text;
}

}  // namespace

Tool diagnose_tool() {
  return {
      "diagnose",
      "What bounds the step",
      "Step time, its exact parts, what to change first and its largest possible gain, the next call, cautions, and what was not "
      "recorded. No findings means that no known bottleneck was found.",
      with_profile({}),
      {{"profile", "object", "Which profile"},
       {"step", "object", "time_ns: mean; the parts of breakdown sum to it", false},
       {"breakdown", "array", "part, ns, share of the step", false},
       {"findings", "array", "By gain; try: what to do; id: evidence; next: the call to make, with the same path and profile"},
       {"cautions", "array", "What makes numbers doubtful"},
       {"unknown", "array", "What cannot be known from this recording, and how to record it"}},
      answer_diagnose};
}

}  // namespace sightline::agent
