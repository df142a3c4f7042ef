// What the views declare about their tables: the keys that a report can have, and the page docs/metrics.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline::analyses {

// ---- which tables the reports of a view can have, before any file is read ----

// Keys of all tables that a report of the view can have, each once; empty for an unknown view and for one without reports.
std::vector<std::string> possible_tables(std::string_view view);

// Whether a report of the view never has one main table: it has several, and none has the view's name.
bool always_has_several_tables(std::string_view view);

// ---- docs/metrics.md ----

// Every metric of every view with unit, meaning, formula and source, and where it differs from the TensorBoard plugin.
std::string metrics_markdown();

}  // namespace sightline::analyses
