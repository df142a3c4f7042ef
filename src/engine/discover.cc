// Walking the given paths. Hidden directories are omitted: they hold files of tools.
#include "engine/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "base/input_file.h"
#include "base/remote/remote_file.h"
#include "base/remote/remote_path.h"
#include "base/text.h"
#include "engine/capture.h"

namespace sightline::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 64 * 1024;
constexpr std::size_t kLongHeadBytes = std::size_t{16} << 20;

const Reader* reader_claiming(std::string_view file_name, std::span<const Reader> known) {
  for (const Reader& reader : known) {
    if (reader.claims(file_name)) return &reader;
  }
  return nullptr;
}

const Reader* reader_claiming(const FolderEntries& folder, std::span<const Reader> known) {
  for (const Reader& reader : known) {
    if (reader.claims_folder != nullptr && reader.claims_folder(folder)) return &reader;
  }
  return nullptr;
}

// What to open instead; empty when no reader knows the folder.
std::string_view instead_of(const FolderEntries& folder, std::span<const Reader> known) {
  for (const Reader& reader : known) {
    const std::string_view words = reader.instead_of == nullptr ? std::string_view{} : reader.instead_of(folder);
    if (!words.empty()) return words;
  }
  return {};
}

std::vector<std::string> names_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const fs::path& path : paths) names.push_back(path.filename().string());
  return names;
}

// The reader that recognises the first `bytes` of the file; null when no reader does.
Result<const Reader*> reader_by_content(const std::string& path, std::string_view file_name, std::span<const Reader> known,
                                        std::size_t bytes = kHeadBytes) {
  Result<std::string> head = read_head(path, bytes);
  if (!head) return head.error();
  for (const Reader& reader : known) {
    if (reader.sniff(file_name, *head)) return &reader;
  }
  return nullptr;
}

bool may_be_a_profile(std::string_view file_name) { return file_name.ends_with(".json") || file_name.ends_with(".json.gz"); }

std::string titles(std::span<const Reader> known) {
  std::string text;
  for (const Reader& reader : known) text.append(text.empty() ? "" : ", ").append(reader.title);
  return text;
}

std::int64_t size_on_disk(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return failed ? 0 : static_cast<std::int64_t>(size);
}

void sort_naturally(std::vector<fs::path>& paths) {
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return natural_less(a.native(), b.native()); });
}

std::string base_name(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return name.empty() ? directory.string() : name;
}

// A run's folder. Plugins of TensorBoard store their recordings of a run in its folder plugins/<plugin>.
fs::path run_folder(const fs::path& folder) {
  const fs::path plugins = folder.parent_path();
  return plugins.filename() == "plugins" ? plugins.parent_path() : folder;
}

// `folder` as seen from `root`, or its own name when it is that or above it; `canonical` is where it is.
std::string run_name(const fs::path& root, const fs::path& folder, const fs::path& canonical) {
  const std::string inside = run_folder(folder).lexically_relative(root).string();
  const bool below = !inside.empty() && inside != "." && !inside.starts_with("..");
  return below ? inside : base_name(run_folder(canonical));
}

// The folder that is `folders` above.
fs::path ancestor(fs::path folder, std::size_t folders) {
  while (folders-- > 0) folder = folder.parent_path();
  return folder;
}

// The place of a file of a canonical folder: the directory of its run may be above that folder.
struct Placed {
  fs::path directory;
  std::size_t folders = 0;
  ProfileName name;
  std::string run = {};  // empty: named by its directory
};

Placed place_of(const fs::path& file_name, const fs::path& canonical, const Reader& reader) {
  Placed placed{.directory = canonical, .name = reader.name(file_name.string())};
  if (reader.layout == nullptr) return placed;
  const Reader::Layout layout = reader.layout((canonical / file_name).string());
  placed.run = layout.run;
  if (layout.folders == 0) return placed;
  placed.folders = layout.folders;
  placed.directory = ancestor(canonical, layout.folders);
  placed.name.span_stamp = layout.span_stamp;
  return placed;
}

// ---- roles ----

