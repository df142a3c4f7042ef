// Engine: finds runs under the given paths, loads their profiles in the background, and runs analyses on them.
// The only place that knows readers, analyses, the timeline and the store at once. Thread-safe. The names of
// the spans that are added before start() depend on all of them; those found later are numbered on from there.
//
// A capture is one reading of one file. A file that has changed is read into a capture of its own, which takes the place
// of the old one when it is ready. Holders of the old capture keep a valid snapshot.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"
#include "engine/capture_summary.h"
#include "engine/kept_report.h"
#include "engine/loaded_profile.h"
#include "engine/span_names.h"
#include "formats/reader.h"
#include "model/report.h"
#include "store/marker_store.h"
#include "store/profile_cache.h"

namespace sightline::engine {

enum class LoadStatus { queued, reading, ready, failed };

constexpr std::string_view load_status_name(LoadStatus status) {
  switch (status) {
    case LoadStatus::queued: return "queued";
    case LoadStatus::reading: return "reading";
    case LoadStatus::ready: return "ready";
    case LoadStatus::failed: return "failed";
  }
  return "queued";
}

// Names one profile; empty members mean "the first".
struct ProfileSelector {
  std::string run = {};
  std::string worker = {};
  std::string span = {};
};

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Which view of what. Members of `other`, for views that compare, that are empty mean the same as in `profile` where there
// is such a one; all empty: the capture after `profile`.
struct Question {
  ProfileSelector profile = {};
  std::string view = {};
  ParameterTexts parameters = {};
  ProfileSelector other = {};
};

// Which of the profiles that were read from their files go into the cache: those that took a second or more (a command
// that runs for a moment should not write for long), or all.
enum class KeepRead { nothing, slow, all };

struct EngineOptions {
  unsigned threads = 0;                     // 0: all cores
  bool timelines = false;                   // for interactive use: timelines, and views prepared ahead
  std::span<const Reader> readers = {};     // empty: all this program has; tests bring their own
  std::span<const Analysis> analyses = {};  // likewise
  std::string marker_folder = {};           // where markers are kept; empty: only in memory
  ProfileCache* cache = nullptr;            // outlives the engine; null: none
  bool read_anew = false;                   // files are read even where the cache has them, and kept anew
  KeepRead keep = KeepRead::nothing;
  std::function<void(const std::string&)> say = {};  // called with the reason why a profile is not kept, or files are not watched
  // Most bytes of profiles that stay open at once; the least recently used one is closed, and is opened again when requested
  // for it. 0: a quarter of the machine's memory.
  std::int64_t memory = 0;
  // Most bytes that reading a file and the profiles that stay open take together: a file that takes more is read in part, and
  // its profile says so. 0: `memory` where that is given, else three quarters of the machine's memory.
  std::int64_t reading_memory = 0;
};

// What is known of a capture at one moment (a copy, safe to keep).
struct CaptureState {
  std::string run, worker, span, file;
  Message note;  // what a person should know of its name; usually empty
  LoadStatus status = LoadStatus::queued;
  std::string_view stage;
  std::int64_t bytes_done = 0, bytes_total = 0, text_bytes = 0, events = 0;
  std::int64_t readings = 1;  // how often the file was read: what it says is new when this is
  double seconds = 0;         // reading time so far, or in total
  std::optional<Error> error;
  ProfilePtr profile;                             // when ready and open: see Engine::profile
  std::shared_ptr<const CaptureSummary> summary;  // when ready
};

class Keeper;

class Engine {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine();  // cancels what is loading
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Finds the captures under a file or a directory tree and queues those that are not yet known; returns how many
  // were found. Not found, or nothing readable inside: an error that says what was looked for; watch() looks again.
  // `run` is what their run is called, in the cache too; empty: by the folder it is in.
  Result<std::size_t> add_path(const std::string& path, const std::string& run = "");

  // Queues all profiles of the cache (of a file that was read several times, the last); returns how many. Those that come to it
  // later are found by watch().
  std::size_t add_catalogue();

  // What add_path could not look into or had to rename, one sentence each.
  std::vector<std::string> notices() const;

  // Leaves in the queue only what the question needs.
  Result<bool> queue_only(const Question& question);

  // Loads what is queued: in the background (start), and until all of it is done (wait).
  void start();
  void wait();

  // Looks again at all paths that were added, from now on and until the engine ends: every so often, and rarely enough
  // that it takes a tenth of one core at most. See look_again.
  void watch(std::chrono::milliseconds every);

  // One such look; clouds are checked every half a minute at most (SIGHTLINE_CLOUD_WATCH). Queues what is new and what has
  // changed since it was read (a file that failed may be whole by now), once its size and time are those of the look before, and
  // loads it. What was read of a file that is gone stays.
  void look_again();

  // The paths that are looked at again; none without watch().
  std::vector<std::string> watched() const;

  // Waits until the profiles that EngineOptions::keep selects are in the cache.
  void finish_keeping();

  // Sorted by run, worker, span.
  std::vector<CaptureState> state() const;
  std::vector<CaptureState> captures_under(const std::string& path) const;  // those of a path that was added
  bool loading() const;                                                     // whether anything is still to become ready

