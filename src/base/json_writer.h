// JsonWriter: appends JSON text to a string; commas and escaping by itself. Bytes that are not UTF-8 become
// U+FFFD, non-finite numbers become null. Misuse (a value without a key in an object) is not checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(double number);  // shortest text that reads back the same
  JsonWriter& value(bool flag);
  JsonWriter& null();

  template <typename T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string& out_;
  bool first_ = true;
};

// Appends `text` as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);

}  // namespace sightline
