// Dependencies: from a wait to the change that satisfied it, and from the change to the instruction that made it.
//
// A change is recorded a fixed 30 to 50 ns before the end of the instruction that signals, so the nearest end belongs to it.
#include "base/sort.h"
#include "formats/neuron/ntff_profile.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "formats/neuron/instruction_text.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::int64_t kNear = 100'000;  // ps from a change to the end of the instruction that made it, at most
constexpr std::size_t kFarBack = 256;    // changes looked at for one wait
constexpr std::ptrdiff_t kNewest = 32;   // dependencies that a new one may repeat
constexpr auto kTensor = static_cast<std::uint32_t>(Engine::pe);
constexpr std::uint32_t kNoHalf = 0xFFFFFFFF;
constexpr std::size_t kMostAhead = 16;  // instructions that follow a MATMUL in the code and begin before it

struct Change {
  std::int64_t time;
  std::uint32_t value;
  int engine;                               // -1: over the bus
  std::optional<InstructionAt> cause = {};  // the instruction that made it
};

struct Signaller {
  std::int64_t time;  // of its end; if it starts a copy, of its start
  InstructionAt at;
};

struct Semaphore {
  std::set<std::uint32_t> awaited;                       // values that the code waits for; if empty, all is empty
  std::vector<Change> changes;                           // by time
  std::array<std::vector<Signaller>, kEngines> engines;  // that change it directly, by time
  std::vector<Signaller> copies;                         // that start a copy which changes it, by time
};

class Search {
 public:
  Search(const Graph& graph, const NotificationRows& rows) : rows_(rows), semaphores_(NotificationRows::kSemaphores) {
    for (std::size_t engine = 0; engine < kEngines; ++engine) find_uses(graph, static_cast<Engine>(engine));
    for (std::uint32_t engine = 0; engine < kEngines; ++engine) find_signallers(engine);
    for (std::size_t id = 0; id < semaphores_.size(); ++id) {
      Semaphore& semaphore = semaphores_[id];
      if (semaphore.awaited.empty()) continue;
      for (const SemaphoreRow& row : rows.semaphores[id])
        semaphore.changes.push_back({.time = row.time, .value = row.value, .engine = row.engine});
      sort_by_time(semaphore.changes);
      sort_by_time(semaphore.copies);
      for (auto& signallers : semaphore.engines) sort_by_time(signallers);
      find_causes(semaphore);
    }
  }

  std::vector<Dependency> run() {
    find_products();
    std::vector<Dependency> found;
    for (std::uint32_t engine = 0; engine < kEngines; ++engine) add_waits(engine, found);
    return found;
  }

 private:
  using Causes = std::vector<InstructionAt>;

