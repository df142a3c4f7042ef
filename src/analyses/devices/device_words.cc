// The reader's words, or those of any device.
#include "analyses/devices/device_words.h"

namespace sightline::analyses {

DeviceWords device_words(const Profile& profile) {
  DeviceWords words;
  if (!profile.device_word.empty()) words.device = profile.device_word;
  if (!profile.matrix_word.empty()) words.matrix = profile.matrix_word;
  if (!profile.core_word.empty()) words.core = profile.core_word;
  return words;
}

Message title_word(std::string_view word) {
  std::string title(word);
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

}  // namespace sightline::analyses
