// Result<T>: a value or an Error. Our code returns it instead of throwing; a library that throws is
// wrapped where it is called. CHECK (check.h) is for our own bugs, never for input.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/message.h"

namespace sightline::base {

// An error for a person: `message` is one sentence without a full stop; `where` is a place, for example "trace.json.gz:1234"
// (file:byte), or empty.
enum class ErrorCode { invalid_argument, not_found, unreadable, malformed, unsupported, cancelled, unavailable };

struct Error {
  Error() = default;
  Error(ErrorCode of, TemplateMessage text, std::string at = "")
      : code(of), message(std::move(text.message)), where(std::move(at)) {}

  ErrorCode code = ErrorCode::invalid_argument;
  Message message;
  std::string where;

  Message to_string() const { return where.empty() ? message : say("{}: {}", where, message); }
};

// The stable name of a code, as it is sent ("not_found").
constexpr const char* error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::unreadable: return "unreadable";
    case ErrorCode::malformed: return "malformed";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::unavailable: return "unavailable";
  }
  return "unknown";
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return ok(); }
  bool ok() const { return state_.index() == 0; }

  // REQUIRES: ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

  // REQUIRES: !ok().
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace sightline::base
