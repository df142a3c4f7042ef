// The Ascend reader: which files make up a profile, in which order they are read, and which missing files are reported.
//
// Slices come first: from the trace, else from the database, else from the table of kernels. Everything else joins them, so a
// profile with half of its files shows half of its views and reports what is missing.
#include "formats/registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

#include "base/parallel.h"
#include "formats/ascend/communication.h"
#include "formats/ascend/database_events.h"
#include "formats/ascend/folder.h"
#include "formats/ascend/json_document.h"
#include "formats/ascend/kernel_details.h"
#include "formats/ascend/memory_files.h"
#include "formats/ascend/reported_sums.h"
#include "formats/ascend/trace_view.h"
#include "formats/common/attribution.h"
#include "formats/common/collectives.h"
#include "formats/common/decimal.h"
#include "formats/common/whole_text.h"
#include "formats/read_context.h"
#include "formats/trace_events/trace_file.h"

namespace sightline::formats {

namespace ascend {
namespace {

using namespace trace_events;

constexpr std::int64_t kOutside = 86'400'000'000'000;  // a day: a time farther from the slices is from another recording

// Opened outside a folder of its kind: a profile of one file.
bool claims(std::string_view file_name) {
  const std::optional<FileKind> kind = file_kind(file_name);
  return kind == FileKind::trace || kind == FileKind::events_database;
}

// Its files are known by their names. A table or a database is a profile only if it is opened directly; a database then with
// any name, because no other reader takes databases.
bool sniff(std::string_view file_name, std::string_view head) {
  return claims(file_name) || file_kind(file_name) == FileKind::kernel_details ||
         (head.starts_with("SQLite format 3") && !is_of_all_ranks(file_name));
}

ProfileName name(std::string_view file_name) { return {std::string(file_name.substr(0, file_name.rfind('.'))), ""}; }

ParsedEvents no_events() {
  ParsedEvents none;
  none.strings.emplace_back();
  none.tracks.emplace_back();
  return none;
}

class FolderReader {
 public:
  FolderReader(Folder folder, const ReadOptions& options) : folder_(std::move(folder)), options_(options) {}

  Result<std::unique_ptr<Profile>> read() {
    Result<ParsedEvents> parsed = events();
    if (!parsed) return parsed.error();
    if (is_cancelled()) return Error{ErrorCode::cancelled, "cancelled", folder_.path};
    set_stage(options_, "building tables");
    assembled_ = assemble(*std::move(parsed), {}, options_.threads);
    attribute(profile(), std::move(assembled_.ids));
    finish_layers(assembled_);
    complete_collectives(profile(), assembled_.communication);
    name_collectives(profile());
    if (trace_) note_file_damage(*trace_, profile());
    set_stage(options_, "joining tables");
    if (database_) add_database();
    add_kernels();
    for (const auto& [code, message] : notes_) profile().add_problem(Severity::error, code, message, 1, 0);
    if (database_) rows_->report(profile());
    add_memory();
    add_sums();
    add_communication_files();
    add_sums_of_database();
    if (const std::string* file = folder_.file(FileKind::profiler_info)) add_profiler_info(*file, most_json(), profile());
    if (const std::string* file = folder_.file(FileKind::profiler_metadata)) add_profiler_metadata(*file, most_json(), profile());
    note_missing_files();
    name_devices();
    rebase();
    if (profile().rank == kUnknown) profile().rank = rank_in_names();
    if (!has_rows(profile()) && (folder_.files.empty() || folder_.raw))
      return Error{ErrorCode::not_found, folder_.why_empty(), folder_.path};
    return std::move(assembled_.profile);
  }

 private:
  Profile& profile() { return *assembled_.profile; }

  MemoryLimit* limit() const { return options_.progress == nullptr ? nullptr : &options_.progress->memory; }
  std::size_t most_json() const { return most_json_bytes(options_.progress); }

  bool is_cancelled() const { return options_.progress != nullptr && options_.progress->cancelled; }

  // Slices and what belongs to them. A trace that cannot be read counts as missing, and is reported.
  Result<ParsedEvents> events() {
    if (const std::string* file = folder_.file(FileKind::trace)) {
      begin_kernels();
      Result<TraceFile> trace = read_trace_file(*file, options_);
      if (!trace && trace.error().code == ErrorCode::cancelled) return trace.error();
      if (trace) {
        trace_ = *std::move(trace);
        give_categories(trace_->parsed, options_.threads);
        return std::move(trace_->parsed);
      }
      notes_.emplace_back("unreadable_file", say("{}; there is no timeline of the host", trace.error().to_string()));
    }
    if (const std::string* file = folder_.file(FileKind::events_database)) {
      Result<Database> database = Database::open(*file, options_.progress);
      if (database) {
        database_.emplace(*std::move(database));
        rows_.emplace(*database_, options_);
        set_stage(options_, "reading the database");
        return rows_->read();
      }
      notes_.emplace_back("unreadable_file", say("{}; its data is missing", database.error().to_string()));
    }
    read_kernels();
    return kernels_ && !kernels_->lines().empty() ? kernels_->events() : no_events();
  }

