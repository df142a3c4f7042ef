// Compilations: the list of files (compile_directory.json), the log's entries (raw.jsonl), and the reasons of recompilations,
// which have a file of their own.
#include "formats/tlparse/compile_log.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "base/input_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "formats/common/rank_in_name.h"

namespace sightline::formats {

namespace {

namespace fs = std::filesystem;
using Json = simdjson::dom::element;

constexpr std::string_view kFolders[] = {"tl_out", "tlparse"};
constexpr const char* kDirectory = "compile_directory.json";
constexpr const char* kLog = "raw.jsonl";
constexpr std::string_view kRegion = "Torch-Compiled Region: ";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostReasonBytes = std::size_t{1} << 20;

// ---- files ----

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The folder with the log of the process that wrote the trace; with the logs of several ranks, that of its rank.
fs::path folder_beside(const std::string& path) {
  if (is_remote(path)) return {};
  const fs::path trace(path);
  const auto rank = rank_in_name(trace.filename().string());
  for (const std::string_view name : kFolders) {
    const fs::path folder = trace.parent_path() / name;
    if (rank && is_file(folder / ("rank_" + std::to_string(*rank)) / kDirectory)) {
      return folder / ("rank_" + std::to_string(*rank));
    }
    if (is_file(folder / kDirectory) || is_file(folder / kLog)) return folder;
  }
  return {};
}

// ---- ids ----

// "[0/1_2]", "0/1", "!0/0/1" -> the id without brackets and without the attempt, as in the names of regions; empty if the
// entry belongs to no compilation ("unknown", "[-/-]").
std::string compile_id(std::string_view text) {
  if (text.starts_with('[')) text.remove_prefix(1);
  text = text.substr(0, text.find_first_of("]_ "));
  const bool is_id = text.find('/') != std::string_view::npos && text.find_first_not_of("!/0123456789") == std::string_view::npos;
  return is_id ? std::string(text) : "";
}

// A number that is not negative.
std::optional<std::int64_t> integer(const Json& of, const char* key) {
  std::int64_t value = 0;
  if (of[key].get_int64().get(value) != simdjson::SUCCESS || value < 0) return std::nullopt;
  return value;
}

std::string_view text(const Json& of, const char* key) {
  std::string_view value;
  return of[key].get_string().get(value) == simdjson::SUCCESS ? value : std::string_view();
}

// The id of an entry of the log, which states its numbers.
std::string compile_id(const Json& entry) {
  const auto frame = integer(entry, "frame_id"), number = integer(entry, "frame_compile_id");
  const auto autograd = integer(entry, "compiled_autograd_id");
  if (!frame || !number) return "";
  return (autograd ? "!" + std::to_string(*autograd) + "/" : "") + std::to_string(*frame) + "/" + std::to_string(*number);
}

// ---- reading ----

class CompileLog {
 public:
  explicit CompileLog(Profile& profile) : p_(profile) {}

  void read(const fs::path& folder) {
    if (is_file(folder / kDirectory)) read_directory(folder);
    if (is_file(folder / kLog)) read_entries(folder / kLog);
    put_reasons();
    report_missing_regions();
  }

 private:
  Row compilation(const std::string& id) {
    const auto [at, is_new] = rows_.try_emplace(id, p_.compilations.rows());
    if (is_new) p_.compilations.region[add_unknown_row(p_.compilations)] = p_.strings.intern(id);
    return at->second;
  }

  void fail(const std::string& file, const Message& why) {
    p_.add_problem(Severity::warning, "compile_log_unreadable", say("the compiler's log {} cannot be read: {}", file, why), 1,
                   kUnknown);
  }

  void read_directory(const fs::path& folder) {
    const Result<std::string> bytes = read_head((folder / kDirectory).string(), kMostBytes + 1);
    if (!bytes) return fail(kDirectory, bytes.error().message);
    if (bytes->size() > kMostBytes) return fail(kDirectory, "the file is longer than 64 MiB");
    simdjson::dom::parser parser;
    simdjson::dom::object root;
    if (parser.parse(*bytes).get_object().get(root) != simdjson::SUCCESS) return fail(kDirectory, "it is not a JSON object");
    for (const auto& [key, value] : root) {
      const std::string id = compile_id(key);
      simdjson::dom::array artifacts;
      if (id.empty() || value["artifacts"].get_array().get(artifacts) != simdjson::SUCCESS) continue;
      const Row row = compilation(id);
      for (const Json artifact : artifacts) add_artifact(folder, row, artifact);
    }
  }

