// A message is a letter, the length of what follows (32 bits), and that: C columns, V values, E the end, X an error. A value is a
// letter and its bytes. Both ends are the same program, so numbers are as they lie in memory.
#include "sql/sql_wire.h"

#include <cstring>

namespace sightline::sql {

namespace {

constexpr std::size_t kSendFrom = 1 << 18;
constexpr std::size_t kHead = 1 + sizeof(std::uint32_t);

template <typename T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

// REQUIRES: the bytes are there; it is our own child that writes them.
template <typename T>
T next(std::string_view& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

std::string_view next_text(std::string_view& from) {
  const auto size = next<std::uint32_t>(from);
  const std::string_view text = from.substr(0, size);
  from.remove_prefix(size);
  return text;
}

SqlValue next_value(std::string_view& from) {
  switch (next<char>(from)) {
    case 'i': return next<std::int64_t>(from);
    case 'w': return next<WideInteger>(from);
    case 'r': return next<double>(from);
    case 'f': return next<char>(from) != 0;
    case 't': return next_text(from);
    default: return {};
  }
}

}  // namespace

bool SqlSender::send(char kind, std::string_view text) {
  std::string head(1, kind);
  append(head, static_cast<std::uint32_t>(text.size()));
  return out_(head) && out_(text);
}

bool SqlSender::columns(const std::vector<SqlAnswerColumn>& columns) {
  std::string text;
  for (const SqlAnswerColumn& column : columns) {
    append_text(text, column.name);
    append(text, column.kind);
    append_text(text, column.origin);
  }
  return send('C', text);
}

void SqlSender::add(const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    append(values_ += 'i', *integer);
  } else if (const auto* wide = std::get_if<WideInteger>(&value)) {
    append(values_ += 'w', *wide);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append(values_ += 'r', *real);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    append(values_ += 'f', static_cast<char>(*flag));
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    append_text(values_ += 't', *text);
  } else {
    values_ += '-';
  }
}

bool SqlSender::flush() {
  if (values_.size() < kSendFrom) return true;
  const bool sent = send('V', values_);
  values_.clear();
  return sent;
}

bool SqlSender::end(SqlCut cut) { return send('V', values_) && send('E', std::string(1, static_cast<char>(cut))); }

bool SqlSender::fail(const Error& error) {
  std::string text(1, static_cast<char>(error.code));
  append_text(text, error.message);
  append_text(text, error.where);
  return send('X', text);
}

bool SqlReceiver::take(std::string_view bytes) {
  waiting_ += bytes;
  std::string_view rest = waiting_;
  while (rest.size() >= kHead) {
    std::string_view head = rest;
    const char kind = next<char>(head);
    const auto size = next<std::uint32_t>(head);
    if (head.size() < size) break;
    message(kind, head.substr(0, size));
    rest = head.substr(size);
  }
  waiting_.erase(0, waiting_.size() - rest.size());
  return !ended && !failed;
}

void SqlReceiver::message(char kind, std::string_view text) {
  if (kind == 'C') {
    std::vector<SqlAnswerColumn> made;
    while (!text.empty()) {
      SqlAnswerColumn column{.name = std::string(next_text(text)), .kind = next<SqlKind>(text), .origin = {}};
      column.origin = next_text(text);
      made.push_back(std::move(column));
    }
    columns(std::move(made));
  } else if (kind == 'V') {
    while (!text.empty()) value(next_value(text));
  } else if (kind == 'E') {
    ended = next<SqlCut>(text);
  } else {
    Error error{.code = static_cast<ErrorCode>(next<char>(text)), .message = std::string(next_text(text)), .where = {}};
    error.where = next_text(text);
    failed = std::move(error);
  }
}

}  // namespace sightline::sql
