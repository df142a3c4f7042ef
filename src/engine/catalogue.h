// Catalogue: what profiles there are: the captures found under the given paths and those of the cache, each with its run, worker
// and span, in the order in which they are shown. It finds the captures that a question is about. It reads no profile and has no
// thread. Thread-safe.
//
// Names of captures that are added before keep_names() depend on all of them; those added later are numbered on from there.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "engine/capture.h"
#include "engine/discover.h"
#include "engine/engine_options.h"

namespace sightline::engine {

// ---- names of spans and runs ----
// Where a capture is in run > worker > span. Spans of a worker are numbered from 1 in the order of their
// stamps, those of sessions that all workers share by the sessions of the run; a capture without a stamp is "default". Two files
// of the same place are both kept: the later one gets another name and a note about it. Different ranks are different workers: if
// they have the same worker name, the rank is added to it. A name that a user may have seen is kept: spans that appear later get
// the following numbers, in the order of their stamps among themselves.

struct Place {
  std::string run, worker, span;
  std::string stamp;          // as the file name carries it
  std::string file;           // as shown
  Message note;               // what the user should know about this name; usually empty
  bool kept = false;          // a user may have seen it: span, note and the turn among the spans of the worker stay
  int ordinal = 0, turn = 0;  // set with the name
  std::optional<std::int64_t> rank = std::nullopt;  // in the job, where it is known
  std::string shared = {};                          // the worker's name that several ranks share, once they are distinguished
};

// Sorts by run, worker, kept names and stamp, and sets worker, span and note of those whose name is not kept.
void name_spans(std::vector<Place*>& places);

// Run names that distinguish directories: the wanted name, or with as many folders above it as make it unique.
class RunNames {
 public:
  const std::string& name_of(const std::string& directory, const std::string& wanted);

 private:
  std::map<std::string, std::string> by_directory_;
  std::map<std::string, std::string> taken_;  // name -> directory
};

// ---- the catalogue ----

// The captures that a question is about, in the catalogue's order; for a comparison, the baseline first.
struct FoundCaptures {
  CapturePtr first;  // the one that was selected
  std::vector<CapturePtr> all;
};

class Catalogue {
 public:
  // REQUIRES: the options are completed.
  explicit Catalogue(const EngineOptions& options) : readers_(options.readers), cache_(options.cache) {}

  struct Added {
    std::size_t found = 0;             // all captures under the path
    std::vector<CapturePtr> captures;  // those that are new
  };

  // Remembers the path and adds the captures under a file or a directory tree. Not found, or nothing readable inside: an error
  // that says what was looked for; the path is remembered nevertheless. `run` is the name of their run, in the cache too; empty:
  // from the folder.
  Result<Added> add_path(const std::string& path, const std::string& run = "");

  // The same for a path that is remembered only if it holds a capture.
  Result<Added> try_path(const std::string& path);

  // Adds the captures under a file or a folder that a client has sent. The path is not remembered.
  Result<Added> add_upload(const std::string& path);

  // Removes the captures below a folder, and returns them.
  std::vector<CapturePtr> remove_below(const std::string& folder);

  // The captures that are new under a path that was added. They are marked as being written.
  std::vector<CapturePtr> look_again(const std::string& path);

  // Adds the profiles of the cache; returns the new ones. Of a file that was read several times, the last reading is shown.
  std::vector<CapturePtr> add_cached();

  // Adds one profile of the cache, unless it is there. not_found: the cache does not have it, or another version wrote it.
  Result<Added> add_cached(const std::string& key);

  // From now on the captures that are there keep their names.
  void keep_names();

  // `again`, another reading of a file, is ready and takes the place of the reading before; or it failed, and that one stays with
  // a note.
  void replace(const CapturePtr& again);
  void remove(const CapturePtr& capture);

  std::vector<std::string> paths() const;  // that were added
  std::string shown_cache() const;         // the folder of the cache, once add_cached was called; empty: not shown

  // What add_path could not open or had to rename, one sentence each.
  std::vector<std::string> notices() const;

  // All captures, sorted by run, worker, span.
  std::vector<CapturePtr> all() const;
  std::vector<CaptureState> state() const;
  std::vector<CapturePtr> under(const std::string& path) const;          // those of a path that was added
  std::vector<CaptureState> state_under(const std::string& path) const;  // likewise

  // The capture that a selector names; not_found lists what there is.
  Result<CapturePtr> find(const ProfileSelector& selector) const;

  // What `view` needs: the capture, the capture and another one, or all workers of its span, by the view's scope. Members of
  // `other` that are empty mean the same as in the first where there is such a one; all empty: the capture after the first.
  Result<FoundCaptures> find_for(const Analysis& view, const ProfileSelector& first, const ProfileSelector& other) const;

  // All workers of its span, itself included.
  std::vector<CapturePtr> span_of(const Capture& capture) const;

 private:
  struct Entry {
    Place place;
    CapturePtr capture;
  };
  using Key = std::pair<std::string, std::string>;  // directory and file name

  static Key key_of(const Capture& capture) { return {capture.directory, capture.file_name()}; }
  std::vector<CapturePtr> take(const std::string& path, Discovery found, bool settled);
  void add(Place place, CapturePtr capture);
  CapturePtr find_shown(const CatalogueEntry& entry) const;
  void name_and_sort();
  Result<CapturePtr> find_named(const ProfileSelector& selector) const;
  std::vector<CapturePtr> find_span(const Capture& capture) const;
  std::vector<CapturePtr> find_runs(const Capture& capture) const;
  Result<CapturePtr> find_other(const CapturePtr& first, const ProfileSelector& other, std::string_view view) const;
  Result<CapturePtr> next_able(const CapturePtr& first, std::string_view view) const;

  const std::span<const Reader> readers_;
  ProfileCache* const cache_;

  mutable std::mutex mutex_;  // guards what follows; a capture's own lock may be taken under it
  RunNames run_names_;
  std::vector<Entry> entries_;
  std::vector<std::string> paths_;
  std::map<std::string, std::set<Key>> under_;  // by path
  std::map<std::string, std::string> run_of_;   // by path, where its run was given a name
  bool shows_cache_ = false;
  std::vector<std::string> notices_;
};

// The first names of a list, for an error.
std::string listed_names(const std::vector<std::string>& names);

// not_found: "no run 'r3'; available: r1, r2".
Error no_such(const char* noun, const std::string& wanted, const std::vector<std::string>& names);

}  // namespace sightline::engine
