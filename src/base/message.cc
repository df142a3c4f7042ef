// English of a message: its template with the values in the gaps.
#include "base/message.h"

#include <utility>

#include "base/check.h"

namespace sightline::base {

namespace {

std::string filled(const Message::Parts& parts) {
  std::string all;
  std::size_t from = 0;
  for (const Message& value : parts.values) {
    const Gap gap = next_gap(parts.text, from);
    all.append(parts.text, from, gap.begin - from).append(value);
    from = gap.end;
  }
  return all.append(parts.text, from);
}

std::string listed(const Message::Parts& parts) {
  std::string all;
  for (const Message& value : parts.values) all.append(all.empty() ? "" : parts.text).append(value);
  return all;
}

}  // namespace

Message::Message() = default;
Message::Message(const char* text) : std::string(text) {}
Message::Message(std::string text) : std::string(std::move(text)) {}
Message::Message(std::string_view text) : std::string(text) {}
Message::Message(const Message&) = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::~Message() = default;

Message Message::verbatim(std::string_view text) {
  Message message(text);
  message.kind_ = Kind::verbatim;
  return message;
}

Message::Message(Kind kind, Parts parts)
    : std::string(kind == Kind::filled ? filled(parts) : listed(parts)),
      kind_(kind),
      parts_(std::make_shared<const Parts>(std::move(parts))) {
  CHECK(kind == Kind::list || gaps_in(parts_->text) == parts_->values.size());
}

Message MessageArgument::message() const { return message_ != nullptr ? *message_ : Message(text_); }

Message MessageValue::message() const {
  switch (kind_) {
    case Kind::message: return *message_;
    case Kind::text: return text_;
    case Kind::name: return Message::verbatim(text_);
    case Kind::signed_number: return Message::verbatim(std::to_string(signed_));
    case Kind::unsigned_number: break;
  }
  return Message::verbatim(std::to_string(unsigned_));
}

Message filled_message(std::string_view text, std::initializer_list<MessageValue> values) {
  Message::Parts parts{std::string(text), {}};
  for (const MessageValue& value : values) parts.values.push_back(value.message());
  return Message(Message::Kind::filled, std::move(parts));
}

Message as_sentence(const Message& message) {
  const bool is_filled = message.kind() == Message::Kind::filled;
  std::string text = is_filled ? message.parts().text : std::string(message);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  text += '.';
  return is_filled ? Message(Message::Kind::filled, {std::move(text), message.parts().values}) : Message(std::move(text));
}

Message listed_messages(std::string_view between, std::vector<Message> messages) {
  std::erase_if(messages, [](const Message& message) { return message.empty(); });
  if (messages.size() < 2) return messages.empty() ? Message() : std::move(messages.front());
  return Message(Message::Kind::list, {std::string(between), std::move(messages)});
}

}  // namespace sightline::base
