#include "fleet/commit.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/parallel.h"
#include "base/private_folder.h"
#include "base/remote/stored_files.h"
#include "fleet/lake_layout.h"
#include "fleet/lake_tables.h"
#include "fleet/reduce_with_trino.h"
#include "sql/sql_files.h"
#include "store/content_key.h"
#include "store/file_checksum.h"

namespace sightline::fleet {

namespace {

std::string listed_numbers(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i) list += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  return numbers.size() > kMost ? list + ", ..." : list;
}

class Commit {
 public:
  explicit Commit(const CommitOptions& options) : options_(options) {}

  Result<CommitAnswer> run() {
    if (const Result<bool> sound = check_capture_id(options_.capture); !sound) return sound.error();
    const auto before = find_committed(options_.lake, options_.capture);
    if (!before) return before.error();
    if (*before && !(*before)->partial()) return CommitAnswer{**before, true};
    if (const Result<bool> chosen = choose(); !chosen) return chosen.error();
    if (*before && (*before)->choice == to_.choice) return CommitAnswer{**before, true};
    if (!to_.missing_shards.empty() && !options_.partial) return missing();
    to_.round = *before ? (*before)->round + 1 : 1;
    if (const Result<bool> made = add_empty_tables(); !made) return made.error();
    if (const Result<bool> reduced = add_reduced_tables(); !reduced) return reduced.error();
    return publish(before->has_value());
  }

 private:
  std::string at(const std::string& path) const { return path_in(options_.lake, path); }

  // One complete attempt at each shard: the one with the smallest name, of those whose tables have the same columns.
  Result<bool> choose() {
    const Result<std::vector<Found>> all = manifests();
    if (!all) return all.error();
    const std::string schema = schema_of_most(*all);
    std::map<std::int64_t, Manifest> chosen;
    for (const auto& [manifest, path] : *all) {
      if (manifest.schema != schema) continue;
      if (const Result<bool> fits = check(manifest, chosen, path); !fits) return fits;
      if (!chosen.contains(manifest.shard) && is_complete(manifest)) chosen.emplace(manifest.shard, manifest);
    }
    if (chosen.empty() && damaged_.empty())
      return Error{ErrorCode::not_found, say("no shard of a capture '{}' was mapped", options_.capture), options_.lake};
    if (chosen.empty())
      return Error{ErrorCode::unavailable, "the bytes of this file are not those that its manifest names", damaged_};
    take(chosen);
    return schema == schema_fingerprint() ? Result<bool>(true) : check_columns();
  }

  struct Found {
    Manifest manifest;
    std::string path;
  };

  Result<std::vector<Found>> manifests() const {
    const auto files = stored_files(at(manifests_of(options_.capture)));
    if (!files) return files.error();
    std::vector<Found> found;
    for (const StoredFile& file : *files) {
      if (!is_manifest(file.path)) continue;
      const Result<std::string> text = stored_bytes(file.path);
      if (!text) return text.error();
      const Result<Manifest> manifest = parse_manifest(*text, file.path);
      if (!manifest) return manifest.error();
      found.push_back({*manifest, file.path});
    }
    return found;
  }

  // Two versions of this program may have mapped: the columns that most shards have, of equals this program's own.
  static std::string schema_of_most(const std::vector<Found>& all) {
    std::map<std::string, std::set<std::int64_t>> shards;
    for (const Found& each : all) shards[each.manifest.schema].insert(each.manifest.shard);
    std::string best = schema_fingerprint();
    for (const auto& [schema, of] : shards) {
      if (of.size() > shards[best].size()) best = schema;
    }
    return best;
  }

  // All manifests are of one plan.
  static Result<bool> check(const Manifest& manifest, const std::map<std::int64_t, Manifest>& chosen, const std::string& path) {
    if (chosen.empty()) return true;
    const Manifest& first = chosen.begin()->second;
    if (first.shards == manifest.shards && first.plan == manifest.plan && first.plan_ranks == manifest.plan_ranks) return true;
    return Error{ErrorCode::malformed,
                 "the shards are not of one list of ranks: name another capture, or make the list once with fleet plan", path};
  }

