// The Kineto reader: names of files, and the order of the stages.
#include "formats/registry.h"

#include <algorithm>
#include <string>

#include "formats/common/rank_in_name.h"
#include "formats/kineto/completion.h"
#include "formats/read_context.h"
#include "formats/trace_events/trace_file.h"

namespace sightline::formats {

namespace kineto {
namespace {

using namespace trace_events;

std::string_view strip_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// PyTorch's profiler writes names of the first form; a vendor's runtime writes names of the second form in its own folders.
bool claims(std::string_view file_name) {
  const std::string_view plain = strip_suffix(file_name, ".gz");
  return plain.ends_with(".pt.trace.json") ||
         (plain.find("_framework_trace_rank_") != std::string_view::npos && plain.ends_with(".json"));
}

bool sniff(std::string_view, std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (head[first] == '{') {
    return head.find("\"traceEvents\"") != std::string_view::npos || head.find("\"schemaVersion\"") != std::string_view::npos ||
           head.find("\"deviceProperties\"") != std::string_view::npos;
  }
  return head[first] == '[' && head.find("\"ph\"") != std::string_view::npos;
}

// "<worker>[.<digits>].pt.trace.json[.gz]", but "rank.<rank>" is a worker. Other names are the worker, without their
// extensions.
ProfileName name(std::string_view file_name) {
  const std::string_view plain = strip_suffix(file_name, ".gz");
  if (!plain.ends_with(".pt.trace.json")) return {std::string(strip_suffix(plain, ".json")), ""};
  const std::string_view stem = strip_suffix(plain, ".pt.trace.json");
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || !is_number(stem.substr(dot + 1))) return {std::string(stem), ""};
  if (is_rank_by_name(stem.substr(0, dot), stem.substr(dot + 1))) return {std::string(stem), ""};
  return {std::string(stem.substr(0, dot)), std::string(stem.substr(dot + 1))};
}

Result<std::unique_ptr<Profile>> read(ReadContext& context) {
  context.when_empty(Empty::refused_if_damaged);
  Result<TraceFile> file = read_trace_file(context.path(), context.options());
  if (!file) return file.error();
  context.stage("building tables");
  Assembled assembled = assemble(std::move(file->parsed), file->members, context.options().threads);
  complete(context, assembled);
  note_file_damage(*file, *assembled.profile);
  return std::move(assembled.profile);
}

}  // namespace
}  // namespace kineto

Reader kineto_reader() {
  return {.id = "pytorch",
          .title = "PyTorch (Kineto) trace",
          .claims_file = kineto::claims,
          .sniff_file = kineto::sniff,
          .name_file = kineto::name,
          .read_capture = kineto::read,
          .text_at = trace_events::event_text,
          .files_of = kineto::files_of};
}

}  // namespace sightline::formats
