// What a database says of kernels beyond when they ran: their names, cores, shapes and counters, which are most of its rows. They
// are read over a connection of their own, beside the events.
#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "formats/ascend/database.h"
#include "formats/ascend/database_strings.h"
#include "formats/ascend/id_table.h"
#include "formats/ascend/kernel_details.h"

namespace sightline::formats::ascend {

class DatabaseKernels {
 public:
  struct Kernel {
    StringId name, type, core;  // of names()
    std::int64_t blocks;
  };

  // Begins to read the database of that path; on this thread, when somebody first waits, if `threads` is 1. `strings` outlives
  // it.
  DatabaseKernels(const std::string& path, const DatabaseStrings& strings, const ReadOptions& options);
  DatabaseKernels(const DatabaseKernels&) = delete;

  // Until the kernels are read, without their counters. REQUIRES of the next six: it was called.
  void wait() const { kernels_are_read_.get(); }
  std::size_t size() const { return kernels_.size(); }
  std::int64_t tasks() const { return tasks_; }      // different ones that ran kernels
  std::int64_t unnamed() const { return unnamed_; }  // kernels whose name is a number of no text
  const Kernel& operator[](Row kernel) const { return kernels_[kernel]; }
  const StringPool& names() const { return names_; }
  // By the task that ran it; kNoRow: no kernel.
  Row find(std::int64_t task, IdTable<Row>::Place& place) const;

  // Gives the facts of kernels to their slices; `slices` by kernel, kNoRow: none. Waits until all is read. To be called once.
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
  std::shared_future<void> kernels_are_read_;  // last: whoever reads is waited for before what it fills goes
  std::future<void> all_is_read_;
};

}  // namespace sightline::formats::ascend
