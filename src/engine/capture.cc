// What is known about one capture: a summary of its profile, the hash of a file that must not have changed since it was read,
// and its state.
#include "engine/capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/check.h"
#include "base/remote/remote_path.h"
#include "model/unit.h"
#include "store/content_key.h"

namespace sightline::engine {

namespace {

// ---- summary ----

std::string count_text(std::size_t count) { return number_alone(static_cast<double>(count), Unit::count); }

// "NVIDIA H100 x 8", with each name once.
std::string device_names(const Profile& profile) {
  std::vector<std::pair<StringId, int>> names;
  for (const StringId name : profile.devices.name) {
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == name; });
    if (known == names.end()) {
      names.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : names) {
    if (name == StringId::none) continue;
    text.append(text.empty() ? "" : ", ").append(profile.text(name));
    if (count > 1) text += " x " + std::to_string(count);
  }
  return text;
}

std::vector<CaptureFact> facts_of(const Profile& profile) {
  std::vector<CaptureFact> facts;
  const auto add = [&](std::string label, std::string text) {
    if (!text.empty()) facts.push_back({std::move(label), std::move(text)});
  };
  add("events", count_text(static_cast<std::size_t>(profile.events)));
  add("length", number_alone(static_cast<double>(profile.span_end - profile.span_start), Unit::ns));
  if (profile.steps.rows() > 0) add("steps", count_text(profile.steps.rows()));
  add("devices", device_names(profile));
  if (profile.rank != kUnknown) {
    std::string rank = std::to_string(profile.rank);
    if (profile.world_size != kUnknown) rank += " of " + std::to_string(profile.world_size);
    add("rank", std::move(rank));
  }
  return facts;
}

// ---- content ----

// Absolute, so that its files have the same names for every working directory. A link to a file is kept: the reader uses the
// files beside the link.
std::string place_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (is_remote(path) || !fs::is_symlink(fs::symlink_status(path, failed)) || !fs::is_regular_file(path, failed))
    return absolute_path(path);
  const fs::path file = path;
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", failed);
  return failed ? absolute_path(path) : (folder / file.filename()).string();
}

std::string text_in(const CatalogueEntry& entry, std::string_view name) { return std::string(record_value(entry.about, name)); }

}  // namespace

// ---- names ----

std::string place_query(const ProfileSelector& selector) {
  return "?run=" + query_escaped(selector.run) + "&worker=" + query_escaped(selector.worker) +
         "&span=" + query_escaped(selector.span);
}

