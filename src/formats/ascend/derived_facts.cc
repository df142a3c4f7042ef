// What a fact is for the formulas is settled once per name; then one pass over the facts. Cube utilization has a documented
// formula too, but no file states how many cores there are: it is shown where it is stated, only.
#include "formats/ascend/derived_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace sightline::formats::ascend {

namespace {

enum class Input : std::uint8_t { none, mte2, mac, vec, hits, misses, memory_bound };

// The ratios of a chip with two kinds of cores bear the core's name.
enum class Core : std::uint8_t { any, cube, vector };
constexpr std::size_t kCores = 3;

struct Meaning {
  Input input = Input::none;
  Core core = Core::any;
};

Meaning meaning_of(std::string_view name) {
  if (name.starts_with("memory_bound")) return {Input::memory_bound, Core::any};
  if (name.ends_with("_cache_hit")) return {Input::hits, Core::any};
  if (name.ends_with("_cache_miss_allocate")) return {Input::misses, Core::any};
  Meaning meaning;
  if (name.starts_with("aic_")) meaning.core = Core::cube;
  if (name.starts_with("aiv_")) meaning.core = Core::vector;
  if (meaning.core != Core::any) name.remove_prefix(4);
  constexpr std::array kRatios{std::pair{"mte2_ratio", Input::mte2}, std::pair{"mac_ratio", Input::mac},
                               std::pair{"vec_ratio", Input::vec}};
  for (const auto& [ratio, input] : kRatios) {
    if (name == ratio) meaning.input = input;
  }
  return meaning;
}

// The inputs of one kernel.
struct Inputs {
  struct Ratios {
    std::optional<double> mte2;
    double busiest = 0;  // of the products and the vectors
  };
  std::array<Ratios, kCores> ratios{};
  std::optional<double> hits, misses;
  bool states_memory_bound = false;

  void add(Meaning meaning, double number) {
    Ratios& of = ratios[static_cast<std::size_t>(meaning.core)];
    switch (meaning.input) {
      case Input::none: return;
      case Input::mte2: of.mte2 = number; return;
      case Input::mac:
      case Input::vec: of.busiest = std::max(of.busiest, number); return;
      case Input::hits: hits = hits.value_or(0) + number; return;
      case Input::misses: misses = misses.value_or(0) + number; return;
      case Input::memory_bound: states_memory_bound = true; return;
    }
  }

  // A kernel that ran on both kinds of cores has no single ratio.
  std::optional<double> memory_bound(CoreType type) const {
    if (states_memory_bound) return std::nullopt;
    Core core = Core::any;
    if (!ratios[0].mte2 && type == CoreType::matrix) core = Core::cube;
    if (!ratios[0].mte2 && type == CoreType::vector) core = Core::vector;
    const Ratios& of = ratios[static_cast<std::size_t>(core)];
    if (!of.mte2 || of.busiest <= 0) return std::nullopt;
    return *of.mte2 / of.busiest;
  }

  std::optional<double> hit_rate() const {
    if (!hits || !misses || *hits + *misses <= 0) return std::nullopt;
    return *hits / (*hits + *misses);
  }
};

struct Derived {
  Row slice;
  StringId name;
  double number;
};

// By string id; empty when no fact is an input.
std::vector<Meaning> meanings(const Profile& profile) {
  std::vector<Meaning> known(profile.strings.size());
  std::vector<bool> seen(profile.strings.size());
  bool any = false;
  for (const StringId name : profile.work_facts.name) {
    const auto id = static_cast<std::size_t>(name);
    if (seen[id]) continue;
    seen[id] = true;
    known[id] = meaning_of(profile.text(name));
    any |= known[id].input != Input::none;
  }
  return any ? known : std::vector<Meaning>{};
}

// Puts each after the other facts of its slice, from the last on, where there is room already. `derived` by slice, all of them
// of slices with facts.
void insert(const std::vector<Derived>& derived, WorkFacts& facts) {
  Row from = static_cast<Row>(facts.rows());
  std::size_t left = derived.size();
  Row to = from + static_cast<Row>(left);
  facts.for_each_column([&](const ColumnInfo&, auto& column) { column.resize(to); });
  while (left > 0 && from > 0) {
    const Row last = --from;
    for (; left > 0 && derived[left - 1].slice == facts.slice[last]; --left) {
      --to;
      facts.slice[to] = derived[left - 1].slice;
      facts.name[to] = derived[left - 1].name;
      facts.number[to] = derived[left - 1].number;
      facts.text[to] = StringId::none;
    }
    --to;
    facts.for_each_column([&](const ColumnInfo&, auto& column) { column[to] = column[last]; });
  }
}

}  // namespace

void derive_facts(Profile& profile) {
  const std::vector<Meaning> known = meanings(profile);
  if (known.empty()) return;
  const WorkFacts& facts = profile.work_facts;
  const DeviceWork& work = profile.device_work;
  const StringId bound = profile.strings.intern("memory_bound (derived)"), rate = profile.strings.intern("L2 hit rate (derived)");
  std::vector<Derived> derived;
  Row row = 0;
  for (Row i = 0; i < facts.rows();) {
    const Row slice = facts.slice[i];
    Inputs inputs;
    for (; i < facts.rows() && facts.slice[i] == slice; ++i) {
      if (!std::isnan(facts.number[i])) inputs.add(known[static_cast<std::size_t>(facts.name[i])], facts.number[i]);
    }
    while (row < work.rows() && work.slice[row] < slice) ++row;
    const bool is_work = row < work.rows() && work.slice[row] == slice;
    const auto add = [&](StringId name, std::optional<double> number) {
      if (number) derived.push_back({slice, name, *number});
    };
    add(bound, inputs.memory_bound(is_work ? work.core_type[row] : CoreType::unknown));
    add(rate, inputs.hit_rate());
  }
  if (!derived.empty()) insert(derived, profile.work_facts);
}

}  // namespace sightline::formats::ascend
