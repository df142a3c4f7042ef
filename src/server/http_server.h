// HttpServer: listens on an address and answers with the routes. One thread does all reading and writing, for any number of
// clients; answers are made on a few others.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "server/access.h"
#include "server/routes.h"

namespace sightline::server {

class HttpServer {
 public:
  // `engine` and the services outlive the server.
  HttpServer(const Engine& engine, Access access, const Services& services = {});
  ~HttpServer();  // REQUIRES: stop() returned true, or start() was not called

  // Listens on `port` of the access' host, or on the next free port above it; 0: any free port. Returns the port
  // taken, and answers from then on.
  Result<int> start(int port);

  // Accepts no more requests and waits for those under way. False when some have not ended within `limit`; the threads
  // that serve them still run.
  bool stop(std::chrono::milliseconds limit);

 private:
  struct Listener;

  const Engine& engine_;
  const Access access_;
  const Services services_;
  std::unique_ptr<Listener> listener_;  // after start()
};

}  // namespace sightline::server
