// What a profile's devices and their parts are called, so that every view says GPU of a GPU and NPU of an NPU. The reader
// states the words; where it does not know, they are the ones that fit any device.
#pragma once

#include <string>
#include <string_view>

#include "model/profile.h"

namespace sightline {

struct DeviceWords {
  std::string device = "device";
  std::string matrix = "matrix units";  // a plural
  std::string core = "core";
};

DeviceWords device_words(const Profile& profile);

// The word as the beginning of a title: "tensor cores" -> "Tensor cores".
std::string title_word(std::string_view word);

}  // namespace sightline
