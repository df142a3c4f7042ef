// The rows of a JSON file that is one object of sections, each a list of objects (or one object): one after the other, whatever
// the file's size. Only one row is in memory at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "formats/binary/byte_stream.h"

namespace sightline::formats::neuron {

// Calls take(section, row, offset): the row's text is an object, which may be no valid JSON inside, and lies at `offset`. It may
// be changed and has room for simdjson's padding behind it. False when the file ended before the object did; damage before that
// is an error of the stream.
//
// Members that are neither a list nor an object go to `take_other(name, JSON text)`, where there is one.
bool for_each_row(ByteStream& in,
                  const std::function<void(const std::string& section, std::string& row, std::int64_t offset)>& take,
                  const std::function<void(const std::string& name, const std::string& text)>& take_other = nullptr);

// The object that begins at the stream's position; empty when there is none.
std::string row_at(ByteStream& in);

}  // namespace sightline::formats::neuron