  void add_artifact(const fs::path& folder, Row compilation, const Json& artifact) {
    const std::string url = to_utf8(text(artifact, "url")), name = to_utf8(text(artifact, "name"));
    if (url.empty()) return;
    const bool is_link = url.find("://") != std::string::npos;
    const Row row = add_unknown_row(p_.compile_artifacts);
    p_.compile_artifacts.compilation[row] = compilation;
    p_.compile_artifacts.name[row] = p_.strings.intern(name.empty() ? url : name);
    p_.compile_artifacts.path[row] = p_.strings.intern(is_link ? url : folder.string() + "/" + url);
    const bool leaves_folder = url.starts_with('/') || url.find("..") != std::string::npos;
    if (name.starts_with("recompile_reasons") && !is_link && !leaves_folder) read_reasons(folder / url, compilation);
  }

  // A list of texts.
  void read_reasons(const fs::path& file, Row compilation) {
    const Result<std::string> bytes = read_head(file.string(), kMostReasonBytes);
    simdjson::dom::parser parser;
    simdjson::dom::array reasons;
    if (!bytes) return fail(file.filename().string(), bytes.error().message);
    if (parser.parse(*bytes).get_array().get(reasons) != simdjson::SUCCESS) {
      return fail(file.filename().string(), "it is not a list of JSON texts");
    }
    add_texts(reasons, reasons_[compilation]);
  }

  static void add_texts(const simdjson::dom::array& list, std::vector<std::string>& to) {
    for (const Json one : list) {
      std::string_view reason;
      if (one.get_string().get(reason) != simdjson::SUCCESS) continue;
      if (std::find(to.begin(), to.end(), reason) == to.end()) to.push_back(to_utf8(reason));
    }
  }

  void read_entries(const fs::path& file) {
    Result<std::unique_ptr<ByteSource>> source = open_bytes(file.string());
    if (!source) return fail(kLog, source.error().message);
    ByteStream in(**source, file.string(), nullptr);
    std::string line;
    simdjson::dom::parser parser;
    std::int64_t malformed = 0, first = kUnknown, others = 0;
    for (std::int64_t at = 0; in.line(line, kLongestLine); at = in.position()) {
      if (line.find("compilation_metrics\"") == std::string::npos) continue;
      Json entry;
      if (parser.parse(line).get(entry) != simdjson::SUCCESS || !entry.is_object()) {
        if (malformed++ == 0) first = at;
      } else if (const auto rank = integer(entry, "rank"); rank && p_.rank != kUnknown && *rank != p_.rank) {
        ++others;
      } else {
        add_entry(entry);
      }
    }
    if ((*source)->damage()) note_damaged_compression(p_, kLog, *(*source)->damage(), in.position());
    if (malformed > 0) {
      p_.add_problem(Severity::warning, "compile_log_malformed",
                     "entries of the compiler's log beside the file are not JSON; they were skipped", malformed, first);
    }
    if (others > 0) {
      p_.add_problem(Severity::warning, "compile_log_of_another_rank",
                     "entries of the compiler's log beside the file are of another rank; they were skipped", others, kUnknown);
    }
  }

  void add_entry(const Json& entry) {
    const std::string id = compile_id(entry);
    if (id.empty()) return;
    Json metrics;
    for (const char* kind : {"compilation_metrics", "bwd_compilation_metrics", "aot_autograd_backward_compilation_metrics"}) {
      if (entry[kind].get(metrics) == simdjson::SUCCESS && metrics.is_object()) add_metrics(compilation(id), metrics);
    }
  }

