#include "fleet/map_shard.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <span>

#include "base/parallel.h"
#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "engine/catalogue.h"
#include "engine/engine_options.h"
#include "engine/guarded.h"
#include "fleet/rank_profile.h"
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

struct ReadRank {
  std::unique_ptr<Profile> profile;
  Record about = {};      // what Capture::about would say of it, without times
  bool is_whole = false;  // not cut off for lack of memory
};

// The file was found alone, so its role, worker and run are those of the plan.
Record about_rank(const FoundFile& file, const RankSource& source, const FileIdentity& identity, const ReadProgress& progress) {
  const std::filesystem::path folder(file.directory);
  Record about{{"directory", file.directory},
               {"run", source.role.empty() ? file.run : folder.parent_path().filename().string()},
               {"worker", source.worker},
               {"stamp", file.name.span_stamp},
               {"role", source.role},
               {"reader", std::string(file.reader->id)},
               {"bytes", std::to_string(file.bytes)},
               {"events", std::to_string(progress.events)},
               {"text_bytes", std::to_string(progress.text_bytes)}};
  add_identity(about, identity);
  return about;
}

Result<ReadRank> read_rank(const RankSource& source, const MapOptions& options, unsigned threads) {
  const Result<Discovery> found = discover(source.path, readers());
  if (!found) return found.error();
  const FoundFile& file = found->files.front();
  const FileIdentity identity = identity_of_capture(*file.reader, file.path).value_or(FileIdentity{});
  ReadProgress progress;
  progress.bytes_total = file.bytes;
  const EngineOptions defaults = completed({.memory = options.memory});
  progress.memory.begin(defaults.reading_memory);
  Result<std::unique_ptr<Profile>> read =
      guarded(kReading, source.path, [&] { return file.reader->read(source.path, {.threads = threads, .progress = &progress}); });
  if (read && progress.memory.was_reached())
    (*read)->add_problem(Severity::error, kMemoryLimit, say("reading stopped because it needs more memory than allowed"), 1,
                         kUnknown);
  if (!read) return read.error();
  return ReadRank{*std::move(read), about_rank(file, source, identity, progress), !progress.memory.was_reached()};
}

// Its path in the lake; empty: none is wanted.
Result<std::string> keep_profile(const ReadRank& rank, const RankSource& source, const MapOptions& options, Manifest& to) {
  if (!options.with_profiles || !rank.is_whole) return std::string();
  const Result<LakeFile> file = guarded(kReading, source.path, [&] {
    return write_rank_profile(*rank.profile, rank.about, options.lake, profile_file(to.capture, source.id, to.attempt));
  });
  if (!file) return file.error();
  to.profiles.push_back(*file);
  return file->path;
}

// Pieces of work that run at once and end in order: the turn of piece i comes when those before it have ended.
class Turns {
 public:
  class Turn {
   public:
    Turn(Turns& turns, std::size_t number) : turns_(turns), number_(number) {}
    Turn(const Turn&) = delete;
    ~Turn() {
      wait();
      const std::lock_guard lock(turns_.mutex_);
      ++turns_.next_;
      turns_.passed_.notify_all();
    }
    void wait() const {
      std::unique_lock lock(turns_.mutex_);
      turns_.passed_.wait(lock, [this] { return turns_.next_ == number_; });
    }

   private:
    Turns& turns_;
    const std::size_t number_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::size_t next_ = 0;
};

// Adds the rows of the shard's ranks.
class RankRows {
 public:
  RankRows(const MapOptions& options, ShardTables& tables, Manifest& to) : options_(options), tables_(tables), to_(to) {}

  // Small traces are read several at once, each on one thread; a large one takes all threads.
  Result<bool> read(std::span<const RankSource> ranks) {
    const unsigned at_once = number_at_once(ranks);
    Turns turns;
    parallel_for(ranks.size(), at_once, [&](std::size_t i) {
      const Turns::Turn turn(turns, i);
      if (failed_) return;
      const Result<ReadRank> read = read_rank(ranks[i], options_, at_once == 1 ? options_.threads : 1);
      turn.wait();
      if (!failed_) add(ranks[i], read);
    });
    if (failed_) return failure_;
    return true;
  }

 private:
  static constexpr std::int64_t kMemoryOfSmall = std::int64_t{256} << 20;  // three tenths of it are enough for a small file

  unsigned number_at_once(std::span<const RankSource> ranks) const {
    const auto is_small = [](const RankSource& rank) { return rank.bytes > 0 && rank.bytes <= kSmallFileBytes; };
    if (!std::all_of(ranks.begin(), ranks.end(), is_small)) return 1;
    const std::int64_t memory = completed({.memory = options_.memory}).reading_memory;
    const std::int64_t fit = std::max<std::int64_t>(1, memory / kMemoryOfSmall);
    return static_cast<unsigned>(std::min<std::int64_t>(fit, options_.threads == 0 ? default_threads() : options_.threads));
  }

  void add(const RankSource& source, const Result<ReadRank>& read) {
    ++to_.ranks;
    if (!read) {
      if (may_pass(read.error(), source.path)) return fail(read.error());
      if (options_.say) options_.say(source.worker + ": " + read.error().to_string());
      tables_.add_failed(source, read.error());
      to_.failed.push_back(source.id);
      return;
    }
    const Result<std::string> kept = keep_profile(*read, source, options_, to_);
    if (!kept) return fail(kept.error());
    if (tables_.add(source, *read->profile, *kept)) to_.partial.push_back(source.id);
    to_.world_size = std::max(to_.world_size, read->profile->world_size);
  }
  void fail(const Error& error) {
    failure_ = error;
    failed_ = true;
  }

  const MapOptions& options_;
  ShardTables& tables_;
  Manifest& to_;
  std::atomic<bool> failed_ = false;
  Error failure_{};
};

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
  const std::int64_t all = std::ssize(plan.ranks), first = shard.number * all / shard.of;
  const auto ranks =
      std::span(plan.ranks)
          .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>((shard.number + 1) * all / shard.of - first));
  if (const Result<bool> read = RankRows(options, tables, manifest).read(ranks); !read) return read.error();
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
