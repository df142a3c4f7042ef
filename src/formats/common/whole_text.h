// Files that are read at once, because their form has no other way: how long they may be.
#pragma once

#include <cstddef>
#include <string>

#include "base/input_file.h"
#include "base/result.h"
#include "formats/reader.h"

namespace sightline::formats {

// The longest JSON document to read at once: as much as the memory limit of the reading allows, because a tree takes up to seven
// times its text, and never more than `most` bytes. Null: no limit.
std::size_t most_json_bytes(const ReadProgress* progress, std::size_t most = std::size_t{256} << 20);

// unsupported: a file has more than `most` bytes of JSON.
Error too_much_json(const std::string& path, std::size_t most);

// The rest of a source. too_much_json: it has more than `most` bytes.
Result<std::string> whole_text(ByteSource& source, const std::string& path, std::size_t most);

}  // namespace sightline::formats
