// A whole JSON file in memory, read once from its beginning to its end.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "formats/read_context.h"

namespace sightline::formats::call_trees {

// Takes member after member of a document; simdjson's errors become Errors that name the place.
class JsonFile {
 public:
  // Reads the file; an Error if it cannot be read, or is longer than simdjson can take.
  Result<bool> load(ReadContext& context);
  simdjson::simdjson_result<simdjson::dom::element> parse() { return parser_.parse(text_.data(), text_.size(), false); }
  std::string_view text() const { return text_; }
  Error error(simdjson::error_code code) const;

 private:
  std::string path_;
  std::string text_;  // with simdjson's padding after it
  simdjson::dom::parser parser_;
};

// A member's value; a default if it is absent or of another type.
double number_of(simdjson::dom::object object, std::string_view key, double otherwise);
std::int64_t integer_of(simdjson::dom::object object, std::string_view key, std::int64_t otherwise);
std::string_view text_of(simdjson::dom::object object, std::string_view key);
// Empty if the member is no list.
std::vector<simdjson::dom::element> list_of(simdjson::dom::object object, std::string_view key);

}  // namespace sightline::formats::call_trees
