// copy_direction: words in the names of copies.
#include "analyses/devices/device_copies.h"

#include <utility>

namespace sightline::analyses {

std::string_view copy_direction(const Profile& profile, Row slice) {
  if (profile.slices.kind[slice] == SliceKind::memset) return "Memset";
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"HtoD", "HtoD"},
      {"DtoH", "DtoH"},
      {"DtoD", "DtoD"},
      {"HtoH", "HtoH"},
      {"PtoP", "PtoP"},
      {"H2D", "HtoD"},
      {"D2H", "DtoH"},
      {"D2D", "DtoD"},
      {"H2H", "HtoH"},
      {"P2P", "PtoP"},
      {"HostToDevice", "HtoD"},
      {"DeviceToHost", "DtoH"},
      {"DeviceToDevice", "DtoD"},
      {"HostToHost", "HtoH"},
  };
  const std::string_view name = profile.text(profile.slices.name[slice]);
  for (const auto& [word, direction] : kWords) {
    if (name.find(word) != std::string_view::npos) return direction;
  }
  return "other copies";
}

}  // namespace sightline::analyses
