// The rows of a JSON file that is one object of sections, each a list of objects (or one object): one after the other, whatever
// the file's size. Only one row is in memory at a time.
#pragma once

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "formats/binary/byte_stream.h"
#include "model/tables.h"

namespace sightline::formats::json_rows {

// ---- rows ----

// Calls take(section, row, offset): the row's text is an object, which may be invalid JSON inside, at byte `offset`. The text
// may be changed and is followed by simdjson's padding. False if the file ended before the object; damage before that is an
// error of the stream.
//
// Members that are neither a list nor an object go to `take_other(name, JSON text)`, if it is given.
bool for_each_row(ByteStream& in,
                  const std::function<void(const std::string& section, std::string& row, std::int64_t offset)>& take,
                  const std::function<void(const std::string& name, const std::string& text)>& take_other = nullptr);

// The same for a file whose sections are nested: an object for whose path `is_section` is true is a section, so its members are
// visited; every other object is a row. The path of a member is that of its section, "/" and its name; a list adds nothing to the
// path, and the root's is empty. take(path, row, offset).
bool for_each_nested_row(ByteStream& in, const std::function<bool(std::string_view path)>& is_section,
                         const std::function<void(const std::string& path, std::string& row, std::int64_t offset)>& take);

// The object that begins at the stream's position; empty if there is none.
std::string row_at(ByteStream& in);

// ---- fields ----
// Members of a row. Whole numbers may be quoted.

// kUnknown: no such member, or not a whole number.
inline std::int64_t integer(const simdjson::dom::object& row, std::string_view key) {
  std::int64_t number = 0;
  if (row[key].get(number) == simdjson::SUCCESS) return number;
  std::string_view text;
  if (row[key].get(text) != simdjson::SUCCESS) return kUnknown;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size() && !text.empty() ? number : kUnknown;
}

// "": no such member, or not a text.
inline std::string_view text(const simdjson::dom::object& row, std::string_view key) {
  std::string_view found;
  return row[key].get(found) == simdjson::SUCCESS ? found : std::string_view();
}

// NaN: no such member, or not a number.
inline double real(const simdjson::dom::object& row, std::string_view key) {
  double number = 0;
  return row[key].get(number) == simdjson::SUCCESS ? number : static_cast<double>(kUnknownReal);
}

// A member as text: the content of a string, or the JSON of anything else.
inline std::string shown(const simdjson::dom::element& value) {
  std::string_view found;
  return value.get(found) == simdjson::SUCCESS ? std::string(found) : simdjson::minify(value);
}

}  // namespace sightline::formats::json_rows
