// Whether the client of a connection is still there: what takes long is not worth going on with when it has left.
#pragma once

#include <functional>
#include <string>

namespace sightline {

// Asks the connection whose other end has this address, as the HTTP library names it; the library keeps its socket to itself.
// Where it is not found, the client counts as there. To be called while the connection's request is being answered.
std::function<bool()> client_has_left(const std::string& address, int port);

}  // namespace sightline
