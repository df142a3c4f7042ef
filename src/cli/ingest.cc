// sightline ingest: reads profiles into the cache without serving them, so that they open at once later.
#include <algorithm>

#include "cli/catalogue.h"
#include "cli/command.h"

namespace sightline::cli {

namespace {

struct IngestOptions {
  std::vector<std::string> paths;
  bool json = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
};

// The entries of what was requested, and whether all of it is there.
bool ingested(const Engine& engine, const ProfileCache& cache, std::vector<CatalogueEntry>& entries) {
  bool all = true;
  std::vector<CatalogueEntry> known = cache.list();
  for (const CaptureState& capture : engine.state()) {
    if (capture.error) complain(capture.error->to_string());
    const Result<std::string> key = engine.content_key({capture.run, capture.worker, capture.span});
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
  engine.wait();
  engine.finish_keeping();
  std::vector<CatalogueEntry> entries;
  const bool all = ingested(engine, *cache, entries);
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

}  // namespace sightline::cli