// The parts of a job that trains by reinforcement learning, as training programs name folders: "actor", "rollout_generate".
constexpr std::array<std::string_view, 12> kRoleWords = {"actor",  "rollout", "critic",  "ref",     "reference", "reward",
                                                         "policy", "rm",      "learner", "sampler", "generator", "teacher"};

bool names_a_role(std::string_view folder) {
  std::string word;
  const auto is_role = [&] { return std::find(kRoleWords.begin(), kRoleWords.end(), word) != kRoleWords.end(); };
  for (const char each : folder) {
    const bool letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
    if (letter) {
      word += static_cast<char>(each | 0x20);
    } else {
      if (is_role()) return true;
      word.clear();
    }
  }
  return is_role();
}

// Two folders named for roles make all folders beside them that hold captures roles of one run.
void find_roles(std::vector<FoundFile>& files) {
  std::map<fs::path, std::set<std::string>> folders;  // below each folder: those that hold captures
  for (const FoundFile& file : files) {
    const fs::path folder(file.directory);
    folders[folder.parent_path()].insert(folder.filename().string());
  }
  std::erase_if(folders, [](const auto& each) {
    return std::count_if(each.second.begin(), each.second.end(), [](const std::string& name) { return names_a_role(name); }) < 2;
  });
  for (FoundFile& file : files) {
    const fs::path folder(file.directory);
    if (!folders.contains(folder.parent_path()) || base_name(file.run) != folder.filename()) continue;
    file.role = folder.filename().string();
    const std::string above = fs::path(file.run).parent_path().string();
    file.run = above.empty() ? base_name(run_folder(folder.parent_path())) : above;
  }
}

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

class Walk {
 public:
  Walk(fs::path root, std::span<const Reader> known) : root_(std::move(root)), known_(known) {}

  void visit(const fs::path& directory);

  // The root is a folder in a cloud: all that is below it, listed at once.
  void know(const std::vector<RemoteObject>& objects);

  // What was found; an error when there is nothing.
  Result<Discovery> answer() &&;

 private:
  Discovery found;
  std::size_t directories = 0;
  std::size_t files = 0;

  struct Listing {
    std::vector<fs::path> files, directories, linked_directories;
  };
  std::optional<Listing> list(const fs::path& directory);
  std::int64_t bytes_of(const fs::path& folder, const Reader& reader) const;
  void take_files(const std::vector<fs::path>& candidates, const fs::path& canonical, const Reader* but_not);
  const Reader* take_folder(const fs::path& folder, const fs::path& canonical, const Listing& entries);
  void take(const fs::path& file, const fs::path& canonical, const Reader& reader);

  fs::path root_;
  std::span<const Reader> known_;
  std::set<fs::path> visited_;                    // canonical
  std::vector<std::string> instead_;              // of folders that are not captures: what to open
  std::map<fs::path, Listing> clouds_;            // empty: the root is on disk
  std::map<fs::path, std::int64_t> object_size_;  // of a cloud
};

void Walk::visit(const fs::path& directory) {
  std::error_code failed;
  const fs::path canonical = clouds_.empty() ? fs::canonical(directory, failed) : directory;
  if (failed || !visited_.insert(canonical).second) return;
  std::optional<Listing> entries = list(directory);
  if (!entries) return;
  ++directories;
  files += entries->files.size();
  const Reader* const taken = take_folder(directory, canonical, *entries);
  if (taken != nullptr && !taken->leaves_other_files) return;
  take_files(entries->files, canonical, taken);
  // Links come after directories, so that a run is named by its place and not by a link to it.
  for (const fs::path& below : entries->directories) visit(below);
  for (const fs::path& below : entries->linked_directories) visit(below);
}

std::optional<Walk::Listing> Walk::list(const fs::path& directory) {
  if (!clouds_.empty()) return clouds_[directory];
  std::error_code failed;
  Listing listing;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code unknown;  // a dangling link is neither a file nor a directory
    if (entry->is_directory(unknown)) {
      if (is_hidden(entry->path())) continue;
      (entry->is_symlink(unknown) ? listing.linked_directories : listing.directories).push_back(entry->path());
    } else if (entry->is_regular_file(unknown)) {
      listing.files.push_back(entry->path());
    }
  }
  if (failed) {
    found.notices.push_back("cannot open " + directory.string() + ": " + failed.message());
    return std::nullopt;
  }
  for (auto* paths : {&listing.files, &listing.directories, &listing.linked_directories}) sort_naturally(*paths);
  return listing;
}