  // Numbers of an engine's instructions that ended, in the order in which they began.
  std::vector<std::uint32_t> in_order(std::uint32_t engine) const {
    const RowChunks<InstructionRow>& rows = rows_.instructions[engine];
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (rows[i].slot != kNoSlot && !rows[i].unfinished()) order.push_back(i);
    }
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(rows[a].start, rows[a].slot) < std::pair(rows[b].start, rows[b].slot);
    };
    if (!std::is_sorted(order.begin(), order.end(), earlier)) std::stable_sort(order.begin(), order.end(), earlier);
    if (engine == kTensor) put_products_back(order);
    return order;
  }

  // Into the order of the code: a MATMUL runs beside the other instructions of its engine, and some that follow it may
  // begin before it.
  void put_products_back(std::vector<std::uint32_t>& order) const {
    const auto slot = [&](std::size_t i) { return rows_.instructions[kTensor][order[i]].slot; };
    const auto code = [&](std::size_t i) { return codes_[kTensor][slot(i)]; };
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (code(i) != kMatmul) continue;
      std::size_t to = i;
      while (to > 0 && i - to < kMostAhead && slot(to - 1) > slot(i) && code(to - 1) != kCompareBranch) --to;
      if (to > 0 && slot(to - 1) > slot(i)) continue;  // an earlier round of a loop
      const auto at = order.begin();
      std::rotate(at + static_cast<std::ptrdiff_t>(to), at + static_cast<std::ptrdiff_t>(i),
                  at + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  // An engine's instructions in order, and for each whether it follows the one before it in the code.
  template <typename Take>
  void walk(std::uint32_t engine, Take&& take) const {
    std::uint32_t next_slot = kNoSlot;
    for (const std::uint32_t row : in_order(engine)) {
      const std::uint32_t slot = rows_.instructions[engine][row].slot;
      take(InstructionAt{engine, row}, slot == next_slot);
      next_slot = slot + 1;
    }
  }

  std::uint8_t code_of(InstructionAt at) const { return codes_[at.engine][rows_.instructions[at.engine][at.row].slot]; }
  const SemaphoreUse& use_of(InstructionAt at) const { return uses_[at.engine][rows_.instructions[at.engine][at.row].slot]; }

  void find_products() {
    other_half_.assign(rows_.instructions[kTensor].size(), kNoHalf);
    InstructionAt before{kTensor, 0};
    walk(kTensor, [&](InstructionAt at, bool follows) {
      if (follows && code_of(at) == kMatmul && code_of(before) == kLoadWeights) {
        other_half_[before.row] = at.row;
        other_half_[at.row] = before.row;
      }
      before = at;
    });
  }

  std::uint32_t other_half(InstructionAt at) const { return at.engine == kTensor ? other_half_[at.row] : kNoHalf; }

  // What the instructions of one engine wait for; some pass it on to those that follow.
  void add_waits(std::uint32_t engine, std::vector<Dependency>& found) {
    Causes passed, passed_by;  // by the EVENT_SEMAPHOREs right before
    Causes of_weights;         // what the weights that are loaded waited for
    walk(engine, [&](InstructionAt at, bool follows) {
      if (!follows) {
        passed.clear();
        passed_by.clear();
        of_weights.clear();
      }
      const std::uint8_t code = code_of(at);
      Causes own = causes_of(at);
      add(own, at, found);
      if (code == kEventSemaphore) {
        passed.insert(passed.end(), own.begin(), own.end());
        if (waits(at)) passed_by.push_back(at);
        return;
      }
      add(passed, at, found);
      add(passed_by, at, found);
      if (code == kMatmul && other_half(at) == kNoHalf) add(of_weights, at, found);
      if (code == kLoadWeights) {
        of_weights = std::move(own);
        of_weights.insert(of_weights.end(), passed.begin(), passed.end());
      }
      passed.clear();
      passed_by.clear();
    });
  }

  void add(const Causes& causes, InstructionAt to, std::vector<Dependency>& found) const {
    for (const InstructionAt& cause : causes) {
      each_half(cause, [&](InstructionAt from) { each_half(to, [&](InstructionAt at) { add_once({from, at}, found); }); });
    }
  }

  // Both instructions of a product.
  template <typename Take>
  void each_half(InstructionAt at, Take&& take) const {
    take(at);
    if (other_half(at) != kNoHalf) take(InstructionAt{at.engine, other_half(at)});
  }

  void add_once(const Dependency& one, std::vector<Dependency>& found) const {
    const bool same = one.from == one.to || (one.from.engine == one.to.engine && other_half(one.from) == one.to.row);
    const auto first = std::ssize(found) > kNewest ? found.end() - kNewest : found.begin();
    if (!same && std::find(first, found.end(), one) == found.end()) found.push_back(one);
  }

  // All engines meet at a semaphore, which each of them increments in turn.
  static bool is_barrier(const SemaphoreUse& use, const SemaphoreUse::Wait& wait) {
    return !wait.at_least && (use.signals[0] == wait.semaphore || use.signals[1] == wait.semaphore);
  }

  static bool counts(const SemaphoreUse& use, const SemaphoreUse::Wait& wait) {
    return wait.semaphore >= 0 && !is_barrier(use, wait);
  }

  bool waits(InstructionAt at) const {
    const SemaphoreUse& use = use_of(at);
    return counts(use, use.waits[0]) || counts(use, use.waits[1]);
  }

  Causes causes_of(InstructionAt at) {
    const SemaphoreUse& use = use_of(at);
    Causes causes;
    for (const SemaphoreUse::Wait& wait : use.waits) {
      if (counts(use, wait)) add_causes(wait, rows_.instructions[at.engine][at.row].end(), causes);
    }
    return causes;
  }

  void find_uses(const Graph& graph, Engine engine) {
    std::vector<SemaphoreUse>& uses = uses_[static_cast<std::size_t>(engine)];
    for (std::uint32_t slot = 0;; ++slot) {
      const std::string_view bytes = slot_bytes(graph, engine, slot);
      if (bytes.empty()) break;
      uses.push_back(semaphore_use(bytes));
      codes_[static_cast<std::size_t>(engine)].push_back(static_cast<std::uint8_t>(bytes[0]));
      for (const SemaphoreUse::Wait& wait : uses.back().waits) {
        if (counts(uses.back(), wait)) semaphore(wait.semaphore).awaited.insert(wait.value);
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

  bool is_awaited(int id) { return id >= 0 && !semaphore(id).awaited.empty(); }

  // Nearly all are in order already.
  template <typename Timed>
  static void sort_by_time(std::vector<Timed>& all) {
    sort_up(all, &Timed::time);
  }

  Semaphore& semaphore(int id) { return semaphores_[static_cast<std::size_t>(id)]; }

  // Finds the instructions that made the change which first satisfied the wait that ended at `end`, and the earlier changes
  // that nothing else waits for.
  void add_causes(const SemaphoreUse::Wait& wait, std::int64_t end, Causes& causes) {
    const Semaphore& of = semaphore(wait.semaphore);
    const auto satisfied = [&](std::size_t i) {
      const std::uint32_t value = of.changes[i].value;
      return wait.at_least ? value >= wait.value : value == wait.value;
    };
    const auto behind = std::upper_bound(of.changes.begin(), of.changes.end(), end,
                                         [](std::int64_t time, const Change& change) { return time < change.time; });
    auto i = static_cast<std::size_t>(behind - of.changes.begin());
    const std::size_t oldest = i > kFarBack ? i - kFarBack : 0;
    while (i > oldest && !satisfied(i - 1)) --i;  // changes by the waiting instruction itself, or by another after it
    while (i > oldest && i > 1 && satisfied(i - 1) && satisfied(i - 2)) --i;
    if (i == oldest || !satisfied(i - 1)) return;
    const auto awaited = of.awaited.lower_bound(wait.value);
    const std::uint32_t others = awaited == of.awaited.begin() ? 0 : *std::prev(awaited);
    do {
      const std::optional<InstructionAt>& cause = of.changes[--i].cause;
      if (cause && std::find(causes.begin(), causes.end(), *cause) == causes.end()) causes.push_back(*cause);
    } while (i > oldest && wait.at_least && of.changes[i - 1].value > others && of.changes[i - 1].value < wait.value);
  }

  static void find_causes(Semaphore& semaphore) {
    std::array<std::size_t, kEngines> next{};  // the next signaller to take
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
  std::array<std::vector<SemaphoreUse>, kEngines> uses_;   // by slot
  std::array<std::vector<std::uint8_t>, kEngines> codes_;  // of operations, likewise
  std::vector<std::uint32_t> other_half_;                  // of a product, by row of the Tensor engine; kNoHalf: none
  std::vector<Semaphore> semaphores_;                      // by id
};

}  // namespace

std::vector<Dependency> dependencies(const Graph& graph, const NotificationRows& rows) { return Search(graph, rows).run(); }

}  // namespace sightline::formats::neuron
