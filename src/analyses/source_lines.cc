#include "analyses/source_lines.h"

#include <algorithm>
#include <vector>

#include "base/fields.h"

namespace sightline::analyses {

FrameKind kind_of_frame(std::string_view frame) {
  if (frame.find(".py(") == frame.npos) return FrameKind::built_in;
  for (const std::string_view part : {"site-packages/", "dist-packages/", "/lib/python", "<frozen "}) {
    if (frame.find(part) != frame.npos) return FrameKind::library;
  }
  for (const std::string_view package : {"torch/", "jax/", "threading.py(", "runpy.py("}) {
    if (frame.starts_with(package)) return FrameKind::library;
  }
  return FrameKind::own;
}

std::string_view line_of_stack(std::string_view stack) {
  const std::vector<std::string_view> frames = split_fields(stack, ";");
  if (frames.empty()) return "";
  return *std::max_element(frames.begin(), frames.end(),
                           [](std::string_view a, std::string_view b) { return kind_of_frame(a) < kind_of_frame(b); });
}

}  // namespace sightline::analyses
