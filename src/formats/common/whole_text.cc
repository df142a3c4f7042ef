#include "formats/common/whole_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace sightline::formats {

namespace {

constexpr std::int64_t kShareOfMemory = 24;  // three tenths are for what is read, and a tree takes up to seven times its text

}  // namespace

std::size_t most_json_bytes(const ReadProgress* progress, std::size_t most) {
  const std::int64_t memory = progress == nullptr ? 0 : progress->memory.bytes();
  return memory == 0 ? most : std::min(most, static_cast<std::size_t>(memory / kShareOfMemory));
}

Error too_much_json(const std::string& path, std::size_t most) {
  const std::string megabytes = fmt::format("{:.1f} MB", static_cast<double>(most) / 1e6);
  return {ErrorCode::unsupported, say("the file is not read: it holds more than {} of JSON", megabytes), path};
}

Result<std::string> whole_text(ByteSource& source, const std::string& path, std::size_t most) {
  std::string text;
  for (bool more = true; more;) {
    const std::size_t had = text.size(), block = had == 0 ? std::size_t{1} << 14 : std::size_t{1} << 20;
    text.resize(had + block);
    const Result<std::size_t> read = source.read(text.data() + had, block);
    if (!read) return read.error();
    more = *read == block;
    text.resize(had + *read);
    if (text.size() > most) return too_much_json(path, most);
  }
  return text;
}

}  // namespace sightline::formats