  // Reads the table beside the trace: while tables are built from the trace, a core is idle.
  void begin_kernels() {
    const std::string* file = folder_.file(FileKind::kernel_details);
    if (file == nullptr || options_.threads == 1) return;
    coming_kernels_ = begin_beside([path = *file, limit = limit()] { return KernelTable::open(path, limit); });
  }

  void read_kernels() {
    const std::string* file = folder_.file(FileKind::kernel_details);
    if (file == nullptr || kernels_unreadable_) return;
    Result<KernelTable> table = coming_kernels_.valid() ? coming_kernels_.get() : KernelTable::open(*file, limit());
    if (table) {
      kernels_ = *std::move(table);
      return;
    }
    kernels_unreadable_ = true;
    notes_.emplace_back("unreadable_file", say("{}; its data about kernels is missing", table.error().to_string()));
  }

  // Its figures replace those of the text: the same profiler wrote both.
  void add_database() {
    rows_->add_memory(assembled_.origin, profile());
    rows_->add_about(profile());
    for (const std::string& log : folder_.logs) {
      if (log != database_->path() + "-journal") continue;
      profile().add_problem(
          Severity::warning, "unfinished_database",
          say("{} is beside the database: its writer was interrupted, so its last changes may be incomplete", log), 1, 0);
    }
    for (const FileKind kind :
         {FileKind::kernel_details, FileKind::operator_memory, FileKind::memory_record, FileKind::module_memory}) {
      folder_.files.erase(kind);
    }
  }

  void add_sums_of_database() {
    const std::string* file = folder_.file(FileKind::sums_database);
    if (file == nullptr) return;
    const auto missing = [&](FileKind kind) { return folder_.file(kind) == nullptr; };
    add_sums_database(*file, assembled_.origin,
                      {.steps = missing(FileKind::step_trace_time),
                       .collectives = missing(FileKind::communication),
                       .matrix = missing(FileKind::communication_matrix)},
                      options_.progress, profile());
  }

  void add_kernels() {
    KernelFacts facts(assembled_);
    if (database_) {
      rows_->add_kernel_facts(facts, assembled_);
      rows_->add_steps(assembled_.origin, profile());
    }
    const bool alone = kernels_.has_value();
    if (!alone) read_kernels();
    if (kernels_) facts.add_table(*std::move(kernels_), alone ? "has no duration" : "is not in the trace");
    for (const FileKind kind : {FileKind::l2_cache, FileKind::data_preprocess}) {
      if (const std::string* file = folder_.file(kind)) facts.add_by_task(*file);
    }
    facts.finish();
    derive_facts(profile());
    add_steps_of_kernels(profile());
  }

  void add_memory() {
    if (const std::string* file = folder_.file(FileKind::operator_memory)) {
      add_operator_memory(*file, assembled_.origin, limit(), profile());
    }
    if (const std::string* file = folder_.file(FileKind::memory_record)) add_memory_record(*file, profile());
    if (const std::string* file = folder_.file(FileKind::module_memory)) add_module_memory(*file, profile());
    sort_memory_usage(profile());
  }

  void add_sums() {
    if (const std::string* file = folder_.file(FileKind::step_trace_time)) add_step_sums(*file, profile());
    if (const std::string* file = folder_.file(FileKind::operator_details)) add_operator_details(*file, profile());
    if (const std::string* file = folder_.file(FileKind::op_statistic)) add_kernel_statistics(*file, profile());
    if (const std::string* file = folder_.file(FileKind::api_statistic)) add_call_statistics(*file, profile());
    compare_statistics(profile());
  }

  void add_communication_files() {
    if (const std::string* file = folder_.file(FileKind::communication)) {
      add_communications(*file, most_json(), assembled_.origin, profile());
      sort_communications(profile());
      name_groups(profile());
    }
    if (const std::string* file = folder_.file(FileKind::communication_matrix)) add_matrix(*file, most_json(), profile());
  }

  void note_missing_files() {
    for (const auto& [kind, files] : folder_.passed_over) {
      if (kind == FileKind::other || folder_.file(kind) == nullptr) continue;
      const auto name_of = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
      const std::string read = name_of(*folder_.file(kind));
      profile().add_problem(
          Severity::note, "several_exports",
          files.size() == 1
              ? say("{} was read; 1 of the same kind, {} the last, was not", read, name_of(files.back()))
              : say("{} was read; {} of the same kind, {} the last, were not", read, files.size(), name_of(files.back())),
          static_cast<std::int64_t>(files.size()), 0);
    }
    const bool has_database = folder_.file(FileKind::events_database) != nullptr;
    if (trace_ && has_database) {
      profile().add_problem(
          Severity::note, "two_exports",
          "the folder holds a text export and a database: the text was read, and the database only where it has "
          "sums that the text lacks",
          1, 0);
    }
    if (folder_.single || (has_database && !trace_)) return;
    const auto note = [&](FileKind kind, std::string_view file, const char* lacking) {
      if (folder_.file(kind) != nullptr) return;
      profile().add_problem(Severity::note, "missing_file", say("{} is missing: {}", file, lacking), 1, 0);
    };
    note(FileKind::trace, "trace_view.json", "no host, no steps, and nothing to attribute kernels to");
    note(FileKind::kernel_details, "kernel_details.csv", "kernels have no cores, shapes and counters");
    note(FileKind::operator_memory, "operator_memory.csv", "no memory of operators");
    note(FileKind::memory_record, "memory_record.csv", "no memory of the allocators over time");
    if (profile().reported_steps.rows() == 0)
      note(FileKind::step_trace_time, "step_trace_time.csv", "no sums of steps by the vendor");
    if (profile().communications.rows() == 0)
      note(FileKind::communication, "communication.json", "no times of waiting and data transfer in collectives");
  }

