// What is in a lake, and removing what is not needed any more.
#include <algorithm>
#include <chrono>
#include <set>

#include "base/remote/stored_files.h"
#include "fleet/commit.h"
#include "fleet/lake_layout.h"

namespace sightline::fleet {

namespace {

constexpr std::string_view kCapture = "capture=";

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The capture in a path such as manifests/capture=ID/...; empty: none.
std::string capture_in(const std::string& path) {
  const std::size_t at = path.find(kCapture);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kCapture.size();
  return path.substr(begin, path.find('/', begin) - begin);
}

class Cleaning {
 public:
  Cleaning(const std::string& lake, const CleanOptions& options) : lake_(lake), options_(options) {}

  Result<Cleaned> run() {
    const auto captures = list_captures(lake_);
    if (!captures) return captures.error();
    for (const CaptureInLake& each : *captures) {
      if (!each.committed) continue;
      const Result<bool> kept = keep(*each.committed);
      if (!kept) return kept.error();
    }
    for (const char* folder : {"data", "profiles", "manifests"}) {
      const Result<bool> done = clean_folder(folder);
      if (!done) return done.error();
    }
    return cleaned_;
  }

 private:
  bool is_old(std::int64_t modified) const {
    return modified != 0 && static_cast<double>(now_ - modified) > options_.older_than_seconds * 1e9;
  }

  // The files of a committed capture that stay. If it is old enough, its list first says which tables it loses; of a capture that
  // goes as a whole, the list is removed first. So a reader never finds a list whose files are gone.
  Result<bool> keep(Committed committed) {
    const std::string list = path_in(lake_, committed_file(committed.capture));
    auto& paths = kept_[committed.capture];
    const bool may_lose = options_.whole || options_.profiles || !options_.tables.empty();
    const Result<std::optional<StoredFile>> old = may_lose ? old_file(list) : std::optional<StoredFile>();
    if (!old) return old.error();
    if (*old && options_.whole) {
      gone_.insert(committed.capture);
      if (options_.dry_run) return true;
      count(**old);
      return remove_stored(list);
    }
    if (*old && lose_tables(committed) && !options_.dry_run) {
      const Result<bool> stored = store_file(list, committed_json(committed));
      if (!stored) return stored;
    }
    paths.insert(committed.manifests.begin(), committed.manifests.end());
    for (const auto& [table, files] : committed.tables) {
      for (const LakeFile& file : files) paths.insert(file.path);
    }
    for (const std::vector<LakeFile>* files : {&committed.profiles, &committed.gathered}) {
      for (const LakeFile& file : *files) paths.insert(file.path);
    }
    return true;
  }

  bool lose_tables(Committed& committed) const {
    bool lost = options_.profiles && !committed.profiles.empty();
    if (lost) committed.profiles.clear();
    for (const std::string& table : options_.tables) {
      if (committed.tables.erase(table) == 0) continue;
      committed.removed_tables.push_back(table);
      lost = true;
    }
    return lost;
  }

  Result<std::optional<StoredFile>> old_file(const std::string& path) const {
    const auto files = stored_files(path.substr(0, path.rfind('/')));
    if (!files) return files.error();
    const auto found = std::find_if(files->begin(), files->end(), [&](const StoredFile& file) {
      return name_of(file.path) == name_of(path) && is_old(file.modified);
    });
    return found == files->end() ? std::optional<StoredFile>() : *found;
  }

  void count(const StoredFile& file) {
    cleaned_.files.push_back(path_inside(lake_, file.path));
    cleaned_.bytes += file.size;
  }

  bool counts(const std::string& path, const StoredFile& file) const {
    const std::string capture = capture_in(path);
    if (gone_.contains(capture)) return false;
    const auto of = kept_.find(capture);
    const bool is_list = name_of(path) == "PLAN.json" || name_of(path) == "COMMITTED.json";
    return of == kept_.end() || is_list || of->second.contains(path) || !is_old(file.modified);
  }

  Result<bool> clean_folder(const char* folder) {
    const auto files = stored_files(path_in(lake_, folder));
    if (!files) return files.error();
    for (const StoredFile& file : *files) {
      const std::string path = path_inside(lake_, file.path);
      if (counts(path, file)) continue;
      count(file);
      if (options_.dry_run) continue;
      if (const Result<bool> removed = remove_stored(file.path); !removed) return removed;
    }
    return true;
  }

  const std::string& lake_;
  const CleanOptions& options_;
  const std::int64_t now_ =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::map<std::string, std::set<std::string>> kept_;  // by capture, of those that are committed
  std::set<std::string> gone_;                         // captures
  Cleaned cleaned_;
};

}  // namespace

bool is_manifest(const std::string& path) {
  const std::string name = name_of(path);
  return name.ends_with(".json") && name != "PLAN.json" && name != "COMMITTED.json" &&
         name.find(".unfinished") == std::string::npos;
}

Result<std::optional<Committed>> find_committed(const std::string& lake, const std::string& capture) {
  const std::string path = path_in(lake, committed_file(capture));
  const Result<std::string> text = stored_bytes(path);
  if (!text && text.error().code == ErrorCode::not_found) return std::optional<Committed>();
  if (!text) return text.error();
  Result<Committed> committed = parse_committed(*text, path);
  if (!committed) return committed.error();
  if (committed->capture != capture)
    return Error{ErrorCode::malformed, say("the list names another capture than its folder: '{}'", committed->capture), path};
  return std::optional(*std::move(committed));
}

Result<std::vector<CaptureInLake>> list_captures(const std::string& lake) {
  const auto files = stored_files(path_in(lake, "manifests"));
  if (!files) return files.error();
  std::vector<CaptureInLake> captures;
  std::set<std::string> mapped;  // beginnings of the names of manifests: "00042"
  for (const StoredFile& file : *files) {
    const std::string capture = capture_in(path_inside(lake, file.path)), name = name_of(file.path);
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

Result<Cleaned> clean(const std::string& lake, const CleanOptions& options) { return Cleaning(lake, options).run(); }

}  // namespace sightline::fleet
