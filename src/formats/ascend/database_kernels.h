// What a database knows about kernels besides their times, and what that needs: tables by id, and texts by number.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/ascend/kernel_details.h"
#include "formats/common/near_search.h"
#include "formats/tables/database.h"
#include "model/column.h"
#include "model/string_pool.h"

namespace sightline::formats::ascend {

// ---- ids ----
// IdTable: from ids to values. A database's tables are mostly in the order of their ids and refer to others in the same
// order. So a sorted list, searched from the last place found, is smaller and faster than a hash table.

template <typename Value>
class IdTable {
 public:
  struct Entry {
    std::int64_t id;
    Value value;
  };
  // Where a caller with many lookups found the last one.
  struct Place {
    std::size_t row = 0;
  };

  void add(std::int64_t id, Value value) { entries_.push_back({id, value}); }

  // Called when all are added. Equal ids keep their order.
  void settle() {
    const auto before = [](const Entry& a, const Entry& b) { return a.id < b.id; };
    if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::stable_sort(entries_.begin(), entries_.end(), before);
  }

  // The number of distinct ids.
  std::int64_t ids() const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) count += i == 0 || entries_[i].id != entries_[i - 1].id;
    return count;
  }

  // All of an id, in order.
  std::span<const Entry> all(std::int64_t id, Place& place) const {
    const Entry *first = entries_.begin(), *last = entries_.end();
    const Entry* at = partition_point_near(first, last, first + place.row, [&](const Entry& entry) { return entry.id < id; });
    place.row = static_cast<std::size_t>(at - first);
    const Entry* end = at;
    while (end != last && end->id == id) ++end;
    return {at, end};
  }

  // The one that was added first, or last; null if there is none.
  const Value* first(std::int64_t id, Place& place) const {
    const auto found = all(id, place);
    return found.empty() ? nullptr : &found.front().value;
  }
  const Value* last(std::int64_t id, Place& place) const {
    const auto found = all(id, place);
    return found.empty() ? nullptr : &found.back().value;
  }

 private:
  Column<Entry> entries_;
};

// ---- strings ----
// STRING_IDS: the texts of a database, which its other tables name by number. Read once; then any thread may read it.

class DatabaseStrings {
 public:
  void read(Database& database);

  // The index, below size(), of the text that a cell names by number; nullopt: it names none, or is a text itself.
  std::optional<std::size_t> place(const Database::Row& row, int column) const;
  std::size_t size() const { return texts_.size(); }

  // The text of a cell, which holds either the text or its number.
  std::string_view of(const Database::Row& row, int column) const;

 private:
  StringPool texts_;
  std::vector<StringId> by_number_;  // numbers mostly count up from 0; none: no such number
  std::unordered_map<std::int64_t, StringId> other_;
};

// Texts of cells as ids of a pool, in another spelling, which is made once per text.
class SpelledStrings {
 public:
  explicit SpelledStrings(const DatabaseStrings& strings) : strings_(strings) {}

  // none for a cell without text. `spell` makes a std::string, or anything that a pool takes.
  template <typename Spell>
  StringId of(const Database::Row& row, int column, StringPool& pool, Spell&& spell) {
    const auto made = [&] {
      const std::string_view text = strings_.of(row, column);
      return text.empty() ? StringId::none : pool.intern(spell(text));
    };
    const std::optional<std::size_t> place = strings_.place(row, column);
    if (!place) return made();
    if (known_.empty()) known_.resize(strings_.size(), kNotComputed);
    StringId& known = known_[*place];
    if (known == kNotComputed) known = made();
    return known;
  }

  // The same for a name. A number without a text is then the name, so different things keep different names.
  template <typename Spell>
  StringId name(const Database::Row& row, int column, StringPool& pool, Spell&& spell) {
    const StringId known = of(row, column, pool, spell);
    const std::int64_t number = known == StringId::none ? row.integer(column) : kUnknown;
    if (number == kUnknown) return known;
    ++unknown_;
    return pool.intern(spell(fmt::format("name {}", number)));
  }

  // The number of names that were numbers without a text.
  std::int64_t unknown() const { return unknown_; }

 private:
  static constexpr StringId kNotComputed{std::numeric_limits<std::uint32_t>::max()};
  const DatabaseStrings& strings_;
  std::vector<StringId> known_;  // by place
  std::int64_t unknown_ = 0;
};

// ---- kernels ----
// What a database knows about kernels besides their times: names, cores, shapes and counters, which are most of its rows. A
// separate connection reads them beside the events.

class DatabaseKernels {
 public:
  struct Kernel {
    StringId name, type, core;  // of names()
    std::int64_t blocks;
  };

  // Begins to read the database at that path; if `threads` is 1, on the calling thread at the first wait. `strings`
  // outlives it.
  DatabaseKernels(const std::string& path, const DatabaseStrings& strings, const ReadOptions& options);
  DatabaseKernels(const DatabaseKernels&) = delete;

  // Waits until the kernels are read, without their counters. REQUIRES for the next six: this was called.
  void wait() const { kernels_are_read_.get(); }
  std::size_t size() const { return kernels_.size(); }
  std::int64_t tasks() const { return tasks_; }      // distinct ones that ran kernels
  std::int64_t unnamed() const { return unnamed_; }  // kernels whose name is a number without a text
  const Kernel& operator[](Row kernel) const { return kernels_[kernel]; }
  const StringPool& names() const { return names_; }
  // By the task that ran it; kNoRow: not a kernel.
  Row find(std::int64_t task, IdTable<Row>::Place& place) const;

  // Gives the facts of kernels to their slices; `slices` by kernel, kNoRow: none. Waits until everything is read. Called
  // once.
  void add_facts(const std::vector<Row>& slices, KernelFacts& facts, StringPool& strings);

  // As Database::report, after add_facts().
  void report(Profile& profile) const;

 private:
  void read_kernels();
  void read_counters();
  void add(Row kernel, StringId title, std::optional<KernelFact> fact);

  const DatabaseStrings& strings_;
  std::optional<Database> db_;
  std::optional<Error> error_;
  StringPool names_, counter_names_;
  Column<Kernel> kernels_;
  IdTable<Row> by_task_;
  std::int64_t tasks_ = 0, unnamed_ = 0;
  Column<KernelFact> facts_, counters_;        // of kernels, with texts of names_ and of counter_names_
  std::shared_future<void> kernels_are_read_;  // last member: destroyed first, so reading ends before the tables go
  std::future<void> all_is_read_;
};

}  // namespace sightline::formats::ascend
