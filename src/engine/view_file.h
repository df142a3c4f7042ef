// A view written in SQL: one SELECT below a header of comments that says what the view is called, which parameters it takes, what
// it needs and what is drawn (docs/sql-views.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "sql/sql_query.h"

namespace sightline::engine {

// What a part of the header names and the line that names it.
struct NamedInView {
  std::string name;
  int line = 0;
};

// A table that must have rows, and the reason to show if it has none (may be empty).
struct ViewNeed {
  std::string table;
  Message reason;
};

// What the header declares about a column of the answer; the rest is as in the answer.
struct ViewColumn {
  NamedInView key;
  Message title{}, doc{}, unknown{};
  std::string bar{};
  std::optional<Unit> unit{};
  enum class Text { label, words, plain } text = Text::label;
  bool hidden = false;
  bool sums = false;
};

// A panel that is drawn for each value of a column (engine/repeated_panels.h).
struct RepeatedPanel {
  std::string panel, each;
};

struct ViewFile {
  std::string file;  // as errors name it
  std::string id, title, doc;
  ViewGroup group = ViewGroup::data;
  std::vector<Parameter> parameters{};
  std::vector<ViewNeed> needs{};
  std::string row = "row", rows = "rows";  // what one row and several are called
  std::vector<ViewColumn> columns{};
  std::vector<Panel> panels{};
  std::vector<RepeatedPanel> repeated{};
  std::vector<RowLink> links{};
  std::vector<NamedInView> drawn{};  // columns that panels and links name
  std::vector<NamedInView> leads{};  // views that links name
  std::string sql;                   // the whole file, so that places in it are those of the file
};

// `malformed`, and `where` is "FILE, line N": a line of the header is wrong or missing, or it needs a table that no profile has.
Result<ViewFile> parse_view_file(const std::string& file, const std::string& text);

// The answer of its SQL as its report. `malformed`: the header names a column that the answer does not have.
Result<Report> view_report(const ViewFile& view, SqlAnswer answer);

// Runs it. For errors of its SQL, `where` is "FILE, line N, column M".
Result<Report> run_view_file(const ViewFile& view, const Profile& profile, const Parameters& parameters);

}  // namespace sightline::engine
