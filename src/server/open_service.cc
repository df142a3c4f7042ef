// A form on another site's page can send a request here, but not with these content types.
#include "server/open_service.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/discover.h"
#include "engine/guarded.h"
#include "formats/registry.h"

namespace sightline::server {

namespace {

constexpr Failing kOpening{"not enough memory to open this", "opening failed: {}"};
constexpr std::string_view kUploads = "/api/uploads/";
constexpr std::size_t kMostRecent = 30;
constexpr std::size_t kLongestTitle = 120;  // bytes

Error bad_request(const Message& why) { return {ErrorCode::invalid_argument, why, ""}; }

bool has_type(const Request& request, std::string_view wanted) {
  return std::string_view(request.content_type).substr(0, request.content_type.find_first_of("; ")) == wanted;
}

// As a shell reads it.
std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

// Without what says only its format.
std::string title_of_file(const std::string& file) {
  for (const Reader& reader : formats::readers()) {
    if (reader.claims(file)) return reader.name(file).worker;
  }
  const std::size_t end = file.find_last_of('.', file.ends_with(".gz") ? file.size() - 4 : file.npos);
  return end == file.npos || end == 0 ? file : file.substr(0, end);
}

// What to call files that are sent together: their folder, or the first file and how many others there are.
std::string title_of(const std::vector<UploadFile>& files) {
  std::string title = files.front().path.substr(0, files.front().path.find('/'));
  const auto below = [&](const UploadFile& file) { return file.path.starts_with(title + "/"); };
  const bool one_folder = std::all_of(files.begin(), files.end(), below);
  if (!one_folder) title = title_of_file(title);
  if (title.size() > kLongestTitle) title = title.substr(0, kLongestTitle);
  while (to_utf8(title) != title) title.pop_back();
  if (path_misfit(title) != "") title = "upload";
  return one_folder || files.size() == 1 ? title : title + " +" + std::to_string(files.size() - 1);
}

Result<std::vector<UploadFile>> announced_files(const std::string& body) {
  const simdjson::padded_string text(body);
  simdjson::dom::parser parser;
  simdjson::dom::array list;
  if (parser.parse(text)["files"].get(list) != simdjson::SUCCESS) return bad_request("the body has no list of files");
  std::vector<UploadFile> files;
  for (const simdjson::dom::element each : list) {
    std::string_view path;
    std::int64_t size = 0;
    if (each["path"].get(path) != simdjson::SUCCESS || each["size"].get(size) != simdjson::SUCCESS)
      return bad_request("a file has a path and a size");
    files.push_back({std::string(path), size});
  }
  return files;
}

// Paths of this machine below the upload are shown as the client gave them.
Error as_sent(const Upload& upload, Error error) {
  const std::string root = upload.root();
  const auto shorten = [&](std::string& text) {
    for (std::size_t at = text.find(root); at != text.npos; at = text.find(root, at)) {
      const bool below = text.compare(at + root.size(), 1, "/") == 0;
      text.replace(at, root.size() + (below ? 1 : 0), below ? "" : upload.name);
    }
  };
  shorten(error.where);
  if (std::string text = error.message; text.find(root) != text.npos) {
    shorten(text);
    error.message = text;
  }
  return error;
}

std::vector<ProfilePlace> places_of(const std::vector<CapturePtr>& captures) {
  std::vector<ProfilePlace> places;
  for (const CapturePtr& capture : captures)
    places.push_back({capture->name().run, capture->name().worker, capture->name().span});
  return places;
}

// A file that is sent alone. In a folder, or beside others, its name and its content do not say whether the upload can be opened.
const UploadFile* only_file(const Upload& upload) {
  const bool is_one = upload.files.size() == 1 && upload.files.front().path.find('/') == std::string::npos;
  return is_one ? &upload.files.front() : nullptr;
}

// See SentUpload; 0 for a file that is hardly longer than its head.
std::int64_t head_of(const Upload& upload) {
  const UploadFile* file = only_file(upload);
  const std::int64_t bytes = file == nullptr ? 0 : static_cast<std::int64_t>(bytes_to_know(file->path));
  return file != nullptr && file->size > 2 * bytes ? bytes : 0;
}

}  // namespace

Result<std::string> OpenService::answer(const Request& request) {
  const bool changes = request.method != "GET" && request.method != "HEAD";
  const std::string_view type = request.method == "PUT" ? "application/octet-stream" : "application/json";
  if (changes && !has_type(request, type)) return bad_request(say("this request needs Content-Type: {}", std::string(type)));
  if (request.path == "/api/open") return changes ? open(request.body) : state();
  if (request.path == "/api/uploads") return begin(request.body);
  const std::string_view rest = std::string_view(request.path).substr(kUploads.size());
  const std::string id(rest.substr(0, rest.find('/')));
  const UploadPtr upload = spool_.find(id);
  if (upload == nullptr) return Error{ErrorCode::not_found, "there is no such upload: it was closed, or it did not go on", ""};
  if (request.method == "PUT") return store(request, upload, rest.substr(std::min(rest.size(), id.size() + 1)));
  {
    const std::lock_guard lock(mutex_);
    outcomes_.erase(id);
  }
  engine_.close_upload(upload->folder);
  spool_.remove(id);
  return std::string(R"({"closed":true})");
}

// A path on this machine or in a cloud, or the key of a profile in the cache.
Result<std::string> OpenService::open(const std::string& body) {
  if (!paths_) return bad_request("this server opens no further files of its machine (--no-token)");
  const simdjson::padded_string text(body);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view path, key;
  if (parser.parse(text).get(root) != simdjson::SUCCESS) return bad_request("the body is not a JSON object");
  const bool has_path = root["path"].get(path) == simdjson::SUCCESS, has_key = root["key"].get(key) == simdjson::SUCCESS;
  if (has_path == has_key || (has_path && path.empty()) || path.find('\0') != path.npos) return bad_request("give a path");
  const Result<std::vector<CapturePtr>> opened = guarded(kOpening, std::string(path), [&] {
    return has_path ? engine_.open_path(with_home(std::string(path))) : engine_.open_cached(std::string(key));
  });
  if (!opened) return opened.error();
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("profiles").begin_array();
  for (const ProfilePlace& at : places_of(*opened))
    json.begin_object().member("run", at.run).member("worker", at.worker).member("span", at.span).end_object();
  json.end_array().end_object();
  return out;
}

// ---- uploads ----

// A run of the list, also one of an upload that has not been read yet, keeps its name for itself.
std::string OpenService::free_name(const std::vector<UploadFile>& files) const {
  std::set<std::string> taken;
  for (const CapturePtr& capture : engine_.catalogue().all()) {
    const std::string run = capture->name().run;
    taken.insert(run.substr(0, run.find('/')));
  }
  for (const UploadPtr& upload : spool_.all()) taken.insert(upload->name);
  const std::string title = title_of(files);
  std::string name = title;
  for (int copy = 2; taken.contains(name); ++copy) name = title + " (" + std::to_string(copy) + ")";
  return name;
}

Result<std::string> OpenService::begin(const std::string& body) {
  Result<std::vector<UploadFile>> files = announced_files(body);
  if (!files) return files.error();
  if (const Message misfit = files_misfit(*files); !misfit.empty()) return bad_request(misfit);
  const std::string name = free_name(*files);
  const Result<UploadPtr> upload = spool_.begin(name, *std::move(files));
  if (!upload) return upload.error();
  return wire_json(sent(**upload));
}

// The head of the file has arrived, and is not kept: whether it belongs to a file that can be opened.
Result<std::string> OpenService::look_at(const Request& request, const UploadPtr& upload) {
  const UploadFile* file = only_file(*upload);
  if (file == nullptr || spool_.has_begun(*upload))
    return bad_request("the head of a file is sent before the file, if it is sent alone");
  const std::string folder = upload->folder + "/.head", path = folder + "/" + file->path;
  const Result<bool> stored = spool_.store_head(*upload, path, head_of(*upload), request.stream);
  const Result<Discovery> known = stored ? discover(path, formats::readers()) : stored.error();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (known) return wire_json(sent(*upload));
  Error why = known.error();
  if (stored) why.where = file->path + ":0";
  spool_.remove(upload->id);
  return why;
}

// The file that completes the upload opens it.
Result<std::string> OpenService::store(const Request& request, const UploadPtr& upload, std::string_view file) {
  const auto number = whole_number<std::size_t>(file);
  if (!number) return bad_request("a file of an upload has a number");
  if (request.parameter("part") == "head") return look_at(request, upload);
  const Result<bool> complete = spool_.store(upload, *number, request.stream);
  if (!complete) return complete.error();
  if (*complete) {
    Outcome outcome = open_upload(*upload);
    const std::optional<Error> failure = outcome.failure;
    {
      const std::lock_guard lock(mutex_);
      outcomes_[upload->id] = std::move(outcome);
    }
    if (spool_.find(upload->id) == nullptr) engine_.close_upload(upload->folder);  // removed while it was opened
    if (failure) spool_.remove(upload->id);
    if (failure) return *failure;
  }
  return wire_json(sent(*upload));
}

// A folder is searched like one on the command line. Of loose files, each one that the search does not take is tried by its
// content, as a file on the command line would be.
OpenService::Outcome OpenService::open_upload(const Upload& upload) {
  Outcome outcome;
  const auto add = [&](const std::string& path) {
    const Result<std::vector<CapturePtr>> opened = guarded(kOpening, path, [&] { return engine_.open_upload(path); });
    if (opened) outcome.captures.insert(outcome.captures.end(), opened->begin(), opened->end());
    return opened ? std::optional<Error>() : as_sent(upload, opened.error());
  };
  const bool one_file = upload.files.size() == 1 && upload.files.front().path.find('/') == std::string::npos;
  const std::optional<Error> failure = one_file ? std::optional<Error>() : add(upload.root());
  std::set<std::string> used;
  for (const CapturePtr& capture : outcome.captures) {
    used.insert(capture->path);
    for (const std::string& file : source_of(*capture->reader, capture->path).files) used.insert(file);
  }
  for (const UploadFile& file : upload.files) {
    const std::string path = upload.root() + "/" + file.path;
    const bool loose = file.path.find('/') == file.path.npos;
    if (!loose || used.contains(path)) continue;
    if (std::optional<Error> why = add(path)) outcome.left_out.push_back(*std::move(why));
  }
  if (outcome.captures.empty()) outcome.failure = outcome.left_out.empty() ? failure : outcome.left_out.front();
  return outcome;
}

// ---- the state ----

SentUpload OpenService::sent(const Upload& upload) const {
  SentUpload sent{.id = upload.id,
                  .name = upload.name,
                  .files = upload.files.size(),
                  .size = upload.size,
                  .arrived = upload.arrived(),
                  .head = head_of(upload)};
  const std::lock_guard lock(mutex_);
  const auto found = outcomes_.find(upload.id);
  if (found == outcomes_.end()) return sent;
  sent.open = true;
  sent.profiles = places_of(found->second.captures);
  sent.left_out = found->second.left_out;
  return sent;
}

// The profiles of the cache that were used last.
std::vector<SentRecent> OpenService::recent() const {
  std::vector<CatalogueEntry> entries = paths_ && cache_ != nullptr ? cache_->list() : std::vector<CatalogueEntry>{};
  entries.resize(std::min(entries.size(), kMostRecent));
  std::vector<SentRecent> recent;
  for (const CatalogueEntry& entry : entries) {
    const std::string_view uploaded = record_value(entry.about, "uploaded");
    recent.push_back({.key = entry.key,
                      .run = std::string(record_value(entry.about, "run")),
                      .worker = std::string(record_value(entry.about, "worker")),
                      .file = std::string(uploaded.empty() ? record_value(entry.about, "path") : uploaded),
                      .bytes = record_number(entry.about, "bytes", 0),
                      .events = record_number(entry.about, "events", 0),
                      .last_used = entry.last_used / 1'000'000});
  }
  return recent;
}

std::string OpenService::state() const {
  SentOpening opening{.files = spool_.accepts(), .paths = paths_, .room = spool_.room()};
  for (const UploadPtr& upload : spool_.all()) opening.uploads.push_back(sent(*upload));
  opening.recent = recent();
  return wire_json(opening);
}

}  // namespace sightline::server
