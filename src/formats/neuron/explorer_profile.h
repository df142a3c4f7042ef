// From rows of Neuron Explorer's tables to a profile. explorer_tables() lists what becomes of each table.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "formats/neuron/device_rows.h"
#include "formats/neuron/explorer_origins.h"
#include "formats/neuron/table_profile.h"
#include "formats/reader.h"
#include "formats/tables/parquet_rows.h"

namespace sightline::formats::neuron {

class ExplorerProfile;

struct ExplorerTable {
  std::string_view name;
  void (ExplorerProfile::*take)();  // of the current row; null: rows are only counted
  std::string_view becomes;
};

// All tables of the public schema, version 7. Tables that instructions refer to are read before them.
std::span<const ExplorerTable> explorer_tables();

// The value of slices.source, which finds the row of a slice again.
struct ExplorerSource {
  std::size_t table;
  std::int64_t row;  // of all files of the table, one after the other
};
constexpr std::int64_t source_of(const ExplorerSource& at) { return static_cast<std::int64_t>(at.table) << 40 | at.row; }
constexpr ExplorerSource explorer_source(std::int64_t source) {
  return {static_cast<std::size_t>(source >> 40), source & ((std::int64_t{1} << 40) - 1)};
}

class ExplorerProfile {
 public:
  // Adds all rows of a file of a table, which begins at row `first` of the table, until the memory of `progress` (may be
  // null) is used up. Damage becomes a problem.
  void read(std::size_t table, const std::string& path, std::int64_t first, ReadProgress* progress);
  std::int64_t rows_of(std::size_t table) { return counts_[table]; }  // read so far
  Profile& profile() { return builder_.profile(); }
  // REQUIRES: called once.
  std::unique_ptr<Profile> write();

 private:
  friend std::span<const ExplorerTable> explorer_tables();

  // One function for each kind of row; each takes the current row.
  void take_instruction();
  void take_packet();
  void take_transfer();
  void take_throttle();
  void take_active_time();
  void take_barrier();
  void take_collective();
  void take_collective_core();
  void take_collective_stream();
  void take_allocation();
  void take_error();
  void take_execution();
  void take_layer();
  void take_framework_operator();
  void take_hlo_operator();
  void take_penguin_operator();
  void take_bir() { origins_.take_level(ExplorerOrigins::Level::bir, *rows_); }
  void take_assembly() { origins_.take_assembly(*rows_); }
  void take_frame() { origins_.take_frame(*rows_); }
  void take_location() { origins_.take_location(*rows_); }
  void take_file() { origins_.take_file(*rows_); }
  void take_function() { origins_.take_function(*rows_); }
  void take_kernel_instruction() { origins_.take_kernel_instruction(*rows_); }
  void take_kernel_frame() { origins_.take_kernel_frame(*rows_); }
  void take_loop_variable() { origins_.take_loop_variable(*rows_); }
  void take_semaphore();
  void take_pending();
  void take_dma_usage();
  void take_hbm_usage();
  void take_psum_usage();
  void take_sbuf_usage();
  void take_cpu_usage();
  void take_host_memory();
  void take_device_memory();
  void take_memory_type();
  void take_flow();
  void take_tensor();
  void take_queue();
  void take_device_profile();
  void take_metadata();
  void take_neff_header();
  void take_summary();
  void take_warning();
  void take_system_event();

  std::int64_t integer(std::string_view column) const { return rows_->integer(column); }
  double real(std::string_view column) const { return rows_->real(column); }
  std::string text(std::string_view column) const { return rows_->text(column); }
  std::int64_t core() const;  // physical
  // Start and length of the current row; false, and counted, if there is none.
  bool timed(Time& start, Time& duration, std::string_view start_column = "start_ts");
  // Adds the slice of the current row to a lane; its facts are all columns except the named ones.
  TableRow slice(Time start, Time duration, StringId name, SliceKind kind);
  void add(TableProfile::Lane& lane, const TableRow& row, std::initializer_list<std::string_view> known);
  void add_window(const std::string& lane, const std::string& name, std::initializer_list<std::string_view> known);
  void sample(const LaneGroup& group, const std::string& name, std::string_view column);
  void about(std::string_view prefix);
  void state_origin(const InstructionOrigin& origin);

  TableProfile builder_;
  ParquetRows* rows_ = nullptr;  // the current file
  std::size_t table_ = 0;
  std::int64_t row_ = 0;
  std::vector<RowFact> facts_, more_facts_;                // of the current row: of its columns, and of other tables
  std::vector<std::pair<StringId, std::size_t>> columns_;  // of the file, by name
  std::map<std::size_t, std::int64_t> counts_;             // rows, by table
  ExplorerOrigins origins_;
  TransferTriggers triggers_;                     // a transfer names start and end of the instruction
  std::set<std::int64_t> triggered_;              // transfers for which a flow states what started them
  std::size_t instructions_ = 0, transfers_ = 0;  // their tables
  SystemEvents system_{builder_};
  std::int64_t untimed_ = 0, errors_ = 0;
};

}  // namespace sightline::formats::neuron
