#include "sql/sql_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/private_folder.h"
#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "model/lake_columns.h"
#include "sql/duckdb_library.h"

namespace sightline::sql {

namespace {

// Copies of objects, in a folder that is removed when the program ends.
class Copies {
 public:
  static Copies& of_program() {
    static Copies copies;
    return copies;
  }

  void remove() {
    const std::lock_guard lock(mutex_);
    known_.clear();
    folder_.reset();
  }

  Result<std::string> of(const std::string& address) {
    const Result<std::string> path = path_for(address);
    if (!path || path->empty()) return path ? known(address) : path;
    if (const Result<bool> copied = store_copy(*path, address); !copied) return copied.error();
    const std::lock_guard lock(mutex_);
    return known_[address] = *path;
  }

 private:
  // Of a new copy; empty: there is one. Two threads that need the same object at once make two.
  Result<std::string> path_for(const std::string& address) {
    const std::lock_guard lock(mutex_);
    if (known_.contains(address)) return std::string();
    if (!folder_) {
      Result<PrivateFolder> made = PrivateFolder::make("lake");
      if (!made) return made.error();
      folder_.emplace(*std::move(made));
    }
    return folder_->path() + "/" + std::to_string(next_++) + ".parquet";
  }
  std::string known(const std::string& address) {
    const std::lock_guard lock(mutex_);
    return known_.at(address);
  }

  std::mutex mutex_;
  std::optional<PrivateFolder> folder_;
  std::size_t next_ = 0;
  std::map<std::string, std::string> known_;
};

}  // namespace

std::set<std::string> names_in(std::string_view sql) {
  std::set<std::string> names;
  std::string name;
  for (const char c : sql) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 || c == '_') {
      name += static_cast<char>(std::tolower(letter));
    } else if (!name.empty()) {
      names.insert(std::move(name));
      name.clear();
    }
  }
  if (!name.empty()) names.insert(std::move(name));
  return names;
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + duckdb::quoted(text);
  return "[" + list + "]";
}

std::string file_table(std::string_view table, const std::vector<std::string>& paths) {
  std::string added;
  for (const AddedColumn& column : kAddedColumns) {
    if (column.table != table) continue;
    added.append(added.empty() ? "" : ", ").append("CAST(NULL AS ").append(column.sql_type).append(") AS \"");
    added.append(column.name).append("\"");
  }
  const std::string select = "SELECT * FROM read_parquet(" + list_of(paths) + ", hive_partitioning = false)";
  return added.empty() ? select : select + " UNION ALL BY NAME SELECT " + added + " WHERE FALSE";
}

Result<std::string> local_file(const std::string& path) { return is_remote(path) ? Copies::of_program().of(path) : path; }

void remove_local_copies() { Copies::of_program().remove(); }

Result<SqlFiles> files_of_statement(const Profile& profile, std::string_view sql) {
  SqlFiles files;
  const LakeFiles& all = profile.lake_files;
  if (all.rows() == 0) return files;
  const std::set<std::string> names = names_in(sql);
  std::map<std::string, std::vector<std::string>> tables;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    const std::string table(profile.text(all.name[row]));
    if (!names.contains(table)) continue;
    Result<std::string> path = local_file(std::string(profile.text(all.path[row])));
    if (!path) return path.error();
    tables[table].push_back(*std::move(path));
  }
  for (auto& [table, paths] : tables) {
    files.views.push_back("CREATE TEMP VIEW \"" + table + "\" AS " + file_table(table, paths));
    files.paths.insert(files.paths.end(), paths.begin(), paths.end());
  }
  return files;
}

}  // namespace sightline::sql
