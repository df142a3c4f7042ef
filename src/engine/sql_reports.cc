// Queries, then files of SQL as analyses.
#include "engine/sql_reports.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "analyses/words.h"
#include "base/check.h"
#include "engine/capture.h"
#include "engine/view_file.h"
#include "sql/sql_tables.h"

namespace sightline::engine {

namespace {

Result<Report> report_of(Result<SqlAnswer> answer) {
  if (!answer) return answer.error();
  Report report{.view = "query", .title = "Query"};
  const auto rows = static_cast<std::int64_t>(answer->table.rows());
  report.scope = say("{}, {}", count_words(rows, "{} row", "{} rows"), time_words(answer->seconds * 1e9));
  report.notes = notes_of_cut(*answer);
  Panel panel{.id = "result", .title = "Result", .content = PlainTable{"result"}};
  panel.scope = report.scope;
  panel.empty = "The query has no result rows.";
  panel.notes = report.notes;
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(answer->table));
  return report;
}

}  // namespace

std::vector<Note> notes_of_cut(const SqlAnswer& answer) {
  const Message rows = count_words(static_cast<std::int64_t>(answer.table.rows()), "{} row", "{} rows");
  std::vector<Note> notes;
  if (answer.more_rows) notes.push_back({Note::Level::warning, say("The first {}: there are more.", rows)});
  if (answer.more_bytes) notes.push_back({Note::Level::warning, say("The first {}: the answer is larger than the limit.", rows)});
  return notes;
}

std::int64_t memory_per_query(std::int64_t of_profiles) {
  constexpr std::int64_t kShare = 4, kLeast = std::int64_t{128} << 20;
  return std::max(of_profiles / kShare / kMostQueries, kLeast);
}

Result<Report> query_report(const Profile& profile, const std::string& sql, const SqlLimits& limits) {
  Result<Report> report = report_of(query_profile(profile, sql, limits));
  if (const Message caution = caution_of(profile); report && !caution.empty())
    report->notes.push_back({Note::Level::warning, caution});
  return report;
}

Result<Report> query_report(const std::vector<SqlSource>& sources, const std::vector<std::string>& name_columns,
                            const std::string& sql, const SqlLimits& limits) {
  return report_of(query_profiles(sources, name_columns, sql, limits));
}

std::string query_schema_text(const Profile& profile) {
  std::string out;
  for (const SchemaTable& table : sql_schema(profile)) {
    out += fmt::format("{}{}: {}\n", table.name, table.is_view ? " (view)" : "", table.doc);
    std::string columns;
    for (const SchemaColumn& column : table.columns)
      columns += (columns.empty() ? "" : ", ") + column.name + (column.row_of.empty() ? "" : " -> " + column.row_of);
    out += fmt::format("    {}\n", columns);
  }
  for (const SqlExample& example : sql_examples()) out += fmt::format("\n-- {}\n{};\n", example.title, example.sql);
  return out;
}