// The folders of an object are those in its address.
void Walk::know(const std::vector<RemoteObject>& objects) {
  clouds_[root_];
  std::set<fs::path> known;
  for (const RemoteObject& object : objects) {
    const fs::path file = object.address;
    object_size_[file] = object.size;
    clouds_[file.parent_path()].files.push_back(file);
    for (fs::path folder = file.parent_path(); folder != root_ && folder.has_relative_path(); folder = folder.parent_path()) {
      if (is_hidden(folder) || !known.insert(folder).second) break;
      clouds_[folder.parent_path()].directories.push_back(folder);
    }
  }
  for (auto& [folder, inside] : clouds_) {
    sort_naturally(inside.files);
    sort_naturally(inside.directories);
  }
}

// `but_not`: the reader whose files are taken already; may be null.
void Walk::take_files(const std::vector<fs::path>& candidates, const fs::path& canonical, const Reader* but_not) {
  const std::size_t before = found.files.size();
  for (const fs::path& file : candidates) {
    const Reader* reader = reader_claiming(file.filename().string(), known_);
    if (reader != nullptr && reader != but_not) take(file, canonical, *reader);
  }
  if (found.files.size() != before) return;
  for (const fs::path& file : candidates) {
    const std::string name = file.filename().string();
    if (!may_be_a_profile(name) || (but_not != nullptr && but_not->claims(name))) continue;
    Result<const Reader*> reader = reader_by_content(file.string(), name, known_);
    if (!reader) {
      found.notices.push_back("cannot open " + reader.error().to_string());
    } else if (*reader != nullptr) {
      take(file, canonical, **reader);
    }
  }
}

// Of a capture that is a folder. In a cloud, where reading its files costs requests, the sum of all files that may belong to it.
std::int64_t Walk::bytes_of(const fs::path& folder, const Reader& reader) const {
  if (clouds_.empty()) return identity_of_capture(reader, folder.string()).value_or(FileIdentity{}).size;
  std::int64_t sum = 0;
  const auto add = [&](const Listing& inside) {
    for (const fs::path& file : inside.files) sum += object_size_.at(file);
  };
  add(clouds_.at(folder));
  for (const fs::path& below : clouds_.at(folder).directories) add(clouds_.at(below));
  return sum;
}

// The reader of the folder, when it is one capture, which then is taken; else null.
const Reader* Walk::take_folder(const fs::path& folder, const fs::path& canonical, const Listing& entries) {
  const std::vector<std::string> names = names_of(entries.files);
  std::vector<std::string> below = names_of(entries.directories);
  for (std::string& link : names_of(entries.linked_directories)) below.push_back(std::move(link));
  const std::string name = canonical.filename().string();
  const FolderEntries inside{name, names, below};
  const Reader* reader = reader_claiming(inside, known_);
  if (reader == nullptr) {
    const std::string_view words = instead_of(inside, known_);
    if (!words.empty()) instead_.push_back(folder.string() + " " + std::string(words));
    return nullptr;
  }
  const fs::path above = canonical.parent_path();
  found.files.push_back({.path = folder.string(),
                         .bytes = bytes_of(folder, *reader),
                         .shown = folder == root_ ? name : folder.lexically_relative(root_).string(),
                         .directory = above.string(),
                         .run = folder == root_ ? base_name(run_folder(above)) : run_name(root_, folder.parent_path(), above),
                         .reader = reader,
                         .name = reader->name_folder(canonical.string(), inside)});
  return reader;
}

void Walk::take(const fs::path& file, const fs::path& canonical, const Reader& reader) {
  const Placed placed = place_of(file.filename(), canonical, reader);
  const auto object = object_size_.find(file);
  found.files.push_back(
      {.path = file.string(),
       .bytes = object == object_size_.end() ? size_on_disk(file) : object->second,
       .shown = file.lexically_relative(root_).string(),
       .directory = placed.directory.string(),
       .run = placed.run.empty() ? run_name(root_, ancestor(file.parent_path(), placed.folders), placed.directory) : placed.run,
       .reader = &reader,
       .name = placed.name});
}

