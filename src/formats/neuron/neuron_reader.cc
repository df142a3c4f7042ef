// The front door of device profiles: names, sniffing, metadata, and one record found again.
#include "formats/neuron/neuron_reader.h"

#include <fmt/core.h>

#include "base/input_file.h"
#include "base/json_writer.h"
#include "formats/common/profile_builder.h"
#include "formats/neuron/explorer_folder.h"
#include "formats/neuron/inspect_folder.h"
#include "formats/neuron/instruction_text.h"
#include "formats/neuron/json_profile.h"
#include "formats/neuron/json_rows.h"
#include "formats/neuron/neff_file.h"
#include "formats/neuron/neff_pairing.h"
#include "formats/neuron/notification_rows.h"
#include "formats/neuron/ntff_header.h"
#include "formats/neuron/ntff_profile.h"
#include "formats/neuron/record_block.h"
#include "formats/read_context.h"
#include "model/stated_names.h"

namespace sightline::formats {

namespace neuron {
namespace {

bool claims(std::string_view file_name) { return file_name.ends_with(".ntff") || file_name.ends_with(".ntff.gz"); }

// A compiled model holds no profile, so it is taken only when it is named.
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

// An inspect folder holds more than device profiles.
void note_host_traces(const std::string& path, Profile& profile) {
  const Result<std::vector<std::string>> beside =
      files_in_folder(path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/')));
  const std::string traces = beside ? host_traces(*beside) : "";
  if (!traces.empty()) profile.add_problem(Severity::note, "host_traces", unread_host_traces(traces), 1, 0);
}

// Whether the file is stored as it is, and long: then what is not wanted of it can be stepped over, and two threads read it in
// half the time.
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

// Whether a capture is a folder: of tables, each a file. Of one that holds only what cannot be read, the error that says so.
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

// What no device measured says so: as a problem, which every report repeats, and at every group of lanes, which traces written
// from it keep.
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

// A profile, and the compiled model that it is read with; or the tables of a folder.
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
          .claims_folder = neuron::claims_folder,
          .name_folder = neuron::explorer_name,
          .files_of = neuron::files_of};
}

}  // namespace sightline::formats
