// Accepting connections, counting them, and checking their deadlines.
#include "server/http_server.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include "server/connection.h"

namespace sightline::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr int kPortsTried = 100;
constexpr std::size_t kMostConnections = 4000;
constexpr rlim_t kFiles = 8192;                   // wanted: connections and what the engine opens
constexpr std::chrono::milliseconds kLook{250};   // between two looks at the deadlines
constexpr std::chrono::milliseconds kPause{100};  // after accepting a connection failed

// How many connections the limit of open files leaves room for. Raises that limit as far as allowed.
std::size_t connection_limit() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return kMostConnections;
  const rlimit wished{std::max(files.rlim_cur, std::min(files.rlim_max, kFiles)), files.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &wished) == 0) files = wished;
  return std::clamp<std::size_t>(files.rlim_cur / 4 * 3, 1, kMostConnections);
}

}  // namespace

struct HttpServer::Listener {
  Listener(const Engine& engine, Access access, const Services& services) : front(engine, std::move(access), services) {
    front.changed = [this] { on_change(); };
  }

  Result<int> bind(int port);
  void serve();
  void accept();
  void accepted(const error_code& failed, tcp::socket socket);
  void look_at_deadlines();
  void end();
  void on_change();
  bool full() const { return front.connections() >= most; }

  Front front;
  tcp::acceptor acceptor{front.io};
  asio::steady_timer look{front.io}, pause{front.io};
  asio::executor_work_guard<asio::io_context::executor_type> guard{front.io.get_executor()};
  const std::size_t most = connection_limit();
  bool accepting = false;
  bool held_up = false;  // all connections are being answered; until one of them is done
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
};

// The port that was taken. A port that another server has is not shared with it.
Result<int> HttpServer::Listener::bind(int port) {
  const std::string& host = front.access.host;
  error_code failed;
  const auto found = tcp::resolver(front.io).resolve(host, "", tcp::resolver::passive, failed);
  if (failed || found.empty())
    return Error{ErrorCode::unavailable, say("cannot listen on {}, port {}: no such address", host, port), ""};
  for (int candidate = port; candidate < port + kPortsTried && candidate <= 65'535; ++candidate) {
    for (const auto& entry : found) {
      const tcp::endpoint endpoint(entry.endpoint().address(), static_cast<unsigned short>(candidate));
      acceptor.close(failed);
      acceptor.open(endpoint.protocol(), failed);
      if (!failed) ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);  // a browser that we open does not listen
      if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
      if (!failed && endpoint.protocol() == tcp::v6()) acceptor.set_option(asio::ip::v6_only(false), failed);
      if (!failed) acceptor.bind(endpoint, failed);
      if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
      if (!failed) return acceptor.local_endpoint().port();
      if (failed == asio::error::address_in_use) break;
    }
    if (failed != asio::error::address_in_use) {
      return Error{ErrorCode::unavailable, say("cannot listen on {}, port {}: {}", host, candidate, failed.message()), ""};
    }
  }
  return Error{ErrorCode::unavailable, say("port {} and the next ones are taken on {}", port, host), ""};
}

// A failure of one connection, such as lack of memory, ends only that one.
void HttpServer::Listener::serve() {
  look_at_deadlines();
  for (bool on = true; on;) {
    try {
      if (!accepting) accept();
      front.io.run();
      on = false;
    } catch (const std::exception&) {
    }
  }
  const std::lock_guard lock(mutex);
  ended = true;
  changed.notify_all();
}

void HttpServer::Listener::accept() {
  accepting = true;
  acceptor.async_accept([this](const error_code& failed, tcp::socket socket) { accepted(failed, std::move(socket)); });
}

void HttpServer::Listener::accepted(const error_code& failed, tcp::socket socket) {
  if (front.ending) return;
  accepting = false;
  if (failed) {  // mostly: no more files can be open
    front.make_room();
    accepting = true;  // once the pause is over
    pause.expires_after(kPause);
    return pause.async_wait([this](const error_code& cancelled) {
      if (!cancelled) accept();
    });
  }
  if (full()) front.make_room();
  std::make_shared<Connection>(std::move(socket), front)->start();
  held_up = full() && front.waiting.empty() && front.writing.empty();
  if (!held_up) accept();
}

void HttpServer::Listener::look_at_deadlines() {
  look.expires_after(kLook);
  look.async_wait([this](const error_code& cancelled) {
    if (!cancelled) look_at_deadlines();
  });
  const Clock::time_point now = Clock::now();
  std::vector<std::shared_ptr<Connection>> late;
  for (const Front::List* list : {&front.waiting, &front.writing}) {
    std::copy_if(list->begin(), list->end(), std::back_inserter(late), [&](const auto& one) { return one->late(now); });
  }
  for (const auto& connection : late) connection->give_up();
}

void HttpServer::Listener::on_change() {
  if (front.ending && front.connections() == 0 &&
      std::all_of(front.lanes.begin(), front.lanes.end(), [](const Front::Lane& lane) { return lane.under_way == 0; })) {
    guard.reset();
  }
  if (!std::exchange(held_up, false) || front.ending) return;
  accept();
}

void HttpServer::Listener::end() {
  front.ending = true;
  error_code ignored;
  acceptor.close(ignored);
  look.cancel();
  pause.cancel();
  while (!front.waiting.empty()) front.make_room();
  on_change();
}

HttpServer::HttpServer(const Engine& engine, Access access, const Services& services)
    : engine_(engine), access_(std::move(access)), services_(services) {}

HttpServer::~HttpServer() {
  if (listener_ == nullptr || !listener_->thread.joinable()) return;
  listener_->front.io.stop();  // unless stop() did
  listener_->thread.join();
}

Result<int> HttpServer::start(int port) {
  std::signal(SIGPIPE, SIG_IGN);  // the reader of our output may close the pipe
  try {
    listener_ = std::make_unique<Listener>(engine_, access_, services_);
    Result<int> taken = listener_->bind(port);
    if (taken) listener_->thread = std::thread([listener = listener_.get()] { listener->serve(); });
    return taken;
  } catch (const std::exception& failed) {  // the system has no threads or files left
    return Error{ErrorCode::unavailable, say("cannot serve: {}", failed.what()), ""};
  }
}

bool HttpServer::stop(std::chrono::milliseconds limit) {
  if (listener_ == nullptr || !listener_->thread.joinable()) return true;
  asio::post(listener_->front.io, [listener = listener_.get()] { listener->end(); });
  std::unique_lock lock(listener_->mutex);
  return listener_->changed.wait_for(lock, limit, [this] { return listener_->ended; });
}

}  // namespace sightline::server
