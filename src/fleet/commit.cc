#include "fleet/commit.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "fleet/lake_layout.h"
#include "fleet/lake_tables.h"
#include "sql/sql_files.h"
#include "store/content_key.h"

namespace sightline::fleet {

namespace {

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// A path below the lake's own.
std::string inside(const std::string& lake, const std::string& path) {
  return path.starts_with(lake) ? path.substr(lake.size() + (lake.ends_with('/') ? 0 : 1)) : path;
}

bool is_manifest(const std::string& name) {
  return name.ends_with(".json") && name != "PLAN.json" && name != "COMMITTED.json" &&
         name.find(".unfinished") == std::string::npos;
}

std::string listed_numbers(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i) list += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  return numbers.size() > kMost ? list + ", ..." : list;
}

Result<std::optional<Committed>> find_committed(const std::string& lake, const std::string& capture) {
  const std::string path = path_in(lake, committed_file(capture));
  const Result<std::string> text = stored_bytes(path);
  if (!text && text.error().code == ErrorCode::not_found) return std::optional<Committed>();
  if (!text) return text.error();
  Result<Committed> committed = parse_committed(*text, path);
  if (!committed) return committed.error();
  return std::optional(*std::move(committed));
}

// A folder on this machine that is removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "sightline-fleet-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }  // empty: it could not be made

 private:
  std::string path_;
};

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

  // One complete attempt at each shard: the one with the smallest name.
  Result<bool> choose() {
    const auto files = stored_files(at(manifests_of(options_.capture)));
    if (!files) return files.error();
    std::map<std::int64_t, Manifest> chosen;
    for (const StoredFile& file : *files) {
      if (!is_manifest(name_of(file.path))) continue;
      const Result<std::string> text = stored_bytes(file.path);
      if (!text) return text.error();
      const Result<Manifest> manifest = parse_manifest(*text, file.path);
      if (!manifest) return manifest.error();
      if (const Result<bool> fits = check(*manifest, chosen, file.path); !fits) return fits;
      if (!chosen.contains(manifest->shard) && is_complete(*manifest)) chosen.emplace(manifest->shard, *manifest);
    }
    if (chosen.empty())
      return Error{ErrorCode::not_found, say("no shard of a capture '{}' was mapped", options_.capture), options_.lake};
    take(chosen);
    return true;
  }

  // All manifests are of one plan.
  static Result<bool> check(const Manifest& manifest, const std::map<std::int64_t, Manifest>& chosen, const std::string& path) {
    if (manifest.schema != schema_fingerprint())
      return Error{ErrorCode::unsupported, "the tables were written by another version of this program: map the ranks again",
                   path};
    if (chosen.empty()) return true;
    const Manifest& first = chosen.begin()->second;
    if (first.shards == manifest.shards && first.plan == manifest.plan && first.plan_ranks == manifest.plan_ranks) return true;
    return Error{ErrorCode::malformed,
                 "the shards are not of one list of ranks: name another capture, or make the list once with fleet plan", path};
  }

  bool is_complete(const Manifest& manifest) {
    for (const auto& [table, files] : manifest.tables) {
      auto known = sizes_.find(table);
      if (known == sizes_.end()) {
        known = sizes_.try_emplace(table).first;
        const auto listed = stored_files(at(fmt::format("data/{}/capture={}", table, options_.capture)));
        for (const StoredFile& file : listed ? *listed : std::vector<StoredFile>{})
          known->second[inside(options_.lake, file.path)] = file.size;
      }
      for (const LakeFile& file : files) {
        const auto there = known->second.find(file.path);
        if (there == known->second.end() || there->second != file.bytes) return false;
      }
    }
    return true;
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
    }
    to_.choice = store::hex(store::checksum(names));
    to_.ranks_missing = std::max(std::max(to_.world_size, first.plan_ranks) - to_.ranks, std::int64_t{0});
  }

  Error missing() const {
    return {ErrorCode::unavailable,
            say("{} of {} shards are missing: {}. Map them, or commit without them with --partial",
                std::to_string(to_.missing_shards.size()), std::to_string(to_.shards), listed_numbers(to_.missing_shards)),
            options_.capture};
  }

  Result<bool> store(const std::string& path, const std::string& table, std::int64_t rows, const std::string& bytes) {
    to_.tables[table].push_back({path, rows, std::ssize(bytes), store::hex(store::checksum(bytes))});
    return store_file(at(path), bytes);
  }

  // So that SQL finds the columns of a table of which no rank has rows.
  Result<bool> add_empty_tables() {
    for (const LakeTableInfo& table : lake_tables()) {
      if (table.is_reduced() || to_.tables.contains(std::string(table.name))) continue;
      LakeWriter none(table);
      const Result<std::string> bytes = none.finish();
      if (!bytes) return bytes.error();
      const Result<bool> stored = store(reduced_file(table.name, options_.capture, attempt_), std::string(table.name), 0, *bytes);
      if (!stored) return stored;
    }
    return true;
  }

  Result<bool> add_reduced_tables() {
    const WorkFolder folder;
    if (folder.path().empty()) return Error{ErrorCode::unavailable, "no folder for temporary files can be made", ""};
    std::map<std::string, std::vector<std::string>> tables;
    for (const auto& [table, files] : to_.tables) {
      for (const LakeFile& file : files) {
        Result<std::string> path = sql::local_file(at(file.path));
        if (!path) return path.error();
        tables[table].push_back(*std::move(path));
      }
    }
    if (const Result<bool> done = reduce(tables, options_.capture, folder.path(), options_.reduce); !done) return done;
    for (const LakeTableInfo& table : lake_tables()) {
      const std::string name(table.name), made = folder.path() + "/" + name + ".parquet";
      std::error_code absent;
      if (!table.is_reduced() || !std::filesystem::exists(made, absent)) continue;
      const Result<std::string> bytes = stored_bytes(made);
      if (!bytes) return bytes.error();
      if (const Result<bool> stored = store(reduced_file(name, options_.capture, attempt_), name, 0, *bytes); !stored)
        return stored;
    }
    to_.reduced = true;
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
  Committed to_;
};