  // The tables of another version of this program: whether they have the columns that this one reads.
  Result<bool> check_columns() const {
    for (const auto& [table, files] : to_.tables) {
      const LakeTableInfo* known = find_lake_table(table);
      if (known == nullptr || !known->is_mapped() || files.empty()) continue;
      const Result<std::string> file = sql::local_file(at(files.front().path));
      if (!file) return file.error();
      const Result<std::vector<std::string>> missing = columns_missing(*known, *file);
      if (!missing) return missing.error();
      if (missing->empty()) continue;
      return Error{ErrorCode::unsupported,
                   say("the table {} has no column {}: another version of this program wrote it; map the ranks again", table,
                       missing->front()),
                   files.front().path};
    }
    return true;
  }

  bool is_complete(const Manifest& manifest) {
    std::vector<const LakeFile*> all;
    for (const auto& [table, files] : manifest.tables) {
      auto known = sizes_.find(table);
      if (known == sizes_.end()) {
        known = sizes_.try_emplace(table).first;
        const auto listed = stored_files(at(fmt::format("data/{}/capture={}", table, options_.capture)));
        for (const StoredFile& file : listed ? *listed : std::vector<StoredFile>{})
          known->second[path_inside(options_.lake, file.path)] = file.size;
      }
      for (const LakeFile& file : files) {
        const auto there = known->second.find(file.path);
        if (there == known->second.end() || there->second != file.bytes) return false;
        all.push_back(&file);
      }
    }
    return !options_.engine.empty() || has_its_bytes(all);  // what a cluster reads is not read here
  }

  // Compares the checksums. Of a lake in a cloud, this makes the copies that the reduction reads.
  bool has_its_bytes(const std::vector<const LakeFile*>& files) {
    constexpr unsigned kAtOnce = 8;
    std::vector<char> wrong(files.size());
    parallel_for(files.size(), kAtOnce, [&](std::size_t i) {
      const Result<std::string> path = sql::local_file(at(files[i]->path));
      const Result<std::uint64_t> sum = path ? store::checksum_of_file(*path) : Result<std::uint64_t>(path.error());
      wrong[i] = !sum || store::hex(*sum) != files[i]->checksum;
    });
    const auto first = std::find(wrong.begin(), wrong.end(), true);
    if (first == wrong.end()) return true;
    damaged_ = files[static_cast<std::size_t>(first - wrong.begin())]->path;
    return false;
  }

  void take(const std::map<std::int64_t, Manifest>& chosen) {
    const Manifest& first = chosen.begin()->second;
    to_.capture = options_.capture;
    to_.program = SIGHTLINE_VERSION;
    to_.plan = first.plan;
    to_.shards = first.shards;
    std::string names;
    for (std::int64_t shard = 0; shard < first.shards; ++shard) {
      const auto manifest = chosen.find(shard);
      if (manifest == chosen.end()) {
        to_.missing_shards.push_back(shard);
        continue;
      }
      const Manifest& m = manifest->second;
      to_.manifests.push_back(manifest_file(m.capture, m.shard, m.attempt));
      names += to_.manifests.back() + "\n";
      to_.ranks += m.ranks - std::ssize(m.failed);
      to_.damaged += std::ssize(m.failed) + std::ssize(m.partial);
      to_.world_size = std::max(to_.world_size, m.world_size);
      for (const auto& [table, files] : m.tables) {
        auto& all = to_.tables[table];
        all.insert(all.end(), files.begin(), files.end());
      }
      to_.profiles.insert(to_.profiles.end(), m.profiles.begin(), m.profiles.end());
    }
    to_.choice = store::hex(store::checksum(names));
    to_.ranks_missing = std::max(std::max(to_.world_size, first.plan_ranks) - to_.ranks, std::int64_t{0});
  }

  Error missing() const {
    return {ErrorCode::unavailable,
            say("{} of {} shards are missing: {}. Map them, or commit without them with --partial",
                std::to_string(to_.missing_shards.size()), std::to_string(to_.shards), listed_numbers(to_.missing_shards)),
            damaged_.empty() ? options_.capture : options_.capture + ", damaged: " + damaged_};
  }

  // A table that the reduction has written on this machine. Only a piece of it is in memory, because members may be large.
  Result<bool> add_table(const std::string& name, const std::string& made) {
    const Result<std::int64_t> rows = rows_of_file(made);
    if (!rows) return rows.error();
    const Result<std::uint64_t> sum = store::checksum_of_file(made);
    if (!sum) return sum.error();
    std::error_code failed;
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(made, failed));
    if (failed) return Error{ErrorCode::unreadable, Message::verbatim(failed.message()), made};
    const std::string path = reduced_file(name, options_.capture, attempt_);
    replace_table(name, {{path, *rows, bytes, store::hex(*sum)}});
    return store_copy(at(path), made);
  }

