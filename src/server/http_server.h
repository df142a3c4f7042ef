// HttpServer: listens on an address and answers with the routes. One thread does all reading and writing, however many clients
// there are; answers are made on a few others.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "server/access.h"

namespace sightline::server {

class CaptureDesk;

class HttpServer {
 public:
  // `engine` and `desk` outlive the server; `desk` null: nothing is recorded from here.
  HttpServer(const Engine& engine, Access access, CaptureDesk* desk = nullptr);
  ~HttpServer();  // REQUIRES: stop() said true, or start() was not called

  // Listens on `port` of the access' host, or on the next free port above it; 0: any free port. Returns the port
  // taken, and answers from then on.
  Result<int> start(int port);

  // Takes no more requests and waits for those under way. False when some had not ended within `limit`; the threads
  // that serve them still run.
  bool stop(std::chrono::milliseconds limit);

 private:
  struct Listener;

  const Engine& engine_;
  const Access access_;
  CaptureDesk* const desk_;
  std::unique_ptr<Listener> listener_;  // once it was started
};

}  // namespace sightline::server
