#include "sql/sql_script.h"

#include <fmt/core.h>

#include "base/parallel.h"
#include "sql/bounded_child.h"
#include "sql/duckdb_library.h"

namespace sightline::sql {

namespace {

using duckdb::Library;

// In the child: a database in memory.
class Script {
 public:
  explicit Script(const Library& library) : library_(library) {}

  // Empty: done.
  std::string run(const std::vector<ScriptStep>& steps, const ScriptLimits& limits) {
    duckdb::Handle database = nullptr;
    char* why = nullptr;
    if (library_.open_ext(nullptr, &database, nullptr, &why) != 0) return why == nullptr ? "DuckDB cannot be started" : why;
    if (library_.connect(database, &connection_) != 0) return "DuckDB cannot be started";
    // The database counts its buffers only; readers of files and its own bookkeeping take as much again.
    const unsigned threads = limits.threads == 0 ? default_threads() : limits.threads;
    for (const std::string& setting :
         {fmt::format("SET memory_limit = '{}B'", limits.memory / 2), fmt::format("SET threads = {}", threads),
          "SET temp_directory = " + duckdb::quoted(limits.folder), std::string("SET preserve_insertion_order = false"),
          std::string("SET autoinstall_known_extensions = false"), std::string("SET errors_as_json = true")}) {
      if (std::string failed = query(setting); !failed.empty()) return failed;
    }
    for (const ScriptStep& step : steps) {
      if (const std::string failed = query(step.sql); !failed.empty()) return step.title + ": " + failed;
    }
    return "";
  }

 private:
  std::string query(const std::string& sql) const {
    duckdb::ResultHandle done;
    const bool ran = library_.query(connection_, sql.c_str(), &done) == 0;
    const char* const why = ran ? nullptr : library_.result_error(&done);
    std::string failed = ran ? "" : why == nullptr ? "not enough memory" : duckdb::error_text(why);
    library_.destroy_result(&done);
    return failed;
  }

  const Library& library_;
  duckdb::Handle connection_ = nullptr;  // ends with the child
};

}  // namespace

Result<bool> run_script(const std::vector<ScriptStep>& steps, const ScriptLimits& limits) {
  const Result<const Library*> library = duckdb::library();
  if (!library) return library.error();
  constexpr std::string_view kDone = "done";
  std::string said;
  // Addresses, not pages: a large sort leaves holes between its blocks, so that it needs twice the addresses of its memory.
  const Result<ChildEnd> end = run_in_child(
      {.seconds = 0, .memory = 2 * limits.memory, .stop = limits.stop},
      [&](const ChildOutput& out) {
        const std::string failed = Script(**library).run(steps, limits);
        out(failed.empty() ? kDone : failed);
      },
      [&](std::string_view bytes) {
        said.append(bytes);
        return true;
      });
  if (!end) return end.error();
  if (*end == ChildEnd::stopped) return Error{ErrorCode::cancelled, "cancelled", ""};
  if (*end == ChildEnd::done && said == kDone) return true;
  if (said.empty())
    said = fmt::format("the process of the statements ended; it may need more memory than {} MB", limits.memory >> 20);
  return Error{ErrorCode::unavailable, Message::verbatim(said), ""};
}

}  // namespace sightline::sql
