#include "sql/sql_database.h"

#include <fmt/core.h>

#include <memory>

namespace sightline::sql {

namespace {

struct Opened {
  std::unique_ptr<SqlDatabase> database;
  Error failure{};
};

}  // namespace

bool SqlDatabase::open(std::string& failure) {
  constexpr std::pair<const char*, const char*> kSettings[] = {
      {"threads", "1"},  // its own threads would not live in a child
      {"errors_as_json", "true"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"allow_community_extensions", "false"},
      {"allow_persistent_secrets", "false"},
  };
  const duckdb::Library& db = library();
  duckdb::Owned config(db.destroy_config);
  failure = "not enough memory";
  if (db.create_config(config.out()) != 0) return false;
  for (const auto& [name, value] : kSettings) {
    if (db.set_config(config, name, value) == 0) continue;
    failure = std::string("it has no setting ") + name;
    return false;
  }
  char* why = nullptr;
  if (db.open_ext(nullptr, &database_, config, &why) != 0) {
    if (why != nullptr) failure = why;
    return false;
  }
  return db.connect(database_, &connection_) == 0 && scan_.add_to(database_, connection_);
}

Result<SqlDatabase*> SqlDatabase::shared() {
  static const Opened opened = [] {
    const Result<const duckdb::Library*> library = duckdb::library();
    if (!library) return Opened{nullptr, library.error()};
    Opened made{std::unique_ptr<SqlDatabase>(new SqlDatabase(**library)), {}};
    std::string failure;
    if (made.database->open(failure)) return made;
    made.database = nullptr;
    made.failure = {ErrorCode::unavailable, "DuckDB cannot be started: " + failure, ""};
    return made;
  }();
  if (opened.database == nullptr) return opened.failure;
  return opened.database.get();
}

bool SqlDatabase::run(const std::string& sql) const {
  duckdb::ResultHandle done;
  const bool ran = library().query(connection_, sql.c_str(), &done) == 0;
  library().destroy_result(&done);
  return ran;
}

bool SqlDatabase::use(const Profile& profile, const SqlBounds& bounds, const std::vector<std::string>& variables) {
  scan_.use(profile);
  for (const std::string& variable : variables) {
    if (!run(variable)) return false;
  }
  const std::string folder = bounds.folder.empty() ? "" : duckdb::quoted(bounds.folder);
  return run(fmt::format("SET memory_limit = '{}B'", bounds.memory)) && run(fmt::format("SET threads = {}", bounds.threads)) &&
         run("SET temp_directory = " + duckdb::quoted(bounds.folder)) &&
         run(fmt::format("SET max_temp_directory_size = '{}B'", bounds.temporary)) &&
         run("SET allowed_directories = [" + folder + "]") && run("SET enable_external_access = false") &&
         run("SET lock_configuration = true");
}

}  // namespace sightline::sql
