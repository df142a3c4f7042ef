// Blocks of 512 bytes: a header each, the member's bytes, and padding to the next block.
#include "formats/neuron/tar_members.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace sightline::formats::neuron {

namespace {

constexpr std::size_t kMostMembers = 100'000;
constexpr std::uint64_t kLongestName = 64 * 1024;
constexpr std::uint64_t kLongestDocument = std::uint64_t{1} << 20;
constexpr std::array<std::string_view, 4> kDocuments{"info.json", "hlo_metrics.json", "hlo_stats.json", "metrics.json"};

// A number in octal digits, between blanks; or, with the highest bit of the field, in binary.
std::optional<std::uint64_t> number_of(std::string_view field) {
  std::uint64_t value = 0;
  if (!field.empty() && (static_cast<unsigned char>(field[0]) & 0x80) != 0) {
    for (const char byte : field.substr(field.size() - 8)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  const std::size_t first = field.find_first_not_of(' ');
  if (first == std::string_view::npos || field[first] == '\0') return 0;
  const std::string_view digits = field.substr(first, field.find_first_of(std::string_view(" \0", 2), first) - first);
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string_view text_of(std::string_view field) { return field.substr(0, field.find('\0')); }

// The sum of a header's bytes, with blanks in the place of the sum itself.
std::uint64_t sum_of(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  return sum;
}

// The member `path` of pax attributes: lines of "LENGTH KEY=VALUE".
std::string path_of(std::string_view attributes) {
  for (std::size_t at = attributes.find(" path="); at != std::string_view::npos; at = attributes.find(" path=", at + 1)) {
    const std::size_t end = attributes.find('\n', at);
    if (end != std::string_view::npos) return std::string(attributes.substr(at + 6, end - at - 6));
  }
  return "";
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool TarMembers::add(const char* bytes, std::size_t size) {
  while (size > 0 && !ended_ && damage_.empty()) {
    std::size_t now = 0;
    if (left_ > 0) {
      now = static_cast<std::size_t>(std::min<std::uint64_t>(left_, size));
      if (keep_ != Keep::nothing) kept_.append(bytes, now);
      left_ -= now;
      if (left_ == 0) end_member();
    } else if (padding_ > 0) {
      now = static_cast<std::size_t>(std::min<std::uint64_t>(padding_, size));
      padding_ -= now;
    } else {
      now = std::min(size, kBlock - block_.size());
      block_.append(bytes, now);
    }
    position_ += now;
    if (block_.size() == kBlock) {
      take_header();
      block_.clear();
    }
    bytes += now;
    size -= now;
  }
  return !ended_ && damage_.empty();
}

void TarMembers::fail(std::string why) { damage_ = fmt::format("{} (byte {} of the unpacked archive)", why, position_ - kBlock); }

void TarMembers::take_header() {
  const std::string_view block = block_;
  if (block.find_first_not_of('\0') == std::string_view::npos) {
    ended_ = ++empty_blocks_ == 2;
    return;
  }
  empty_blocks_ = 0;
  const std::optional<std::uint64_t> size = number_of(block.substr(124, 12)), sum = number_of(block.substr(148, 8));
  if (!sum || *sum != sum_of(block)) return fail("a header whose checksum is wrong");
  if (!size || *size >> 48 != 0) return fail("a member whose size is not a number");
  if (members_.size() == kMostMembers) return fail("more than 100,000 members");
  const char kind = block[156];
  name_ = text_of(block.substr(0, 100));
  const std::string_view prefix = text_of(block.substr(345, 155));
  if (block.substr(257, 6) == std::string_view("ustar\0", 6) && !prefix.empty()) name_ = std::string(prefix) + "/" + name_;
  left_ = *size;
  padding_ = (kBlock - *size % kBlock) % kBlock;
  kept_.clear();
  keep_ = kind == 'L' ? Keep::long_name : kind == 'x' ? Keep::attributes : Keep::nothing;
  if (keep_ != Keep::nothing) {
    if (*size > kLongestName) fail("a name of more than 64 KiB");
    if (*size == 0) keep_ = Keep::nothing;
    return;
  }
  if (!next_name_.empty()) name_ = std::exchange(next_name_, "");
  const bool file = kind == '0' || kind == '\0' || kind == '7';
  if (!file) return;  // folders, links and the archive's own remarks
  members_.emplace_back(name_, *size);
  const bool wanted = std::find(kDocuments.begin(), kDocuments.end(), base_name(name_)) != kDocuments.end();
  if (wanted && *size > 0 && *size <= kLongestDocument) keep_ = Keep::document;
}

void TarMembers::end_member() {
  switch (keep_) {
    case Keep::nothing: break;
    case Keep::document: documents_.emplace_back(name_, std::move(kept_)); break;
    case Keep::long_name: next_name_ = std::string(text_of(kept_)); break;
    case Keep::attributes: next_name_ = path_of(kept_); break;
  }
  kept_.clear();
  keep_ = Keep::nothing;
}

}  // namespace sightline::formats::neuron
