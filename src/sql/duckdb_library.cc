#include "sql/duckdb_library.h"

#include <dlfcn.h>

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

}  // namespace sightline::sql::duckdb
