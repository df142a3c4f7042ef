// What a profile's devices and their parts are called, so that every view says GPU of a GPU and NPU of an NPU. The reader
// states the words; where it does not know, they are the ones that fit any device.
#pragma once

#include <string>
#include <string_view>

#include "base/message.h"
#include "model/profile.h"

namespace sightline::analyses {

struct DeviceWords {
  Message device = "device";
  Message matrix = "matrix units";  // a plural
  Message core = "core";
};

DeviceWords device_words(const Profile& profile);

// The word as the beginning of a title: "tensor cores" -> "Tensor cores".
Message title_word(std::string_view word);

}  // namespace sightline::analyses
