// Report: what an analysis answers and a view shows. Tables of typed columns that carry their own units, and
// panels that name what they draw from them. HTTP, the CLI, CSV and the page all come from this one thing;
// docs/http.md shows it on the wire. An analysis fills it; nothing downstream computes a metric.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/message.h"
#include "model/cells.h"
#include "model/unit.h"

namespace sightline::model {

enum class CellType : std::uint8_t { integer, real, text, flag };
inline constexpr std::string_view kAllRows = "all";

enum class ColumnRole : std::uint8_t { value, label, category };

struct ReportColumn {
  std::string key;
  Message title;
  Unit unit = Unit::none;
  CellType type = CellType::integer;
  Message doc;  // one line; metrics add "Formula: ..." and "Source: ..."
  ColumnRole role = ColumnRole::value;
  bool code = false;     // a name or code: mono font, cut in the middle
  bool hidden = false;   // hidden until asked for
  bool change = false;   // a difference: written with its sign, and more is worse
  bool sums = false;     // an amount: the value of several rows together is the sum of theirs
  std::string words;     // texts are words of this program, which the page may translate: kAllRows, or the flag column that tells
  std::string bar;       // key of the share column drawn as a bar behind this one
  std::string category;  // the fixed hue of this series
  Message unknown;       // why unknown cells are unknown
  Cells values{};

  // For a declaration in one expression.
  ReportColumn&& with_bar(std::string_view share) &&;
  ReportColumn&& with_category(std::string_view hue) &&;
  ReportColumn&& with_unknown(MessageArgument reason) &&;
  ReportColumn&& with_words(std::string_view which) &&;
  ReportColumn&& with_role(ColumnRole its) && { return role = its, std::move(*this); }
  ReportColumn&& with_code(bool is_code) && { return code = is_code, std::move(*this); }
  ReportColumn&& with_sums(bool does = true) && { return sums = does, std::move(*this); }
  ReportColumn&& hide(bool is_hidden = true) && { return hidden = is_hidden, std::move(*this); }
};

using LinkParameters = std::vector<std::pair<std::string, std::string>>;  // "$key" stands for the row's cell

struct RowDetail {
  Message title;
  std::string view;
  LinkParameters parameters;
  std::string when;  // a flag column, or empty for every row
};

struct RowLink {
  Message title;
  std::string view;
  LinkParameters parameters;
  std::string when{};    // a flag column: only rows where it holds have the link
  std::string find{};    // "$key": the row of that name in the view's first table that has one
  bool direct = false;   // a click on the row's mark in a chart takes it at once
  bool other = false;    // leads to the other of the two profiles that the report is about
  std::string worker{};  // "$key": leads to the worker of that name, of the same run and span
};

struct RowMarks {
  std::string panel;                 // id of a `lines` panel
  std::vector<std::string> columns;  // of the table, in the unit of the panel's x
};

struct ReportTable {
  std::string key;
  Message title;
  std::vector<ReportColumn> columns{};
  std::string sort_column{};
  bool sort_descending = true;
  std::optional<RowDetail> row_detail{};
  std::vector<RowLink> row_links{};
  std::optional<RowMarks> marks{};
  std::vector<Message> said{};  // how texts of cells are put together that are no names

  // The cell of a text that is no name, in a column of `words`.
  Cell words(const Message& text) {
    if (text.kind() != Message::Kind::text) said.push_back(text);
    return text.empty() ? Cell{} : Cell{std::string(text)};
  }

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
  const ReportColumn* find(std::string_view column_key) const;
};

struct Note {
  enum class Level : std::uint8_t { info, warning };
  Level level = Level::info;
  Message text;
};

// A value, where a text is a name; or a text of the program.
struct FactValue : Cell {
  FactValue() = default;
  template <typename T>
  requires std::constructible_from<Cell, T> FactValue(T&& value) : Cell(std::forward<T>(value)) {}
  FactValue(Message text) : Cell(std::string(text)), words(std::move(text)) {}

