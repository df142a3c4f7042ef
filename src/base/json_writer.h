// JsonWriter: appends JSON text to a string and adds commas and escapes. Bytes that are not UTF-8 become U+FFFD, non-finite
// numbers become null. Misuse (a value without a key in an object) is not checked. A message is written as its English text;
// `messages` then writes the templates and values of all messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/message.h"

namespace sightline::base {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const Message& message);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(double number);  // shortest text that reads back the same
  JsonWriter& value(bool flag);
  JsonWriter& null();

  template <typename T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  // A message in a place that can also contain a name. A reader translates the text only if `messages` contains it.
  JsonWriter& said(const Message& message);
  // For a message whose text is written as a plain string.
  void remember(const Message& message);
  // Its template and values, as in that member.
  JsonWriter& parts(const Message& message);
  // The member "messages": English text -> template and values (docs/http.md). Omitted when no message needs it.
  JsonWriter& messages();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string& out_;
  bool first_ = true;
  std::map<std::string, Message> messages_;
};

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);

}  // namespace sightline::base
