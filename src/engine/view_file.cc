// Reads the header line by line, and puts the answer of the SQL into the panels that it declares.
#include "engine/view_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "analyses/words.h"
#include "base/fields.h"
#include "base/text.h"
#include "engine/repeated_panels.h"
#include "engine/sql_reports.h"
#include "sql/sql_tables.h"

namespace sightline::engine {

namespace {

constexpr int kMostTop = 1000;  // parts of a breakdown

Error fault(const std::string& file, int line, TemplateMessage message) {
  return {ErrorCode::malformed, std::move(message), fmt::format("{}, line {}", file, line)};
}

bool is_key(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_'; };
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), fits);
}

// ---- the words of a line ----

// `name`, `name=value` or a text in quotes; a value may be in quotes as well.
struct Word {
  std::string text;
  std::string value{};
  bool quoted = false;
};

// Nothing: a quote is not closed.
std::optional<std::vector<Word>> words_of(std::string_view rest) {
  std::vector<Word> words;
  while (!(rest = trimmed(rest)).empty()) {
    const auto quote = [&](std::string& into) {
      const std::size_t end = rest.find('"', 1);
      if (end == std::string_view::npos) return false;
      into = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
      return true;
    };
    const auto plain = [&](std::string_view ends, std::string& into) {
      const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
      into = rest.substr(0, end);
      rest.remove_prefix(end);
    };
    Word word{.text = {}, .quoted = rest.front() == '"'};
    if (word.quoted && !quote(word.text)) return std::nullopt;
    if (!word.quoted) plain(" \t=", word.text);
    if (!word.quoted && rest.starts_with('=')) {
      rest.remove_prefix(1);
      if (!rest.starts_with('"')) {
        plain(" \t", word.value);
      } else if (!quote(word.value)) {
        return std::nullopt;
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

template <typename Value>
using Choices = std::map<std::string, Value, std::less<>>;

template <typename Value>
std::string names_of(const Choices<Value>& choices) {
  std::string names;
  for (const auto& choice : choices) names += (names.empty() ? "" : ", ") + choice.first;
  return names;
}

const Choices<ViewGroup> kGroups{{"where_time_went", ViewGroup::where_time_went},
                                 {"when", ViewGroup::when},
                                 {"memory", ViewGroup::memory},
                                 {"fleet", ViewGroup::fleet},
                                 {"data", ViewGroup::data}};
const Choices<ParameterType> kTypes{{"integer", ParameterType::integer},
                                    {"text", ParameterType::text},
                                    {"flag", ParameterType::flag},
                                    {"time", ParameterType::time}};

const Choices<Unit>& units() {
  static const Choices<Unit> all = [] {
    Choices<Unit> made;
    for (int unit = 0; unit <= static_cast<int>(Unit::id); ++unit)
      made.emplace(unit_name(static_cast<Unit>(unit)), static_cast<Unit>(unit));
    return made;
  }();
  return all;
}

// The arguments that a panel of a kind requires and allows.
struct PanelForm {
  PanelContent content;
  std::vector<std::string_view> needs;
};
const Choices<PanelForm> kPanels{{"table", {PlainTable(), {}}},        {"breakdown", {BreakdownChart(), {"label", "value"}}},
                                 {"bars", {BarChart(), {"x", "y"}}},   {"heatmap", {HeatmapChart(), {"x", "y", "value"}}},
                                 {"lines", {LineChart(), {"x", "y"}}}, {"scatter", {ScatterChart(), {"label", "x", "y"}}}};

// ---- the header ----

// The error of a line; empty: none.
using Fault = std::string;

class Header {
 public:
  explicit Header(ViewFile& view) : view_(view) {}

  Fault take(std::string_view key, std::string_view rest, int line) {
    static const Choices<Fault (Header::*)(std::string_view)> kLines{
        {"id", &Header::id},       {"title", &Header::title}, {"group", &Header::group},
        {"doc", &Header::doc},     {"rows", &Header::rows},   {"parameter", &Header::parameter},
        {"needs", &Header::needs}, {"panel", &Header::panel}, {"column", &Header::column},
        {"link", &Header::link}};
    const auto known = kLines.find(key);
    if (known == kLines.end()) return fmt::format("unknown header line '{}'; known are: {}", key, names_of(kLines));
    line_ = line;
    if (rest.empty()) return fmt::format("'{}' has no value", key);
    return (this->*known->second)(rest);
  }

 private:
  Fault id(std::string_view rest) {
    if (!is_key(rest)) return fmt::format("an id is made of a-z, 0-9 and _, and begins with a letter, not '{}'", rest);
    return once(view_.id, "id", rest);
  }
  Fault title(std::string_view rest) { return once(view_.title, "title", rest); }
  Fault doc(std::string_view rest) { return once(view_.doc, "doc", rest); }

  Fault group(std::string_view rest) {
    const auto known = kGroups.find(rest);
    if (known == kGroups.end()) return fmt::format("no group '{}'; available: {}", rest, names_of(kGroups));
    view_.group = known->second;
    return "";
  }

  Fault rows(std::string_view rest) {
    const auto words = words_of(rest);
    if (!words || words->size() != 2) return R"(write the singular and the plural: rows: "gap" "gaps")";
    view_.row = (*words)[0].text;
    view_.rows = (*words)[1].text;
    return "";
  }

  // kernels steps "why there is no such view"
  Fault needs(std::string_view rest) {
    const auto words = words_of(rest);
    if (!words) return "a quote is not closed";
    const std::vector<SchemaTable> tables = sql_schema(Profile{});
    for (const Word& word : *words) {
      if (word.quoted) {
        for (auto need = view_.needs.rbegin(); need != view_.needs.rend() && need->reason.empty(); ++need)
          need->reason = Message(word.text);
        continue;
      }
      if (std::none_of(tables.begin(), tables.end(), [&](const SchemaTable& table) { return table.name == word.text; }))
        return fmt::format("no table '{}'; `sightline query PATH --schema` lists them", word.text);
      view_.needs.push_back({word.text, ""});
    }
    return "";
  }

  // least integer 1000000 "Shortest gap, ns" "What it means", or by name|stream name "Rows" stream="Streams of a device"
  Fault parameter(std::string_view rest) {
    auto words = words_of(rest);
    Choices<std::string> titles;
    for (; words && !words->empty() && !words->back().value.empty(); words->pop_back())
      titles[words->back().text] = words->back().value;
    if (!words || words->size() < 4 || words->size() > 5 || !(*words)[3].quoted)
      return R"(write a parameter as: name type default "Title" "what it means", the last if needed)";
    const std::string &key = (*words)[0].text, &type = (*words)[1].text;
    constexpr std::string_view kTaken[] = {"run",  "worker", "span",  "other_run", "other_worker", "other_span",
                                           "view", "format", "table", "token",     "lang",         "find",
                                           "top",  "slice",  "place", "step"};
    if (!is_key(key)) return fmt::format("a parameter is made of a-z, 0-9 and _, and begins with a letter, not '{}'", key);
    if (std::find(std::begin(kTaken), std::end(kTaken), key) != std::end(kTaken))
      return fmt::format("'{}' is reserved: choose another name for the parameter", key);
    if (std::any_of(view_.parameters.begin(), view_.parameters.end(), [&](const Parameter& other) { return other.key == key; }))
      return fmt::format("the parameter '{}' occurs twice", key);
    Parameter made{.key = key, .title = Message((*words)[3].text), .type = ParameterType::choice, .value = (*words)[2].text};
    if (words->size() == 5) made.doc = Message((*words)[4].text);
    if (type.find('|') == std::string::npos) {
      const auto known = kTypes.find(type);
      if (known == kTypes.end()) return fmt::format("no type '{}'; available: {}, and choices as a|b", type, names_of(kTypes));
      made.type = known->second;
    } else {
      for (std::size_t at = 0, end = 0; end < type.size(); at = end + 1) {
        end = std::min(type.find('|', at), type.size());
        const std::string value = type.substr(at, end - at);
        const auto titled = titles.extract(value);
        made.choices.push_back({value, Message(titled ? titled.mapped() : value)});
      }
    }
    if (!titles.empty()) return fmt::format("'{}' is no choice of the parameter '{}'", titles.begin()->first, key);
    const Analysis alone{
        .id = view_.id, .title = {}, .group = view_.group, .doc = {}, .parameters = {made}, .unavailable = {}, .run = {}};
    if (const Result<Parameters> bound = bind_parameters(alone, {{key, made.value}}); !bound) return bound.error().message;
    view_.parameters.push_back(std::move(made));
    return "";
  }

  // bars x=stream y=gap_ns title="Gaps"
  Fault panel(std::string_view rest) {
    const auto words = words_of(rest);
    if (!words || words->empty()) return "a quote is not closed";
    const auto known = kPanels.find(words->front().text);
    if (known == kPanels.end()) return fmt::format("no panel '{}'; available: {}", words->front().text, names_of(kPanels));
    Panel made{.id = known->first, .title = {}, .content = known->second.content};
    Choices<std::string> given;
    for (auto word = words->begin() + 1; word != words->end(); ++word) given[word->text] = word->value;
    const auto each = given.find("each");
    const std::string repeats = each == given.end() ? "" : each->second;
    if (!repeats.empty() && made.as<LineChart>() != nullptr) given.erase(each);
    for (const std::string_view need : known->second.needs) {
      if (!given.contains(need)) return fmt::format("the panel '{}' needs {}=COLUMN", known->first, need);
    }
    for (const auto& [name, value] : given) {
      if (Fault wrong = option(made, name, value); !wrong.empty()) return wrong;
    }
    for (int i = 2;
         std::any_of(view_.panels.begin(), view_.panels.end(), [&](const Panel& other) { return other.id == made.id; }); ++i)
      made.id = fmt::format("{}_{}", known->first, i);
    if (!repeats.empty()) {
      if (made.as<LineChart>()->series.size() != 1) return "a panel with each= draws one column: y=COLUMN";
      view_.drawn.push_back({repeats, line_});
      view_.repeated.push_back({made.id, repeats});
    }
    view_.panels.push_back(std::move(made));
    return "";
  }

  Fault option(Panel& panel, std::string_view name, const std::string& value) {
    if (name == "title") {
      panel.title = Message(value);
    } else if (name == "doc") {
      panel.doc = Message(value);
    } else if (name == "empty") {
      panel.empty = Message(value);
    } else if (name == "width" && (value == "full" || value == "half" || value == "third")) {
      panel.width = value;
    } else if (name == "top" && panel.as<BreakdownChart>() != nullptr) {
      const auto top = whole_number<int>(value);
      if (!top || *top < 1 || *top > kMostTop) return fmt::format("top is a number from 1 to {}, not '{}'", kMostTop, value);
      panel.as<BreakdownChart>()->top = *top;
    } else if (!std::visit([&](auto& chart) { return this->draw(chart, name, value); }, panel.content)) {
      return fmt::format("the panel '{}' takes no {}{}", panel.id, name, value.empty() ? "" : "=" + value);
    }
    return "";
  }

  // An option that says what a chart draws of which column, or how. False: the chart has no such option.
  template <typename Chart>
  bool draw(Chart& chart, std::string_view name, const std::string& value) {
    [[maybe_unused]] const auto column = [&](const std::string& key) { return view_.drawn.push_back({key, line_}), key; };
    if constexpr (requires { chart.label; }) {
      if (name == "label") return chart.label = column(value), true;
    }
    if constexpr (requires { chart.value; }) {
      if (name == "value") return chart.value = column(value), true;
    }
    if constexpr (requires { chart.x; }) {
      if (name == "x") return chart.x = column(value), true;
    }
    if constexpr (requires { chart.y; }) {
      if (name == "y") return chart.y = column(value), true;
    }
    if constexpr (requires { chart.series; }) {
      for (std::size_t at = 0, end = 0; name == "y" && at < value.size(); at = end + 1) {
        end = std::min(value.find(',', at), value.size());
        chart.series.push_back(column(value.substr(at, end - at)));
      }
      if (name == "y") return true;
    }
    if constexpr (requires { chart.stacked; }) {
      if (name == "stacked") return chart.stacked = true;
    }
    if constexpr (requires { chart.step; }) {
      if (name == "step") return chart.step = true;
    }
    return false;
  }

  // gap_ns unit=ns title="Gap" doc="..."
  Fault column(std::string_view rest) {
    const auto words = words_of(rest);
    if (!words || words->empty()) return "a quote is not closed";
    ViewColumn made{.key = {words->front().text, line_}};
    for (auto word = words->begin() + 1; word != words->end(); ++word) {
      const auto& [name, value, quoted] = *word;
      if (name == "title") {
        made.title = Message(value);
      } else if (name == "doc") {
        made.doc = Message(value);
      } else if (name == "unknown") {
        made.unknown = Message(value);
      } else if (name == "bar") {
        made.bar = value;
        view_.drawn.push_back({value, line_});
      } else if (name == "unit") {
        const auto known = units().find(value);
        if (known == units().end()) return fmt::format("no unit '{}'; available: {}", value, names_of(units()));
        made.unit = known->second;
      } else if (name == "words" || name == "plain") {
        made.text = name == "words" ? ViewColumn::Text::words : ViewColumn::Text::plain;
      } else if (name == "hidden") {
        made.hidden = true;
      } else if (name == "sums") {
        made.sums = true;
      } else {
        return fmt::format("a column takes no '{}'; it takes: bar=, doc=, hidden, plain, sums, title=, unit=, unknown=, words",
                           name);
      }
    }
    view_.columns.push_back(std::move(made));
    return "";
  }

  // "On the timeline" timeline slice=$slice
  Fault link(std::string_view rest) {
    const auto words = words_of(rest);
    if (!words || words->size() < 2 || !words->front().quoted) return R"(write a link as: "Title" view parameter=$column)";
    RowLink made{.title = Message((*words)[0].text), .view = (*words)[1].text, .parameters = {}};
    view_.leads.push_back({made.view, line_});
    for (auto word = words->begin() + 2; word != words->end(); ++word) {
      if (word->value.starts_with('$')) view_.drawn.push_back({word->value.substr(1), line_});
      made.parameters.emplace_back(word->text, word->value);
    }
    view_.links.push_back(std::move(made));
    return "";
  }

  static Fault once(std::string& into, std::string_view key, std::string_view text) {
    if (!into.empty()) return fmt::format("'{}' occurs twice", key);
    into = text;
    return "";
  }

  ViewFile& view_;
  int line_ = 0;
};

// A panel of a file draws the answer's only table.
template <typename Content>
void set_table(Content& content, const std::string& key) {
  if constexpr (requires { content.table; }) content.table = key;
}

// ---- the answer ----

// "gap_ns" -> "Gap".
std::string title_of(std::string_view key, Unit unit) {
  const std::string suffix = "_" + std::string(unit_name(unit));
  if (key.ends_with(suffix)) key.remove_suffix(suffix.size());
  std::string title(key);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

void describe(ReportColumn& column, const ViewColumn& by) {
  if (!by.title.empty()) column.title = by.title;
  if (by.unit) column.unit = *by.unit;
  if (!by.doc.empty()) column.doc = by.doc;
  column.unknown = by.unknown;
  column.bar = by.bar;
  column.hidden = by.hidden;
  column.sums = by.sums;
  if (column.type != CellType::text || by.text == ViewColumn::Text::label) return;
  column.role = ColumnRole::value;
  column.code = false;
  if (by.text == ViewColumn::Text::words) column.words = kAllRows;
}

Result<bool> describe_columns(const ViewFile& view, ReportTable& table) {
  for (ReportColumn& column : table.columns) column.title = Message(title_of(column.key, column.unit));
  const auto find = [&](const std::string& key) {
    return std::find_if(table.columns.begin(), table.columns.end(),
                        [&](const ReportColumn& column) { return column.key == key; });
  };
  const auto missing = [&](const NamedInView& named) {
    std::string names;
    for (const ReportColumn& column : table.columns) names += (names.empty() ? "" : ", ") + column.key;
    return fault(view.file, named.line, say("the answer has no column '{}'; it has: {}", named.name, names));
  };
  for (const ViewColumn& by : view.columns) {
    const auto column = find(by.key.name);
    if (column == table.columns.end()) return missing(by.key);
    describe(*column, by);
  }
  for (const NamedInView& drawn : view.drawn) {
    if (find(drawn.name) == table.columns.end()) return missing(drawn);
  }
  return true;
}

SqlParameter bound(const Parameter& parameter) {
  const std::string& value = parameter.value;
  switch (parameter.type) {
    case ParameterType::integer: return {parameter.key, *whole_number<std::int64_t>(value)};
    case ParameterType::flag: return {parameter.key, value == "true"};
    case ParameterType::time:
      if (value.empty()) return {parameter.key, {}};
      return {parameter.key, *whole_number<std::int64_t>(value)};
    case ParameterType::choice:
    case ParameterType::text: return {parameter.key, value};
  }
  return {parameter.key, {}};
}

}  // namespace

Result<ViewFile> parse_view_file(const std::string& file, const std::string& text) {
  ViewFile view;
  view.file = file;
  Header header(view);
  int line = 0;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    ++line;
    std::string_view each = trimmed(std::string_view(text).substr(at, end - at));
    if (each.empty()) continue;
    if (!each.starts_with("--")) break;  // the SQL begins
    each = trimmed(each.substr(2));
    const std::size_t colon = each.find(':');
    if (colon == std::string_view::npos || !is_key(each.substr(0, colon))) continue;  // a remark
    const Fault wrong = header.take(each.substr(0, colon), trimmed(each.substr(colon + 1)), line);
    if (!wrong.empty()) return fault(file, line, Message::verbatim(wrong));
  }
  if (view.id.empty()) return fault(file, 1, "the header needs an id: -- id: gaps");
  if (view.title.empty()) return fault(file, 1, "the header needs a title: -- title: Gaps");
  if (view.panels.empty()) view.panels.push_back({.id = "table", .title = Message(view.title), .content = PlainTable()});
  for (Panel& panel : view.panels) {
    std::visit([&](auto& drawn) { set_table(drawn, view.id); }, panel.content);
    if (panel.id == "table") panel.id = view.id;
    if (panel.title.empty()) panel.title = Message(view.title);
    if (panel.empty.empty()) panel.empty = "The query has no result rows.";
  }
  view.sql = text;
  return view;
}

Result<Report> view_report(const ViewFile& view, SqlAnswer answer) {
  ReportTable& table = answer.table;
  if (const Result<bool> described = describe_columns(view, table); !described) return described.error();
  table.key = view.id;
  table.title = Message(view.title);
  table.row_links = view.links;
  Report report{.view = view.id, .title = Message(view.title)};
  const auto rows = static_cast<std::int64_t>(table.rows());
  report.scope =
      Message(Message::Kind::filled, {"{} " + (rows == 1 ? view.row : view.rows), {Message::verbatim(count_words(rows))}});
  report.notes = notes_of_cut(answer);
  for (const Panel& panel : view.panels) {
    const auto repeated = std::find_if(view.repeated.begin(), view.repeated.end(),
                                       [&](const RepeatedPanel& each) { return each.panel == panel.id; });
    if (repeated != view.repeated.end()) {
      repeat_panel(panel, repeated->each, table, report);
    } else {
      report.panels.push_back(panel);
    }
  }
  report.tables.insert(report.tables.begin(), std::move(table));
  return report;
}

Result<Report> run_view_file(const ViewFile& view, const Profile& profile, const Parameters& parameters) {
  const SqlLimits limits{.rows = 1'000'000, .bytes = 256 << 20};
  std::vector<SqlParameter> values;
  for (const Parameter& parameter : parameters.all()) values.push_back(bound(parameter));
  Result<SqlAnswer> answer = query_profile(profile, view.sql, limits, values);
  if (answer) return view_report(view, *std::move(answer));
  Error error = answer.error();
  error.where = view.file + (error.where.empty() ? "" : ", " + error.where);
  return error;
}

}  // namespace sightline::engine
