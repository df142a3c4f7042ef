// Dependencies: from a wait to the change that satisfied it, and from the change to the instruction that made it.
//
// A change is recorded a fixed 30 to 50 ns before the end of the instruction that signals, so the nearest end is its
// instruction's.
#include "readers/neuron/dependencies.h"

#include <algorithm>
#include <optional>

#include "readers/neuron/instruction_text.h"

namespace sightline::neuron {

namespace {

constexpr std::int64_t kNear = 100'000;  // ps from a change to the end of the instruction that made it, at most
constexpr std::size_t kFarBack = 256;    // changes looked at for one wait

struct Change {
  std::int64_t time;
  std::uint32_t value;
  int engine;                               // -1: over the bus
  std::optional<InstructionAt> cause = {};  // who made it
};

struct Signaller {
  std::int64_t time;  // of its end; of one that starts a copy, of its start
  InstructionAt at;
};

struct Semaphore {
  bool awaited = false;                                  // by any instruction of the code; else the rest is empty
  std::vector<Change> changes;                           // by time
  std::array<std::vector<Signaller>, kEngines> engines;  // that change it themselves, by time
  std::vector<Signaller> copies;                         // that start a copy which does, by time
};

class Search {
 public:
  Search(const Graph& graph, const NotificationRows& rows) : rows_(rows), semaphores_(NotificationRows::kSemaphores) {
    for (std::size_t engine = 0; engine < kEngines; ++engine) find_uses(graph, static_cast<Engine>(engine));
    for (std::uint32_t engine = 0; engine < kEngines; ++engine) find_signallers(engine);
    for (std::size_t id = 0; id < semaphores_.size(); ++id) {
      Semaphore& semaphore = semaphores_[id];
      if (!semaphore.awaited) continue;
      for (const SemaphoreRow& row : rows.semaphores[id])
        semaphore.changes.push_back({.time = row.time, .value = row.value, .engine = row.engine});
      sort_by_time(semaphore.changes);
      sort_by_time(semaphore.copies);
      for (auto& signallers : semaphore.engines) sort_by_time(signallers);
      find_causes(semaphore);
    }
  }

  std::vector<Dependency> run() {
    std::vector<Dependency> found;
    each([&](InstructionAt at, const InstructionRow& row, const SemaphoreUse& use) {
      for (const SemaphoreUse::Wait& wait : use.waits) {
        if (wait.semaphore < 0) continue;
        const std::optional<InstructionAt> cause = cause_of(wait, row.end());
        if (cause && *cause != at) found.push_back({*cause, at});
      }
    });
    return found;
  }

 private:
  void find_uses(const Graph& graph, Engine engine) {
    std::vector<SemaphoreUse>& uses = uses_[static_cast<std::size_t>(engine)];
    for (std::uint32_t slot = 0;; ++slot) {
      const std::string_view bytes = slot_bytes(graph, engine, slot);
      if (bytes.empty()) break;
      uses.push_back(semaphore_use(bytes));
      for (const SemaphoreUse::Wait& wait : uses.back().waits) {
        if (wait.semaphore >= 0) semaphore(wait.semaphore).awaited = true;
      }
    }
  }

  void find_signallers(std::uint32_t engine) {
    for (std::uint32_t i = 0; i < rows_.instructions[engine].size(); ++i) {
      const InstructionRow& row = rows_.instructions[engine][i];
      if (row.slot == kNoSlot || row.unfinished()) continue;
      const SemaphoreUse& use = uses_[engine][row.slot];
      for (const int signal : use.signals) {
        if (is_awaited(signal)) semaphore(signal).engines[engine].push_back({row.end(), {engine, i}});
      }
      if (is_awaited(use.transfer)) semaphore(use.transfer).copies.push_back({row.start, {engine, i}});
    }
  }

  bool is_awaited(int id) { return id >= 0 && semaphore(id).awaited; }

  // Nearly all are in order already.
  template <typename Timed>
  static void sort_by_time(std::vector<Timed>& all) {
    const auto earlier = [](const Timed& a, const Timed& b) { return a.time < b.time; };
    if (!std::is_sorted(all.begin(), all.end(), earlier)) std::stable_sort(all.begin(), all.end(), earlier);
  }

  Semaphore& semaphore(int id) { return semaphores_[static_cast<std::size_t>(id)]; }

  template <typename Take>
  void each(Take&& take) {
    for (std::uint32_t engine = 0; engine < kEngines; ++engine) {
      for (std::uint32_t i = 0; i < rows_.instructions[engine].size(); ++i) {
        const InstructionRow& row = rows_.instructions[engine][i];
        if (row.slot != kNoSlot && !row.unfinished()) take(InstructionAt{engine, i}, row, uses_[engine][row.slot]);
      }
    }
  }

  // Who made the change that first satisfied the wait which was over at `end`.
  std::optional<InstructionAt> cause_of(const SemaphoreUse::Wait& wait, std::int64_t end) {
    const Semaphore& of = semaphore(wait.semaphore);
    const auto satisfied = [&](std::size_t i) {
      const std::uint32_t value = of.changes[i].value;
      return wait.at_least ? value >= wait.value : value == wait.value;
    };
    const auto behind = std::upper_bound(of.changes.begin(), of.changes.end(), end,
                                         [](std::int64_t time, const Change& change) { return time < change.time; });
    auto i = static_cast<std::size_t>(behind - of.changes.begin());
    const std::size_t oldest = i > kFarBack ? i - kFarBack : 0;
    while (i > oldest && !satisfied(i - 1)) --i;  // what the waiting instruction itself, or another after it, changed
    while (i > oldest && i > 1 && satisfied(i - 1) && satisfied(i - 2)) --i;
    if (i == oldest || !satisfied(i - 1)) return std::nullopt;
    return of.changes[i - 1].cause;
  }

  static void find_causes(Semaphore& semaphore) {
    std::array<std::size_t, kEngines> next{};  // signaller that is not taken yet
    for (Change& change : semaphore.changes) {
      if (change.engine < 0) {
        change.cause = latest(semaphore.copies, change.time);
        continue;
      }
      const auto engine = static_cast<std::size_t>(change.engine);
      const std::vector<Signaller>& signallers = semaphore.engines[engine];
      while (next[engine] < signallers.size() && signallers[next[engine]].time < change.time) ++next[engine];
      if (next[engine] < signallers.size() && signallers[next[engine]].time - change.time <= kNear)
        change.cause = signallers[next[engine]++].at;
    }
  }

  static std::optional<InstructionAt> latest(const std::vector<Signaller>& from, std::int64_t time) {
    const auto behind = std::upper_bound(from.begin(), from.end(), time,
                                         [](std::int64_t t, const Signaller& signaller) { return t < signaller.time; });
    if (behind == from.begin()) return std::nullopt;
    return (behind - 1)->at;
  }

  const NotificationRows& rows_;
  std::array<std::vector<SemaphoreUse>, kEngines> uses_;  // by slot
  std::vector<Semaphore> semaphores_;                     // by id
};

}  // namespace

std::vector<Dependency> dependencies(const Graph& graph, const NotificationRows& rows) { return Search(graph, rows).run(); }

}  // namespace sightline::neuron
