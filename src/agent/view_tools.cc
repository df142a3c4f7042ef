// The tools view, compare and window: tables of a report.
#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "agent/report_answer.h"
#include "analyses/whatif/rank_scenario.h"

namespace sightline::agent {

namespace {

constexpr std::int64_t kViewRows = 20, kMostViewRows = 50;
constexpr std::size_t kWidestText = 4000;  // of a row in full

Error too_long(const std::string& narrower) {
  return {ErrorCode::invalid_argument, Message::verbatim("the answer is longer than its limit: " + narrower), ""};
}

using Writing = std::function<void(JsonWriter&)>;

// What every answer about a report begins with.
Writing head_of(const Agent& agent, const Agent::Chosen& chosen, const Report& report) {
  return [&](JsonWriter& json) {
    write_profile(json, "profile", chosen);
    json.member("view", report.view).member("title", std::string_view(report.title));
    if (!report.scope.empty()) json.member("scope", quoted_name(report.scope));
    if (const std::string link = agent.link(chosen.name, report.view); !link.empty()) json.member("link", link);
    write_notes(json, report.notes);
  };
}

// An object with the head and what `rest` adds.
template <typename Rest>
std::string object(const Writing& head, const Rest& rest) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  head(json);
  rest(json);
  json.end_object();
  return out;
}

// ---- view: one row in full ----

template <typename Content, typename Rows, typename Write>
bool write_row_of_panel(JsonWriter& json, const Report& report, const Evidence& evidence, Rows Content::*rows,
                        const Write& write) {
  const auto* const content = panel_of<Content>(report, evidence.part);
  if (content == nullptr || evidence.row >= (content->*rows).size()) return false;
  write(json.key("item"), (content->*rows)[evidence.row], evidence);
  return true;
}

void write_row(JsonWriter& json, const ReportTable& table, std::size_t row, std::size_t width) {
  bool cut = false;
  json.key("row").begin_array();
  for (const ReportColumn& column : table.columns) {
    const Cell cell = column.values[row];
    json.begin_object().member("key", column.key).key("value");
    write_cell(json, cell, width);
    if (column.unit != Unit::none) json.member("unit", unit_name(column.unit));
    if (is_untrusted(column)) json.member("untrusted", true);
    if (is_unknown(cell) && !column.unknown.empty()) json.member("unknown", std::string_view(column.unknown));
    json.end_object();
    const auto* const text = std::get_if<std::string>(&cell);
    cut = cut || (text != nullptr && text->size() > width);
  }
  json.end_array();
  if (cut) write_truncated(json, width, 0, "texts are cut to this many characters: query reads them in parts with substr()");
}

Result<std::string> row_answer(const Writing& head, const Report& report, const Evidence& evidence) {
  const ReportTable* const table = report.find_table(evidence.part);
  if (table != nullptr && evidence.row < table->rows()) {
    std::string text = longest_within(kMostBytes, kWidestText, [&](std::size_t width) {
      return object(head, [&](JsonWriter& json) { write_row(json, *table, evidence.row, width); });
    });
    if (text.empty()) return too_long("view with this table, columns and sort");
    return text;
  }
  bool found = false;
  std::string text = object(head, [&](JsonWriter& json) {
    found = write_row_of_panel(json, report, evidence, &AdviceList::items, write_advice) ||
            write_row_of_panel(json, report, evidence, &FactSheet::facts, write_fact) ||
            write_row_of_panel(json, report, evidence, &VerdictStrip::items, write_verdict_item);
  });
  if (found) return text;
  std::string parts;
  for (const ReportTable& each : report.tables) parts += fmt::format(" {} ({} rows)", each.key, each.rows());
  return Error{ErrorCode::not_found,
               Message::verbatim(fmt::format("no row {} of '{}'; tables:{}", evidence.row, quoted_name(evidence.part), parts)),
               ""};
}

// ---- view: a report ----

// Facts, advice and figures of the verdict, in the order of the panels, each with the member that lists it.
std::vector<std::pair<std::string_view, Writing>> items_of(const Report& report, const Evidence& question) {
  std::vector<std::pair<std::string_view, Writing>> items;
  for (const Panel& panel : report.panels) {
    Evidence evidence = question;
    evidence.part = panel.id;
    const auto add = [&](std::string_view list, const auto& all, auto write) {
      for (evidence.row = 0; evidence.row < all.size(); ++evidence.row)
        items.emplace_back(list, [write, &one = all[evidence.row], evidence](JsonWriter& json) { write(json, one, evidence); });
    };
    if (const auto* strip = panel.as<VerdictStrip>()) add("verdict", strip->items, write_verdict_item);
    if (const auto* advice = panel.as<AdviceList>()) add("advice", advice->items, write_advice);
    if (const auto* sheet = panel.as<FactSheet>()) add("facts", sheet->facts, write_fact);
  }
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return items;
}

void write_items(JsonWriter& json, const std::vector<std::pair<std::string_view, Writing>>& items, std::size_t shown) {
  for (std::size_t i = 0; i < shown; ++i) {
    if (i == 0 || items[i].first != items[i - 1].first) json.key(items[i].first).begin_array();
    items[i].second(json);
    if (i + 1 == shown || items[i + 1].first != items[i].first) json.end_array();
  }
}

std::string first_table(const Report& report) {
  for (const Panel& panel : report.panels) {
    if (report.find_table(panel.table()) != nullptr && !panel.as<VerdictStrip>()) return panel.table();
  }
  return report.tables.empty() ? "" : report.tables.front().key;
}

void write_other_tables(JsonWriter& json, const Report& report, std::string_view shown) {
  json.key("other_tables").begin_array();
  for (const ReportTable& table : report.tables) {
    if (table.key == shown) continue;
    json.begin_object().member("key", table.key).member("rows", static_cast<std::int64_t>(table.rows())).end_object();
  }
  json.end_array();
}

void write_parameters(JsonWriter& json, const Report& report) {
  if (report.parameters.empty()) return;
  json.key("params").begin_object();
  for (const Parameter& parameter : report.parameters) json.member(parameter.key, quoted_name(parameter.value));
  json.end_object();
}

Result<std::string> report_answer(const Writing& head, const Report& report, const Evidence& question, const TableWish& wish,
                                  std::size_t most_rows) {
  TableWish wanted = wish;
  if (wanted.table.empty()) wanted.table = first_table(report);
  ShownRows rows;
  if (!wanted.table.empty()) {
    Result<ShownRows> found = find_rows(report, wanted);
    if (!found) return found.error();
    rows = *std::move(found);
  }
  const auto items = wish.table.empty() ? items_of(report, question) : std::vector<std::pair<std::string_view, Writing>>();
  const std::size_t total = items.size() + rows.rows.size();
  const std::size_t most = items.size() + std::min(most_rows, rows.rows.size());
  std::string text = longest_within(kMostBytes, most, [&](std::size_t shown) {
    return object(head, [&](JsonWriter& json) {
      const std::size_t shown_items = std::min(shown, items.size());
      write_parameters(json, report);
      write_items(json, items, shown_items);
      if (rows.table != nullptr) {
        json.key("tables").begin_array();
        write_table(json, rows, shown - shown_items, question);
        json.end_array();
      }
      write_other_tables(json, report, wanted.table);
      if (shown < total) write_truncated(json, shown, total, "columns, sort, rows <= 50, params of the view; query for more");
    });
  });
  if (text.empty()) return too_long("name a table and columns");
  return text;
}

Result<std::string> answer_view(const Agent& agent, const Call& call) {
  const Arguments& given = call.arguments;
  const Result<Agent::Chosen> chosen = agent.choose(given);
  if (!chosen) return chosen.error();
  Question question{.profile = chosen->name, .view = given.text("view"), .parameters = given.map("params")};
  const bool one_row = given.has("evidence");
  Evidence evidence;
  if (one_row) {
    const Result<Evidence> parsed = parse_evidence(given.text("evidence"));
    if (!parsed) return parsed.error();
    evidence = *parsed;
    question.view = evidence.view;
    question.parameters = {evidence.parameters.begin(), evidence.parameters.end()};
  }
  const Result<Report> report = agent.engine().answers().report(question);
  if (!report) return report.error();
  const Writing head = head_of(agent, *chosen, *report);
  if (one_row) return row_answer(head, *report, evidence);
  const TableWish wish{given.text("table"), given.texts("columns"), given.text("sort")};
  return report_answer(head, *report, question_of(question), wish, static_cast<std::size_t>(given.integer("rows", kViewRows)));
}

// ---- several tables at once: compare and window ----

struct Part {
  TableWish wish;
  std::size_t most_rows = 0;
};

// The tables that the report has and that have rows, each with at most its number of rows; all shorter when they do not fit.
Result<std::string> parts_answer(const Writing& head, const Report& report, const Evidence& question,
                                 const std::vector<Part>& parts, std::string_view narrower) {
  std::vector<std::pair<ShownRows, std::size_t>> shown;
  std::size_t most = 0;
  for (const Part& part : parts) {
    const ReportTable* const table = report.find_table(part.wish.table);
    if (table == nullptr || table->rows() == 0) continue;
    Result<ShownRows> rows = find_rows(report, part.wish);
    if (!rows) return rows.error();
    std::erase_if(rows->columns,
                  [](const ReportColumn* column) { return std::holds_alternative<std::monostate>(column->values.storage()); });
    shown.emplace_back(*std::move(rows), part.most_rows);
    most = std::max(most, std::min(part.most_rows, table->rows()));
  }
  std::string text = longest_within(kMostBytes, most, [&](std::size_t rows) {
    return object(head, [&](JsonWriter& json) {
      json.key("tables").begin_array();
      std::size_t written = 0, total = 0;
      for (const auto& [each, most_rows] : shown) {
        const std::size_t own = std::min({rows, most_rows, each.rows.size()});
        write_table(json, each, own, question);
        written += own;
        total += each.rows.size();
      }
      json.end_array();
      if (written < total) write_truncated(json, written, total, narrower);
    });
  });
  if (text.empty()) return too_long("use view with a table and columns");
  return text;
}

Result<Agent::Chosen> choose_other(const Agent& agent, const Arguments& given, const Agent::Chosen& first) {
  const bool named = given.has("other_path") || given.has("other_run") || given.has("other_worker") || given.has("other_span");
  if (named) return agent.choose(given, "other_");
  const Result<std::vector<CapturePtr>> all = agent.captures(given.text("path"));
  if (!all) return all.error();
  for (const CapturePtr& capture : *all) {
    if (capture != first.capture && !capture->not_ready()) return Agent::Chosen{capture, capture->name(), 1};
  }
  return Error{ErrorCode::invalid_argument,
               Message::verbatim("there is only one profile here: name the other one by other_path, other_run or other_span"),
               ""};
}

bool is_known(const Report& report, std::string_view table, std::string_view column) {
  const ReportTable* const found = report.find_table(table);
  const ReportColumn* const values = found == nullptr ? nullptr : found->find(column);
  if (values == nullptr) return false;
  for (std::size_t row = 0; row < values->values.size(); ++row) {
    if (!is_unknown(values->values[row])) return true;
  }
  return false;
}

Result<std::string> answer_compare(const Agent& agent, const Call& call) {
  const Arguments& given = call.arguments;
  const Result<Agent::Chosen> baseline = agent.choose(given);
  if (!baseline) return baseline.error();
  const Result<Agent::Chosen> other = choose_other(agent, given, *baseline);
  if (!other) return other.error();
  Question question{.profile = baseline->name, .view = "diff", .other = other->name};
  if (given.has("node")) question.parameters.emplace_back("node", given.text("node"));
  Evidence evidence;
  if (given.has("evidence")) {
    const Result<Evidence> parsed = parse_evidence(given.text("evidence"));
    if (!parsed) return parsed.error();
    evidence = *parsed;
    question.parameters = {evidence.parameters.begin(), evidence.parameters.end()};
  }
  const Result<Report> report = agent.engine().answers().report(question);
  if (!report) return report.error();
  const Writing own_head = head_of(agent, *baseline, *report);
  const Writing head = [&](JsonWriter& json) {
    own_head(json);
    write_profile(json, "other", *other);
  };
  if (given.has("evidence")) return row_answer(head, *report, evidence);
  const std::string measure = is_known(*report, "operators", "change_device_self") ? "device_self" : "host_self";
  const std::vector<Part> parts{
      {{"step_time", {"name", "baseline_time", "compared_time", "change_time", "change_time_share"}, ""}, 12},
      {{"sums", {"name", "baseline_time", "compared_time", "change_time"}, ""}, 8},
      {{"memory", {"name", "baseline_bytes", "compared_bytes", "change_bytes"}, ""}, 4},
      {{"parts", {"name", "kind", "only_in", "baseline_time", "compared_time", "change_time", "node"}, ""}, 15},
      {{"operators", {"name", "baseline_" + measure, "compared_" + measure, "change_" + measure, "change_calls"}, ""}, 15}};
  return parts_answer(head, *report, question_of(question), parts,
                      "node: the id of a part, to divide it; view diff with a table");
}

Result<std::string> answer_window(const Agent& agent, const Call& call) {
  const Arguments& given = call.arguments;
  const Result<Agent::Chosen> chosen = agent.choose(given);
  if (!chosen) return chosen.error();
  Question question{.profile = chosen->name, .view = "range"};
  for (const auto& [input, key] : {std::pair{"start_ns", "start"}, std::pair{"end_ns", "end"}}) {
    if (given.has(input)) question.parameters.emplace_back(key, std::to_string(given.integer(input, 0)));
  }
  if (given.has("lanes")) question.parameters.emplace_back("lanes", given.text("lanes"));
  const Result<Report> report = agent.engine().answers().report(question);
  if (!report) return report.error();
  const std::vector<std::string> names{"name", "category", "count", "total", "self", "max", "longest_slice"};
  const std::vector<Part> parts{{{"lanes", {"lane", "process", "count", "total", "wall", "share"}, ""}, 10},
                                {{"device_names", names, "-self"}, 20},
                                {{"host_names", names, "-self"}, 30}};
  return parts_answer(head_of(agent, *chosen, *report), *report, question_of(question), parts,
                      "a shorter window, or lanes; view range with a table");
}

// The changes of the call, and what each name would win; without changes only the latter.
Result<std::string> answer_what_if(const Agent& agent, const Call& call) {
  const Arguments& given = call.arguments;
  const Result<Agent::Chosen> chosen = agent.choose(given);
  if (!chosen) return chosen.error();
  std::string changes;
  for (const std::string& change : given.texts("changes")) changes.append(changes.empty() ? "" : "; ").append(change);
  const std::string view = is_about_ranks(changes) ? "what_if_ranks" : "what_if";
  const Question question{.profile = chosen->name, .view = view, .parameters = {{"change", changes}}};
  const Result<Report> report = agent.engine().answers().report(question);
  if (!report) return report.error();
  const Evidence evidence = question_of(question);
  const Writing own_head = head_of(agent, *chosen, *report);
  const Writing head = [&](JsonWriter& json) {
    own_head(json);
    const auto* const prediction = panel_of<FactSheet>(*report, "prediction");
    if (prediction == nullptr) return;
    json.key("prediction").begin_array();
    for (std::size_t i = 0; i < prediction->facts.size(); ++i)
      write_fact(json, prediction->facts[i], {evidence.view, evidence.parameters, "prediction", i});
    json.end_array();
  };
  const std::vector<Part> parts{{{"changes", {}, ""}, 10},
                                {{"steps", {"step", "recorded", "predicted", "gain"}, ""}, 10},
                                {{"ranks", {"worker", "step", "waiting", "caused", "gain", "change"}, "-gain"}, 16},
                                {{"gains", {"kind", "name", "works", "time", "share", "half", "free", "change"}, "-half"}, 20}};
  return parts_answer(head, *report, evidence, parts, "view what_if with a table");
}

}  // namespace

