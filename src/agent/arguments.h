// What a tool takes: its declared inputs, which are also its JSON schema, and the arguments of one call, checked against them.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "engine/answers.h"

namespace sightline::agent {

enum class InputType : std::uint8_t { text, integer, flag, texts, map };  // texts: a list; map: names with values

struct Input {
  std::string_view name;
  InputType type = InputType::text;
  std::string_view doc;
  bool required = false;
  std::int64_t least = 0, most = 0;  // of an integer
};

// "inputSchema": JSON Schema of an object with these members.
void write_input_schema(JsonWriter& json, std::span<const Input> inputs);

class Arguments {
 public:
  // Checks an object against the declarations: an unknown member, a wrong type or a missing member is an invalid_argument error
  // that lists what is valid.
  static Result<Arguments> bind(std::span<const Input> inputs, simdjson::dom::element object);

  // "key=value" texts in place of JSON: integers, flags ("true") and texts; a map as "params.key=value", a list separated by
  // commas.
  static Result<Arguments> bind(std::span<const Input> inputs, const std::vector<std::pair<std::string, std::string>>& texts);

  // Empty, `otherwise`, false: not given. REQUIRES: the input is declared with that type.
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  bool flag(std::string_view name) const;
  const std::vector<std::string>& texts(std::string_view name) const;
  const ParameterTexts& map(std::string_view name) const;
  bool has(std::string_view name) const;

 private:
  Result<bool> add_text(const Input& input, std::string_view key, std::string_view text);

  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, std::int64_t, std::less<>> integers_;
  std::map<std::string, std::vector<std::string>, std::less<>> lists_;
  std::map<std::string, ParameterTexts, std::less<>> maps_;
};

}  // namespace sightline::agent
