// sightline ingest, list and remove: profiles in the cache.
#include <fmt/chrono.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyses/columns.h"
#include "base/json_writer.h"
#include "base/remote/remote_path.h"
#include "cli/command.h"
#include "cli/sessions.h"
#include "engine/capture.h"
#include "store/profile_cache.h"

namespace sightline::cli {

namespace {

// ---- the profiles in the cache: one row or JSON object per profile ----

constexpr std::size_t kShortKey = 12;

std::string local_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  if (seconds <= 0 || ::localtime_r(&time, &parts) == nullptr) return "";
  return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

// Whether its source file still exists. Sends no request to a cloud, so the list is printed at once.
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
  table.add(text_column("file", "File", ""), [](const CatalogueEntry& entry) {
    const std::string_view uploaded = record_value(entry.about, "uploaded");
    return Cell{std::string(uploaded.empty() ? record_value(entry.about, "path") : uploaded)};
  });
  return table.of(entries);
}

std::string catalogue_text(const std::vector<CatalogueEntry>& entries) {
  Report report{.view = "catalogue", .title = "Catalogue"};
  report.scope = entries.size() == 1 ? "1 profile" : say("{} profiles", entries.size());
  report.tables = {profiles_table(entries)};
  report.panels.push_back({.id = "profiles", .title = "Profiles in the cache", .content = PlainTable{"profiles"}});
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

// ---- ingest ----

struct IngestOptions {
  std::vector<std::string> paths;
  bool json = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
};

// The entries of the requested profiles, and whether all of them are in the cache.
bool ingested(const Catalogue& catalogue, const Answers& answers, const ProfileCache& cache,
              std::vector<CatalogueEntry>& entries) {
  bool all = true;
  std::vector<CatalogueEntry> known = cache.list();
  for (const CaptureState& capture : catalogue.state()) {
    if (capture.error) complain(capture.error->to_string());
    const Result<std::string> key = answers.content_key({capture.run, capture.worker, capture.span});
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const CatalogueEntry& entry) { return key.ok() && entry.key == *key; });
    all = all && found != known.end();
    if (found != known.end()) {
      entries.push_back(*found);
    } else if (capture.summary && !capture.summary->caution.empty()) {
      complain(capture.file + ": not kept in the cache: " + capture.summary->caution);
    } else if (!capture.error) {
      complain(capture.file + ": not kept in the cache" + (key.ok() ? "" : ": " + key.error().message));
    }
  }
  return all;
}

int run_ingest(const IngestOptions& options) {
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  if (options.cache.none) return fail({ErrorCode::invalid_argument, "ingest without a cache does nothing", ""});
  if (cache == nullptr) {
    complain("no folder for the cache: set SIGHTLINE_CACHE_DIR or HOME");
    return kFailed;
  }
  Engine engine(
      {.threads = options.threads, .cache = cache.get(), .keep = KeepRead::all, .say = complain, .memory = options.memory});
  bool found = true;
  for (const std::string& path : options.paths) found = add_paths(engine, {path}) && found;
  engine.start();
  wait_until_read(engine);
  engine.loader().finish_writing();
  std::vector<CatalogueEntry> entries;
  const bool all = ingested(engine.catalogue(), engine.answers(), *cache, entries);
  const int written = write_out(options.json ? catalogue_json(entries) : catalogue_text(entries));
  return found && all ? written : kFailed;
}

}  // namespace

void add_ingest_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("ingest", "Read profiles into the cache");
  auto options = std::make_shared<IngestOptions>();
  add_paths_option(*command, options->paths);
  command->add_flag("--json", options->json, "Write JSON");
  add_threads_option(*command, options->threads);
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  command->callback([&run, options] { run = [options] { return run_ingest(*options); }; });
}

// ---- list and remove ----

namespace {

constexpr std::size_t kShortestKey = 4;

int run_list(bool json) {
  const std::unique_ptr<ProfileCache> cache = open_cache({});
  const std::vector<CatalogueEntry> entries = cache == nullptr ? std::vector<CatalogueEntry>{} : cache->list();
  if (json) return write_out(catalogue_json(entries));
  if (entries.empty()) complain("the cache has no profile");
  return entries.empty() ? kDone : write_out(catalogue_text(entries));
}

// The keys that `word` names: the beginning of one, a profile's name, or the path of sources, files or a folder.
std::vector<std::string> keys_named(const std::string& word, const std::vector<CatalogueEntry>& entries) {
  std::vector<std::string> keys;
  const std::string path = absolute_path(word);
  for (const CatalogueEntry& entry : entries) {
    const std::string_view source = record_value(entry.about, "path");
    const bool by_key = word.size() >= kShortestKey && entry.key.starts_with(word);
    const bool by_path = source == path || source == word || source.starts_with(path + "/");
    const bool by_name = word == profile_name(entry.key);
    if (by_key || by_name || by_path) keys.push_back(entry.key);
  }
  return keys;
}

struct RemoveOptions {
  std::vector<std::string> words;
  bool all = false;
};

int run_remove(const RemoveOptions& options) {
  if (options.words.empty() == !options.all)
    return fail({ErrorCode::invalid_argument, "give keys or paths to remove, or --all", ""});
  const std::unique_ptr<ProfileCache> cache = open_cache({});
  if (cache == nullptr) return fail({ErrorCode::not_found, "there is no cache", ""});
  bool failed = false;
  std::vector<std::string> keys = options.all ? cache->keys() : std::vector<std::string>{};
  const std::vector<CatalogueEntry> entries = options.all ? std::vector<CatalogueEntry>{} : cache->list();
  for (const std::string& word : options.words) {
    const std::vector<std::string> named = keys_named(word, entries);
    if (named.empty()) {
      complain("no profile in the cache has the key, name or path '" + word + "'; see: sightline list");
      failed = true;
    }
    keys.insert(keys.end(), named.begin(), named.end());
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::size_t removed = 0;
  for (const std::string& key : keys) {
    const Result<bool> gone = cache->remove(key);
    if (!gone) complain(gone.error().to_string());
    failed = failed || !gone;
    removed += gone.ok() && *gone;
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& each) { return each.key == key; });
    if (gone.ok() && entry != entries.end()) remove_session(cache->folder(), std::string(record_value(entry->about, "path")));
  }
  if (options.all) remove_all_sessions(cache->folder());
  const int written = write_out("removed " + std::to_string(removed) + (removed == 1 ? " profile\n" : " profiles\n"));
  return failed ? kFailed : written;
}

}  // namespace

void add_list_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("list", "List the profiles in the cache");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Write JSON");
  command->callback([&run, json] { run = [json] { return run_list(*json); }; });
}

void add_remove_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("remove", "Remove profiles from the cache; their source files are kept");
  auto options = std::make_shared<RemoveOptions>();
  command->add_option("KEY", options->words, "Keys or their beginnings, names, or paths of source files: see sightline list");
  command->add_flag("--all", options->all, "Remove all profiles, including those of other versions");
  command->callback([&run, options] { run = [options] { return run_remove(*options); }; });
}

}  // namespace sightline::cli
