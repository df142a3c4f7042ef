#include "formats/common/stack_pool.h"

#include <algorithm>

#include "formats/common/frame_rules.h"

namespace sightline::formats {

namespace {

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

}  // namespace

std::size_t StackPool::HashOfFrame::operator()(const StackFrame& frame) const {
  const auto texts = std::uint64_t{static_cast<std::uint32_t>(frame.name)} << 32 | static_cast<std::uint32_t>(frame.file);
  return mixed(mixed(0, texts), static_cast<std::uint64_t>(frame.line));
}

Row StackPool::frame(const StackFrame& frame) {
  const auto [at, is_new] = numbers_.try_emplace(frame, static_cast<Row>(frames_.size()));
  if (is_new) frames_.push_back(frame);
  return at->second;
}

Row StackPool::stack(std::span<const Row> frames, std::size_t most) {
  std::uint64_t hash = frames.size();
  for (const Row frame : frames) hash = mixed(hash, frame);
  Row& known = by_hash_.try_emplace(hash, kNoRow).first->second;
  if (known != kNoRow && is_stack(known, frames)) return known;
  if (p_.stacks.rows() + frames.size() > most) return kNoRow;
  Row row = kNoRow;
  for (std::size_t i = frames.size(); i-- > 0;) row = called_from(row, frames[i]);
  return known = row;
}

bool StackPool::is_stack(Row stack, std::span<const Row> frames) const {
  for (const Row frame : frames) {
    if (stack == kNoRow || frame_of_[stack] != frame) return false;
    stack = p_.stacks.caller[stack];
  }
  return stack == kNoRow;
}

// ---- the rows of each caller ----

Row StackPool::called_from(Row caller, Row frame) {
  if ((frame_of_.size() + 1) * 2 > places_.size()) grow();
  Row& place = places_[place_of(caller, frame)];
  if (place != kNoRow) return place;
  add_row(caller, frame);
  return place = static_cast<Row>(frame_of_.size()) - 1;
}

// Where that row is in places_, or would be.
std::size_t StackPool::place_of(Row caller, Row frame) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = mixed(mixed(0, caller), frame) & mask;
  while (places_[at] != kNoRow && (p_.stacks.caller[places_[at]] != caller || frame_of_[places_[at]] != frame))
    at = (at + 1) & mask;
  return at;
}

void StackPool::grow() {
  places_.assign(std::max<std::size_t>(64, places_.size() * 2), kNoRow);
  for (Row row = 0; row < frame_of_.size(); ++row) places_[place_of(p_.stacks.caller[row], frame_of_[row])] = row;
}

void StackPool::add_row(Row caller, Row frame) {
  Stacks& to = p_.stacks;
  const Row row = add_unknown_row(to);
  frame_of_.push_back(frame);
  const StackFrame& of = frames_[frame];
  const std::string_view name = p_.text(of.name), file = p_.text(of.file);
  const StringId part_of_caller = caller == kNoRow ? StringId::none : to.part[caller];
  to.caller[row] = caller;
  to.name[row] = of.name;
  to.file[row] = of.file;
  to.line[row] = of.line;
  to.library[row] = is_library(name, file);
  const std::string_view around = p_.text(part_of_caller);
  const std::string_view part = part_inside(around, name, file);
  to.part[row] = part == around ? part_of_caller : p_.strings.intern(part);
}

}  // namespace sightline::formats