// ---- list and clean ----

constexpr std::string_view kCapture = "capture=";

// The capture in a path such as manifests/capture=ID/...; empty: none.
std::string capture_in(const std::string& path) {
  const std::size_t at = path.find(kCapture);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kCapture.size();
  return path.substr(begin, path.find('/', begin) - begin);
}

}  // namespace

Result<CommitAnswer> commit(const CommitOptions& options) { return Commit(options).run(); }

Result<std::vector<CaptureInLake>> list_captures(const std::string& lake) {
  const auto files = stored_files(path_in(lake, "manifests"));
  if (!files) return files.error();
  std::vector<CaptureInLake> captures;
  std::set<std::string> mapped;  // beginnings of the names of manifests: "00042"
  for (const StoredFile& file : *files) {
    const std::string capture = capture_in(inside(lake, file.path)), name = name_of(file.path);
    if (capture.empty()) continue;
    if (captures.empty() || captures.back().capture != capture) {
      captures.push_back({.capture = capture, .committed = std::nullopt});
      mapped.clear();
    }
    CaptureInLake& to = captures.back();
    if (name == "COMMITTED.json") {
      const auto committed = find_committed(lake, capture);
      if (!committed) return committed.error();
      to.committed = *committed;
    } else if (is_manifest(name)) {
      mapped.insert(name.substr(0, name.find('.')));
      to.shards_mapped = std::ssize(mapped);
      if (to.shards != 0) continue;
      const Result<std::string> text = stored_bytes(file.path);
      const Result<Manifest> manifest = text ? parse_manifest(*text, file.path) : Result<Manifest>(text.error());
      if (manifest) to.shards = manifest->shards;
    }
  }
  return captures;
}

Result<Cleaned> clean(const std::string& lake, double older_than_seconds, bool dry_run) {
  const auto captures = list_captures(lake);
  if (!captures) return captures.error();
  std::map<std::string, std::set<std::string>> kept;  // by capture, of those that are committed
  for (const CaptureInLake& each : *captures) {
    if (!each.committed) continue;
    auto& paths = kept[each.capture];
    paths.insert(each.committed->manifests.begin(), each.committed->manifests.end());
    for (const auto& [table, files] : each.committed->tables) {
      for (const LakeFile& file : files) paths.insert(file.path);
    }
  }
  const auto now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  Cleaned cleaned;
  for (const char* folder : {"data", "manifests"}) {
    const auto files = stored_files(path_in(lake, folder));
    if (!files) return files.error();
    for (const StoredFile& file : *files) {
      const std::string path = inside(lake, file.path);
      const auto of = kept.find(capture_in(path));
      const bool is_list = name_of(path) == "PLAN.json" || name_of(path) == "COMMITTED.json";
      const bool is_old = file.modified != 0 && static_cast<double>(now - file.modified) > older_than_seconds * 1e9;
      if (of == kept.end() || is_list || of->second.contains(path) || !is_old) continue;
      cleaned.files.push_back(path);
      cleaned.bytes += file.size;
      if (dry_run) continue;
      if (const Result<bool> removed = remove_stored(file.path); !removed) return removed.error();
    }
  }
  return cleaned;
}

}  // namespace sightline::fleet
