// The parts that all formats share: names by endings, and the completion of a profile.
#include "formats/read_context.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <type_traits>

namespace sightline::formats {

namespace {

std::string_view without(std::string_view text, std::string_view ending) {
  if (text.ends_with(ending)) text.remove_suffix(ending.size());
  return text;
}

// "file:byte" of the first problem.
Error nothing_read(const std::string& path, const Profile& p) {
  const bool known = p.problems.rows() != 0;
  const Message cause = known ? p.problem(0) : "it holds no events";
  const std::int64_t at = known && p.problems.offset[0] != kUnknown ? p.problems.offset[0] : 0;
  std::error_code failed;
  const bool folder = std::filesystem::is_directory(path, failed);
  return {ErrorCode::malformed, say("nothing could be read: {}", cause), folder ? path : path + ":" + std::to_string(at)};
}

void set_words(const Reader::Words& words, Profile& profile) {
  if (!words.device.empty()) profile.device_word = words.device;
  if (!words.matrix.empty()) profile.matrix_word = words.matrix;
  if (!words.core.empty()) profile.core_word = words.core;
}

// Times may be Unix times, but lengths may not: views add them. No recording has slices of 190 years together.
bool can_be_added(const Column<Time>& durations) {
  constexpr double kLongestSum = 6e18;
  return std::accumulate(durations.begin(), durations.end(), 0.0) < kLongestSum;
}

// `all`: the bytes of the whole capture, of which one file may have counted only its own.
void complete_progress(ReadProgress& progress, std::int64_t all, const Profile& profile) {
  progress.bytes_total = std::max(all, progress.bytes_total.load());
  if (!progress.memory.was_reached()) progress.bytes_done = progress.bytes_total.load();
  progress.events = profile.events;
}

}  // namespace

// ---- a reading ----

Result<ByteStream*> ReadContext::open() {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path_);
  if (!source) return source.error();
  source_ = *std::move(source);
  return &stream_.emplace(*source_, path_, options_.progress);
}

void ReadContext::note_damage(Profile& profile) const {
  if (source_ != nullptr && source_->damage()) note_damaged_compression(profile, "", *source_->damage(), stream_->position());
}

bool has_rows(const Profile& profile) {
  bool any = profile.events != 0;
  Profile::visit_tables(profile, [&](const auto& table) {
    using Table = std::decay_t<decltype(table)>;
    constexpr bool kBeside = std::is_same_v<Table, Problems> || std::is_same_v<Table, Metadata> || std::is_same_v<Table, Devices>;
    any |= !kBeside && table.rows() > 0;
  });
  return any;
}

void note_damaged_compression(Profile& profile, std::string_view file, const Message& damage, std::int64_t offset) {
  const Message message = say("{}; everything before it was read", damage);
  profile.add_problem(Severity::error, "damaged_compression", file.empty() ? message : say("{}: {}", file, message), 1, offset);
}

std::vector<std::string_view> split_line(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  std::size_t end = 0;
  for (std::size_t begin = 0; end != std::string_view::npos; begin = end + 1) {
    end = line.find(separator, begin);
    parts.push_back(line.substr(begin, end - begin));
  }
  return parts;
}

void complete_span(Profile& profile) {
  if (profile.span_start != 0 || profile.span_end != 0) return;
  for (Row slice = 0; slice < profile.slices.rows(); ++slice)
    profile.span_end = std::max(profile.span_end, profile.end_of(slice));
  if (profile.slices.rows() != 0) return;
  for (const auto* times : {&profile.memory_events.time, &profile.memory_usage.time, &profile.counters.time}) {
    for (const Time time : *times) profile.span_end = std::max(profile.span_end, time);
  }
}

// ---- a reader ----

bool Reader::claims(std::string_view file_name) const {
  if (claims_file != nullptr) return claims_file(file_name);
  const std::string_view plain = without(file_name, ".gz");
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return plain.ends_with(ending); });
}

bool Reader::sniff(std::string_view file_name, std::string_view head) const {
  return sniff_file != nullptr ? sniff_file(file_name, head) : claims(file_name);
}

ProfileName Reader::name(std::string_view file_name) const {
  if (name_file != nullptr) return name_file(file_name);
  const std::string_view plain = without(file_name, ".gz");
  for (const std::string_view ending : endings) {
    if (plain.ends_with(ending)) return {std::string(without(plain, ending)), ""};
  }
  return {std::string(plain.substr(0, plain.rfind('.'))), ""};
}

Result<std::unique_ptr<Profile>> Reader::read(const std::string& path, const ReadOptions& options) const {
  const std::int64_t all = options.progress == nullptr ? 0 : options.progress->bytes_total.load();
  ReadContext context(path, options);
  Result<std::unique_ptr<Profile>> read = read_capture(context);
  if (!read) return read;
  if (context.is_cancelled()) return Error{ErrorCode::cancelled, "cancelled", path};
  Profile& profile = **read;
  if (!can_be_added(profile.slices.duration))
    return Error{ErrorCode::malformed, "its times are damaged: its slices together last longer than 190 years", path + ":0"};
  context.note_damage(profile);
  const Empty empty = context.when_empty();
  if (empty != Empty::kept && !has_rows(profile)) {
    if (empty == Empty::refused || profile.problems.rows() != 0) return nothing_read(path, profile);
    profile.add_problem(Severity::warning, "no_events", "the list of events is empty", 1, 0);
  }
  complete_span(profile);
  profile.file = path;
  profile.format = id;
  set_words(words, profile);
  if (options.progress != nullptr) complete_progress(*options.progress, all, profile);
  return read;
}

Result<std::string> Reader::event_text(const std::string& path, std::int64_t source) const {
  if (text_at != nullptr) return text_at(path, source);
  const Error absent{ErrorCode::not_found, "no line begins here", path + ":" + std::to_string(source)};
  if (source < 0) return absent;
  const Result<std::unique_ptr<ByteSource>> bytes = open_bytes(path);
  if (!bytes) return bytes.error();
  ByteStream in(**bytes, path, nullptr);
  in.skip(source);
  std::string line;
  if (!in.line(line, kLongestLine)) return in.failed() ? in.error() : absent;
  return line;
}

}  // namespace sightline::formats
