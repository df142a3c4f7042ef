// The reader of device profiles: folders, names, sniffing, metadata, and one record as text.
#include "formats/registry.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "base/json_writer.h"
#include "base/text.h"

#include "formats/common/profile_builder.h"
#include "formats/neuron/explorer_profile.h"
#include "formats/neuron/instruction_text.h"
#include "formats/neuron/json_profile.h"
#include "formats/neuron/neff_file.h"
#include "formats/neuron/neff_pairing.h"
#include "formats/neuron/notifications.h"
#include "formats/neuron/ntff_header.h"
#include "formats/neuron/ntff_profile.h"
#include "formats/neuron/record_decoding.h"
#include "formats/read_context.h"
#include "formats/reader.h"
#include "formats/tables/json_rows.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

using namespace json_rows;

// ---- folders of a runtime ----
// Folders that the runtime writes while it inspects a program: device profiles (NTFF) and models beside traces of the host,
// whose layout is not public. Files that are not read are named, with what to do instead.

namespace {

constexpr std::array<std::string_view, 4> kHostTraces{"ntrace.pb", "cpu_util.pb", "host_mem.pb", "trace_info.pb"};
constexpr std::array<std::string_view, 5> kRead{".ntff", ".ntff.gz", ".json", ".json.gz", ".parquet"};

}  // namespace

// The host's traces in a list of file names: "ntrace.pb, cpu_util.pb"; "" if there are none.
static std::string host_traces(const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) {
    const std::string_view name = std::string_view(file).substr(file.rfind('/') + 1);
    if (std::find(kHostTraces.begin(), kHostTraces.end(), name) == kHostTraces.end()) continue;
    names.append(names.empty() ? "" : ", ").append(name);
  }
  return names;
}

// Whether a folder has such traces and nothing that can be read.
static bool is_host_traces_folder(const FolderEntries& folder) {
  const std::vector<std::string> files(folder.files.begin(), folder.files.end());
  const bool any_read = std::any_of(files.begin(), files.end(), [](const std::string& file) {
    return std::any_of(kRead.begin(), kRead.end(), [&](std::string_view ending) { return file.ends_with(ending); });
  });
  return !any_read && folder.folders.empty() && !host_traces(files).empty();
}

// Why they are not read.
static Message unread_host_traces(const std::string& files) {
  return say(
      "the host's part of this recording ({}) has no public layout and is not read; convert it with the vendor's tool "
      "(neuron-explorer view -d FOLDER --output-format json, or parquet) and open the result",
      files);
}

// ---- folders of Neuron Explorer ----
// A folder of Parquet files in which Neuron Explorer stores a profile: one table a file, `<Table>.parquet`, or several of
// them, `<Table>_0.parquet` and so on.

namespace {

constexpr std::string_view kEnding = ".parquet";

// Tables that only such a folder has: one of them is enough.
constexpr std::array<std::string_view, 6> kTelling{"Instruction", "DmaPacket",           "Metadata",
                                                   "NeffHeader",  "SystemProfileEvents", "SystemProfileMetadata"};

constexpr std::string_view kLast = "Instruction";  // its rows refer to those of other tables

// "Instruction" of "Instruction.parquet" and "Instruction_12.parquet".
std::string_view table_name(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);
  if (!file.ends_with(kEnding)) return {};
  file.remove_suffix(kEnding.size());
  const std::size_t last = file.find_last_not_of("0123456789");
  const bool numbered = last != std::string_view::npos && last + 1 < file.size() && file[last] == '_';
  return numbered ? file.substr(0, last) : file;
}

std::optional<std::size_t> table_of(std::string_view file) {
  const auto all = explorer_tables();
  const std::string_view name = table_name(file);
  const auto at = std::find_if(all.begin(), all.end(), [&](const ExplorerTable& table) { return table.name == name; });
  if (at == all.end()) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

bool by_place(const std::string& a, const std::string& b) { return natural_less(a, b); }

}  // namespace

static bool is_explorer_folder(const FolderEntries& folder) {
  return std::any_of(folder.files.begin(), folder.files.end(), [](const std::string& file) {
    return std::find(kTelling.begin(), kTelling.end(), table_name(file)) != kTelling.end();
  });
}

// The vendor's server names a folder NAME@latest.
// Worker and span of a folder at this path.
static ProfileName explorer_name(const std::string& path, const FolderEntries&) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with("@latest")) name.resize(name.size() - 7);
  return {name, ""};
}