  void add_metrics(Row row, const Json& m) {
    Compilations& c = p_.compilations;
    const auto set_text = [&](Column<StringId>& column, const std::string& value) {
      if (!value.empty()) column[row] = p_.strings.intern(value);
    };
    set_text(c.function, to_utf8(text(m, "co_name")));
    if (const auto line = integer(m, "co_firstlineno"); line && !text(m, "co_filename").empty()) {
      const std::string file = to_utf8(text(m, "co_filename"));
      set_text(c.place, file + "(" + std::to_string(*line) + "): " + to_utf8(text(m, "co_name")));
    }
    std::string failure = to_utf8(text(m, "fail_type"));
    if (const std::string why = to_utf8(text(m, "fail_reason")); !why.empty()) failure += (failure.empty() ? "" : ": ") + why;
    set_text(c.failure, failure);
    simdjson::dom::array restarts;
    if (m["restart_reasons"].get_array().get(restarts) == simdjson::SUCCESS) add_texts(restarts, restarts_[row]);
    if (const std::string why = to_utf8(text(m, "recompile_reason")); !why.empty()) stated_reason_.try_emplace(row, why);
    if (const auto count = integer(m, "graph_op_count")) c.operators[row] = *count;
    if (const auto count = integer(m, "guard_count")) c.guards[row] = *count;
    add_time(c.total, row, m, "duration_us", "entire_frame_compile_time_s");
    add_time(c.backend, row, m, nullptr, "backend_compile_time_s");
    add_time(c.autograd, row, m, "aot_autograd_cumulative_compile_time_us", nullptr);
    add_time(c.inductor, row, m, "inductor_cumulative_compile_time_us", "inductor_compile_time_s");
    add_time(c.code, row, m, "inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s");
    add_time(c.triton, row, m, "triton_compile_time_us", nullptr);
  }

  // Adds a time in µs or, without one, in s: forward and backward pass have separate entries.
  static void add_time(Column<Time>& column, Row row, const Json& m, const char* us, const char* s) {
    constexpr double kMost = 1e15;  // ns: eleven days
    double value = 0;
    if (us != nullptr && m[us].get_double().get(value) == simdjson::SUCCESS) {
      value *= 1e3;
    } else if (s != nullptr && m[s].get_double().get(value) == simdjson::SUCCESS) {
      value *= 1e9;
    } else {
      return;
    }
    const Time before = column[row] == kUnknown ? 0 : column[row];
    if (value >= 0 && static_cast<double>(before) + value < kMost) column[row] = before + std::llround(value);
  }

  // The file of reasons says more than the metrics.
  void put_reasons() {
    const auto joined = [](const std::vector<std::string>& texts) {
      std::string all;
      for (const std::string& one : texts) (all += all.empty() ? "" : "; ") += one;
      return all;
    };
    for (const auto& [row, why] : stated_reason_) p_.compilations.reason[row] = p_.strings.intern(why);
    for (const auto& [row, texts] : reasons_) {
      if (!texts.empty()) p_.compilations.reason[row] = p_.strings.intern(joined(texts));
    }
    for (const auto& [row, texts] : restarts_) {
      if (!texts.empty()) p_.compilations.restarts[row] = p_.strings.intern(joined(texts));
    }
  }

  void report_missing_regions() {
    std::int64_t missing = 0;
    for (std::size_t id = 0; id < p_.strings.size(); ++id) {
      const std::string_view name = p_.strings.view(static_cast<StringId>(id));
      if (!name.starts_with(kRegion)) continue;
      const std::string region = compile_id(name.substr(kRegion.size()));
      missing += !region.empty() && !rows_.contains(region);
    }
    if (missing > 0) {
      p_.add_problem(Severity::warning, "compile_log_lacks_regions",
                     "compiled regions are not in the compiler's log beside the file; it may be the log of another run", missing,
                     kUnknown);
    }
  }

  Profile& p_;
  std::map<std::string, Row> rows_;  // by id
  std::map<Row, std::vector<std::string>> reasons_, restarts_;
  std::map<Row, std::string> stated_reason_;
};

}  // namespace

std::vector<std::string> compile_log_files(const std::string& path) {
  const fs::path folder = folder_beside(path);
  std::vector<std::string> files;
  if (folder.empty()) return files;
  for (const char* name : {kDirectory, kLog}) {
    if (is_file(folder / name)) files.push_back((folder / name).string());
  }
  return files;
}

void read_compile_log(const ReadContext& context, Profile& profile) {
  const fs::path folder = folder_beside(context.path());
  if (folder.empty()) return;
  context.stage("reading the compiler's log");
  CompileLog(profile).read(folder);
}

}  // namespace sightline::formats
