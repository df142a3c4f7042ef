// JsonWriter: escaping and number formatting.
#include "base/json_writer.h"

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace sightline::base {

namespace {

void append_control(std::string& out, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
      ++i;
    } else if (c < 0x20) {
      append_control(out, c);
      ++i;
    } else if (c < 0x80) {
      out += static_cast<char>(c);
      ++i;
    } else if (const std::size_t length = utf8_length(text.substr(i)); length != 0) {
      out.append(text.substr(i, length));
      i += length;
    } else {
      out += kReplacement;
      ++i;
    }
  }
  out += '"';
}

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(const Message& message) {
  if (message.kind() != Message::Kind::text) remember(message);
  return value(std::string_view(message));
}

JsonWriter& JsonWriter::said(const Message& message) {
  if (message.kind() != Message::Kind::verbatim) remember(message);
  return value(std::string_view(message));
}

void JsonWriter::remember(const Message& message) {
  if (!message.empty()) messages_.emplace(message, message);
}

JsonWriter& JsonWriter::parts(const Message& message) {
  switch (message.kind()) {
    case Message::Kind::verbatim: return value(std::string_view(message));
    case Message::Kind::text: return begin_array().value(std::string_view(message)).end_array();
    case Message::Kind::filled:
      begin_array().value(message.parts().text);
      for (const Message& each : message.parts().values) parts(each);
      return end_array();
    case Message::Kind::list:
      begin_object().member("between", message.parts().text).key("list").begin_array();
      for (const Message& each : message.parts().values) parts(each);
      return end_array().end_object();
  }
  return *this;
}

JsonWriter& JsonWriter::messages() {
  if (messages_.empty()) return *this;
  key("messages").begin_object();
  for (const auto& [english, message] : messages_) {
    key(english);
    parts(message);
  }
  return end_object();
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  char buffer[24];
  out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  char buffer[32];
  out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  out_ += flag ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

}  // namespace sightline::base