  // Kernels of a table that does not state their device ran on the only device that the folder mentions.
  void name_devices() {
    std::set<std::int64_t> named;
    for (const StringId name : profile().memory_usage.device_name) named.insert(device_number(profile().text(name)));
    for (const std::int64_t device : profile().device_work.device) named.insert(device);
    named.erase(kUnknown);
    if (named.size() != 1) return;
    const std::int64_t only = *named.begin();
    for (std::int64_t& device : profile().device_work.device) device = device == kUnknown ? only : device;
    for (Row lane = 0; lane < profile().lanes.rows(); ++lane) {
      std::int64_t& device = profile().lanes.device[lane];
      if (device == kUnknown && profile().lanes.kind[lane] == LaneKind::device_stream) device = only;
    }
  }

  // From ns since 1970 to the origin, which is the start of the first slice, or the first of all times if there are no
  // slices.
  void rebase() {
    Profile& p = profile();
    std::int64_t origin = assembled_.origin;
    if (p.slices.rows() == 0) {
      origin = std::numeric_limits<std::int64_t>::max();
      for (const auto* times : {&p.memory_events.time, &p.memory_usage.time, &p.communications.start, &p.counters.time}) {
        for (const std::int64_t time : *times) origin = time == kUnknown ? origin : std::min(origin, time);
      }
      if (origin == std::numeric_limits<std::int64_t>::max()) return;
      p.origin_unix_ns = origin;
      for (std::int64_t& time : p.counters.time) time -= origin;  // else assemble() did
    }
    if (p.slices.rows() > 0) complete_span(p);
    std::int64_t outside = 0;
    for (auto* times : {&p.memory_events.time, &p.memory_usage.time, &p.communications.start}) {
      for (std::int64_t& time : *times) {
        if (time == kUnknown) continue;
        time -= origin;
        outside += p.slices.rows() > 0 && (time < -kOutside || time > p.span_end + kOutside);
      }
    }
    if (outside > 0) {
      p.add_problem(Severity::warning, "distant_time",
                    "a time is more than a day away from all slices: the files belong to several recordings", outside, 0);
    }
  }

  // "profiler_info_3.json", if the file itself does not state it.
  std::int64_t rank_in_names() const {
    const std::string* file = folder_.file(FileKind::profiler_info);
    if (file == nullptr) return kUnknown;
    const std::string stem = std::filesystem::path(*file).stem().string();
    const std::size_t cut = stem.rfind('_');
    return cut == std::string::npos ? kUnknown : parse_integer(stem.substr(cut + 1)).value_or(kUnknown);
  }

  Folder folder_;
  const ReadOptions& options_;
  std::optional<TraceFile> trace_;
  std::optional<Database> database_;
  std::optional<DatabaseEvents> rows_;                  // of the database
  std::vector<std::pair<std::string, Message>> notes_;  // code and message, until there is a profile
  std::future<Result<KernelTable>> coming_kernels_;     // being read
  std::optional<KernelTable> kernels_;                  // read and not yet used
  bool kernels_unreadable_ = false;
  Assembled assembled_;
};

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  Result<Folder> folder = open_folder(context.path());
  if (!folder) return folder.error();
  return FolderReader(*std::move(folder), context.options()).read();
}

Result<std::string> event_text(const std::string& path, std::int64_t at) {
  const Result<Folder> folder = open_folder(path);
  if (!folder) return folder.error();
  const std::string* trace = folder->file(FileKind::trace);
  if (trace == nullptr || at < 0) return Error{ErrorCode::unavailable, "it comes from a table, not from a trace", path};
  return trace_events::event_text(*trace, at);
}

}  // namespace
}  // namespace ascend

Reader ascend_reader() {
  return {.id = "ascend",
          .title = "Ascend profile",
          .claims_file = ascend::claims,
          .sniff_file = ascend::sniff,
          .name_file = ascend::name,
          .read_capture = ascend::read,
          .text_at = ascend::event_text,
          .words = {.device = "NPU", .matrix = "AI cores", .core = "AI core"},  // the vendor's words: docs/formats/ascend.md
          .claims_folder = ascend::claims_folder,
          .name_folder = ascend::name_folder,
          .files_of = ascend::files_of};
}

}  // namespace sightline::formats