std::string query_escaped(std::string_view text) {
  constexpr std::string_view kPlain = "-_.~/:,@[]";
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || kPlain.find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// The 32 digits of the content's hash, and eight that cover its size as well.
std::string profile_name(std::string_view content_key) {
  constexpr std::size_t kHashDigits = 32, kMoreDigits = 8;
  return "n_" + std::string(content_key.substr(0, kHashDigits)) + hex(checksum(content_key)).substr(0, kMoreDigits);
}

// ---- summary ----

Message caution_of(const Profile& profile) {
  for (std::size_t row = 0; row < profile.problems.rows(); ++row) {
    const std::string_view code = profile.text(profile.problems.code[row]);
    if (code == "simulated" || code == kMemoryLimit) return profile.problem(static_cast<Row>(row));
  }
  return "";
}

CaptureSummary summarise(const Profile& profile, std::span<const Analysis> analyses) {
  CaptureSummary summary{.facts = facts_of(profile), .problems = 0, .caution = caution_of(profile), .views = {}};
  for (const Severity severity : profile.problems.severity) summary.problems += severity != Severity::note;
  for (const Analysis& analysis : analyses) {
    if (analysis.group == ViewGroup::none) continue;
    summary.views.emplace_back(analysis.id, analysis.unavailable ? analysis.unavailable(profile) : std::optional<Message>());
  }
  return summary;
}

// ---- content ----

SourceFiles source_of(const Reader& reader, const std::string& path) {
  if (reader.files_of == nullptr) return path;
  std::string absolute = place_of(path);
  Result<std::vector<std::string>> files = reader.files_of(absolute);
  return files ? SourceFiles(std::move(absolute), *std::move(files)) : SourceFiles(path);
}

Result<FileIdentity> find_identity_of_capture(const Reader& reader, const std::string& path) {
  const SourceFiles source = source_of(reader, path);
  std::error_code failed;
  if (!source.files.empty() || is_remote(path) || !std::filesystem::is_directory(path, failed)) return find_identity(source);
  const auto changed = std::filesystem::last_write_time(path, failed).time_since_epoch();
  if (failed) return Error{ErrorCode::not_found, Message::verbatim(failed.message()), path};
  return FileIdentity{.modified = std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()};
}

std::optional<FileIdentity> identity_of_capture(const Reader& reader, const std::string& path) {
  const Result<FileIdentity> found = find_identity_of_capture(reader, path);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::string> ContentOfFile::find_key(const std::atomic<bool>& cancelled) {
  const std::lock_guard lock(mutex);
  if (!key.empty()) return key;
  const Error changed{ErrorCode::unavailable, "the file has changed since it was read", path};
  if (!unchanged()) return changed;
  Result<std::string> found = content_key(source_of(*reader, path), cancelled);
  if (!found) return found;
  if (!unchanged()) return changed;
  key = *found;
  return found;
}

// ---- capture ----

Capture::Capture(const FoundFile& found, const std::string& given_run)
    : path(found.path),
      directory(found.directory),
      run(given_run.empty() ? found.run : given_run),
      file(found.shown),
      stamp(found.name.span_stamp),
      role(found.role),
      reader(found.reader),
      named(!given_run.empty()),
      from_cache(false),
      uploaded(found.uploaded) {
  content->path = path;
  content->reader = reader;
  progress.bytes_total = found.bytes;
}

Capture::Capture(const CatalogueEntry& entry, const Reader& reader_of_it)
    : path(text_in(entry, "path")),
      directory(text_in(entry, "directory")),
      run(text_in(entry, "run")),
      file(text_in(entry, "uploaded").empty() ? path : text_in(entry, "uploaded")),
      stamp(text_in(entry, "stamp")),
      role(record_value(entry.about, "role")),
      reader(&reader_of_it),
      named(record_value(entry.about, "named") == "yes"),
      from_cache(true),
      uploaded(!text_in(entry, "uploaded").empty()) {
  content->path = path;
  content->reader = reader;
  content->identity = identity_in(entry.about);
  content->key = entry.key;
  progress.bytes_total = record_number(entry.about, "bytes", 0);
}

Capture::Capture(const std::shared_ptr<Capture>& before)
    : path(before->path),
      directory(before->directory),
      run(before->run),
      file(before->file),
      stamp(before->stamp),
      role(before->role),
      reader(before->reader),
      named(before->named),
      from_cache(false),
      uploaded(before->uploaded),
      readings(before->readings + 1),
      replaces(before),
      name_(before->name()) {
  content->path = path;
  content->reader = reader;
}

void Capture::set_name(ProfileSelector name, Message note) {
  const std::lock_guard lock(mutex_);
  name_ = std::move(name);
  name_note_ = std::move(note);
}

ProfileSelector Capture::name() const {
  const std::lock_guard lock(mutex_);
  return name_;
}

void Capture::set_remark(Message remark) {
  const std::lock_guard lock(mutex_);
  remark_ = std::move(remark);
}

void Capture::begin_reading() {
  const std::lock_guard lock(mutex_);
  status_ = LoadStatus::reading;
  began_ = std::chrono::steady_clock::now();
}

void Capture::set_ready(LoadedProfilePtr opened, CaptureSummary summary) {
  progress.stage = "ready";
  const std::lock_guard lock(mutex_);
  seconds_ = seconds_reading();
  status_ = LoadStatus::ready;
  summary_ = std::make_shared<const CaptureSummary>(std::move(summary));
  opened_ = std::move(opened);
}

void Capture::set_failed(Error error) {
  const std::lock_guard lock(mutex_);
  seconds_ = seconds_reading();
  status_ = LoadStatus::failed;
  if (uploaded && error.where.starts_with(path)) error.where.replace(0, path.size(), file);
  error_ = std::move(error);
}

void Capture::queue_again() {
  const std::lock_guard lock(mutex_);
  status_ = LoadStatus::queued;
  error_.reset();
  progress.stage = "queued";
}

void Capture::set_again_failed(const Error& error) {
  const std::lock_guard lock(mutex_);
  again_failed_ = error;
}

LoadStatus Capture::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::optional<Error> Capture::not_ready() const {
  const std::lock_guard lock(mutex_);
  if (status_ == LoadStatus::failed) return *error_;
  if (status_ == LoadStatus::ready) return std::nullopt;
  return Error{ErrorCode::unavailable, "still loading", path};
}

std::optional<Error> Capture::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::shared_ptr<const CaptureSummary> Capture::summary() const {
  const std::lock_guard lock(mutex_);
  return summary_;
}

bool Capture::lacks(std::string_view view) const {
  const std::shared_ptr<const CaptureSummary> known = summary();
  const auto is_lacking = [&](const auto& each) { return each.first == view && each.second.has_value(); };
  return known != nullptr && std::any_of(known->views.begin(), known->views.end(), is_lacking);
}

double Capture::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_reading();
}

CaptureState Capture::state() const {
  const std::lock_guard lock(mutex_);
  return {.run = name_.run,
          .worker = name_.worker,
          .span = name_.span,
          .file = file,
          .note = note(),
          .status = status_,
          .stage = progress.stage.load(),
          .bytes_done = progress.bytes_done,
          .bytes_total = progress.bytes_total,
          .text_bytes = progress.text_bytes,
          .events = progress.events,
          .readings = readings,
          .seconds = seconds_reading(),
          .error = error_,
          .profile = opened_ == nullptr ? nullptr : opened_->profile(),
          .summary = summary_};
}

// REQUIRES: mutex_ is held.
Message Capture::note() const {
  const Message failed = again_failed_ ? say("the file has changed and cannot be read; its previous version is shown: {}",
                                             again_failed_->to_string())
                                       : Message();
  return listed_messages("; ", {name_note_, remark_, failed});
}

// REQUIRES: mutex_ is held.
double Capture::seconds_reading() const {
  if (status_ != LoadStatus::reading) return seconds_;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

LoadedProfilePtr Capture::opened() const {
  const std::lock_guard lock(mutex_);
  return opened_;
}

void Capture::open(LoadedProfilePtr profile) {
  const std::lock_guard lock(mutex_);
  opened_.swap(profile);  // the old one, if any, is freed without the lock
}

LoadedProfilePtr Capture::close() {
  const std::lock_guard lock(mutex_);
  return std::exchange(opened_, nullptr);
}

RankSummaryPtr Capture::rank() {
  std::call_once(rank_once_, [&] {
    const LoadedProfilePtr profile = opened();
    CHECK(profile != nullptr);
    RankSummary own = profile->rank(name().worker);
    own.role = role;
    rank_ = std::make_shared<const RankSummary>(std::move(own));
    std::vector<RankSummaryPtr> ranks;
    if (states_sums_of_ranks(*profile->profile())) {
      for (RankSummary& one : summarise_job(*profile->profile()))
        ranks.push_back(std::make_shared<const RankSummary>(std::move(one)));
    } else {
      ranks.push_back(rank_);
    }
    ranks_ = std::move(ranks);
  });
  return rank_;
}

const std::vector<RankSummaryPtr>& Capture::ranks() {
  rank();
  return ranks_;
}

RunFiguresPtr Capture::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

void Capture::set_figures(RunFiguresPtr figures) {
  const std::lock_guard lock(mutex_);
  figures_ = std::move(figures);
}

Record Capture::about() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const SourceFiles source = source_of(*reader, path);
  Record record{{"path", source.files.empty() ? absolute_path(path) : source.path},
                {"directory", directory},
                {"run", run},
                {"named", named ? "yes" : "no"},
                {"worker", name().worker},
                {"stamp", stamp},
                {"role", role},
                {"reader", std::string(reader->id)},
                {"bytes", std::to_string(progress.bytes_total)},
                {"events", std::to_string(progress.events)},
                {"text_bytes", std::to_string(progress.text_bytes)},
                {"seconds", std::to_string(seconds())},
                {"read_at", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count())}};
  if (uploaded) record.emplace_back("uploaded", file);
  add_identity(record, *content->identity);
  return record;
}

std::string Capture::run_directory() const {
  return role.empty() ? directory : std::filesystem::path(directory).parent_path().string();
}

std::string Capture::file_name() const { return stamp + "/" + std::filesystem::path(path).filename().string(); }

}  // namespace sightline::engine
