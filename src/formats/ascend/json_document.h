// JsonDocument: a small JSON file as a tree. What these files hold beyond JSON is mended: control characters in strings, and N/A
// where a value should be.
#pragma once

#include <memory>
#include <string>

#include <simdjson.h>

#include "base/memory.h"
#include "base/result.h"

namespace sightline::formats::ascend {

// How long a document may be that is read whole, where reading may take so much memory; null: any.
std::size_t most_json_bytes(const MemoryLimit* limit);

class JsonDocument {
 public:
  // malformed: names the byte at which the text stops being JSON; unsupported: it has more than `most` bytes.
  static Result<JsonDocument> open(const std::string& path, std::size_t most);

  simdjson::dom::element root() const { return root_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element root_;
};

// A member as a real, whether it is written as a number or as text; NaN when it is neither.
double real_member(simdjson::dom::object object, std::string_view key);

// A member as text: of a string its content, of anything else its JSON text; empty when it is absent.
std::string text_member(simdjson::dom::object object, std::string_view key);

}  // namespace sightline::formats::ascend