  // The profile a selector names. Still loading: ErrorCode::unavailable; failed: its own error.
  Result<ProfilePtr> profile(const ProfileSelector& selector) const;

  // Runs an analysis on the selected profile, on two of them, or on all workers of its span, by the analysis' scope.
  Result<Report> report(const Question& question) const;

  // The same, kept for a while: a second request costs no analysis.
  Result<KeptReportPtr> kept_report(const Question& question) const;

  // The timeline of the profile a selector names; an error without EngineOptions::timelines.
  Result<std::shared_ptr<const Timeline>> timeline(const ProfileSelector& selector) const;

  // The JSON text of a slice's event, found again in the file that the selector's profile was read from.
  Result<std::string> event_text(const ProfileSelector& selector, Row slice) const;

  // What the content of the selector's file is called (store/content_key.h): reads the file the first time.
  // unavailable when it has changed since its profile was read.
  Result<std::string> content_key(const ProfileSelector& selector) const;

  MarkerStore& markers() const { return markers_; }

  std::span<const Analysis> all_analyses() const { return options_.analyses; }

  // Most bytes of profiles that stay open at once.
  std::int64_t memory() const { return options_.memory; }

 private:
  struct Capture;
  using CapturePtr = std::shared_ptr<Capture>;
  using CaptureRef = std::shared_ptr<const Capture>;
  struct Selected;
  struct Task;
  using LoadedProfilePtr = std::shared_ptr<LoadedProfile>;
  struct Loaded;

  void sort_captures();
  void take(const std::string& path, Discovery found, bool settled);
  void find_new(bool ask_clouds);
  std::vector<CapturePtr> new_in_catalogue();
  void check_file(const CapturePtr& capture, const std::optional<FileIdentity>& now);
  void read_again(const CapturePtr& capture);
  void replace(const CapturePtr& capture, bool loaded);
  void load_all();
  std::vector<CapturePtr> next_batch();
  void load(const CapturePtr& capture, unsigned threads);
  struct Keeping;
  Result<Loaded> make_ready(Capture& capture, unsigned threads, Keeping& keeping);
  Result<LoadedProfilePtr> read(const Capture& capture, unsigned threads, ReadProgress& progress) const;
  Result<LoadedProfilePtr> open_or_read(Capture& capture, unsigned threads, Keeping& keeping);
  std::optional<CachedProfile> find_cached(const Capture& capture) const;
  std::optional<CachedProfile> open_cached(Capture& capture);
  void keep_and_prepare(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, bool few,
                        unsigned threads) const;
  void keep(const Capture& capture, const LoadedProfilePtr& opened, Keeping& keeping, unsigned threads) const;
  void prepare(const LoadedProfilePtr& opened, unsigned threads) const;
  Result<LoadedProfilePtr> open(const Capture& capture) const;
  Result<LoadedProfilePtr> open_again(const Capture& capture) const;
  std::int64_t make_room(const Capture& capture) const;
  void make_room_for_answer() const;
  bool clear_reports() const;
  std::int64_t stay_within(std::int64_t most, const Capture* wanted) const;
  RankSummaryPtr rank_of(const Capture& capture) const;
  void note_use(const Capture& capture) const;
  void queue(const std::vector<CapturePtr>& captures);
  Result<const Analysis*> find_view(std::string_view view) const;
  Result<CaptureRef> find(const ProfileSelector& selector) const;
  Result<CaptureRef> find_loaded(const ProfileSelector& selector) const;
  Result<CaptureRef> find_other(const Capture& first, const ProfileSelector& other, std::string_view view) const;
  Result<std::vector<CaptureRef>> captures_for(const Question& question, const Analysis& analysis) const;
  Result<std::vector<CaptureRef>> loaded_captures(const Question& question, const Analysis& analysis,
                                                  std::vector<Note>& notes) const;
  Result<Selected> select(const Question& question, const Analysis& analysis) const;
  Result<Task> task(const Question& question) const;
  static Result<Report> answer(const Task& task);

  EngineOptions options_;
  RunNames run_names_;
  mutable MarkerStore markers_;
  mutable ReportShelf of_ranks_;   // reports about several ranks, which no profile owns; guarded by itself
  mutable std::mutex mutex_;       // guards all below, and the mutable part of every capture
  mutable std::int64_t uses_ = 0;  // of profiles, so far
  std::condition_variable idle_;
  std::condition_variable ending_;
  std::vector<CapturePtr> captures_;
  std::vector<CapturePtr> replacements_;                                        // being read, or queued
  std::vector<std::string> paths_;                                              // that were added
  std::map<std::string, std::set<std::pair<std::string, std::string>>> under_;  // by path: directories and names of captures
  std::map<std::string, std::string> run_of_;                                   // by path, where its run was given a name
  bool shows_catalogue_ = false;
  std::vector<std::string> notices_;
  std::deque<CapturePtr> queue_;
  std::unique_ptr<Keeper> keeper_;  // null: nothing is kept
  std::thread loader_, watcher_;
  std::size_t reading_ = 0;                             // taken from the queue and not yet ready
  std::chrono::steady_clock::time_point clouds_asked_;  // by look_again, or when the engine was made
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace sightline::engine