  // The files of shards that the table had stay in the lake: another commit with more shards reads them.
  void replace_table(const std::string& name, const std::vector<LakeFile>& files) {
    std::vector<LakeFile>& all = to_.tables[name];
    to_.gathered.insert(to_.gathered.end(), all.begin(), all.end());
    all = files;
  }

  // So that SQL finds the columns of a table of which no rank has rows.
  Result<bool> add_empty_tables() {
    for (const LakeTableInfo& table : lake_tables()) {
      if (!table.is_mapped() || to_.tables.contains(std::string(table.name))) continue;
      if (const Result<bool> stored = add_empty_table(table); !stored) return stored;
    }
    return true;
  }

  Result<bool> add_empty_table(const LakeTableInfo& table) {
    LakeWriter none(table);
    const Result<std::string> bytes = none.finish();
    if (!bytes) return bytes.error();
    const std::string path = reduced_file(table.name, options_.capture, attempt_);
    to_.tables[std::string(table.name)].push_back({path, 0, std::ssize(*bytes), store::hex(store::checksum(*bytes))});
    return store_file(at(path), *bytes);
  }

  Result<bool> add_reduced_tables() {
    const Result<bool> reduced = options_.engine.empty() ? reduce_here() : reduce_there();
    to_.reduced = reduced.ok();
    return reduced;
  }

  Result<bool> reduce_here() {
    const Result<PrivateFolder> folder = PrivateFolder::make("fleet");
    if (!folder) return folder.error();
    std::map<std::string, std::vector<std::string>> tables;
    for (const auto& [table, files] : to_.tables) {
      for (const LakeFile& file : files) {
        Result<std::string> path = sql::local_file(at(file.path));
        if (!path) return path.error();
        tables[table].push_back(*std::move(path));
      }
    }
    if (const Result<bool> done =
            reduce(tables, rows_of(to_.tables, "collectives"), options_.capture, folder->path(), options_.reduce);
        !done)
      return done;
    for (const LakeTableInfo& table : lake_tables()) {
      const std::string name(table.name), made = folder->path() + "/" + name + ".parquet";
      std::error_code absent;
      if (!table.is_reduced() || !std::filesystem::exists(made, absent)) continue;
      if (const Result<bool> added = add_table(name, made); !added) return added;
    }
    return true;
  }

  Result<bool> reduce_there() {
    const Result<LakeFiles> written = reduce_with_trino(to_.tables, {.engine = options_.engine,
                                                                     .engine_lake = options_.engine_lake,
                                                                     .lake = options_.lake,
                                                                     .capture = options_.capture,
                                                                     .attempt = attempt_,
                                                                     .memory = options_.reduce.memory,
                                                                     .parts = options_.reduce.parts,
                                                                     .members = options_.reduce.members});
    if (!written) return written.error();
    for (const auto& [table, files] : *written) replace_table(table, files);
    for (const LakeTableInfo& table : lake_tables()) {
      const bool wanted = table.is_reduced() && (options_.reduce.members || table.name != "members");
      if (!wanted || to_.tables.contains(std::string(table.name))) continue;
      if (const Result<bool> stored = add_empty_table(table); !stored) return stored;
    }
    return true;
  }

  Result<CommitAnswer> publish(bool replaces) {
    const std::string path = at(committed_file(options_.capture));
    const Result<bool> first = replaces ? store_file(path, committed_json(to_)) : store_new_file(path, committed_json(to_));
    if (!first) return first.error();
    if (*first) return CommitAnswer{to_, false};
    const auto other = find_committed(options_.lake, options_.capture);
    if (!other) return other.error();
    if (*other) return CommitAnswer{**other, true};
    return Error{ErrorCode::unavailable, "the list of the capture's files appeared and disappeared: try again", path};
  }

  const CommitOptions& options_;
  const std::string attempt_ = new_attempt();
  std::map<std::string, std::map<std::string, std::int64_t>> sizes_;  // by table and path
  std::string damaged_;  // a file without the bytes that its manifest names; empty: none
  Committed to_;
};

}  // namespace

Result<CommitAnswer> commit(const CommitOptions& options) { return Commit(options).run(); }

}  // namespace sightline::fleet
