// What device work does in a step of a language model: attention, products, and the rest, by the names of kernels and of the
// ranges that caused them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace sightline::analyses {

enum class WorkPart : std::uint8_t { attention, products, norms, sampling, other, communication, copies };
inline constexpr std::size_t kWorkParts = 7;

struct WorkPartInfo {
  std::string_view key, title;
  std::string_view hue;  // a category
  std::string_view doc;  // what belongs to it
};

const WorkPartInfo& info_of(WorkPart part);

// By row of device_work.
std::vector<WorkPart> parts_of_work(const Profile& profile);

}  // namespace sightline::analyses
