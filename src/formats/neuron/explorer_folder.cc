// Files of a folder, by table.
#include "formats/neuron/explorer_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/input_file.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "formats/neuron/explorer_profile.h"

namespace sightline::formats::neuron {

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

bool is_explorer_folder(const FolderEntries& folder) {
  return std::any_of(folder.files.begin(), folder.files.end(), [](const std::string& file) {
    return std::find(kTelling.begin(), kTelling.end(), table_name(file)) != kTelling.end();
  });
}

// The vendor's server names a folder NAME@latest.
ProfileName explorer_name(const std::string& path, const FolderEntries&) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.ends_with("@latest")) name.resize(name.size() - 7);
  return {name, ""};
}

Result<std::vector<std::string>> explorer_files(const std::string& folder) {
  Result<std::vector<std::string>> files = files_in_folder(folder);
  if (!files) return files;
  std::erase_if(*files, [](const std::string& file) { return !file.ends_with(kEnding); });
  const bool any = std::any_of(files->begin(), files->end(), [](const std::string& file) { return table_of(file).has_value(); });
  if (!any) files->clear();
  std::sort(files->begin(), files->end(), by_place);
  return files;
}

Result<std::unique_ptr<Profile>> read_explorer_folder(const std::string& folder, ReadProgress* progress) {
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
    reading.profile().add_problem(Severity::note, "unknown_table", "unknown tables are not read: " + strangers, strange, 0);
  return reading.write();
}

Result<std::string> explorer_row(const std::string& folder, std::int64_t source) {
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
        const Cell cell = rows->cell(column);
        const std::string& name = rows->columns()[column];
        if (cell.kind == Cell::Kind::integer) json.member(name, cell.integer);
        if (cell.kind == Cell::Kind::real) json.member(name, cell.real);
        if (cell.kind == Cell::Kind::text) json.member(name, cell.text);
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
