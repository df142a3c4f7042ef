// The log of the vendor's TensorBoard plugin: a folder <logdir>/plugins/neuron/<stamp>/ of a few JSON files, which hold sums of
// operators and one trace, whose rows are what the plugin's timeline draws. A folder is one capture; a file of it that is opened
// directly is read alone.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "formats/common/decimal.h"
#include "formats/neuron/log_operators.h"
#include "formats/read_context.h"
#include "formats/reader.h"
#include "formats/registry.h"
#include "formats/trace_events/assemble.h"
#include "formats/trace_events/trace_file.h"
#include "model/profile.h"
#include "model/tables.h"

namespace sightline::formats {

// Files by their names, the trace by the shared reader of such traces, and which of its slices execute an operator.

namespace neuron {
namespace {

namespace fs = std::filesystem;

enum class LogFile : std::uint8_t { framework_operators, hlo_operators, split_timeline, timeline, trace };

struct KnownFile {
  std::string_view name;
  LogFile kind;
};

// The two timelines hold the same slices in different arrangements.
constexpr std::array kFiles{
    KnownFile{"neuron_framework_op.json", LogFile::framework_operators}, KnownFile{"neuron_hlo_op.json", LogFile::hlo_operators},
    KnownFile{"neuron_op_timeline_split.json", LogFile::split_timeline}, KnownFile{"neuron_op_timeline.json", LogFile::timeline},
    KnownFile{"neuron_trace.json", LogFile::trace}};

std::string_view without_gz(std::string_view file_name) {
  if (file_name.ends_with(".gz")) file_name.remove_suffix(3);
  return file_name;
}

std::optional<LogFile> log_file(std::string_view file_name) {
  for (const KnownFile& known : kFiles) {
    if (known.name == without_gz(file_name)) return known.kind;
  }
  return std::nullopt;
}

bool claims_log(std::string_view file_name) { return log_file(file_name).has_value(); }

bool claims_log_folder(const FolderEntries& folder) { return std::any_of(folder.files.begin(), folder.files.end(), claims_log); }

// "2023_04_28_00_54_04", possibly followed by "_" and the name of the recorder.
constexpr std::string_view kStamp = "dddd_dd_dd_dd_dd_dd";

bool begins_with_stamp(std::string_view text) {
  if (text.size() < kStamp.size() || (text.size() > kStamp.size() && text[kStamp.size()] != '_')) return false;
  for (std::size_t i = 0; i < kStamp.size(); ++i) {
    if (kStamp[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '_') return false;
  }
  return true;
}

ProfileName name_folder(const std::string& path, const FolderEntries&) {
  const std::string folder = fs::path(path).filename().string();
  if (!begins_with_stamp(folder)) return {folder, ""};
  std::string stamp = folder.substr(0, kStamp.size());
  std::erase(stamp, '_');  // a number: a time of each worker, not a session that all share
  return {folder.size() == kStamp.size() ? "neuron" : folder.substr(kStamp.size() + 1), stamp};
}

using Files = std::map<LogFile, std::string>;

// The files of the folder, or the one file that the path names.
Result<Files> files_at(const std::string& path) {
  if (const auto kind = log_file(fs::path(path).filename().string())) return Files{{*kind, path}};
  const Result<std::vector<std::string>> all = files_in_folder(path);
  if (!all) return all.error();
  Files files;
  for (const std::string& file : *all) {
    if (const auto kind = log_file(fs::path(file).filename().string())) files.emplace(*kind, file);
  }
  if (files.empty()) return Error{ErrorCode::not_found, "it contains no file of the TensorBoard plugin's log", path};
  return files;
}

// The trace that is read: the richest one first.
const std::string* trace_of(const Files& files) {
  for (const LogFile kind : {LogFile::split_timeline, LogFile::timeline, LogFile::trace}) {
    if (const auto at = files.find(kind); at != files.end()) return &at->second;
  }
  return nullptr;
}

std::string file_name_of(const std::string& path) { return fs::path(path).filename().string(); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool says(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; }) !=
         text.end();
}

class LogReader {
 public:
  LogReader(Files files, const ReadOptions& options) : files_(std::move(files)), options_(options) {}

  Result<std::unique_ptr<Profile>> read() {
    if (const Result<bool> read = read_trace(); !read) return read.error();
    Profile& p = *profile_;
    set_stage(options_, "reading operators");
    read_operators(LogFile::framework_operators, LogOperators::framework);
    read_operators(LogFile::hlo_operators, LogOperators::hlo);
    find_operators();
    name_devices();
    for (const Message& message : unreadable_) p.add_problem(Severity::error, "unreadable_file", message, 1, 0);
    return std::move(profile_);
  }

 private:
  // False and an error only if the caller cancelled.
  Result<bool> read_trace() {
    profile_ = std::make_unique<Profile>();
    const std::string* file = trace_of(files_);
    if (file == nullptr) return true;
    Result<trace_events::TraceFile> trace = trace_events::read_trace_file(*file, options_);
    if (!trace && trace.error().code == ErrorCode::cancelled) return trace.error();
    if (!trace) {
      unreadable_.push_back(say("{}; there is no timeline", trace.error().to_string()));
      return true;
    }
    set_stage(options_, "building tables");
    trace_events::Assembled assembled = trace_events::assemble(std::move(trace->parsed), trace->members, options_.threads);
    profile_ = std::move(assembled.profile);
    trace_events::note_file_damage(*trace, *profile_);
    set_origin(assembled.origin);
    name_rows();
    note_other_traces(*file);
    return true;
  }

