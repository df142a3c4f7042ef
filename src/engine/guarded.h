// guarded: runs work that may throw (no memory, or a library); an exception becomes an Error, so that no input ends the program.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/result.h"

namespace sightline::engine {

struct Failing {
  const char* memory;  // the message when there is no memory
  const char* rest;    // the template of the message with any other reason
};
inline constexpr Failing kReading{"not enough memory to read this file", "reading failed: {}"};
inline constexpr Failing kViewing{"not enough memory for this view", "the view failed: {}"};

// REQUIRES: `work` returns a Result.
template <typename Work>
auto guarded(const Failing& failing, const std::string& where, Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::unreadable, failing.memory, where};
  } catch (const std::exception& failure) {
    const Message reason = Message::verbatim(failure.what());
    return Error{ErrorCode::unreadable, Message(Message::Kind::filled, {failing.rest, {reason}}), where};
  }
}

}  // namespace sightline::engine
