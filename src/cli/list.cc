// sightline list and sightline remove: what the cache holds, and forgetting some of it.
#include <algorithm>

#include "cli/catalogue.h"
#include "cli/command.h"
#include "cli/sessions.h"
#include "engine/profile_name.h"

namespace sightline::cli {

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
