// WindowCutter and the search for cuts.
#include "formats/trace_events/windows.h"

#include <algorithm>
#include <cstring>

namespace sightline::formats::trace_events {

namespace {

constexpr std::size_t kFirstWindow = std::size_t{1} << 16;  // most files of a test, or of one step, need no more

constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

void Buffer::reserve(std::size_t size, std::size_t keep) {
  if (size + EventScanner::kPadding <= capacity_) return;
  const std::size_t capacity = size + EventScanner::kPadding;
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (keep != 0) std::memcpy(grown.get(), data_.get(), keep);
  data_ = std::move(grown);
  capacity_ = capacity;
}

std::size_t last_event_start(const char* text, std::size_t size) {
  for (std::size_t i = size; i-- > 1;) {
    if (text[i] != '{') continue;
    std::size_t before = i;
    while (before > 0 && is_blank(text[before - 1])) --before;
    if (before == 0 || text[before - 1] != ',') continue;
    --before;
    while (before > 0 && is_blank(text[before - 1])) --before;
    if (before == 0 || text[before - 1] != '}') continue;
    std::size_t after = i + 1;
    while (after < size && is_blank(text[after])) ++after;
    if (after < size && text[after] == '"') return i;
  }
  return 0;
}

Result<bool> WindowCutter::next(Window& window) {
  if (ended_ && carry_.empty()) return false;
  const std::size_t wanted = index_ == 0 ? std::min(window_bytes_, kFirstWindow) : window_bytes_;
  std::size_t target = std::max(wanted, carry_.size() + 1);
  window.text.reserve(target, 0);
  if (!carry_.empty()) std::memcpy(window.text.data(), carry_.data(), carry_.size());
  std::size_t size = carry_.size();
  carry_.clear();
  std::size_t cut = 0;
  while (true) {
    if (!ended_) {
      Result<std::size_t> got = source_.read(window.text.data() + size, target - size);
      if (!got) return got.error();
      ended_ = *got < target - size;
      size += *got;
    }
    if (ended_) {
      cut = size;
      break;
    }
    cut = last_event_start(window.text.data(), size);
    if (cut == 0 && size >= kLongestEvent) cut = size;
    if (cut != 0) break;
    target = std::min(2 * target, std::max(kLongestEvent, target + 1));
    window.text.reserve(target, size);
  }
  carry_.assign(window.text.data() + cut, size - cut);
  window.size = cut;
  window.offset = offset_;
  window.index = index_++;
  window.last = ended_ && carry_.empty();
  offset_ += static_cast<std::int64_t>(cut);
  return true;
}

}  // namespace sightline::formats::trace_events
