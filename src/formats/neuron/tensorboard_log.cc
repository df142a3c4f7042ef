// The log of the vendor's TensorBoard plugin: a folder <logdir>/plugins/neuron/<stamp>/ of a few JSON files, which hold sums of
// operators and one trace, whose rows are what the plugin's timeline draws. A folder is one capture; a file of it that is opened
// directly is read alone.
#include <fmt/core.h>
#include <simdjson.h>

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
#include "formats/neuron/json_rows.h"
#include "formats/read_context.h"
#include "formats/reader.h"
#include "formats/registry.h"
#include "formats/trace_events/assemble.h"
#include "formats/trace_events/trace_file.h"
#include "model/profile.h"
#include "model/tables.h"

namespace sightline::formats::neuron {

// ---- operators ----
// The operators' files of the TensorBoard plugin's log: {"ops": [{...}, ...], "total_time": N}, of the framework's operators
// or of those of the compiled program. The names of a row's members are not documented, so each is accepted in the spellings
// that the plugin's columns suggest; members that match none are named in the problems. A framework's operator has no
// operator of its own in the program: it covers all that it was compiled to.

namespace {

enum class LogOperators { framework, hlo };

namespace dom = simdjson::dom;

enum class Member { name, calls, device, core, time, fused, opcode, category, shape, known };

struct Spelling {
  std::string_view text;  // as folded() makes it
  Member member;
  double ns = 1;  // of a time: how long its unit is
};

// The last ones are the plugin's own arithmetic, which the views repeat.
constexpr Spelling kSpellings[] = {
    {"name", Member::name},
    {"op", Member::name},
    {"opname", Member::name},
    {"operator", Member::name},
    {"operatorname", Member::name},
    {"hloname", Member::name},
    {"hloop", Member::name},
    {"hloopname", Member::name},
    {"frameworkop", Member::name},
    {"frameworkopname", Member::name},
    {"occurrences", Member::calls},
    {"occurrence", Member::calls},
    {"numoccurrences", Member::calls},
    {"count", Member::calls},
    {"calls", Member::calls},
    {"device", Member::device},
    {"deviceid", Member::device},
    {"neurondevice", Member::device},
    {"neurondeviceid", Member::device},
    {"ndidx", Member::device},
    {"core", Member::core},
    {"coreid", Member::core},
    {"neuroncore", Member::core},
    {"neuroncoreid", Member::core},
    {"ncidx", Member::core},
    {"time", Member::time},
    {"timens", Member::time},
    {"totaltime", Member::time},
    {"totaltimens", Member::time},
    {"duration", Member::time},
    {"durationns", Member::time},
    {"timeus", Member::time, 1e3},
    {"totaltimeus", Member::time, 1e3},
    {"durationus", Member::time, 1e3},
    {"fused", Member::fused},
    {"fusedops", Member::fused},
    {"fusedoperators", Member::fused},
    {"fusednames", Member::fused},
    {"opcode", Member::opcode},
    {"hloopcode", Member::opcode},
    {"category", Member::category},
    {"opcategory", Member::category},
    {"shape", Member::shape},
    {"outputshape", Member::shape},
    {"timepercent", Member::known},
    {"timepercentage", Member::known},
    {"percent", Member::known},
    {"percentage", Member::known},
};

// "Time (ns)" -> "timens", "Time %" -> "timepercent", "op_name" -> "opname".
std::string folded(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') text += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
    if (c == '%') text += "percent";
  }
  return text;
}

const Spelling* spelling_of(std::string_view key) {
  const std::string text = folded(key);
  const auto* found =
      std::find_if(std::begin(kSpellings), std::end(kSpellings), [&](const Spelling& s) { return s.text == text; });
  return found == std::end(kSpellings) ? nullptr : found;
}

std::string text_of(dom::element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  return value.is_null() ? "" : std::string(simdjson::minify(value));
}

// A number, or a text that is a number; nothing for anything else.
std::optional<double> number_of(dom::element value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? parse_real(text) : std::nullopt;
}

// 2, "2" and "NeuronDevice 2" -> 2.
std::int64_t ordinal_of(dom::element value) {
  const std::string text = text_of(value);
  const std::size_t digits = text.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  return parse_integer(std::string_view(text).substr(digits)).value_or(kUnknown);
}

// A whole number, else unknown. A number larger than any count or time of a recording (11 days) is damage, so sums do not
// overflow.
std::int64_t whole(std::optional<double> number, double unit = 1) {
  constexpr double kMost = 1e15;
  if (!number || !(*number >= 0) || !(*number * unit < kMost)) return kUnknown;
  return std::llround(*number * unit);
}

// A list of names, or one text of names separated by commas.
std::vector<std::string> names_of(dom::element value) {
  std::vector<std::string> names;
  dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    for (const dom::element each : list) names.push_back(text_of(each));
  } else {
    const std::string text = text_of(value);
    for (std::size_t first = 0; first <= text.size();) {
      const std::size_t comma = std::min(text.find(',', first), text.size());
      names.push_back(text.substr(first, comma - first));
      first = comma + 1;
    }
  }
  for (std::string& name : names) {
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
  }
  std::erase(names, "");
  return names;
}

struct OperatorRow {
  std::string name, opcode, category, shape, core;
  std::int64_t calls = kUnknown, device = kUnknown;
  Time total = kUnknown;
  std::vector<std::string> fused;
};

class Operators {
 public:
  Operators(LogOperators kind, Profile& profile) : kind_(kind), p_(profile) {}

  void take(std::string& text, std::int64_t offset) {
    ++rows_;
    dom::object object;
    OperatorRow row;
    if (parser_.parse(text.data(), text.size(), false).get(object) == simdjson::SUCCESS) read(object, row);
    if (row.name.empty()) {
      if (unusable_++ == 0) first_unusable_ = offset;
      return;
    }
    add(row);
  }

