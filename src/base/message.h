// Message: a text of the program. It is an English text that knows its
// template and the values in the template's gaps. So another language needs a
// translation of the template only, and nothing has to recognise the sentence.
//
//   say("{} of {} are not matched", count_words(3), collectives)
//
// A gap is "{}", or "{ranks}" where two templates read alike in English. A value is a name or a figure (a string, a
// whole number), which no language changes, or a text of the program (a Message, a literal), which is looked up itself. A literal
// alone is a text without gaps.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/layers.h"

namespace sightline::base {

// The begin and end of the first gap of a template at or after `from`; npos when no gap is left.
struct Gap {
  std::size_t begin = std::string_view::npos, end = std::string_view::npos;
};
constexpr Gap next_gap(std::string_view text, std::size_t from) {
  for (std::size_t begin = text.find('{', from); begin != std::string_view::npos; begin = text.find('{', begin + 1)) {
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    if (end < text.size() && text[end] == '}') return {begin, end + 1};
  }
  return {};
}

constexpr std::size_t gaps_in(std::string_view text) {
  std::size_t gaps = 0;
  for (Gap gap = next_gap(text, 0); gap.begin != std::string_view::npos; gap = next_gap(text, gap.end)) ++gaps;
  return gaps;
}

// Reads as a std::string. Appending does not compile, because the appended text would be missing in other languages.
class Message : public std::string {
 public:
  enum class Kind : std::uint8_t { text, verbatim, filled, list };
  struct Parts {
    std::string text;  // the template, or the separator of a list
    std::vector<Message> values;
  };

  // Out of line: compiling copies and destructors of messages in every file takes long.
  Message();
  Message(const char* text);
  Message(std::string text);
  Message(std::string_view text);
  Message(Kind kind, Parts parts);  // filled, list
  Message(const Message&);
  Message(Message&&) noexcept;
  Message& operator=(const Message&);
  Message& operator=(Message&&) noexcept;
  ~Message();

  // Never looked up: a name of the trace, a figure.
  static Message verbatim(std::string_view text);

  Kind kind() const { return kind_; }
  const Parts& parts() const { return *parts_; }  // REQUIRES: filled or list

  Message& operator+=(char) = delete;
  template <typename T>
  Message& operator+=(const T&) = delete;
  template <typename... T>
  Message& append(T&&...) = delete;

 private:
  Kind kind_ = Kind::text;
  std::shared_ptr<const Parts> parts_;
};

// A parameter for a message that must not be a std::string: a text made of pieces, which has no translation, does not compile. It
// is a template, a literal, or a name (Message::verbatim).
struct TemplateMessage {
  TemplateMessage(const char* text) : message(text) {}
  TemplateMessage(std::string_view text) : message(text) {}
  TemplateMessage(Message of) : message(std::move(of)) {}

  Message message;
};

#ifdef __clang__
#define SIGHTLINE_LIFETIMEBOUND [[clang::lifetimebound]]  // clang warns when the argument ends before what refers to it
#else
#define SIGHTLINE_LIFETIMEBOUND
#endif

// A parameter for a message, such as the title of a column: a literal, which is looked up, or a Message. It lives as long as the
// call that it is written in. Trivial, because there are thousands, and a Message's copies and destructors take the compiler
// long.
class MessageArgument {
 public:
  constexpr MessageArgument(const char* text) : text_(text) {}
  constexpr MessageArgument(std::string_view text = {}) : text_(text) {}
  MessageArgument(const std::string& text SIGHTLINE_LIFETIMEBOUND) : text_(text) {}
  MessageArgument(const Message& message SIGHTLINE_LIFETIMEBOUND) : message_(&message) {}

  Message message() const;

 private:
  const Message* message_ = nullptr;
  std::string_view text_;
};

// A literal with as many gaps as there are values: any other does not compile.
template <std::size_t kValues>
struct Template {
  std::string_view text;
  consteval Template(const char* literal) : text(literal) {
    if (gaps_in(text) != kValues) throw "as many values as gaps are needed";
  }
};

// What fills a gap. It lives as long as the call of say() that it is written in.
class MessageValue {
 public:
  MessageValue(const Message& message) : message_(&message) {}
  MessageValue(const char* text) : text_(text), kind_(Kind::text) {}
  MessageValue(std::string_view name) : text_(name), kind_(Kind::name) {}
  MessageValue(const std::string& name) : text_(name), kind_(Kind::name) {}
  MessageValue(std::signed_integral auto number) : signed_(number), kind_(Kind::signed_number) {}
  MessageValue(std::unsigned_integral auto number) : unsigned_(number), kind_(Kind::unsigned_number) {}

  Message message() const;

 private:
  enum class Kind : std::uint8_t { message, text, name, signed_number, unsigned_number };
  union {
    const Message* message_;
    std::string_view text_;
    std::int64_t signed_;
    std::uint64_t unsigned_;
  };
  Kind kind_ = Kind::message;
};

Message filled_message(std::string_view text, std::initializer_list<MessageValue> values);

template <typename... Values>
Message say(Template<sizeof...(Values)> text, const Values&... values) {
  if constexpr (sizeof...(Values) == 0) {
    return Message(text.text);
  } else {
    return filled_message(text.text, {MessageValue(values)...});
  }
}

// With a capital at its beginning and a full stop at its end. The template is another one, which needs its own translation.
Message as_sentence(const Message& message);

// Several messages, separated by `between`: sentences (" "), list items (", ", "; "), lines ("\n"). Empty ones are left out.
Message listed_messages(std::string_view between, std::vector<Message> messages);
inline Message sentences(std::vector<Message> messages) { return listed_messages(" ", std::move(messages)); }

}  // namespace sightline::base
