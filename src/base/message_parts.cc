// Written by JsonWriter, read by simdjson.
#include "base/message_parts.h"

#include <simdjson.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/json_writer.h"

namespace sightline::base {

namespace {

namespace dom = simdjson::dom;

std::optional<Message> read(const dom::element& element);

// `from`: the first of the values.
std::optional<std::vector<Message>> read_all(const dom::array& array, std::size_t from) {
  std::vector<Message> values;
  for (const dom::element element : array) {
    if (from > 0) {
      --from;
      continue;
    }
    std::optional<Message> value = read(element);
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

std::optional<Message> read_list(const dom::object& object) {
  std::string_view between;
  dom::array list;
  if (object["between"].get(between) != simdjson::SUCCESS || object["list"].get(list) != simdjson::SUCCESS) return std::nullopt;
  std::optional<std::vector<Message>> values = read_all(list, 0);
  if (!values) return std::nullopt;
  return Message(Message::Kind::list, {std::string(between), *std::move(values)});
}

std::optional<Message> read(const dom::element& element) {
  std::string_view text;
  if (element.get(text) == simdjson::SUCCESS) return Message::verbatim(text);
  if (dom::object object; element.get(object) == simdjson::SUCCESS) return read_list(object);
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS || array.at(0).get(text) != simdjson::SUCCESS) return std::nullopt;
  std::optional<std::vector<Message>> values = read_all(array, 1);
  if (!values || gaps_in(text) != values->size()) return std::nullopt;
  if (values->empty()) return Message(text);
  return Message(Message::Kind::filled, {std::string(text), *std::move(values)});
}

}  // namespace

std::string message_parts(const Message& message) {
  std::string text;
  JsonWriter(text).parts(message);
  return text;
}

Message message_of(std::string_view parts) {
  dom::parser parser;
  dom::element element;
  const simdjson::padded_string padded(parts);
  if (parser.parse(padded).get(element) != simdjson::SUCCESS) return Message::verbatim(parts);
  return read(element).value_or(Message::verbatim(parts));
}

}  // namespace sightline::base
