#include "fleet/map_shard.h"

#include <algorithm>

#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "engine/catalogue.h"
#include "engine/engine_options.h"
#include "engine/guarded.h"
#include "store/content_key.h"

namespace sightline::fleet {

namespace {

// The ranks under the paths, named as the page names them. No trace is read.
Result<Plan> list_ranks(const std::vector<std::string>& paths, const MapOptions& options) {
  Catalogue catalogue(completed(EngineOptions{}));
  for (const std::string& path : paths) {
    const auto added = catalogue.add_path(path);
    if (!added) return added.error();
  }
  const Result<CapturePtr> first = catalogue.find(options.selector);
  if (!first) return first.error();
  const ProfileSelector name = (*first)->name();
  Plan plan{.capture = capture_id(name.span == "default" ? name.run : name.run + "-" + name.span), .ranks = {}};
  for (const CapturePtr& each : catalogue.span_of(**first)) {
    const std::string path = is_remote(each->path) ? each->path : absolute_path(each->path);
    plan.ranks.push_back({std::ssize(plan.ranks), each->name().worker, path, each->progress.bytes_total, each->role});
  }
  return plan;
}

// Whether another attempt may succeed: the cloud did not answer.
bool may_pass(const Error& error, const std::string& path) {
  return is_remote(path) && (error.code == ErrorCode::unreadable || error.code == ErrorCode::unavailable);
}

Result<std::unique_ptr<Profile>> read_rank(const RankSource& source, const MapOptions& options) {
  const Result<Discovery> found = discover(source.path, readers());
  if (!found) return found.error();
  const FoundFile& file = found->files.front();
  ReadProgress progress;
  progress.bytes_total = file.bytes;
  const EngineOptions defaults = completed({.memory = options.memory});
  progress.memory.begin(defaults.reading_memory);
  Result<std::unique_ptr<Profile>> read = guarded(
      kReading, source.path, [&] { return file.reader->read(source.path, {.threads = options.threads, .progress = &progress}); });
  if (read && progress.memory.was_reached())
    (*read)->add_problem(Severity::error, kMemoryLimit, say("reading stopped because it needs more memory than allowed"), 1,
                         kUnknown);
  return read;
}

// Adds the rows of the shard's ranks.
Result<bool> read_ranks(const Plan& plan, const Manifest& manifest, const MapOptions& options, ShardTables& tables,
                        Manifest& to) {
  const std::int64_t all = std::ssize(plan.ranks);
  for (std::int64_t i = manifest.shard * all / manifest.shards; i < (manifest.shard + 1) * all / manifest.shards; ++i) {
    const RankSource& source = plan.ranks[static_cast<std::size_t>(i)];
    const Result<std::unique_ptr<Profile>> read = read_rank(source, options);
    ++to.ranks;
    if (!read) {
      if (may_pass(read.error(), source.path)) return read.error();
      if (options.say) options.say(source.worker + ": " + read.error().to_string());
      tables.add_failed(source, read.error());
      to.failed.push_back(source.id);
      continue;
    }
    if (tables.add(source, **read)) to.partial.push_back(source.id);
    to.world_size = std::max(to.world_size, (*read)->world_size);
  }
  return true;
}

}  // namespace

Result<Plan> make_plan(const std::vector<std::string>& paths, const MapOptions& options) {
  if (paths.size() != 1 || !paths.front().ends_with("PLAN.json")) return list_ranks(paths, options);
  const Result<std::string> text = stored_bytes(paths.front());
  if (!text) return text.error();
  return parse_plan(*text, paths.front());
}

Result<Manifest> map_shard(const Plan& plan, Shard shard, const MapOptions& options) {
  const std::string capture = options.capture.empty() ? plan.capture : options.capture;
  if (const Result<bool> sound = check_capture_id(capture); !sound) return sound.error();
  Manifest manifest{.capture = capture,
                    .attempt = new_attempt(),
                    .shard = shard.number,
                    .shards = shard.of,
                    .failed = {},
                    .partial = {},
                    .plan_ranks = std::ssize(plan.ranks),
                    .plan = plan.fingerprint(),
                    .schema = schema_fingerprint(),
                    .program = SIGHTLINE_VERSION,
                    .tables = {}};
  ShardTables tables(options.topology);
  if (const Result<bool> read = read_ranks(plan, manifest, options, tables, manifest); !read) return read.error();
  const auto written = tables.finish();
  if (!written) return written.error();
  for (const ShardTables::Table& table : *written) {
    const std::string path = shard_file(table.name, capture, shard.number, manifest.attempt);
    const Result<bool> stored = store_file(path_in(options.lake, path), table.bytes);
    if (!stored) return stored.error();
    manifest.tables[std::string(table.name)].push_back(
        {path, table.rows, std::ssize(table.bytes), store::hex(store::checksum(table.bytes))});
  }
  const std::string path = manifest_file(capture, shard.number, manifest.attempt);
  const Result<bool> stored = store_file(path_in(options.lake, path), manifest_json(manifest));
  if (!stored) return stored.error();
  return manifest;
}

}  // namespace sightline::fleet