Tool view_tool() {
  return {
      "view",
      "One table of a view",
      "Rows of one table of a view, with units and evidence ids; or, with evidence, the row that an id names, in full. Views "
      "that this profile has: open.",
      with_profile({{"view", InputType::text, "Id of a view, such as kernels"},
                    {"evidence", InputType::text, "Instead of a view: an id from an answer"},
                    {"params", InputType::map, "Parameters of the view"},
                    {"table", InputType::text, "Key of a table; default: the view's first"},
                    {"columns", InputType::texts, "Keys of columns; default: all that say something"},
                    {"sort", InputType::text, "-column: largest first; column: smallest first"},
                    {"rows", InputType::integer, "Default 20", false, 1, kMostViewRows}}),
      {{"profile", "object", "Which profile"}, {"view", "string", "Its id"}, {"tables", "array", "With columns and rows", false}},
      answer_view};
}

Tool compare_tool() {
  return {"compare",
          "Two profiles",
          "What differs between a profile (the baseline) and another one: step time, sums, memory, parts of the call tree, "
          "operators.",
          with_profile({{"other_path", InputType::text, "The other profile; default: the next one of path"},
                        {"other_run", InputType::text, "Its run"},
                        {"other_worker", InputType::text, "Its worker"},
                        {"other_span", InputType::text, "Its span"},
                        {"node", InputType::text, "A part, as the column node names it: its own parts"},
                        {"evidence", InputType::text, "An id from an answer of compare: its row in full"}}),
          {{"profile", "object", "The baseline"},
           {"other", "object", "The other profile"},
           {"tables", "array", "Differences", false}},
          answer_compare};
}

Tool window_tool() {
  return {"window",
          "What ran in a window",
          "What ran between two times of the recording: lanes, and names with their self time, separately for device and host.",
          with_profile({{"start_ns", InputType::integer, "Start, ns of the recording"},
                        {"end_ns", InputType::integer, "End, ns of the recording"},
                        {"lanes", InputType::text, "Numbers of lanes, with commas; default: all"}}),
          {{"profile", "object", "Which profile"}, {"tables", "array", "Lanes and names"}},
          answer_window};
}

Tool what_if_tool() {
  return {"what_if",
          "What a change would win",
          "The step time if something were faster, by replaying the recording with its dependencies. Without changes: what each "
          "kernel, operator and module would win if it were twice as fast, or free.",
          with_profile({{"changes", InputType::texts,
                         "Such as kernel:NAME*0.5, operator:NAME free, category:NAME roofline, collective:NAME hidden, host*0.5, "
                         "data-loading*0, no-sync, one-graph"}}),
          {{"profile", "object", "Which profile"},
           {"prediction", "array", "Step as recorded and predicted, gain, and whether it is a bound", false},
           {"tables", "array", "changes, steps, gains"}},
          answer_what_if};
}

}  // namespace sightline::agent