// The files of the tables in the folder, in order; empty if there are none.
static Result<std::vector<std::string>> explorer_files(const std::string& folder) {
  Result<std::vector<std::string>> files = files_in_folder(folder);
  if (!files) return files;
  std::erase_if(*files, [](const std::string& file) { return !file.ends_with(kEnding); });
  const bool any = std::any_of(files->begin(), files->end(), [](const std::string& file) { return table_of(file).has_value(); });
  if (!any) files->clear();
  std::sort(files->begin(), files->end(), by_place);
  return files;
}

static Result<std::unique_ptr<Profile>> read_explorer_folder(const std::string& folder, ReadProgress* progress) {
  Result<std::vector<std::string>> files = explorer_files(folder);
  if (!files) return files.error();
  std::stable_partition(files->begin(), files->end(), [](const std::string& file) { return table_name(file) != kLast; });
  ExplorerProfile reading;
  std::vector<std::int64_t> rows(explorer_tables().size());
  std::string strangers;
  std::int64_t strange = 0;
  for (const std::string& file : *files) {
    if (progress != nullptr && progress->cancelled) return Error{ErrorCode::cancelled, "cancelled", folder};
    if (const std::optional<std::size_t> table = table_of(file)) {
      reading.read(*table, file, rows[*table], progress);
      rows[*table] = reading.rows_of(*table);
    } else {
      ++strange;
      strangers.append(strangers.empty() ? "" : ", ").append(table_name(file));
    }
  }
  if (strange != 0)
    reading.profile().add_problem(Severity::note, "unknown_table", say("unknown tables are not read: {}", strangers), strange, 0);
  return reading.write();
}

// The row at a slice's `source`, as JSON.
static Result<std::string> explorer_row(const std::string& folder, std::int64_t source) {
  const Error absent{ErrorCode::not_found, "no row begins here", folder + ":" + std::to_string(source)};
  if (source < 0) return absent;
  ExplorerSource at = explorer_source(source);
  const Result<std::vector<std::string>> files = explorer_files(folder);
  if (!files) return files.error();
  for (const std::string& file : *files) {
    if (table_of(file) != at.table) continue;
    Result<ParquetRows> rows = ParquetRows::open(file);
    if (!rows) return rows.error();
    if (at.row >= rows->rows()) {
      at.row -= rows->rows();
      continue;
    }
    std::string found;
    const Result<bool> done = rows->for_each(at.row, [&] {
      JsonWriter json(found);
      json.begin_object();
      for (std::size_t column = 0; column < rows->columns().size(); ++column) {
        const ParquetCell cell = rows->cell(column);
        const std::string& name = rows->columns()[column];
        if (cell.kind == ParquetCell::Kind::integer) json.member(name, cell.integer);
        if (cell.kind == ParquetCell::Kind::real) json.member(name, cell.real);
        if (cell.kind == ParquetCell::Kind::text) json.member(name, cell.text);
      }
      json.end_object();
      return false;
    });
    if (!done) return done.error();
    return found;
  }
  return absent;
}

}  // namespace sightline::formats::neuron

