// The template and values of a message as text, for a column of texts: as in `messages` of an HTTP response (docs/http.md).
//
//   ["{} of {}","2",["{} calls","8"]]     "a name"     ["a text"]     {"list":[...],"between":", "}
#pragma once

#include <string>
#include <string_view>

#include "base/message.h"

namespace sightline::base {

std::string message_parts(const Message& message);

// The message again. A text that is not in this form becomes a name.
Message message_of(std::string_view parts);

}  // namespace sightline::base
