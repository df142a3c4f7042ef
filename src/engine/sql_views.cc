// Files of SQL as analyses.
#include "engine/sql_views.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/check.h"
#include "engine/built_in_views.h"
#include "engine/view_file.h"
#include "sql/sql_tables.h"

namespace sightline::engine {

namespace {

constexpr std::uintmax_t kMostBytes = 1 << 20;

std::optional<Message> lacking(const ViewFile& view, const Profile& profile) {
  for (const ViewNeed& need : view.needs) {
    if (has_rows(profile, need.table)) continue;
    return need.reason.empty() ? say("this profile has no rows in the table {}", need.table) : Message(need.reason);
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
          .tables = nullptr};
}

// A file that is wrong: a view that says so.
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

// The name of the file, made an id that no other view has.
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

// The view of a text, beside all those that are there.
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

Result<ViewFile> view_in(const std::filesystem::path& file, const std::vector<Analysis>& all, bool try_it) {
  const Result<std::string> text = text_of(file);
  if (!text) return text.error();
  Result<ViewFile> view = view_of(file.string(), *text, all);
  if (!view || !try_it) return view;
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
  if (failed) return Error{ErrorCode::not_found, "cannot read the folder of views: " + failed.message(), folder};
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
