// kernel_details.csv (op_summary_*.csv of the command-line profiler): a row per kernel and per collective, with everything
// that the device counted. Rows belong to slices by name and start; without a trace the slices are made from the rows first.
// l2_cache.csv and data_preprocess.csv add facts to kernels by stream and task.
#pragma once

#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/ascend/csv_table.h"
#include "formats/trace_events/assemble.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

// ---- rows of kernels ----

// One value of a kernel, small because there are many. `of`: the row with the value, later the slice.
struct KernelFact {
  Row of;
  StringId name;
  std::uint64_t bits;  // of a number; or the id of a text, after bits that begin no finite number

  static KernelFact of_text(Row of, StringId name, StringId text) { return {of, name, kText | static_cast<std::uint32_t>(text)}; }
  // REQUIRES: finite.
  static KernelFact of_number(Row of, StringId name, double number) { return {of, name, std::bit_cast<std::uint64_t>(number)}; }
  bool is_text() const { return bits >= kText; }
  StringId text() const { return is_text() ? static_cast<StringId>(static_cast<std::uint32_t>(bits)) : StringId::none; }
  double number() const { return is_text() ? kUnknownNumber : std::bit_cast<double>(bits); }
  // The same value for another row; `texts`: the new ids of texts.
  KernelFact moved(Row to, const std::vector<StringId>& texts) const {
    const auto now = [&](StringId id) { return texts[static_cast<std::size_t>(id)]; };
    return is_text() ? of_text(to, now(name), now(text())) : KernelFact{to, now(name), bits};
  }

  static constexpr std::uint64_t kText = 0xFFFF'FFFF'0000'0000;
};

// The value of a cell, if it has one, without the quotes around a text.
std::optional<KernelFact> fact_of(Row of, StringId name, std::string_view cell, StringPool& strings);

// The file, read once. Texts are in a separate pool until the profile's is known.
class KernelTable {
 public:
  struct Line {
    Time start, duration;  // ns since 1970, kUnknown
    StringId name, core, type, blocks, stream;
    std::int64_t stream_number, task, device;
    std::int64_t offset;      // of the row in the file
    std::size_t facts_until;  // its facts come before this one, after those of the previous line
  };

  // As CsvTable::open. A table without the columns that place its rows has no lines, and reports its cells.
  static Result<KernelTable> open(const std::string& path, MemoryLimit* limit = nullptr);

  // The rows as events, for a folder without a trace: a lane per stream, and one for collectives.
  trace_events::ParsedEvents events() const;

  const std::string& file_name() const { return file_name_; }
  const Column<Line>& lines() const { return lines_; }
  Column<KernelFact>& facts() { return facts_; }
  const StringPool& strings() const { return strings_; }

  // To report their faults.
  const CsvTable& cells() const { return *cells_; }

 private:
  std::string file_name_;
  std::optional<CsvTable> cells_;
  StringPool strings_;
  Column<Line> lines_;  // columns, since they grow without being copied
  Column<KernelFact> facts_;
};

class KernelFacts {
 public:
  explicit KernelFacts(trace_events::Assembled& assembled);

  // Fills core, type, grid and facts of the device work that the rows describe; takes the table's facts. `whose`: what has
  // the kernels, for a person.
  void add_table(KernelTable table, const char* whose);

  // Adds the named columns of a table as facts of the kernels of its "Stream Id" and "Task Id". REQUIRES: add_table.
  void add_by_task(const std::string& path);

  // The device work with this name and start that was not returned before; kNoRow: none.
  Row find(StringId name, Time start);

  // The core of a kernel, and its number of blocks, as texts of the profile; none: unknown.
  void describe(Row work, StringId core, StringId type, StringId blocks);

  // One value of a slice; a cell without a value adds nothing.
  void add(Row slice, StringId title, std::string_view cell);
  // Facts of rows that may be slices or not (kNoRow); `texts`: the profile's ids for their texts.
  void add(Column<KernelFact> facts, const std::vector<Row>& slices, const std::vector<StringId>& texts);

  // Sorts the facts into the profile.
  void finish();

 private:
  void take(Column<KernelFact> facts);

  trace_events::Assembled& a_;
  Profile& p_;
  struct Known {
    Time start;
    StringId name;
    Row work;
  };
  struct Task {
    std::int64_t stream, number;
    Row slice;
  };
  std::vector<Known> by_start_;
  std::size_t near_ = 0;     // of by_start_: where the last one was found
  std::vector<bool> used_;   // by row of device_work
  std::vector<Task> tasks_;  // of the table's rows, in its order
  Column<KernelFact> facts_;
};

// ---- figures of kernels ----
// Figures of kernels with a formula in the vendor's documentation, for files that state the inputs and not the figure itself.

// Adds to the facts of kernels:
//
//   memory_bound (derived)   mte2_ratio / max(mac_ratio, vec_ratio) of the core that ran it; above 1 it waits for memory
//   L2 hit rate (derived)    hits / (hits + misses), over all caches' counters of them
//
// A kernel without one of the inputs, or with nothing to divide by, gets no figure. REQUIRES: facts and core types are
// complete.
void derive_facts(Profile& profile);

// ---- steps ----
// Steps of a recording whose trace marks none, from the step numbers in other tables.

// From the fact "Step Id" of kernels: a step reaches over what launched its kernels, or over the kernels if no launch is
// known. Does nothing if there are steps. REQUIRES: facts and owners of device work.
void add_steps_of_kernels(Profile& profile);

}  // namespace sightline::formats::ascend
