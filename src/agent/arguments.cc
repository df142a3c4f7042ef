// Binding of arguments, and their schema.
#include "agent/arguments.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/fields.h"
#include "base/text.h"
#include "output/terminal_text.h"

namespace sightline::agent {

namespace {

Error invalid(const std::string& why) { return {ErrorCode::invalid_argument, Message::verbatim(why), ""}; }

std::string names_of(std::span<const Input> inputs) {
  std::string names;
  for (const Input& input : inputs) names.append(names.empty() ? "" : ", ").append(input.name);
  return names;
}

const Input* find(std::span<const Input> inputs, std::string_view name) {
  const auto at = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) { return input.name == name; });
  return at == inputs.end() ? nullptr : &*at;
}

Error unknown_argument(std::span<const Input> inputs, std::string_view name) {
  return invalid(fmt::format("no argument '{}'; valid: {}", cut_middle(printable(name), 80), names_of(inputs)));
}

std::string_view type_words(InputType type) {
  switch (type) {
    case InputType::text: return "a string";
    case InputType::integer: return "an integer";
    case InputType::flag: return "true or false";
    case InputType::texts: return "a list of strings";
    case InputType::map: return "an object of strings, numbers or booleans";
  }
  return "";
}

Error wrong_type(const Input& input) { return invalid(fmt::format("argument '{}' is {}", input.name, type_words(input.type))); }

// A scalar as the views' parameters take it.
std::optional<std::string> scalar_text(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING: return std::string(std::string_view(value));
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64:
    case simdjson::dom::element_type::DOUBLE: return simdjson::minify(value);
    case simdjson::dom::element_type::BOOL: return std::string(bool(value) ? "true" : "false");
    default: return std::nullopt;
  }
}

Result<bool> in_range(const Input& input, std::int64_t number) {
  if (input.least == input.most || (number >= input.least && number <= input.most)) return true;
  return invalid(fmt::format("argument '{}' is from {} to {}", input.name, input.least, input.most));
}

template <typename Map>
const typename Map::mapped_type& value_or_empty(const Map& map, std::string_view name) {
  static const typename Map::mapped_type kEmpty{};
  const auto at = map.find(name);
  return at == map.end() ? kEmpty : at->second;
}

}  // namespace

void write_input_schema(JsonWriter& json, std::span<const Input> inputs) {
  json.begin_object().member("type", "object").key("properties").begin_object();
  for (const Input& input : inputs) {
    json.key(input.name).begin_object();
    constexpr std::string_view kTypes[] = {"string", "integer", "boolean", "array", "object"};
    json.member("type", kTypes[static_cast<std::size_t>(input.type)]);
    if (input.type == InputType::texts) json.key("items").begin_object().member("type", "string").end_object();
    if (input.type == InputType::integer && input.least != input.most)
      json.member("minimum", input.least).member("maximum", input.most);
    json.member("description", input.doc).end_object();
  }
  json.end_object();
  if (std::any_of(inputs.begin(), inputs.end(), [](const Input& input) { return input.required; })) {
    json.key("required").begin_array();
    for (const Input& input : inputs) {
      if (input.required) json.value(input.name);
    }
    json.end_array();
  }
  json.member("additionalProperties", false).end_object();
}

Result<Arguments> Arguments::bind(std::span<const Input> inputs, simdjson::dom::element given) {
  simdjson::dom::object object;
  if (given.get(object) != simdjson::SUCCESS) return invalid("the arguments are an object");
  Arguments bound;
  for (const auto& [name, value] : object) {
    const Input* const input = find(inputs, name);
    if (input == nullptr) return unknown_argument(inputs, name);
    const std::string key(name);
    std::string_view text;
    std::int64_t number = 0;
    bool flag = false;
    simdjson::dom::array list;
    simdjson::dom::object map;
    switch (input->type) {
      case InputType::text:
        if (value.get(text) != simdjson::SUCCESS) return wrong_type(*input);
        bound.texts_[key] = text;
        break;
      case InputType::integer:
        if (value.get(number) != simdjson::SUCCESS) return wrong_type(*input);
        if (const Result<bool> fits = in_range(*input, number); !fits) return fits.error();
        bound.integers_[key] = number;
        break;
      case InputType::flag:
        if (value.get(flag) != simdjson::SUCCESS) return wrong_type(*input);
        bound.integers_[key] = flag ? 1 : 0;
        break;
      case InputType::texts:
        if (value.get(list) != simdjson::SUCCESS) return wrong_type(*input);
        for (const simdjson::dom::element each : list) {
          if (each.get(text) != simdjson::SUCCESS) return wrong_type(*input);
          bound.lists_[key].emplace_back(text);
        }
        break;
      case InputType::map:
        if (value.get(map) != simdjson::SUCCESS) return wrong_type(*input);
        for (const auto& [part, part_value] : map) {
          std::optional<std::string> as_text = scalar_text(part_value);
          if (!as_text) return wrong_type(*input);
          bound.maps_[key].emplace_back(part, *std::move(as_text));
        }
        break;
    }
  }
  for (const Input& input : inputs) {
    if (input.required && !bound.has(input.name))
      return invalid(fmt::format("argument '{}' is missing: {}", input.name, input.doc));
  }
  return bound;
}

Result<bool> Arguments::add_text(const Input& input, std::string_view key, std::string_view text) {
  const std::string name(input.name);
  switch (input.type) {
    case InputType::text: texts_[name] = text; return true;
    case InputType::integer: {
      const std::optional<std::int64_t> number = whole_number<std::int64_t>(text);
      if (!number) return wrong_type(input);
      integers_[name] = *number;
      return in_range(input, *number);
    }
    case InputType::flag:
      if (text != "true" && text != "false") return wrong_type(input);
      integers_[name] = text == "true" ? 1 : 0;
      return true;
    case InputType::texts:
      for (const std::string_view each : split_fields(text, ",")) lists_[name].emplace_back(each);
      return true;
    case InputType::map:
      if (key.size() <= name.size() + 1) return invalid(fmt::format("write {}.NAME=VALUE", input.name));
      maps_[name].emplace_back(key.substr(name.size() + 1), text);
      return true;
  }
  return true;
}

Result<Arguments> Arguments::bind(std::span<const Input> inputs, const std::vector<std::pair<std::string, std::string>>& texts) {
  Arguments bound;
  for (const auto& [key, text] : texts) {
    const Input* const input = find(inputs, std::string_view(key).substr(0, key.find('.')));
    if (input == nullptr) return unknown_argument(inputs, key);
    if (const Result<bool> added = bound.add_text(*input, key, text); !added) return added.error();
  }
  for (const Input& input : inputs) {
    if (input.required && !bound.has(input.name))
      return invalid(fmt::format("argument '{}' is missing: {}", input.name, input.doc));
  }
  return bound;
}

const std::string& Arguments::text(std::string_view name) const { return value_or_empty(texts_, name); }
const std::vector<std::string>& Arguments::texts(std::string_view name) const { return value_or_empty(lists_, name); }
const ParameterTexts& Arguments::map(std::string_view name) const { return value_or_empty(maps_, name); }

std::int64_t Arguments::integer(std::string_view name, std::int64_t otherwise) const {
  const auto at = integers_.find(name);
  return at == integers_.end() ? otherwise : at->second;
}

bool Arguments::flag(std::string_view name) const { return integer(name, 0) != 0; }

bool Arguments::has(std::string_view name) const {
  return texts_.contains(name) || integers_.contains(name) || lists_.contains(name) || maps_.contains(name);
}

}  // namespace sightline::agent
