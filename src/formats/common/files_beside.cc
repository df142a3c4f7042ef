#include "formats/common/files_beside.h"

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"
#include "base/sort.h"

namespace sightline::formats {

TablesBeside tables_beside(const std::string& path) {
  TablesBeside tables;
  const Result<std::vector<std::string>> files = files_in_folder(std::filesystem::path(path).parent_path().string());
  if (!files) return tables;
  for (const std::string& file : *files) {
    const std::string name = std::filesystem::path(file).filename().string();
    if (!name.ends_with(".csv") && !name.ends_with(".csv.gz") && name.find("dmon") == name.npos) continue;
    if (file == path) continue;
    if (tables.files.size() == TablesBeside::kMost) {
      ++tables.left_out;
    } else {
      tables.files.push_back(file);
    }
  }
  return tables;
}

void note_left_out(const TablesBeside& tables, Profile& profile) {
  if (tables.left_out == 0) return;
  profile.add_problem(Severity::warning, "tables_left_out",
                      say("there are more than {} tables beside the file; the others were not looked at", TablesBeside::kMost),
                      tables.left_out, kUnknown);
}

std::optional<Message> read_beside(const ReadContext& context, const std::string& path,
                                   const std::function<void(ByteStream&)>& read) {
  const Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error().message;
  ByteStream in(**source, path, nullptr);
  if (context.progress() != nullptr) in.obey(context.progress()->memory);
  read(in);
  std::optional<Message> damage = (*source)->damage();
  if (!damage && in.failed()) damage = in.error().message;
  if (!damage && context.progress() != nullptr && context.progress()->memory.was_reached())
    damage = "it needs more memory than --memory allows";
  return damage;
}

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<std::pair<Time, double>> samples_in_window(std::vector<std::pair<Time, double>> samples, const Profile& profile) {
  const auto is_before = [](Time time, const auto& sample) { return time < sample.first; };
  sort_up(samples, [](const auto& each) { return each.first; });
  samples.erase(std::upper_bound(samples.begin(), samples.end(), profile.span_end, is_before), samples.end());
  auto begin = std::upper_bound(samples.begin(), samples.end(), profile.span_start, is_before);
  if (begin != samples.begin()) --begin;
  samples.erase(samples.begin(), begin);
  if (!samples.empty()) samples.front().first = std::max(samples.front().first, profile.span_start);
  return samples;
}

}  // namespace sightline::formats
