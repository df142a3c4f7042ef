// Adding and naming captures, and finding them. A selector that names nothing is answered with what there is.
#include "engine/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/sort.h"
#include "base/text.h"

namespace sightline::engine {

// ---- names of spans and runs ----

namespace {

using Places = std::span<Place*>;

// Of one worker. Kept names in their turn, then captures without a stamp, then by stamp: by value when all are numbers.
void sort_by_turn_and_stamp(Places worker) {
  const bool numeric =
      std::all_of(worker.begin(), worker.end(), [](const Place* p) { return p->stamp.empty() || is_number(p->stamp); });
  std::stable_sort(worker.begin(), worker.end(), [&](const Place* a, const Place* b) {
    if (a->kept || b->kept) return a->kept && (!b->kept || a->turn < b->turn);
    if (a->stamp.empty() || b->stamp.empty() || !numeric) return a->stamp < b->stamp;
    return compare_numbers(a->stamp, b->stamp) < 0;
  });
}

struct Namesake {
  std::string span, file;
  int copies = 1;
};

// By stamp, if stamps are names of sessions and not times: all workers of the run share them, and so do the numbers, also if
// a worker has no capture of a session. Empty if stamps are times, which differ by worker.
using Sessions = std::map<std::string, int>;

Sessions sessions_of(Places run) {
  Sessions sessions;
  if (std::all_of(run.begin(), run.end(), [](const Place* p) { return p->stamp.empty() || is_number(p->stamp); }))
    return sessions;
  int last = 0;
  for (const Place* place : run) {
    int& number = sessions[place->stamp];
    if (place->kept && place->ordinal > 0) number = place->ordinal;
    last = std::max(last, number);
  }
  for (auto& [stamp, number] : sessions) {
    if (number == 0 && !stamp.empty()) number = ++last;
  }
  return sessions;
}

void number_spans(Places worker, const Sessions& sessions) {
  int ordinal = 0, turn = 0;
  std::map<std::string, Namesake> by_stamp;
  for (Place* place : worker) {
    const auto [first, is_first] = by_stamp.try_emplace(place->stamp);
    if (!is_first) ++first->second.copies;
    if (place->kept) {
      ordinal = std::max(ordinal, place->ordinal);
    } else {
      if (is_first && !place->stamp.empty()) place->ordinal = sessions.empty() ? ++ordinal : sessions.at(place->stamp);
      place->span = place->stamp.empty() ? "default" : std::to_string(place->ordinal);
      place->note = {};
      if (!is_first) {
        place->span = first->second.span + " (" + std::to_string(first->second.copies) + ")";
        place->note =
            say("{} has the same worker and time as {} and is shown as span {}", place->file, first->second.file, place->span);
      }
    }
    if (is_first) first->second = {.span = place->span, .file = place->file};
    place->turn = turn++;
  }
}

// Spans of different ranks are not spans of one worker.
void tell_ranks_apart(Places all) {
  const auto key_of = [](const Place& place) { return std::pair{place.run, place.shared.empty() ? place.worker : place.shared}; };
  std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> ranks;
  for (const Place* place : all) {
    if (place->rank) ranks[key_of(*place)].insert(*place->rank);
  }
  for (Place* place : all) {
    if (place->kept || !place->rank || !place->shared.empty() || ranks[key_of(*place)].size() < 2) continue;
    place->shared = std::exchange(place->worker, place->worker + " rank " + std::to_string(*place->rank));
  }
}

}  // namespace

void name_spans(std::vector<Place*>& places) {
  tell_ranks_apart(places);
  std::stable_sort(places.begin(), places.end(), [](const Place* a, const Place* b) {
    if (a->run != b->run) return natural_less(a->run, b->run);
    if (a->worker != b->worker) return natural_less(a->worker, b->worker);
    return natural_less(a->file, b->file);
  });
  const Places all(places);
  const auto end_of = [&](std::size_t first, auto&& same) {
    std::size_t last = first;
    while (last < all.size() && same(*all[first], *all[last])) ++last;
    return last;
  };
  const auto same_run = [](const Place& a, const Place& b) { return a.run == b.run; };
  const auto same_worker = [](const Place& a, const Place& b) { return a.run == b.run && a.worker == b.worker; };
  for (std::size_t run = 0; run < all.size(); run = end_of(run, same_run)) {
    const std::size_t run_end = end_of(run, same_run);
    const Sessions sessions = sessions_of(all.subspan(run, run_end - run));
    for (std::size_t first = run; first < run_end;) {
      const std::size_t last = end_of(first, same_worker);
      sort_by_turn_and_stamp(all.subspan(first, last - first));
      number_spans(all.subspan(first, last - first), sessions);
      first = last;
    }
  }
}

const std::string& RunNames::name_of(const std::string& directory, const std::string& wanted) {
  const auto known = by_directory_.find(directory);
  if (known != by_directory_.end()) return known->second;
  std::string name = wanted;
  std::filesystem::path rest(directory), longer;
  while (taken_.contains(name) && rest.has_filename()) {
    longer = longer.empty() ? rest.filename() : rest.filename() / longer;
    rest = rest.parent_path();
    name = longer.string();
  }
  if (taken_.contains(name)) name = directory;
  taken_.emplace(name, directory);
  return by_directory_.emplace(directory, name).first->second;
}

// ---- the catalogue ----

namespace {

constexpr std::size_t kMostFromCache = 500;  // each open one takes a file descriptor

Place place_of(const FoundFile& file) {
  Place place;
  place.worker = file.role.empty() ? file.name.worker : file.role + " " + file.name.worker;
  place.stamp = file.name.span_stamp;
  place.rank = file.name.rank;
  place.file = file.shown;
  return place;
}

Place place_of(const CatalogueEntry& entry) {
  Place place;
  place.worker = record_value(entry.about, "worker");
  place.stamp = record_value(entry.about, "stamp");
  place.file = record_value(entry.about, "path");
  return place;
}

std::vector<CatalogueEntry> last_read_first(const ProfileCache& cache) {
  std::vector<CatalogueEntry> entries = cache.list();
  const auto read_at = [](const CatalogueEntry& entry) { return record_number(entry.about, "read_at", 0); };
  sort_down(entries, [&](const auto& each) { return read_at(each); });
  return entries;
}

bool matches(const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; }

}  // namespace

std::string listed_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
  if (names.size() > kMost) text += ", and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

Error no_such(const char* noun, const std::string& wanted, const std::vector<std::string>& names) {
  return {ErrorCode::not_found, say("no {} '{}'; available: {}", noun, wanted, listed_names(names)), ""};
}

// ---- adding ----

Result<Catalogue::Added> Catalogue::add_path(const std::string& path, const std::string& run) {
  {
    const std::lock_guard lock(mutex_);
    paths_.push_back(path);
    if (!run.empty()) run_of_[path] = run;
  }
  Result<Discovery> found = discover(path, readers_);
  if (!found) return found.error();
  const std::size_t files = found->files.size();
  return Added{files, take(path, *std::move(found), true)};
}

Result<Catalogue::Added> Catalogue::try_path(const std::string& path) {
  Result<Discovery> found = discover(path, readers_);
  if (!found) return found.error();
  const std::size_t files = found->files.size();
  Added added{files, take(path, *std::move(found), true)};
  const std::lock_guard lock(mutex_);
  if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) paths_.push_back(path);
  return added;
}

