// The tools open and query.
#include <fmt/core.h>

#include <algorithm>

#include "agent/report_answer.h"
#include "engine/sql_reports.h"
#include "sql/sql_tables.h"

namespace sightline::agent {

namespace {

constexpr std::int64_t kQueryRows = 50, kMostQueryRows = 200;
constexpr std::size_t kCountedRows = 10'000;  // of a query: up to here its answer says how many rows there are
constexpr std::size_t kReasonWidth = 120, kShortReason = 40;

// ---- open ----

void write_capture(JsonWriter& json, const CaptureState& capture) {
  json.begin_object().member("run", quoted_name(capture.run)).member("worker", quoted_name(capture.worker));
  json.member("span", quoted_name(capture.span)).member("state", load_status_name(capture.status));
  if (capture.error) json.member("error", quoted_name(capture.error->to_string(), 400));
  if (capture.summary) {
    for (const CaptureFact& fact : capture.summary->facts) json.member(fact.label, quoted_name(fact.text));
    if (capture.summary->problems > 0) json.member("problems", capture.summary->problems);
    if (!capture.summary->caution.empty()) json.member("caution", quoted_name(capture.summary->caution, 400));
  }
  json.end_object();
}

// Of the first profile that could be read; others may differ. `width`: of a reason.
void write_views(JsonWriter& json, const Engine& engine, const CaptureSummary& summary, std::size_t width) {
  const auto write = [&](std::string_view key, bool available) {
    json.key(key);
    available ? json.begin_array() : json.begin_object();
    for (const auto& [id, reason] : summary.views) {
      const Analysis* const view = find_view(engine, id);
      if (view == nullptr || view->scope() == Scope::none || reason.has_value() == available) continue;
      available ? json.value(id) : json.member(id, quoted_name(*reason, width));
    }
    available ? json.end_array() : json.end_object();
  };
  write("views", true);
  write("unavailable", false);
}

Result<std::string> answer_open(const Agent& agent, const Call& call) {
  const std::string& path = call.arguments.text("path");
  const Result<std::vector<CapturePtr>> captures = agent.captures(path);
  if (!captures) return captures.error();
  std::vector<CaptureState> states;
  for (const CapturePtr& capture : *captures) states.push_back(capture->state());
  const auto ready = std::find_if(states.begin(), states.end(), [](const CaptureState& each) { return each.summary != nullptr; });
  const auto write = [&](std::size_t shown, std::size_t width) {
    std::string out;
    JsonWriter json(out);
    json.begin_object().key("profiles").begin_array();
    for (std::size_t i = 0; i < shown; ++i) write_capture(json, states[i]);
    json.end_array().member("untrusted", "names of runs, workers and spans");
    if (ready != states.end()) {
      write_views(json, agent.engine(), *ready->summary, width);
      json.key("next").begin_object().member("tool", "diagnose").end_object();
      if (const std::string link = agent.link({ready->run, ready->worker, ready->span}, "overview"); !link.empty())
        json.member("link", link);
    }
    if (shown < states.size()) write_truncated(json, shown, states.size(), "the path of one run");
    json.end_object();
    return out;
  };
  for (const std::size_t width : {kReasonWidth, kShortReason}) {
    std::string text = longest_within(kMostBytes, states.size(), [&](std::size_t shown) { return write(shown, width); });
    if (!text.empty()) return text;
  }
  return Error{ErrorCode::invalid_argument,
               Message::verbatim("the answer has too many views for its limit: call diagnose or view instead"), ""};
}

// ---- query ----

Result<std::string> schema_answer(const Profile& profile, const std::string& wanted) {
  const std::vector<SchemaTable> tables = sql_schema(profile);
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  if (wanted == "all") {
    json.key("tables").begin_array();
    for (const SchemaTable& table : tables) {
      if (table.is_view || table.rows > 0) json.value(table.name);
    }
    json.end_array().key("examples").begin_array();
    for (const SqlExample& example : sql_examples().first(std::min<std::size_t>(sql_examples().size(), 4)))
      json.value(example.sql);
    json.end_array().member("next", "schema with the name of a table").end_object();
    return out;
  }
  const auto table = std::find_if(tables.begin(), tables.end(), [&](const SchemaTable& each) { return each.name == wanted; });
  if (table == tables.end()) {
    std::string names;
    for (const SchemaTable& each : tables) names.append(names.empty() ? "" : ", ").append(each.name);
    return Error{ErrorCode::not_found,
                 Message::verbatim(fmt::format("no table '{}'; valid: all, {}", quoted_name(wanted), names)), ""};
  }
  json.member("table", table->name).member("doc", table->doc).member("rows", static_cast<std::int64_t>(table->rows));
  json.key("columns").begin_array();
  for (const SchemaColumn& column : table->columns) {
    json.begin_object().member("name", column.name).member("type", column.type);
    if (column.unit != Unit::none) json.member("unit", unit_name(column.unit));
    json.member("doc", column.doc);
    if (!column.row_of.empty()) json.member("row_of", column.row_of);
    json.end_object();
  }
  json.end_array().end_object();
  return out;
}

void write_sql_rows(JsonWriter& json, const ReportTable& table, std::size_t shown) {
  json.key("columns").begin_array();
  for (const ReportColumn& column : table.columns) {
    json.begin_object().member("key", column.key);
    if (column.unit != Unit::none) json.member("unit", unit_name(column.unit));
    if (is_untrusted(column)) json.member("untrusted", true);
    json.end_object();
  }
  json.end_array().key("rows").begin_array();
  for (std::size_t row = 0; row < shown; ++row) {
    json.begin_array();
    for (const ReportColumn& column : table.columns) write_cell(json, column.values[row]);
    json.end_array();
  }
  json.end_array();
}

Result<std::string> answer_query(const Agent& agent, const Call& call) {
  const Arguments& given = call.arguments;
  const Result<Agent::Chosen> chosen = agent.choose(given);
  if (!chosen) return chosen.error();
  const Result<ProfilePtr> profile = agent.engine().answers().profile(chosen->name);
  if (!profile) return profile.error();
  if (given.has("schema")) return schema_answer(**profile, given.text("schema"));
  if (!given.has("sql"))
    return Error{ErrorCode::invalid_argument, Message::verbatim("give sql, one SELECT; or schema: all, or the name of a table"),
                 ""};
  const SqlLimits limits{.rows = kCountedRows, .memory = memory_per_query(agent.engine().loader().memory()), .stop = call.stop};
  const Result<Report> report = query_report(**profile, given.text("sql"), limits);
  if (!report) return report.error();
  const ReportTable& table = *report->find_table("result");
  const bool counted = report->panels.front().notes.empty();  // a note says that the answer is cut off
  const auto most = std::min(table.rows(), static_cast<std::size_t>(given.integer("rows", kQueryRows)));
  std::string text = longest_within(kMostBytes, most, [&](std::size_t shown) {
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    write_profile(json, "profile", *chosen);
    write_sql_rows(json, table, shown);
    json.member("total", static_cast<std::int64_t>(table.rows()));
    if (!counted || shown < table.rows())
      write_truncated(json, shown, counted ? table.rows() : 0, "fewer columns, WHERE, GROUP BY, or LIMIT with OFFSET");
    json.end_object();
    return out;
  });
  if (text.empty())
    return Error{ErrorCode::invalid_argument, Message::verbatim("the answer has too many columns for its limit: select fewer"),
                 ""};
  return text;
}

}  // namespace

const Analysis* find_view(const Engine& engine, std::string_view id) {
  const std::span<const Analysis> views = engine.answers().views();
  const auto at = std::find_if(views.begin(), views.end(), [&](const Analysis& view) { return view.id == id; });
  return at == views.end() ? nullptr : &*at;
}

Tool open_tool() {
  return {
      "open",
      "What a path holds",
      "Reads the profiles of a file or folder; lists runs, workers and spans, the views that there are, and why others are not. "
      "Call it first.",
      {{"path", InputType::text, "File or folder; default: those the server was started with"}},
      {{"profiles", "array", "run, worker, span, state, facts"},
       {"views", "array", "Ids of views", false},
       {"unavailable", "object", "Why other views are not available", false}},
      answer_open};
}

Tool query_tool() {
  return {
      "query",
      "SQL",
      "One SELECT over the tables of a profile; times are ns, rows of other tables are their id. schema=all lists the tables.",
      with_profile({{"sql", InputType::text, "One SELECT"},
                    {"schema", InputType::text, "Instead of sql: all, or the name of a table"},
                    {"rows", InputType::integer, "Default 50", false, 1, kMostQueryRows}}),
      {{"columns", "array", "With units", false}, {"rows", "array", "Lists of cells", false}},
      answer_query};
}

}  // namespace sightline::agent
