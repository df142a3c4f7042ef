#include "sql/duckdb_library.h"

#include <dlfcn.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdlib>

namespace sightline::sql::duckdb {

namespace {

// Found by the program's run path, then where the system keeps libraries.
constexpr const char* kFile = "libduckdb.so";

struct Loaded {
  Library functions;
  std::string failure;  // empty: all functions were found
};

Loaded load() {
  Loaded loaded;
  const char* const chosen = std::getenv("SIGHTLINE_DUCKDB");
  // Resolves all symbols now, so no child has to. It stays loaded.
  void* const file = ::dlopen(chosen == nullptr ? kFile : chosen, RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) {
    loaded.failure = ::dlerror();
    return loaded;
  }
#define SIGHTLINE_DUCKDB_FIND(result, name, parameters)                                           \
  loaded.functions.name = reinterpret_cast<result(*) parameters>(::dlsym(file, "duckdb_" #name)); \
  if (loaded.functions.name == nullptr) loaded.failure = std::string(kFile) + " has no duckdb_" + #name;
  SIGHTLINE_DUCKDB(SIGHTLINE_DUCKDB_FIND)
#undef SIGHTLINE_DUCKDB_FIND
  return loaded;
}

}  // namespace

Result<const Library*> library() {
  static const Loaded loaded = load();
  if (loaded.failure.empty()) return &loaded.functions;
  return Error{ErrorCode::unsupported, say("SQL needs the library DuckDB, which cannot be loaded: {}", loaded.failure), ""};
}

std::string quoted(std::string_view text) {
  std::string in_quotes = "'";
  for (const char c : text) in_quotes += c == '\'' ? std::string("''") : std::string(1, c);
  return in_quotes + "'";
}

std::string error_text(std::string_view reported) {
  const std::string json(reported.substr(std::min(reported.find('{'), reported.size())));
  simdjson::dom::parser parser;
  simdjson::dom::element error;
  std::string_view message = reported;
  const bool is_json = parser.parse(json).get(error) == simdjson::SUCCESS;
  if (is_json && error["exception_message"].get(message) != simdjson::SUCCESS) message = reported;
  std::string line(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace sightline::sql::duckdb