  // Times count from the start that the file states, unless they are times of day.
  void set_origin(std::int64_t first) {
    Profile& p = *profile_;
    const auto start = parse_integer(metadata_value(p, "neuronStartTimestampNs"));
    if (p.origin_unix_ns == kUnknown && start && *start > 0 && *start < kFarthestNs) p.origin_unix_ns = *start + first;
  }

  // The plugin's groups: computing, moving data, and the rest.
  void name_rows() {
    Profile& p = *profile_;
    for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
      const Row process = p.lanes.process[lane];
      if (p.lanes.kind[lane] == LaneKind::counter || process == kNoRow) continue;
      const std::string_view group = p.text(p.processes.name[process]);
      if (group.starts_with("/host:")) continue;
      const bool execution = says(group, "execution"), transfer = says(group, "data transfer");
      p.lanes.kind[lane] = execution ? LaneKind::engine : transfer ? LaneKind::queue : LaneKind::other;
      for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
        if (p.slices.kind[slice] == SliceKind::other) p.slices.kind[slice] = SliceKind::device_annotation;
      }
    }
  }

  void note_other_traces(const std::string& read) {
    for (const LogFile kind : {LogFile::timeline, LogFile::trace}) {
      const auto other = files_.find(kind);
      if (other == files_.end() || other->second == read) continue;
      profile_->add_problem(Severity::note, "other_timeline",
                            say("{} is drawn; {} beside it is not", file_name_of(read), file_name_of(other->second)), 1, 0);
    }
  }

  void read_operators(LogFile kind, LogOperators what) {
    const auto file = files_.find(kind);
    if (file == files_.end()) return;
    const Result<bool> read = add_log_operators(file->second, what, options_.progress, *profile_);
    if (!read) unreadable_.push_back(say("{}; its operators are missing", read.error().to_string()));
  }

  // A slice named like a row of operators executes that operator.
  void find_operators() {
    Profile& p = *profile_;
    std::map<StringId, Row> named, whole;
    const ProgramOperators& all = p.program_operators;
    for (Row row = 0; row < all.rows(); ++row) {
      if (all.fused_into[row] != kNoRow) continue;
      (all.name[row] == StringId::none ? whole : named)
          .emplace(all.name[row] == StringId::none ? all.framework_operator[row] : all.name[row], row);
    }
    for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
      const std::string_view title = p.text(p.lanes.name[p.main_lane(lane)]);
      const bool hlo = says(title, "hlo");
      if (!hlo && !says(title, "framework")) continue;
      const std::map<StringId, Row>& operators = hlo ? named : whole;
      for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
        const auto of = operators.find(p.slices.name[slice]);
        if (of == operators.end()) continue;
        p.program_work.slice.push_back(slice);
        p.program_work.program_operator.push_back(of->second);
      }
    }
  }

  // The devices that the operators ran on.
  void name_devices() {
    Profile& p = *profile_;
    std::set<std::int64_t> devices(p.reported_program_work.device.begin(), p.reported_program_work.device.end());
    devices.erase(kUnknown);
    for (const std::int64_t device : devices) {
      const Row row = add_unknown_row(p.devices);
      p.devices.ordinal[row] = device;
      p.devices.name[row] = p.strings.intern("NeuronDevice");
    }
  }

  Files files_;
  const ReadOptions& options_;
  std::vector<Message> unreadable_;
  std::unique_ptr<Profile> profile_;
};

Result<std::unique_ptr<Profile>> read_log(ReadContext& context) {
  Result<Files> files = files_at(context.path());
  if (!files) return files.error();
  return LogReader(*std::move(files), context.options()).read();
}

Result<std::string> log_event_text(const std::string& path, std::int64_t at) {
  const Result<Files> files = files_at(path);
  if (!files) return files.error();
  const std::string* trace = trace_of(*files);
  if (trace == nullptr || at < 0) return Error{ErrorCode::unavailable, "it comes from sums, not from a trace", path};
  return trace_events::event_text(*trace, at);
}

Result<std::vector<std::string>> log_files_of(const std::string& path) {
  const Result<Files> files = files_at(path);
  if (!files) return files.error();
  std::vector<std::string> all;
  if (files->size() == 1 && files->begin()->second == path) return all;  // it is its own source
  for (const auto& [kind, file] : *files) all.push_back(file);
  return all;
}

}  // namespace
}  // namespace neuron

Reader neuron_log_reader() {
  return {.id = "neuron_log",
          .title = "AWS Neuron TensorBoard log",
          .claims_file = neuron::claims_log,
          .read_capture = neuron::read_log,
          .text_at = neuron::log_event_text,
          .words = {.device = "NeuronDevice", .matrix = "Tensor engines", .core = "NeuronCore"},
          .claims_folder = neuron::claims_log_folder,
          .name_folder = neuron::name_folder,
          .files_of = neuron::log_files_of};
}

}  // namespace sightline::formats
