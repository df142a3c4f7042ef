// The catalogue as a table and as JSON.
#include "cli/catalogue.h"

#include <fmt/chrono.h>

#include <algorithm>

#include "analyses/columns.h"
#include "base/json_writer.h"
#include "base/remote/remote_path.h"
#include "cli/command.h"
#include "engine/content_of_file.h"
#include "engine/profile_name.h"

namespace sightline::cli {

namespace {

constexpr std::size_t kShortKey = 12;

std::string local_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  if (seconds <= 0 || ::localtime_r(&time, &parts) == nullptr) return "";
  return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

// Whether its source file is still there. Sends no request to a cloud: the list should come at once.
std::string source_state(const Record& about) {
  const std::string path(record_value(about, "path"));
  if (is_remote(path)) return "remote";
  const auto known = readers();
  const auto reader =
      std::find_if(known.begin(), known.end(), [&](const Reader& r) { return r.id == record_value(about, "reader"); });
  const auto now = reader == known.end() ? identity_of(path) : identity_of_capture(*reader, path);
  if (!now) return "gone";
  return *now == identity_in(about) ? "there" : "changed";
}

ReportTable profiles_table(const std::vector<CatalogueEntry>& entries) {
  const auto text = [](std::string_view name) {
    return [name](const CatalogueEntry& entry) { return Cell{std::string(record_value(entry.about, name))}; };
  };
  TableOf<CatalogueEntry> table({.key = "profiles", .title = "Profiles in the cache"});
  table.add(text_column("key", "Key", ""), [](const CatalogueEntry& entry) { return entry.key.substr(0, kShortKey); });
  table.add(text_column("run", "Run", ""), text("run"));
  table.add(text_column("worker", "Worker", ""), text("worker"));
  table.add(text_column("span", "Span", ""), text("stamp"));
  table.add(integer_column("size", "Size", Unit::bytes, {}),
            [](const CatalogueEntry& entry) { return record_number(entry.about, "bytes", 0); });
  table.add(integer_column("cached", "In the cache", Unit::bytes, {}), &CatalogueEntry::bytes);
  table.add(text_column("read", "Read", ""),
            [](const CatalogueEntry& entry) { return Cell{local_time(record_number(entry.about, "read_at", 0))}; });
  table.add(text_column("used", "Last used", ""),
            [](const CatalogueEntry& entry) { return Cell{local_time(entry.last_used / 1'000'000'000)}; });
  table.add(text_column("source", "Source", ""),
            [](const CatalogueEntry& entry) { return Cell{std::string(source_state(entry.about))}; });
  table.add(text_column("file", "File", ""), text("path"));
  return table.of(entries);
}

}  // namespace

std::string catalogue_text(const std::vector<CatalogueEntry>& entries) {
  Report report{.view = "catalogue", .title = "Catalogue"};
  report.scope = std::to_string(entries.size()) + (entries.size() == 1 ? " profile" : " profiles");
  report.tables = {profiles_table(entries)};
  Panel panel;
  panel.id = panel.table = "profiles";
  panel.title = "Profiles in the cache";
  report.panels.push_back(panel);
  TextStyle style = terminal_style();
  style.most_rows = 0;
  return *format_report(report, ReportFormat::text, "", style);
}

std::string catalogue_json(const std::vector<CatalogueEntry>& entries) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  for (const CatalogueEntry& entry : entries) {
    const auto text = [&](const char* name) { json.member(name, record_value(entry.about, name)); };
    const auto number = [&](const char* name) { json.member(name, record_number(entry.about, name, 0)); };
    json.begin_object().member("key", std::string_view(entry.key));
    json.member("name", std::string_view(profile_name(entry.key)));
    text("run");
    text("worker");
    json.member("span", record_value(entry.about, "stamp"));
    text("reader");
    number("bytes");
    number("text_bytes");
    number("events");
    json.member("cache_bytes", entry.bytes);
    number("read_at");
    json.member("last_used", entry.last_used / 1'000'000'000);
    text("path");
    json.member("source", std::string_view(source_state(entry.about))).end_object();
  }
  json.end_array();
  return out + "\n";
}

}  // namespace sightline::cli