Result<Catalogue::Added> Catalogue::add_upload(const std::string& path) {
  Result<Discovery> found = discover(path, readers_);
  if (!found) return found.error();
  for (FoundFile& file : found->files) file.uploaded = true;
  found->notices.clear();  // they name paths
  const std::size_t files = found->files.size();
  return Added{files, take(path, *std::move(found), true)};
}

std::vector<CapturePtr> Catalogue::remove_below(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  std::vector<CapturePtr> removed;
  for (const Entry& entry : entries_) {
    if (entry.capture->path.starts_with(folder + "/")) removed.push_back(entry.capture);
  }
  std::erase_if(entries_, [&](const Entry& entry) { return entry.capture->path.starts_with(folder + "/"); });
  std::erase_if(under_, [&](const auto& under) { return under.first.starts_with(folder); });
  return removed;
}

// Paths that cannot be found or opened were reported when they were added.
std::vector<CapturePtr> Catalogue::look_again(const std::string& path) {
  Result<Discovery> found = discover(path, readers_);
  return found ? take(path, *std::move(found), false) : std::vector<CapturePtr>{};
}

// Adds what is not known yet.
std::vector<CapturePtr> Catalogue::take(const std::string& path, Discovery found, bool settled) {
  const std::lock_guard lock(mutex_);
  std::map<Key, std::string> roles;  // of what is known
  for (const Entry& entry : entries_) roles.emplace(key_of(*entry.capture), entry.capture->role);
  std::vector<CapturePtr> added;
  const auto given = run_of_.find(path);
  for (const FoundFile& file : found.files) {
    auto capture = std::make_shared<Capture>(file, given == run_of_.end() ? "" : given->second);
    under_[path].insert(key_of(*capture));
    const auto [known, is_new] = roles.emplace(key_of(*capture), file.role);
    if (!is_new) {
      if (!known->second.empty() || file.role.empty()) continue;
      // A folder of another role has appeared beside its folder: it is part of a larger run now.
      known->second = file.role;
      std::erase_if(entries_, [&](const Entry& entry) { return key_of(*entry.capture) == key_of(*capture); });
    }
    if (!settled) capture->progress.stage = "being written";
    add(place_of(file), capture);
    added.push_back(std::move(capture));
  }
  for (std::string& notice : found.notices) {
    if (std::find(notices_.begin(), notices_.end(), notice) == notices_.end()) notices_.push_back(std::move(notice));
  }
  name_and_sort();
  return added;
}