Result<Discovery> Walk::answer() && {
  find_roles(found.files);
  if (!found.files.empty()) return std::move(found);
  std::vector<Message> all{
      say("no profile found in {} files of {} directories (looked for: {})", files, directories, titles(known_))};
  all.insert(all.end(), instead_.begin(), instead_.end());
  for (const std::string& notice : found.notices) all.push_back(Message(notice));
  return Error{ErrorCode::not_found, listed_messages("; ", std::move(all)), root_.string()};
}

// `bytes`: as it is stored.
Result<Discovery> discover_file(const fs::path& file, std::int64_t bytes, std::span<const Reader> known) {
  const std::string name = file.filename().string();
  const Reader* reader = reader_claiming(name, known);
  if (reader == nullptr) {
    Result<const Reader*> by_content = reader_by_content(file.string(), name, known);
    if (!by_content) return by_content.error();
    reader = *by_content;
  }
  if (reader == nullptr && may_be_a_profile(name)) {  // the user named it: its format may show far behind the beginning
    Result<const Reader*> by_content = reader_by_content(file.string(), name, known, kLongHeadBytes);
    if (!by_content) return by_content.error();
    reader = *by_content;
  }
  if (reader == nullptr) {
    const Result<std::string> head = read_head(file.string(), 1);
    const std::array files{name};
    const std::string_view instead = instead_of({"", files, {}}, known);
    Message why = say("not a profile in a supported format ({})", titles(known));
    if (head && head->empty()) why = "the file is empty";
    if (!instead.empty()) why = say("it {}", Message(instead));
    return Error{ErrorCode::unsupported, why, file.string() + ":0"};
  }
  std::error_code failed;
  const bool remote = is_remote(file.native());
  const fs::path directory =
      remote ? file.parent_path() : fs::canonical(file.has_parent_path() ? file.parent_path() : ".", failed);
  if (failed) return Error{ErrorCode::unreadable, Message::verbatim(failed.message()), file.string()};
  const Placed placed = place_of(name, directory, *reader);
  Discovery found;
  found.files.push_back({.path = file.string(),
                         .bytes = bytes,
                         .shown = name,
                         .directory = placed.directory.string(),
                         .run = placed.run.empty() ? base_name(run_folder(placed.directory)) : placed.run,
                         .reader = reader,
                         .name = placed.name});
  return found;
}

Result<Discovery> discover_remote(const std::string& path, std::span<const Reader> known) {
  const Result<RemotePath> parsed = parse_remote(path);
  if (!parsed) return parsed.error();
  const std::string root = remote_address(*parsed, parsed->key);
  const Result<RemoteStatus> status = remote_status(root);
  if (!status) return status.error();
  if (!status->folder) return discover_file(root, status->size, known);
  const Result<std::vector<RemoteObject>> objects = remote_objects(root);
  if (!objects) return objects.error();
  Walk walk(root, known);
  walk.know(*objects);
  walk.visit(root);
  return std::move(walk).answer();
}

}  // namespace

// Compressed, the beginning is shorter than what it holds, but for some bytes.
std::size_t bytes_to_know(std::string_view file_name) {
  return (may_be_a_profile(file_name) ? kLongHeadBytes : kHeadBytes) + kHeadBytes;
}

Result<Discovery> discover(const std::string& path, std::span<const Reader> known) {
  if (is_remote(path)) return discover_remote(path, known);
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found) return Error{ErrorCode::not_found, "no such file or directory", path};
  if (failed) return Error{ErrorCode::unreadable, Message::verbatim(failed.message()), path};
  if (fs::is_regular_file(status)) return discover_file(path, size_on_disk(path), known);
  if (!fs::is_directory(status)) {
    return Error{ErrorCode::unsupported, "neither a file nor a directory: save it to a file first", path};
  }
  const std::size_t last = path.find_last_not_of('/');
  const fs::path root = last == std::string::npos ? "/" : path.substr(0, last + 1);
  Walk walk(root, known);
  walk.visit(root);
  return std::move(walk).answer();
}

}  // namespace sightline::engine