namespace {

constexpr std::uintmax_t kMostBytes = 1 << 20;

std::optional<Message> lacking(const ViewFile& view, const Profile& profile) {
  for (const ViewNeed& need : view.needs) {
    if (has_rows(profile, need.table)) continue;
    return need.reason.empty() ? say("this profile has no rows in the table {}", need.table) : need.reason;
  }
  return std::nullopt;
}

Analysis analysis_of(const std::shared_ptr<const ViewFile>& view) {
  return {.id = view->id,
          .title = view->title,
          .group = view->group,
          .doc = view->doc,
          .parameters = view->parameters,
          .unavailable = [view](const Profile& profile) { return lacking(*view, profile); },
          .run = [view](const AnalysisInput& input) { return run_view_file(*view, *input.profiles.front(), input.parameters); },
          .tables = nullptr,
          .slow = true};
}

// A view whose only answer is the error of its file.
Analysis broken_view(const std::string& id, const Error& error) {
  return {.id = id,
          .title = id,
          .group = ViewGroup::data,
          .doc = error.to_string(),
          .parameters = {},
          .unavailable = [error](const Profile&) { return std::optional(error.to_string()); },
          .run = [error](const AnalysisInput&) -> Result<Report> { return error; },
          .tables = nullptr};
}

bool has_view(const std::vector<Analysis>& all, const std::string& id) {
  return std::any_of(all.begin(), all.end(), [&](const Analysis& view) { return view.id == id; });
}

// An id from the name of the file, different from those of other views.
std::string free_id(const std::vector<Analysis>& all, const std::filesystem::path& file) {
  std::string stem = file.stem().string();
  std::replace_if(
      stem.begin(), stem.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  std::string id = stem;
  for (int i = 2; has_view(all, id); ++i) id = fmt::format("{}_{}", stem, i);
  return id;
}

Result<std::string> text_of(const std::filesystem::path& file) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  if (!failed && size > kMostBytes) return Error{ErrorCode::malformed, "the file is larger than 1 MB", file.string()};
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (failed || !in) return Error{ErrorCode::unreadable, "cannot be read", file.string()};
  return text;
}

// The view that a text declares; its id must differ from those of `all`.
Result<ViewFile> view_of(const std::string& file, const std::string& text, const std::vector<Analysis>& all) {
  Result<ViewFile> view = parse_view_file(file, text);
  if (!view) return view;
  if (has_view(all, view->id))
    return Error{ErrorCode::malformed, say("a view '{}' exists already: choose another id", view->id), file};
  for (const NamedInView& lead : view->leads) {
    if (lead.name != view->id && !has_view(all, lead.name))
      return Error{ErrorCode::malformed, say("a link names an unknown view '{}'", lead.name),
                   fmt::format("{}, line {}", view->file, lead.line)};
  }
  return view;
}

// Whether its tables are files that a profile names, so that an empty profile does not have them.
bool reads_files(const ViewFile& view) {
  return std::any_of(view.needs.begin(), view.needs.end(), [](const ViewNeed& need) { return need.table == LakeFiles::kName; });
}

Result<ViewFile> view_in(const std::filesystem::path& file, const std::vector<Analysis>& all, bool try_it) {
  const Result<std::string> text = text_of(file);
  if (!text) return text.error();
  Result<ViewFile> view = view_of(file.string(), *text, all);
  if (!view || !try_it || reads_files(*view)) return view;
  const Result<Report> tried = run_view_file(*view, Profile{}, Parameters(view->parameters));
  if (!tried) return tried.error();
  return view;
}

Result<std::vector<std::filesystem::path>> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    if (each->path().extension() == ".sql") files.push_back(each->path());
  }
  if (failed) return Error{ErrorCode::not_found, say("cannot read the folder of views: {}", failed.message()), folder};
  std::sort(files.begin(), files.end());
  return files;
}

void add_views(Views& views, const std::vector<std::filesystem::path>& files, bool try_all) {
  for (const std::filesystem::path& file : files) {
    Result<ViewFile> view = view_in(file, views.all, try_all);
    if (view) {
      views.all.push_back(analysis_of(std::make_shared<const ViewFile>(*std::move(view))));
    } else {
      views.faults.push_back(view.error().to_string());
      views.all.push_back(broken_view(free_id(views.all, file), view.error()));
    }
  }
}

}  // namespace

std::span<const Analysis> built_in_views() {
  static const std::vector<Analysis> all = [] {
    std::vector<Analysis> made{all_analyses().begin(), all_analyses().end()};
    for (const BuiltInView& each : built_in_view_files()) {
      Result<ViewFile> view = view_of(std::string(each.file), std::string(each.text), made);
      CHECK(view.ok());  // our own text
      made.push_back(analysis_of(std::make_shared<const ViewFile>(*std::move(view))));
    }
    return made;
  }();
  return all;
}

std::string user_views_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string folder = variable("XDG_CONFIG_HOME"); folder.starts_with('/')) return folder + "/sightline/views";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.config/sightline/views";
  return "";
}

Result<Views> all_views(const std::string& folder, bool try_all) {
  Views views{.all = {built_in_views().begin(), built_in_views().end()}, .faults = {}};
  if (const auto own = files_in(user_views_folder()); own) add_views(views, *own, try_all);
  if (folder.empty()) return views;
  const Result<std::vector<std::filesystem::path>> given = files_in(folder);
  if (!given) return given.error();
  add_views(views, *given, try_all);
  return views;
}

}  // namespace sightline::engine