// The capture that shows this profile of the cache: it was read from the same file, or opened from the cache. REQUIRES: mutex_
// is held.
CapturePtr Catalogue::find_shown(const CatalogueEntry& entry) const {
  const Capture wanted(entry, readers_.front());
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) {
    const Capture& capture = *each.capture;
    return capture.from_cache ? capture.content->key == entry.key : key_of(capture) == key_of(wanted);
  });
  return found == entries_.end() ? nullptr : found->capture;
}

Result<Catalogue::Added> Catalogue::add_cached(const std::string& key) {
  const std::vector<CatalogueEntry> cached = cache_ == nullptr ? std::vector<CatalogueEntry>{} : cache_->list();
  const auto entry = std::find_if(cached.begin(), cached.end(), [&](const CatalogueEntry& each) { return each.key == key; });
  const auto reader = std::find_if(readers_.begin(), readers_.end(), [&](const Reader& each) {
    return entry != cached.end() && each.id == record_value(entry->about, "reader");
  });
  if (reader == readers_.end()) return Error{ErrorCode::not_found, "this profile is no longer in the cache", ""};
  const std::lock_guard lock(mutex_);
  if (CapturePtr shown = find_shown(*entry)) return Added{1, {std::move(shown)}};
  auto capture = std::make_shared<Capture>(*entry, *reader);
  add(place_of(*entry), capture);
  name_and_sort();
  return Added{1, {std::move(capture)}};
}

std::vector<CapturePtr> Catalogue::add_cached() {
  if (cache_ == nullptr) return {};
  const std::vector<CatalogueEntry> cached = last_read_first(*cache_);
  const std::lock_guard lock(mutex_);
  std::set<std::string> known;              // paths
  std::map<std::string, CapturePtr> shown;  // likewise
  std::set<Key> files;                      // that are shown and were not opened from the cache
  for (const Entry& entry : entries_) {
    if (entry.capture->from_cache) {
      shown.emplace(entry.capture->path, entry.capture);
    } else {
      files.insert(key_of(*entry.capture));
    }
  }
  std::vector<CapturePtr> added;
  for (const CatalogueEntry& entry : cached) {
    const auto reader = std::find_if(readers_.begin(), readers_.end(),
                                     [&](const Reader& r) { return r.id == record_value(entry.about, "reader"); });
    if (reader == readers_.end() || !known.emplace(record_value(entry.about, "path")).second) continue;
    if (known.size() > kMostFromCache) {
      if (!shows_cache_)
        notices_.push_back("of " + std::to_string(cached.size()) + " profiles in the cache, the " +
                           std::to_string(kMostFromCache) + " that were read last are shown");
      break;
    }
    auto capture = std::make_shared<Capture>(entry, *reader);
    if (files.contains(key_of(*capture))) continue;
    const auto before = shown.find(capture->path);
    if (before != shown.end() && before->second->content->key == entry.key) continue;
    if (before != shown.end()) std::erase_if(entries_, [&](const Entry& e) { return e.capture == before->second; });
    add(place_of(entry), capture);
    added.push_back(std::move(capture));
  }
  shows_cache_ = true;
  name_and_sort();
  return added;
}

