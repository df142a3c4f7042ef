// A committed capture of a lake (docs/fleet.md): LAKE/manifests/capture=ID/COMMITTED.json names the Parquet files with the tables
// of all ranks. They are not read here: the profile lists them, and SQL reads those that a statement names.
#include <simdjson.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "formats/common/profile_builder.h"
#include "formats/lake/lake_paths.h"
#include "formats/read_context.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace {

constexpr std::string_view kFile = "COMMITTED.json";
constexpr std::string_view kFolder = "capture=";
constexpr std::int64_t kMostBytes = 256ll << 20;  // of the file: a hundred thousand ranks take a few MB
constexpr std::string_view kFacts[] = {"capture", "partial", "ranks",       "ranks_missing", "ranks_damaged",    "world_size",
                                       "shards",  "round",   "collectives", "matched",       "matched_by_order", "program"};

using simdjson::dom::element;

std::string text_of(const element& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return to_utf8(text);
  return simdjson::minify(value);
}

// Empty where the file has no such member of this type.
std::string_view text_in(const element& object, const char* name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::int64_t count_in(const element& object, const char* name) {
  std::int64_t count = 0;
  return object[name].get(count) == simdjson::SUCCESS ? count : kUnknown;
}

class LakeCapture {
 public:
  explicit LakeCapture(std::string path) : path_(std::move(path)), lake_(lake_of(path_)) {}

  void add(const element& root) {
    profile_->world_size = count_in(root, "world_size");
    for (const std::string_view fact : kFacts) {
      element value;
      if (root[fact].get(value) != simdjson::SUCCESS || value.is_null()) continue;
      profile_->metadata.key.push_back(profile_->strings.intern(fact));
      profile_->metadata.value.push_back(profile_->strings.intern(text_of(value)));
    }
    simdjson::dom::object tables;
    if (root["tables"].get(tables) == simdjson::SUCCESS) {
      std::map<std::string, std::vector<element>> by_name;  // a damaged file may repeat a table
      for (const auto& [name, files] : tables) by_name[to_utf8(name)].push_back(files);
      for (const auto& [name, lists] : by_name) {
        for (const element& files : lists) add_files(name, files);
      }
    }
    add_missing(root);
    add_removed(root);
  }

  std::unique_ptr<Profile> take() { return std::move(profile_); }

 private:
  void add_files(std::string_view table, const element& files) {
    simdjson::dom::array all;
    if (files.get(all) != simdjson::SUCCESS) return;
    const StringId name = profile_->strings.intern(table);
    for (const element file : all) {
      const std::string_view path = text_in(file, "path");
      if (!is_inside_lake(path)) {
        profile_->add_problem(Severity::error, "bad_path", "a path does not lead into the lake; its file was skipped", 1, 0);
        continue;
      }
      profile_->lake_files.name.push_back(name);
      profile_->lake_files.path.push_back(profile_->strings.intern(lake_ + to_utf8(path)));
      profile_->lake_files.row_count.push_back(count_in(file, "rows"));
      profile_->lake_files.bytes.push_back(count_in(file, "bytes"));
    }
  }

  void add_missing(const element& root) {
    const auto warn = [&](const char* code, std::int64_t count, Template<1> text) {
      if (count > 0) profile_->add_problem(Severity::warning, code, say(text, std::to_string(count)), count, kUnknown);
    };
    warn("missing_ranks", count_in(root, "ranks_missing"),
         "{} ranks of the job are not in this capture: its figures are partial");
    warn("damaged_ranks", count_in(root, "ranks_damaged"),
         "{} ranks could not be read, or not completely: see the table problems");
  }

  void add_removed(const element& root) {
    simdjson::dom::array tables;
    if (root["removed_tables"].get(tables) != simdjson::SUCCESS || tables.size() == 0) return;
    profile_->add_problem(Severity::note, "removed_tables",
                          "tables of this capture were removed because it is old: its views may lack them",
                          static_cast<std::int64_t>(tables.size()), kUnknown);
  }

  const std::string path_, lake_;
  std::unique_ptr<Profile> profile_ = std::make_unique<Profile>();
};

Result<std::string> whole_text(ReadContext& context) {
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  std::string text, line;
  while ((*in)->line(line, static_cast<std::size_t>(kMostBytes))) {
    text.append(line).append("\n");
    if (std::ssize(text) > kMostBytes) break;
  }
  if ((*in)->failed()) return (*in)->error();
  return text;
}

Result<std::unique_ptr<Profile>> read_lake(ReadContext& context) {
  const Result<std::string> text = whole_text(context);
  if (!text) return text.error();
  simdjson::dom::parser parser;
  element root;
  const auto failed = parser.parse(*text).get(root);
  if (failed != simdjson::SUCCESS || !root.is_object()) {
    const Message why = Message::verbatim(failed == simdjson::SUCCESS ? "not an object" : simdjson::error_message(failed));
    return Error{ErrorCode::malformed, say("not the list of a capture's files: {}", why), context.path() + ":0"};
  }
  LakeCapture capture(context.path());
  capture.add(root);
  return capture.take();
}

// The run is the capture.
Reader::Layout place_in_lake(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().filename().string();
  return {.run = folder.starts_with(kFolder) ? folder.substr(kFolder.size()) : ""};
}

}  // namespace

Reader lake_reader() {
  return {.id = "lake",
          .title = "Capture of a lake",
          .claims_file = [](std::string_view name) { return name == kFile; },
          .name_file =
              [](std::string_view) {
                return ProfileName{"all ranks", ""};
              },
          .read_capture = read_lake,
          .layout = place_in_lake,
          .has_own_tables = true};
}

}  // namespace sightline::formats
