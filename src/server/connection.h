// Connection: one client of the server. It is a state machine on the I/O thread, so a client that waits costs memory and no
// thread; only answers are made on other threads. Further requests wait in the kernel or in a small buffer, and are answered in
// order.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "server/access.h"
#include "server/message.h"
#include "server/request_parser.h"
#include "server/routes.h"

namespace sightline::server {

class BodyPipe;
class Connection;

using Clock = std::chrono::steady_clock;

// What the connections of a server share. Only the I/O thread uses it, except for the work of the lanes.
struct Front {
  using List = std::list<std::shared_ptr<Connection>>;

  // Answers of one kind, on separate threads.
  struct Lane {
    // Starts `most` threads, or as many as the system allows. std::system_error when it allows none.
    explicit Lane(std::size_t most);
    ~Lane();  // work that has not begun is dropped

    boost::asio::io_context work;
    std::size_t under_way = 0;  // or waiting for a thread

   private:
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{work.get_executor()};
    std::vector<std::thread> threads_;
  };

  Front(const Engine& e, Access a, Services s);
  Lane& lane(Work work) { return lanes[static_cast<std::size_t>(work)]; }
  std::size_t connections() const { return waiting.size() + busy.size() + writing.size(); }

  // Closes the connection that has waited longest for a complete request, or else the one whose response takes longest to send.
  // False: all are being answered.
  bool make_room();

  const Engine& engine;
  const Access access;
  const Services services;
  boost::asio::io_context io{1};
  std::array<Lane, 5> lanes;
  List waiting, busy, writing;    // for a whole request; for its answer; until it is sent
  std::size_t unsent = 0;         // bytes of answers that clients have not taken yet
  bool ending = false;            // no further request is answered
  std::function<void()> changed;  // called when a connection or an answer has ended
  std::array<char, 65'536> scratch;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, Front& front) : front_(front), socket_(std::move(socket)) {}

  void start();
  void close();
  bool late(Clock::time_point now) const { return now >= deadline_; }
  void give_up();  // when it is late

 private:
  // `form`: also an upload. Both are read while they arrive.
  enum class Phase { idle, head, body, form, answering, writing, lingering, closed };

  void enter(Phase phase, Front::List& list, Clock::duration limit);
  void await_request();
  void watch();
  void on_readable(const boost::system::error_code& failed);
  void proceed();
  void read_head();
  void begin();
  void read_body();
  void begin_stream(std::uint64_t most);
  void begin_form(const std::string& boundary);
  void begin_upload();
  void read_form();
  bool takes_body(std::uint64_t most);
  void answer_request();
  void hand_over(Work work);
  void answered(const Response* response);
  void refuse(const RequestRefused& refused);
  void send(const Response& response, bool last);
  void write_piece();
  void sent();

  Front& front_;
  boost::asio::ip::tcp::socket socket_;
  Phase phase_ = Phase::idle;
  Clock::time_point deadline_ = Clock::time_point::max();
  Front::List* list_ = nullptr;
  Front::List::iterator place_;
  std::string input_;                      // received and not yet parsed
  bool watching_ = false, ended_ = false;  // waiting to read; the client has closed its side
  std::unique_ptr<RequestParser> parser_;  // of the request under way
  std::string method_;
  std::shared_ptr<BodyPipe> pipe_;
  std::uint64_t form_bytes_ = 0, form_mark_ = 0, form_most_ = 0;
  std::shared_ptr<std::atomic<bool>> left_ = std::make_shared<std::atomic<bool>>(false);
  Outgoing out_;
  std::size_t unsent_ = 0;
  bool last_ = false;  // the connection ends with this answer
};

}  // namespace sightline::server
