// Naming spans and runs.
#include "engine/span_names.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"

namespace sightline::engine {

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

}  // namespace sightline::engine
