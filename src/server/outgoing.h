// Outgoing: an answer as the bytes of HTTP/1.1.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/message.h"

namespace sightline::server {

struct Outgoing {
  std::string head;  // status line and headers, with the empty line after them
  std::shared_ptr<const std::string> body;
  std::size_t begin = 0, end = 0;  // what is sent of the body
};

// `method` and `range` are the request's (a Range header or empty); `last`: the connection ends with this answer. Of several
// ranges none is served: the answer is whole then.
Outgoing outgoing(const Response& response, std::string_view method, std::string_view range, bool last);

}  // namespace sightline::server
