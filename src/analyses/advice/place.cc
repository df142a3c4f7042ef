// Finding frames and operators around a call or a window.
#include "analyses/advice/place.h"

#include <algorithm>
#include <optional>

#include "analyses/advice/recommendations.h"
#include "analyses/source_lines.h"
#include "base/fields.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

bool is_frame(const Profile& profile, Row slice) { return profile.slices.kind[slice] == SliceKind::python; }

std::string stack_of(const Profile& profile, Row slice) {
  const auto& slices = profile.operators.slice;
  const auto at = std::lower_bound(slices.begin(), slices.end(), slice);
  if (at == slices.end() || *at != slice) return "";
  return std::string(profile.text(profile.operators.call_stack[static_cast<std::size_t>(at - slices.begin())]));
}

std::optional<Row> slice_of(const Profile& profile, const Advice& advice) {
  for (const auto& [key, value] : advice.link_parameters) {
    const auto slice = whole_number<Row>(value);
    if (key == "slice" && slice && *slice < profile.slices.rows()) return slice;
  }
  return std::nullopt;
}

// What takes at least half of the window on one thread: its outermost operator, and the innermost frame of the user's own code.
struct Takers {
  Row call = kNoRow, frame = kNoRow;
};

Takers takers_of(const Profile& profile, const Interval& window) {
  Takers found;
  const auto depth = [&](Row slice) { return profile.slices.depth[slice]; };
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    const SliceKind kind = profile.slices.kind[slice];
    if (kind != SliceKind::op && kind != SliceKind::data_loading && kind != SliceKind::python) continue;
    const Time inside = std::min(profile.end_of(slice), window.end) - std::max(profile.slices.start[slice], window.start);
    if (2 * inside < window.length()) continue;
    if (kind == SliceKind::python) {
      if (kind_of_frame(profile.text(profile.slices.name[slice])) != FrameKind::own) continue;
      if (found.frame == kNoRow || depth(slice) > depth(found.frame)) found.frame = slice;
    } else if (found.call == kNoRow || depth(slice) < depth(found.call)) {
      found.call = slice;
    }
  }
  return found;
}

std::string joined(std::string_view call, const std::string& line) {
  if (call.empty() || line.empty()) return call.empty() ? line : short_name(call);
  return short_name(call) + " at " + line;
}

}  // namespace

std::string source_line(const Profile& profile, Row slice) {
  Row innermost = kNoRow;
  for (Row around = slice; around != kNoRow; around = profile.slices.parent[around]) {
    if (!is_frame(profile, around)) continue;
    if (kind_of_frame(profile.text(profile.slices.name[around])) == FrameKind::own)
      return std::string(profile.text(profile.slices.name[around]));
    if (innermost == kNoRow) innermost = around;
  }
  if (innermost != kNoRow) return std::string(profile.text(profile.slices.name[innermost]));
  for (Row around = slice; around != kNoRow; around = profile.slices.parent[around]) {
    if (const std::string stack = stack_of(profile, around); !stack.empty()) return std::string(line_of_stack(stack));
  }
  return "";
}

Row host_side(const Profile& p, Row slice) {
  if (slice == kNoRow || !is_device_work(p.slices.kind[slice])) return slice;
  const auto work = std::lower_bound(p.device_work.slice.begin(), p.device_work.slice.end(), slice);
  if (work == p.device_work.slice.end() || *work != slice) return slice;
  const Row launch = p.device_work.launch[static_cast<std::size_t>(work - p.device_work.slice.begin())];
  return launch == kNoRow ? slice : p.launches.slice[launch];
}

std::optional<Interval> window_of(const Profile& profile, const Advice& advice) {
  for (const auto& [key, value] : advice.link_parameters) {
    if (key != "timeline.range") continue;
    const std::vector<std::string_view> ends = split_fields(value, ",");
    const auto start = whole_number<Time>(ends.front()), end = whole_number<Time>(ends.back());
    if (start && end) return Interval{*start, *end};
  }
  const std::optional<Row> slice = slice_of(profile, advice);
  return slice ? std::optional(Interval{profile.slices.start[*slice], profile.end_of(*slice)}) : std::nullopt;
}

std::string place_of(const Profile& profile, const Advice& advice) {
  if (const std::optional<Row> slice = slice_of(profile, advice))
    return joined(profile.text(profile.slices.name[*slice]), source_line(profile, *slice));
  const std::optional<Interval> window = window_of(profile, advice);
  if (!window || window->length() <= 0) return "";
  const Takers takers = takers_of(profile, *window);
  if (takers.call != kNoRow) return joined(profile.text(profile.slices.name[takers.call]), source_line(profile, takers.call));
  return takers.frame == kNoRow ? "" : std::string(profile.text(profile.slices.name[takers.frame]));
}

}  // namespace sightline::analyses