  Message words{};
};

struct Fact {
  Message label;
  FactValue value;
  Unit unit = Unit::none;
  Message doc{};
  Message unknown{};  // why, when the value is unknown
};

struct AdviceLink {
  std::string view;
  Message title{};
  LinkParameters parameters{};
};

struct Advice {
  enum class Level : std::uint8_t { high, medium, low, note };
  std::string id;  // stable, such as "exposed_communication"
  Level severity = Level::note;
  double gain = kUnknownNumber;   // ns per step: what can be won at most; NaN: unknown
  double share = kUnknownNumber;  // of the step
  std::string change{};           // the scenario that predicts the gain, as the parameter `change` of what_if; empty: none
  Message title;
  Message evidence;     // the figures that led to it
  std::string where{};  // the call, and its line of source: "aten::item at train.py(12): step"; empty: not known
  Message brief{};      // what to try first, in a few words: "load batches in worker processes"
  Message action;       // what to try
  std::string link_view{};
  Message link_title{};
  LinkParameters link_parameters{};      // with a dot in its key, a state of the page: "timeline.window"
  std::vector<AdviceLink> more_links{};  // of other rules that found the same cause, to their evidence
  std::string doc_url{};
};

// The parameters that a `lines` panel sets: by dragging over it, and by a click.
struct RangeSelect {
  std::string start, end, at;
};

struct LineMark {
  std::int64_t x = 0;
  Message label;
};

// A line that no point of a `scatter` panel can lie above: y is at most `slope` times x, and at most `flat`. NaN is no such
// limit.
struct Ceiling {
  Message label;
  double slope = kUnknownNumber;
  double flat = kUnknownNumber;
};

// What a panel can show, by kind: `kKind` is the kind's name on the wire. `table` is the key of the table drawn; the other keys
// are of its columns, and empty where there is none.

struct FactSheet {
  static constexpr std::string_view kKind = "facts";
  std::vector<Fact> facts{};
};

struct BreakdownChart {
  static constexpr std::string_view kKind = "breakdown";
  std::string table{}, label{}, value{};
  int top = 10;                   // slices; the rest is one more
  std::optional<double> total{};  // in the unit of `value`, when the rows do not sum to the whole
};

struct BarChart {
  static constexpr std::string_view kKind = "bars";
  std::string table{}, x{};
  std::vector<std::string> series{};
  bool stacked = false;
};

struct LineChart {
  static constexpr std::string_view kKind = "lines";
  std::string table{}, x{};
  std::vector<std::string> series{};
  bool step = false;
  std::optional<RangeSelect> select{};
  std::vector<LineMark> marks{};
};

struct HeatmapChart {
  static constexpr std::string_view kKind = "heatmap";
  std::string table{}, value{}, x{}, y{};
};

// Both axes are logarithmic.
struct ScatterChart {
  static constexpr std::string_view kKind = "scatter";
  std::string table{}, label{}, value{}, x{}, y{};  // `label` names a point; its size shows `value`
  std::vector<Ceiling> ceilings{};
};

struct FlameChart {
  static constexpr std::string_view kKind = "flame";
  std::string table{}, label{}, value{}, parent{};
  bool up = false;  // the roots are at the bottom
};

// Rectangles on rows over one axis of time, which begins at 0. `lane` names the row, `group` the rows that are together; `hue` is
// a category or a text that a colour is made from.
struct GanttChart {
  static constexpr std::string_view kKind = "gantt";
  std::string table{}, group{}, lane{}, start{}, length{}, label{}, hue{};
};

// Boxes in layers, and an arrow for each row of the table `edges`, whose columns `from` and `to` are rows of `table`. `layer`
// counts from the top; `place` is a box's centre within its layer, in widths of a box. `here` is a flag: the box in the middle.
struct GraphChart {
  static constexpr std::string_view kKind = "graph";
  std::string table{}, label{}, detail{}, value{}, layer{}, place{}, here{};
  std::string edges{}, from{}, to{};
};

struct TreeTable {
  static constexpr std::string_view kKind = "tree";
  std::string table{}, parent{};
};

struct PlainTable {
  static constexpr std::string_view kKind = "table";
  std::string table{};
  std::string known{};  // rows that are unknown in this column are folded behind one line; empty: none
};

struct AdviceList {
  static constexpr std::string_view kKind = "advice";
  std::vector<Advice> items{};
};

// One figure of a verdict: "Bound by", "data loading", "73.3% of the step".
struct VerdictItem {
  std::string id;  // stable, such as "bound"
  Message label, value;
  Message note{}, doc{};
};

// The answer in one line, and a bar of the parts that it is about: rows of `table`, each with a label, a value and the category
// whose colour it has.
struct VerdictStrip {
  static constexpr std::string_view kKind = "verdict";
  std::vector<VerdictItem> items{};
  std::string table{}, label{}, value{}, hue{};
};

// A program, or another text in lines. `file` is the name to save it under.
struct CodeText {
  static constexpr std::string_view kKind = "code";
  std::string text{}, file{};
};

// The page draws it from the timeline's own routes.
struct TimelineCanvas {
  static constexpr std::string_view kKind = "timeline";
};

using PanelKinds =
    std::variant<FactSheet, BreakdownChart, BarChart, LineChart, HeatmapChart, ScatterChart, FlameChart, GanttChart, GraphChart,
                 TreeTable, PlainTable, AdviceList, VerdictStrip, CodeText, TimelineCanvas>;

// Out of line: compiling copies and destructors of so many kinds in every file takes long.
struct PanelContent : PanelKinds {
  using PanelKinds::PanelKinds;
  PanelContent();
  PanelContent(const PanelContent&);
  PanelContent(PanelContent&&) noexcept;
  PanelContent& operator=(const PanelContent&);
  PanelContent& operator=(PanelContent&&) noexcept;
  ~PanelContent();
};

struct Panel {
  std::string id;
  Message title;
  PanelContent content{};
  Message scope{};
  Message doc{};
  std::string width = "full";  // full, half, third
  Message empty{};             // the sentence shown when there is nothing to draw
  std::vector<Note> notes{};