// REQUIRES: mutex_ is held.
void Catalogue::add(Place place, CapturePtr capture) {
  place.run = capture->named ? capture->run : run_names_.name_of(capture->run_directory(), capture->run);
  entries_.push_back({std::move(place), std::move(capture)});
}

// Names the spans again, sorts the captures, and tells each its name. REQUIRES: mutex_ is held.
void Catalogue::name_and_sort() {
  std::vector<Place*> places;
  std::unordered_map<const Place*, std::size_t> entry_of;
  for (Entry& entry : entries_) {
    entry_of.emplace(&entry.place, places.size());
    places.push_back(&entry.place);
  }
  name_spans(places);
  std::vector<Entry> sorted;
  sorted.reserve(entries_.size());
  for (const Place* place : places) sorted.push_back(std::move(entries_[entry_of.at(place)]));
  entries_ = std::move(sorted);
  for (const auto& [place, capture] : entries_) capture->set_name({place.run, place.worker, place.span}, place.note);
}

void Catalogue::keep_names() {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) entry.place.kept = true;
}

void Catalogue::replace(const CapturePtr& again) {
  const CapturePtr before = again->replaces.lock();  // freed without the lock
  const std::lock_guard lock(mutex_);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.capture == before; });
  if (entry == entries_.end()) return;
  if (const std::optional<Error> error = again->error()) return before->set_again_failed(*error);
  again->set_name({entry->place.run, entry->place.worker, entry->place.span}, entry->place.note);
  entry->capture = again;
}

void Catalogue::remove(const CapturePtr& capture) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.capture == capture; });
}

// ---- what there is ----

std::vector<std::string> Catalogue::paths() const {
  const std::lock_guard lock(mutex_);
  return paths_;
}

std::string Catalogue::shown_cache() const {
  const std::lock_guard lock(mutex_);
  return shows_cache_ ? cache_->folder() : "";
}

std::vector<std::string> Catalogue::notices() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all = notices_;
  for (const Entry& entry : entries_) {
    if (!entry.place.note.empty()) all.push_back(entry.place.note);
  }
  return all;
}

std::vector<CapturePtr> Catalogue::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<CapturePtr> captures;
  captures.reserve(entries_.size());
  for (const Entry& entry : entries_) captures.push_back(entry.capture);
  return captures;
}

std::vector<CaptureState> Catalogue::state() const {
  std::vector<CaptureState> states;
  for (const CapturePtr& capture : all()) states.push_back(capture->state());
  return states;
}

std::vector<CapturePtr> Catalogue::under(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<CapturePtr> captures;
  const auto under = under_.find(path);
  if (under == under_.end()) return captures;
  for (const Entry& entry : entries_) {
    if (under->second.contains(key_of(*entry.capture))) captures.push_back(entry.capture);
  }
  return captures;
}

std::vector<CaptureState> Catalogue::state_under(const std::string& path) const {
  std::vector<CaptureState> states;
  for (const CapturePtr& capture : under(path)) states.push_back(capture->state());
  return states;
}

// ---- finding ----

Result<CapturePtr> Catalogue::find(const ProfileSelector& selector) const {
  const std::lock_guard lock(mutex_);
  return find_named(selector);
}

// REQUIRES: mutex_ is held.
Result<CapturePtr> Catalogue::find_named(const ProfileSelector& selector) const {
  if (entries_.empty()) return Error{ErrorCode::not_found, "no profile was given", ""};
  const auto names_in_order = [&](auto keep, auto name) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const Entry& entry : entries_) {
      if (keep(entry.place) && seen.insert(name(entry.place)).second) names.push_back(name(entry.place));
    }
    return names;
  };
  const auto in_run = [&](const Place& p) { return matches(selector.run, p.run); };
  const auto of_worker = [&](const Place& p) { return in_run(p) && matches(selector.worker, p.worker); };
  for (const Entry& entry : entries_) {
    if (of_worker(entry.place) && matches(selector.span, entry.place.span)) return entry.capture;
  }
  if (std::none_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return in_run(e.place); })) {
    return no_such("run", selector.run, names_in_order([](const Place&) { return true; }, [](const Place& p) { return p.run; }));
  }
  if (std::none_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return of_worker(e.place); })) {
    return no_such("worker", selector.worker, names_in_order(in_run, [](const Place& p) { return p.worker; }));
  }
  return no_such("span", selector.span, names_in_order(of_worker, [](const Place& p) { return p.span; }));
}

