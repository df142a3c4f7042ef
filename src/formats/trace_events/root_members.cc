// Root members: scanned by bracket counting; the few that matter are parsed with simdjson.
#include "formats/trace_events/root_members.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "formats/common/decimal.h"
#include "model/tables.h"

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kNpos = std::string_view::npos;

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) ++at;
  return at;
}

// One past the closing quote of the string that opens at `at`, or npos if it is cut.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return kNpos;
}

// One past the value at `at`, or npos if it is cut.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
      if (at == kNpos) return kNpos;
      if (depth == 0) return at;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return at;  // the end of a bare scalar
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (c == ',' || c == ' ' || c == '\n' || c == '\r')) return at;
    ++at;
  }
  return kNpos;
}

std::int64_t number(simdjson::dom::element element, const char* key) {
  std::int64_t value = 0;
  return element[key].get(value) == simdjson::SUCCESS ? value : kUnknown;
}

StringId text(simdjson::dom::element element, const char* key, StringPool& strings) {
  std::string_view value;
  return element[key].get(value) == simdjson::SUCCESS ? strings.intern(value) : StringId::none;
}

// Either of two spellings; writers for other vendors use their own.
std::int64_t either(std::int64_t a, std::int64_t b) { return a != kUnknown ? a : b; }

void add_devices(const std::string& json, Profile& profile) {
  simdjson::dom::parser parser;
  simdjson::dom::array list;
  if (parser.parse(json).get(list) != simdjson::SUCCESS) return;
  Devices& devices = profile.devices;
  std::int64_t position = 0;
  for (simdjson::dom::element device : list) {
    const Row row = add_unknown_row(devices);
    devices.ordinal[row] = either(number(device, "id"), position++);
    devices.name[row] = text(device, "name", profile.strings);
    devices.memory[row] = number(device, "totalGlobalMem");
    devices.compute_major[row] = number(device, "computeMajor");
    devices.compute_minor[row] = number(device, "computeMinor");
    devices.cores[row] = either(number(device, "numSms"), number(device, "maxComputeUnits"));
    devices.threads_per_core[row] = number(device, "maxThreadsPerMultiprocessor");
    devices.registers_per_core[row] = number(device, "regsPerMultiprocessor");
    devices.shared_per_core[row] =
        either(number(device, "sharedMemPerMultiprocessor"), number(device, "maxSharedMemoryPerMultiProcessor"));
    devices.shared_per_block[row] = number(device, "sharedMemPerBlock");
    devices.warp_size[row] = number(device, "warpSize");
  }
}

void apply_distributed(const std::string& json, Profile& profile) {
  simdjson::dom::parser parser;
  simdjson::dom::element info;
  if (parser.parse(json).get(info) != simdjson::SUCCESS || !info.is_object()) return;
  profile.rank = number(info, "rank");
  profile.world_size = number(info, "world_size");
}

}  // namespace

RootScan scan_root_members(std::string_view text, std::size_t& at, RootMembers& members) {
  while (true) {
    std::size_t p = skip_blanks(text, at);
    while (p < text.size() && text[p] == ',') p = skip_blanks(text, p + 1);
    at = p;
    if (p >= text.size()) return RootScan::need_more;
    if (text[p] == '}') return RootScan::ended;
    if (text[p] != '"') return RootScan::not_json;
    const std::size_t key_end = end_of_string(text, p);
    if (key_end == kNpos) return RootScan::need_more;
    const std::size_t colon = skip_blanks(text, key_end);
    if (colon >= text.size()) return RootScan::need_more;
    if (text[colon] != ':') return RootScan::not_json;
    const std::size_t value = skip_blanks(text, colon + 1);
    if (value >= text.size()) return RootScan::need_more;
    const std::string_view key = text.substr(p + 1, key_end - p - 2);
    if (key == "traceEvents" && text[value] == '[') {
      at = value + 1;
      return RootScan::found_events;
    }
    const std::size_t value_end = end_of_value(text, value);
    if (value_end == kNpos) return RootScan::need_more;
    if (value_end == value) return RootScan::not_json;
    members.emplace_back(key, text.substr(value, value_end - value));
    at = value_end;
  }
}

// Skips the rest of the member that rest_ begins with, of whose value a part is there. A key is not skipped, nor is text that
// is not JSON.
RootScan RootText::skip_member() {
  const std::size_t key_end = end_of_string(rest_, 0);
  if (key_end == kNpos) return RootScan::not_json;
  const std::size_t value = skip_blanks(rest_, skip_blanks(rest_, key_end) + 1);
  if (value >= rest_.size()) return RootScan::not_json;
  if (skipped_++ == 0) first_skipped_ = offset_;
  skipping_.emplace();
  offset_ += static_cast<std::int64_t>(value + skipping_->feed(std::string_view(rest_).substr(value)));
  rest_.clear();
  return RootScan::need_more;
}

// Members that are too long by themselves, and the one that makes the sum too long. `begin`: where the text that contains
// them begins.
void RootText::drop_long_members(std::int64_t begin) {
  std::size_t kept = checked_;
  for (std::size_t i = checked_; i < members_.size(); ++i) {
    const std::size_t bytes = members_[i].first.size() + members_[i].second.size() + sizeof members_[i];
    if (kept_bytes_ + bytes > kLongestMember) {
      if (skipped_++ == 0) first_skipped_ = begin;
      continue;
    }
    kept_bytes_ += bytes;
    if (kept != i) members_[kept] = std::move(members_[i]);
    ++kept;
  }
  members_.resize(kept);
  checked_ = kept;
}

RootScan RootText::add(std::string_view piece) {
  if (skipping_) {
    const std::size_t skipped = skipping_->feed(piece);
    offset_ += static_cast<std::int64_t>(skipped);
    if (!skipping_->ended()) return RootScan::need_more;
    skipping_.reset();
    piece.remove_prefix(skipped);
  }
  const std::int64_t begin = offset_;
  rest_.append(piece);
  std::size_t at = 0;
  const RootScan scan = scan_root_members(rest_, at, members_);
  rest_.erase(0, at);
  offset_ += static_cast<std::int64_t>(at);
  drop_long_members(begin);
  return scan == RootScan::need_more && rest_.size() > kLongestMember ? skip_member() : scan;
}

std::int64_t apply_root_members(const RootMembers& members, Profile& profile) {
  std::int64_t base = 0;
  for (const auto& [key, value] : members) {
    if (key == "deviceProperties") add_devices(value, profile);
    if (key == "distributedInfo") apply_distributed(value, profile);
    if (key == "host_name" && value.size() > 2) profile.host = value.substr(1, value.size() - 2);
    if (key == "baseTimeNanoseconds") base = std::clamp(parse_integer(value).value_or(0), -kFarthestNs, kFarthestNs);
    std::string_view shown = value;
    if (shown.size() >= 2 && shown.front() == '"') shown = shown.substr(1, shown.size() - 2);
    profile.metadata.key.push_back(profile.strings.intern(key));
    profile.metadata.value.push_back(profile.strings.intern(shown));
  }
  return base;
}

}  // namespace sightline::formats::trace_events