  void take_total(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    stated_total_ = whole(parse_real(text));
  }

  void report(const std::string& file_name) const {
    if (unusable_ > 0) {
      p_.add_problem(Severity::warning, "unusable_rows", say("{}: rows of operators without a name", file_name), unusable_,
                     first_unusable_);
    }
    if (!strange_.empty()) {
      std::string names;
      for (const std::string& name : strange_) names += (names.empty() ? "" : ", ") + name;
      p_.add_problem(Severity::note, "unknown_members",
                     say("{}: members of operators that are not understood: {}", file_name, names),
                     static_cast<std::int64_t>(strange_.size()), 0);
    }
    if (stated_total_ != kUnknown && !untimed_ && stated_total_ != sum_) {
      p_.add_problem(Severity::note, "other_total",
                     say("{}: the file states a total time of {} ns; the times of its operators sum to {} ns", file_name,
                         stated_total_, sum_),
                     1, 0);
    }
  }

  std::int64_t rows() const { return rows_; }

 private:
  void read(dom::object object, OperatorRow& row) {
    for (const auto& [key, value] : object) {
      const Spelling* spelling = spelling_of(key);
      if (spelling == nullptr) {
        strange_.insert(std::string(key));
        continue;
      }
      switch (spelling->member) {
        case Member::name: row.name = text_of(value); break;
        case Member::calls: row.calls = whole(number_of(value)); break;
        case Member::device: row.device = ordinal_of(value); break;
        case Member::core: row.core = core_of(value); break;
        case Member::time: row.total = whole(number_of(value), spelling->ns); break;
        case Member::fused: row.fused = names_of(value); break;
        case Member::opcode: row.opcode = text_of(value); break;
        case Member::category: row.category = text_of(value); break;
        case Member::shape: row.shape = text_of(value); break;
        case Member::known: break;
      }
    }
  }

  // "NeuronCore 1" and 1 -> "1"
  static std::string core_of(dom::element value) {
    const std::int64_t number = ordinal_of(value);
    return number == kUnknown ? text_of(value) : std::to_string(number);
  }

  StringId intern(const std::string& text) { return text.empty() ? StringId::none : p_.strings.intern(text); }

  void set_name(Row row, const std::string& name) {
    (kind_ == LogOperators::framework ? p_.program_operators.framework_operator : p_.program_operators.name)[row] = intern(name);
  }

  // The same operator has one row per core.
  Row operator_of(const OperatorRow& about) {
    const auto [at, is_new] = operators_.try_emplace({about.name, about.opcode, about.fused}, kNoRow);
    if (!is_new) return at->second;
    ProgramOperators& all = p_.program_operators;
    const Row row = add_unknown_row(all);
    set_name(row, about.name);
    all.opcode[row] = intern(about.opcode);
    all.category[row] = intern(about.category);
    all.shape[row] = intern(about.shape);
    for (const std::string& member : about.fused) {
      const Row part = add_unknown_row(all);
      set_name(part, member);
      all.fused_into[part] = row;
    }
    return at->second = row;
  }

  void add(const OperatorRow& row) {
    ReportedProgramWork& all = p_.reported_program_work;
    all.program_operator.push_back(operator_of(row));
    all.device.push_back(row.device);
    all.core.push_back(intern(row.core));
    all.calls.push_back(row.calls);
    all.total.push_back(row.total);
    if (row.total == kUnknown) {
      untimed_ = true;
    } else {
      sum_ += row.total;
    }
  }

  LogOperators kind_;
  Profile& p_;
  dom::parser parser_;
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>, Row> operators_;
  std::set<std::string> strange_;
  std::int64_t rows_ = 0, unusable_ = 0, first_unusable_ = 0;
  Time sum_ = 0, stated_total_ = kUnknown;
  bool untimed_ = false;
};

}  // namespace

// Adds a row of program_operators per operator and per operator fused into it, and one of reported_program_work per row.
// Counts rows that cannot be used in the problems, and reports contradictions within the file. An Error says why nothing
// could be read.
static Result<bool> add_log_operators(const std::string& file, LogOperators kind, ReadProgress* progress, Profile& profile) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(file);
  if (!source) return source.error();
  ByteStream in(**source, file, progress);
  const std::string file_name = std::filesystem::path(file).filename().string();
  Operators operators(kind, profile);
  const bool whole = for_each_row(
      in,
      [&](const std::string& section, std::string& row, std::int64_t offset) {
        if (section == "ops") operators.take(row, offset);
      },
      [&](const std::string& name, const std::string& text) {
        if (name == "total_time") operators.take_total(text);
      });
  operators.report(file_name);
  profile.events += operators.rows();
  if (in.failed() && operators.rows() == 0) return in.error();
  if (in.failed()) {
    profile.add_problem(Severity::error, "malformed", say("{}; the operators before it were read", in.error().to_string()), 1,
                        in.position());
  } else if (!whole) {
    const auto with_cause = [&](const char* what) {
      return (*source)->damage() ? say("{} ({cause})", what, *(*source)->damage()) : what;
    };
    if (operators.rows() == 0)
      return Error{ErrorCode::malformed, with_cause("the file ends before its first operator"),
                   file + ":" + std::to_string(in.position())};
    profile.add_problem(
        Severity::error, "truncated",
        say("{}: {}", file_name, with_cause("the file ends before its list of operators does; those before it were read")), 1,
        in.position());
  }
  return true;
}

}  // namespace sightline::formats::neuron

namespace sightline::formats {

// ---- the log ----
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