  // The content, where it is of this kind; else null.
  template <typename Content>
  const Content* as() const {
    return std::get_if<Content>(&content);
  }
  template <typename Content>
  Content* as() {
    return std::get_if<Content>(&content);
  }

  const std::string& table() const;          // the key of the table drawn; empty where there is none
  std::vector<std::string> columns() const;  // the keys of its columns that a chart draws; none of a table or a tree
};

enum class ParameterType : std::uint8_t { choice, integer, text, flag, time };

struct ParameterChoice {
  std::string value;
  Message title;
};

// A typed parameter of an analysis; `value` is the default in the declaration and the value used in the report. A choice
// without choices is one that depends on the profile: the report says what there is. A time is in ns, or empty if it is not set.
struct Parameter {
  std::string key;
  Message title;
  ParameterType type = ParameterType::text;
  std::string value;
  std::vector<ParameterChoice> choices{};
  Message doc{};
};

// Names one profile.
struct ProfilePlace {
  std::string run, worker, span;
};

// One step of the way into what a report shows: the parameters that lead back there.
struct TrailStep {
  Message title;
  LinkParameters parameters;
};

struct Report {
  std::string view;
  Message title;
  Message scope{};
  std::vector<ProfilePlace> profiles{};  // the engine says which, where a report is about several
  std::vector<TrailStep> trail{};        // from the outermost to what is shown; empty where nothing lies inside another
  std::vector<Note> notes{};
  std::vector<Parameter> parameters{};  // an analysis fills in those whose value or choices depend on the profile
  std::vector<Panel> panels{};
  std::vector<ReportTable> tables{};

  const ReportTable* find_table(std::string_view key) const;
};

}  // namespace sightline::model