// The next capture after `first` that can have the view. One that is still being read is not waited for. REQUIRES: mutex_ is
// held.
Result<CapturePtr> Catalogue::next_able(const CapturePtr& first, std::string_view view) const {
  if (entries_.size() == 1) {
    return Error{ErrorCode::unsupported, "there is only one profile; a comparison needs two", first->path};
  }
  const auto here = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.capture == first; });
  std::vector<CapturePtr> others;
  for (auto entry = here + 1; entry != entries_.end(); ++entry) others.push_back(entry->capture);
  for (auto entry = entries_.begin(); entry != here; ++entry) others.push_back(entry->capture);
  const auto able = std::find_if(others.begin(), others.end(), [&](const CapturePtr& c) { return !c->lacks(view); });
  return able == others.end() || (*able)->not_ready() ? others.front() : *able;
}

// REQUIRES: mutex_ is held.
Result<CapturePtr> Catalogue::find_other(const CapturePtr& first, const ProfileSelector& other, std::string_view view) const {
  if (other.run.empty() && other.worker.empty() && other.span.empty()) return next_able(first, view);
  // What is left open is as in the first where that exists, else the first there is.
  const ProfileSelector base = first->name();
  const auto chosen = [](const std::string& wanted, const std::string& fallback) { return wanted.empty() ? fallback : wanted; };
  ProfileSelector full{chosen(other.run, base.run), chosen(other.worker, base.worker), chosen(other.span, base.span)};
  if (Result<CapturePtr> exact = find_named(full); exact) return exact;
  full.span = other.span;
  if (Result<CapturePtr> same_worker = find_named(full); same_worker) return same_worker;
  full.worker = other.worker;
  return find_named(full);
}

Result<FoundCaptures> Catalogue::find_for(const Analysis& view, const ProfileSelector& first,
                                          const ProfileSelector& other) const {
  const std::lock_guard lock(mutex_);
  const Result<CapturePtr> found = find_named(first);
  if (!found) return found.error();
  FoundCaptures captures{*found, {*found}};
  if (view.scope() == Scope::pair) {
    const Result<CapturePtr> compared = find_other(*found, other, view.id);
    if (!compared) return compared.error();
    captures.all.push_back(*compared);
  } else if (view.scope() == Scope::ranks) {
    captures.all = find_span(*captures.first);
  } else if (view.scope() == Scope::runs) {
    captures.all = find_runs(*captures.first);
  }
  return captures;
}

std::vector<CapturePtr> Catalogue::span_of(const Capture& capture) const {
  const std::lock_guard lock(mutex_);
  return find_span(capture);
}

// Of each run and span one profile: of the worker of this name, else of the first.
std::vector<CapturePtr> Catalogue::find_runs(const Capture& capture) const {
  const std::string worker = capture.name().worker;
  std::vector<std::pair<std::string, std::string>> known;
  std::vector<CapturePtr> runs;
  for (const Entry& entry : entries_) {
    const auto place = std::find(known.begin(), known.end(), std::pair(entry.place.run, entry.place.span));
    if (place == known.end()) {
      known.emplace_back(entry.place.run, entry.place.span);
      runs.push_back(entry.capture);
    } else if (entry.capture->name().worker == worker) {
      runs[static_cast<std::size_t>(place - known.begin())] = entry.capture;
    }
  }
  return runs;
}

std::vector<CapturePtr> Catalogue::find_span(const Capture& capture) const {
  const ProfileSelector name = capture.name();
  std::vector<CapturePtr> span;
  for (const Entry& entry : entries_) {
    if (entry.place.run == name.run && entry.place.span == name.span) span.push_back(entry.capture);
  }
  return span;
}

}  // namespace sightline::engine