namespace sightline::formats {

// ---- the reader ----

namespace neuron {
namespace {

bool claims(std::string_view file_name) { return file_name.ends_with(".ntff") || file_name.ends_with(".ntff.gz"); }

// A compiled model contains no profile, so it is read only when it is named directly.
bool sniff(std::string_view name, std::string_view head) {
  return name.ends_with(".neff") || looks_like_ntff(head) || looks_like_neff(head) || looks_like_json_profile(head);
}

void add_metadata(const NtffHeader& header, const Graph& graph, Profile& profile) {
  ProfileBuilder rows(profile);
  rows.add_metadata("ntff_version", std::to_string(kVersion));
  rows.add_metadata("name", header.name);
  rows.add_metadata("uuid", header.uuid);
  rows.add_metadata("framework", header.framework);
  rows.add_metadata("instance_type", header.instance_type);
  rows.add_metadata("runtime_version", header.runtime);
  rows.add_metadata("driver_version", header.driver);
  rows.add_metadata("collectives_version", header.collectives);
  rows.add_metadata("subgraph", graph.name);
  rows.add_metadata("nd_idx", std::to_string(graph.device));
  rows.add_metadata("nc_idx", std::to_string(graph.core));
  if (graph.duration != 0) rows.add_metadata(stated::kProgramTime, std::to_string(graph.duration));
}

Result<std::unique_ptr<Profile>> read_ntff(ByteStream& in, ByteStream* beside) {
  const Result<NtffHeader> header = read_ntff_header(in);
  if (!header) return header.error();
  auto profile = std::make_unique<Profile>();
  const Graph& graph = header->graphs.front();
  NotificationRows rows;
  rows.records = read_notifications(in, beside, *header, graph, rows, *profile);
  if (in.failed()) return in.error();
  if (beside != nullptr && beside->failed()) return beside->error();
  profile->events = rows.records;
  if (rows.records == 0) return profile;
  add_graph(*header, graph, rows, *profile);
  add_metadata(*header, graph, *profile);
  const auto unread = static_cast<std::int64_t>(header->graphs.size()) - 1 + header->other_nodes;
  if (unread != 0) {
    profile->add_problem(Severity::warning, "more_nodes",
                         "the file holds more than one core's execution; only the first graph of a core is decoded: convert the "
                         "file to JSON with the vendor's tool (view --output-format json)",
                         unread, 0);
  }
  return profile;
}

enum class Form { ntff, neff, json };

Result<Form> form_of(const std::string& path) {
  const Result<std::string> head = read_head(path, 2 * kPrologue);
  if (!head) return head.error();
  if (path.ends_with(".neff") || looks_like_neff(*head)) return Form::neff;
  const std::size_t first = head->find_first_not_of(" \t\r\n");
  return !looks_like_ntff(*head) && first != std::string::npos && (*head)[first] == '{' ? Form::json : Form::ntff;
}

// An inspect folder contains more than device profiles.
void note_host_traces(const std::string& path, Profile& profile) {
  const Result<std::vector<std::string>> beside =
      files_in_folder(path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/')));
  const std::string traces = beside ? host_traces(*beside) : "";
  if (!traces.empty()) profile.add_problem(Severity::note, "host_traces", unread_host_traces(traces), 1, 0);
}

// Whether the file is long and not compressed: then unwanted parts can be skipped, and two threads read it in half the time.
bool is_long_and_plain(const std::string& path) {
  constexpr std::int64_t kLong = std::int64_t{1} << 20;
  const Result<std::unique_ptr<RawFile>> raw = open_raw(path);
  char first = 0;
  return raw && (*raw)->size() >= kLong && (*raw)->read(&first, 1).ok() && static_cast<unsigned char>(first) == kVersion;
}

Result<std::unique_ptr<Profile>> read_ntff_file(ByteStream& in, const ReadContext& context) {
  if (context.options().threads == 1 || !is_long_and_plain(context.path())) return read_ntff(in, nullptr);
  const Result<std::unique_ptr<ByteSource>> again = open_bytes(context.path());
  if (!again) return again.error();
  ByteStream beside(**again, context.path(), nullptr);
  if (context.progress() != nullptr) beside.obey(context.progress()->memory);
  return read_ntff(in, &beside);
}

Result<std::unique_ptr<Profile>> read_as(Form form, ByteStream& in, ReadContext& context) {
  const std::string& path = context.path();
  switch (form) {
    case Form::json: return read_json_profile(in);
    case Form::neff: context.when_empty(Empty::kept); return read_neff(in);
    case Form::ntff: break;
  }
  Result<std::unique_ptr<Profile>> profile = read_ntff_file(in, context);
  if (!profile || (*profile)->events == 0) return profile;
  if (const std::string neff = neff_beside(path); !neff.empty()) add_neff(neff, metadata_value(**profile, "uuid"), **profile);
  note_host_traces(path, **profile);
  return profile;
}

// Whether a capture is a folder of tables, each a file. An Error for a folder without a readable file.
Result<bool> is_folder(const std::string& path) {
  if (claims(path)) return false;
  const Result<std::vector<std::string>> files = files_in_folder(path);
  if (!files) return files.error();
  const Result<std::vector<std::string>> tables = explorer_files(path);
  if (!tables) return tables.error();
  if (const std::string traces = host_traces(*files); tables->empty() && !traces.empty())
    return Error{ErrorCode::unsupported, unread_host_traces(traces), path};
  return !tables->empty();
}

bool claims_folder(const FolderEntries& folder) { return is_explorer_folder(folder) || is_host_traces_folder(folder); }

Result<std::unique_ptr<Profile>> read_file(ReadContext& context) {
  const Result<Form> form = form_of(context.path());
  if (!form) return form.error();
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  return read_as(*form, **in, context);
}

// Marks a profile that was simulated: as a problem, which every report repeats, and at every group of lanes, so it is also in
// traces written from the profile.
void note_simulation(Profile& profile) {
  if (metadata_value(profile, "runtime_version").find(kSimulated) == std::string_view::npos) return;
  profile.add_problem(Severity::warning, kSimulated, "simulated: no device ran, so no time here was measured", 1, 0);
  for (StringId& label : profile.processes.label) label = profile.strings.intern(kSimulated);
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  context.stage("reading records");
  const Result<bool> folder = is_folder(context.path());
  if (!folder) return folder.error();
  Result<std::unique_ptr<Profile>> read = *folder ? read_explorer_folder(context.path(), context.progress()) : read_file(context);
  if (read) note_simulation(**read);
  return read;
}

// ---- one record as text ----

const Trace* trace_at(const Graph& graph, std::uint64_t offset) {
  for (const Trace& trace : graph.traces) {
    if (offset >= trace.offset && offset - trace.offset < trace.size) return &trace;
  }
  return nullptr;
}

void write_instruction(JsonWriter& json, const Graph& graph, std::uint32_t first, std::uint32_t second) {
  const auto engine = static_cast<Engine>(engine_record(first >> 24 & 31).engine);
  const std::uint32_t slot = slot_of(graph, engine, first & 0xfffff);
  const std::string_view bytes = slot_bytes(graph, engine, slot);
  json.member("engine", engine_name(engine)).member("program_counter", std::int64_t{first & 0xfffff});
  json.member("wait_cycles", std::int64_t{second >> 16});
  if (bytes.empty()) return;
  std::string raw;
  for (const char byte : bytes) raw += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  json.member("pc", std::int64_t{slot}).member("opcode", opcode_name(static_cast<std::uint8_t>(bytes[0])));
  json.member("operands", operand_text(bytes)).member("instruction", raw);
}

Result<std::string> record_text(ByteStream& in, const std::string& path, std::int64_t at) {
  const Result<NtffHeader> header = read_ntff_header(in);
  if (!header) return header.error();
  const Graph& graph = header->graphs.front();
  const Trace* trace = at < header->records ? nullptr : trace_at(graph, static_cast<std::uint64_t>(at - header->records));
  if (trace == nullptr) return Error{ErrorCode::not_found, "no record begins here", path + ":" + std::to_string(at)};
  in.skip(at - header->records);
  char bytes[kRecordBytes];
  const std::size_t got = in.take(bytes, kRecordBytes);
  if (in.failed()) return in.error();
  if (got < kRecordBytes) return Error{ErrorCode::malformed, "the file ends inside the record", path + ":" + std::to_string(at)};
  const Record record = record_of(bytes);
  std::string text;
  JsonWriter json(text);
  json.begin_object()
      .member("word_0", fmt::format("{:#010x}", record.first))
      .member("word_1", fmt::format("{:#010x}", record.second));
  json.member("ticks", std::to_string(record.ticks)).member("type", std::int64_t{record.type()});
  const bool instruction = trace->kind == static_cast<std::uint64_t>(TraceKind::instruction);
  if (instruction && engine_record(record.type()).engine >= 0) write_instruction(json, graph, record.first, record.second);
  if (trace->kind == static_cast<std::uint64_t>(TraceKind::dma)) {
    json.member("dma_engine", std::int64_t{record.type()}).member("queue", std::int64_t{record.second >> 4 & 15});
    json.member("bytes", std::int64_t{record.first & 0xffffff});
  }
  json.end_object();
  return text;
}

Result<std::string> event_text(const std::string& path, std::int64_t at) {
  const Result<bool> folder = is_folder(path);
  if (!folder) return folder.error();
  if (*folder) return explorer_row(path, at);
  const Result<Form> form = form_of(path);
  if (!form) return form.error();
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream in(**source, path, nullptr);
  if (*form != Form::json) return record_text(in, path, at);
  in.skip(at);
  std::string row = at < 0 ? "" : row_at(in);
  if (in.failed()) return in.error();
  if (row.empty()) return Error{ErrorCode::not_found, "no row begins here", path + ":" + std::to_string(at)};
  return row;
}

// A profile, and the compiled model beside it; or the tables of a folder.
Result<std::vector<std::string>> files_of(const std::string& path) {
  std::vector<std::string> files;
  if (!claims(path)) return explorer_files(path);
  if (std::string neff = neff_beside(path); !neff.empty()) files = {path, std::move(neff)};
  return files;
}

}  // namespace
}  // namespace neuron

Reader neuron_reader() {
  return {.id = "neuron",
          .title = "AWS Neuron profile (NTFF, or JSON or Parquet tables)",
          .endings = {".ntff"},
          .sniff_file = neuron::sniff,
          .read_capture = neuron::read,
          .text_at = neuron::event_text,
          .words = {.device = "NeuronCore", .matrix = "Tensor engines", .core = "engine"},
          .program = {.name = "NEFF", .ending = ".neff", .option = "-n,--neff-path", .recording = "NTFF"},
          .claims_folder = neuron::claims_folder,
          .name_folder = neuron::explorer_name,
          .files_of = neuron::files_of};
}

}  // namespace sightline::formats
