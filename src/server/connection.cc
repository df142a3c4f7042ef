#include "server/connection.h"

#include <fcntl.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <new>
#include <system_error>
#include <thread>

#include "server/multipart.h"

namespace sightline::server {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::seconds;

constexpr seconds kIdle{30};      // between two requests
constexpr seconds kHead{10};      // from its first byte to its last
constexpr seconds kBody{30};      // of a body that is kept
constexpr seconds kProgress{20};  // for a piece of an answer, or of a form
constexpr seconds kLinger{2};     // until a client has read that it was refused
constexpr Clock::duration kForever = Clock::duration::max();

constexpr std::size_t kMostAhead = kMostHeadBytes + 1;           // bytes of requests that come before their turn
constexpr std::size_t kMostBodyBytes = MarkerStore::kMostBytes;  // of a body that is kept
constexpr std::size_t kMostFormBytes = std::size_t{1} << 30;     // of a form, which is read while it arrives
constexpr std::size_t kPiece = 65'536;                           // of an answer or a form: the least in kProgress
constexpr std::size_t kMostUnsent = std::size_t{512} << 20;      // of all answers that clients have not taken
constexpr std::size_t kMostWaiting = 256;                        // requests of a lane

Response compute(const Front& front, const Request& request) {
  try {
    return answer(front.engine, front.access, request, front.services);
  } catch (const std::bad_alloc&) {
    return error_answer(503, "memory", "there is not enough memory for this answer");
  } catch (const std::exception& failed) {
    return error_answer(500, "internal", failed.what());
  }
}

bool read_form_from(BodyPipe& pipe, const std::string& boundary, const FormBegin& begin, const FormBytes& bytes) {
  Multipart form(boundary, begin, bytes);
  for (std::string piece = pipe.take(); !piece.empty(); piece = pipe.take()) form.add(piece);
  return pipe.whole() && form.whole();
}

bool read_upload_from(BodyPipe& pipe, const std::function<bool(std::string_view)>& bytes) {
  for (std::string piece = pipe.take(); !piece.empty(); piece = pipe.take()) {
    if (!bytes(piece)) return false;
  }
  return pipe.whole();
}

std::size_t cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace

Front::Lane::Lane(std::size_t most) {
  const auto run = [this] {
    for (bool on = true; on;) {
      try {
        work.run();
        on = false;
      } catch (const std::exception&) {  // of one answer, such as memory that is not there
      }
    }
  };
  threads_.reserve(most);
  try {
    while (threads_.size() < most) threads_.emplace_back(run);
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;
  }
}

Front::Lane::~Lane() {
  work.stop();
  for (std::thread& thread : threads_) thread.join();
}

// In the order of Work. Answers of views mostly use all cores, and some wait for another one.
Front::Front(const Engine& e, Access a, Services s)
    : engine(e),
      access(std::move(a)),
      services(s),
      lanes{Lane(4), Lane(std::max<std::size_t>(16, 2 * cores())), Lane(8), Lane(8), Lane(8)} {}

bool Front::make_room() {
  List& from = waiting.empty() ? writing : waiting;
  if (from.empty()) return false;
  const std::shared_ptr<Connection> oldest = from.front();
  oldest->close();
  return true;
}

void Connection::start() {
  error_code failed;
  ::fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);
  socket_.non_blocking(true, failed);
  socket_.set_option(asio::ip::tcp::no_delay(true), failed);
  list_ = &front_.waiting;
  place_ = list_->insert(list_->end(), shared_from_this());
  await_request();
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  const std::shared_ptr<Connection> self = shared_from_this();
  phase_ = Phase::closed;
  deadline_ = Clock::time_point::max();
  *left_ = true;
  if (pipe_) pipe_->end(false);
  front_.unsent -= std::exchange(unsent_, 0);
  error_code ignored;
  socket_.shutdown(socket_.shutdown_both, ignored);  // closing does not end it while a fork has not yet closed its copy
  socket_.close(ignored);
  list_->erase(place_);
  front_.changed();
}

void Connection::enter(Phase phase, Front::List& list, Clock::duration limit) {
  phase_ = phase;
  deadline_ = limit == kForever ? Clock::time_point::max() : Clock::now() + limit;
  if (list_ != &list) list.splice(list.end(), *list_, place_);
  list_ = &list;
}

void Connection::give_up() {
  const bool arriving = phase_ == Phase::head || phase_ == Phase::body || phase_ == Phase::form;
  if (arriving) return refuse({408, "the request took too long to arrive"});
  close();
}

void Connection::await_request() {
  parser_.reset();
  pipe_.reset();
  method_.clear();
  if (input_.empty()) std::string().swap(input_);
  enter(Phase::idle, front_.waiting, kIdle);
  proceed();
}

// The connection is read while an answer is made, so that its end is noticed.
void Connection::watch() {
  const bool held_up = phase_ == Phase::form && pipe_->full();
  if (watching_ || ended_ || held_up || input_.size() >= kMostAhead) return;
  watching_ = true;
  socket_.async_wait(socket_.wait_read, [self = shared_from_this()](const error_code& failed) { self->on_readable(failed); });
}

void Connection::on_readable(const error_code& waited) {
  watching_ = false;
  if (phase_ == Phase::closed) return;
  error_code failed = waited;
  const std::size_t room = std::min(front_.scratch.size(), kMostAhead - input_.size());
  const std::size_t size = failed ? 0 : socket_.read_some(asio::buffer(front_.scratch, room), failed);
  if (failed == asio::error::would_block) return watch();
  if (failed == asio::error::eof) {
    ended_ = true;
    *left_ = true;  // or it only closed its side: it gets what is ready
  } else if (failed) {
    return close();
  }
  try {
    input_.append(front_.scratch.data(), size);
    proceed();
  } catch (const std::bad_alloc&) {
    close();
  }
}

// Continues with the bytes that have arrived.
void Connection::proceed() {
  if (phase_ == Phase::idle && !input_.empty()) {
    parser_ = std::make_unique<RequestParser>();
    enter(Phase::head, front_.waiting, kHead);
  }
  if (phase_ == Phase::head) read_head();
  if (phase_ == Phase::body) read_body();
  if (phase_ == Phase::form) read_form();
  if (phase_ == Phase::lingering) input_.clear();
  if (phase_ == Phase::closed) return;
  const bool can_go_on = phase_ == Phase::answering || phase_ == Phase::writing || (phase_ == Phase::form && pipe_->full());
  if (ended_ && !can_go_on) return close();
  watch();
}

void Connection::read_head() {
  const std::size_t size = parser_->read_head(input_);
  if (parser_->refused()) return refuse(*parser_->refused());
  if (size == 0) return;
  input_.erase(0, size);
  begin();
}

// The head is whole.
void Connection::begin() {
  Request& request = parser_->request();
  method_ = request.method;
  request.client_has_left = [left = left_] { return left->load(); };
  // A request that is refused takes no thread, and its body is not waited for.
  if (const std::optional<Response> refused = server::refuse(front_.access, request))
    return send(*refused, parser_->has_body() || !parser_->keeps_open());
  if (!parser_->has_body()) return answer_request();
  const Work work = work_of(request);
  if (work == Work::upload) return begin_upload();
  const std::optional<std::string> boundary = work == Work::form ? form_boundary(request.content_type) : std::nullopt;
  if (!takes_body(boundary ? kMostFormBytes : kMostBodyBytes)) return;
  if (boundary) return begin_form(*boundary);
  enter(Phase::body, front_.waiting, kBody);
}

// Whether the client may send the body that it announced.
bool Connection::takes_body(std::uint64_t most) {
  if (parser_->content_length().value_or(0) > most) {
    refuse({413, say("the body is larger than {} bytes", most)});
    return false;
  }
  if (!parser_->expects_continue() || !input_.empty()) return true;
  constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
  error_code failed;
  if (socket_.write_some(asio::buffer(kGoOn), failed) == kGoOn.size()) return true;
  close();
  return false;
}

void Connection::read_body() {
  std::string& body = parser_->request().body;
  bool fits = true;
  input_.erase(0, parser_->read_body(input_, [&](std::string_view bytes) {
    fits = fits && body.size() + bytes.size() <= kMostBodyBytes;
    if (fits) body += bytes;
  }));
  if (!fits) return refuse({413, say("the body is larger than {} bytes", kMostBodyBytes)});
  if (parser_->refused()) return refuse(*parser_->refused());
  if (parser_->done()) answer_request();
}

// The answer begins at once and reads the body while it arrives.
void Connection::begin_stream(std::uint64_t most) {
  enter(Phase::form, front_.waiting, kProgress);
  form_bytes_ = form_mark_ = 0;
  form_most_ = most;
  pipe_ = std::make_shared<BodyPipe>([self = weak_from_this(), &io = front_.io] {
    asio::post(io, [self] {
      if (const auto connection = self.lock()) connection->proceed();
    });
  });
}

void Connection::begin_form(const std::string& boundary) {
  begin_stream(kMostFormBytes);
  parser_->request().form = [pipe = pipe_, boundary](const FormBegin& begin, const FormBytes& bytes) {
    return read_form_from(*pipe, boundary, begin, bytes);
  };
  hand_over(Work::form);
}

// The size of the file was announced; the route reads no more than that.
void Connection::begin_upload() {
  constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
  if (!takes_body(kNoLimit)) return;
  begin_stream(kNoLimit);
  parser_->request().stream = [pipe = pipe_](const auto& bytes) { return read_upload_from(*pipe, bytes); };
  hand_over(Work::upload);
}

void Connection::read_form() {
  if (pipe_->full()) {
    deadline_ = Clock::time_point::max();  // the client waits for us
    return;
  }
  const auto take = [this](std::string_view bytes) {
    form_bytes_ += bytes.size();
    pipe_->add(bytes);
  };
  input_.erase(0, parser_->read_body(input_, take));
  if (form_bytes_ > form_most_) return refuse({413, "the form is larger than 1 GiB"});
  if (parser_->refused()) return refuse(*parser_->refused());
  if (parser_->done()) {
    pipe_->end(true);
    return enter(Phase::answering, front_.busy, kForever);
  }
  if (form_bytes_ - form_mark_ < kPiece && deadline_ != Clock::time_point::max()) return;
  form_mark_ = form_bytes_;
  deadline_ = Clock::now() + kProgress;
}

void Connection::answer_request() {
  enter(Phase::answering, front_.busy, kForever);
  hand_over(work_of(parser_->request()));
}

void Connection::hand_over(Work work) {
  Front::Lane& lane = front_.lane(work);
  if (lane.under_way >= kMostWaiting) return send(error_answer(503, "busy", "too many requests are waiting"), true);
  const auto request = std::make_shared<const Request>(std::move(parser_->request()));
  asio::post(lane.work, [self = shared_from_this(), request, &lane] {
    Front& front = self->front_;
    std::shared_ptr<const Response> response;
    try {
      response = std::make_shared<const Response>(compute(front, *request));
    } catch (const std::exception&) {  // no memory even for the error
    }
    asio::post(front.io, [self, response = std::move(response), &lane] {
      --lane.under_way;
      self->answered(response.get());
      self->front_.changed();
    });
  });
  ++lane.under_way;
}

// `response`: null when there was no memory for one.
void Connection::answered(const Response* response) {
  if (phase_ != Phase::answering && phase_ != Phase::form) return;
  try {
    if (response != nullptr) return send(*response, !parser_->keeps_open() || !parser_->done());
  } catch (const std::bad_alloc&) {
  }
  close();
}

// What follows on the connection cannot be distinguished from the rest of this request.
void Connection::refuse(const RequestRefused& refused) {
  if (pipe_) pipe_->end(false);
  send(error_answer(refused.status, "request", refused.why), true);
}

void Connection::send(const Response& response, bool last) {
  last_ = last || front_.ending;
  out_ = outgoing(response, method_, parser_->range(), last_);
  unsent_ = out_.end - out_.begin;
  front_.unsent += unsent_;
  enter(Phase::writing, front_.writing, kProgress);
  const std::shared_ptr<Connection> self = shared_from_this();
  while (front_.unsent > kMostUnsent && front_.writing.front() != self) {
    const std::shared_ptr<Connection> oldest = front_.writing.front();
    oldest->close();
  }
  write_piece();
}

// Piece by piece, each with a deadline: a client may be slow, but not stop.
void Connection::write_piece() {
  deadline_ = Clock::now() + kProgress;
  const std::size_t size = std::min(out_.end - out_.begin, kPiece);
  const std::array<asio::const_buffer, 2> bytes{asio::buffer(out_.head), asio::buffer(out_.body->data() + out_.begin, size)};
  asio::async_write(socket_, bytes, [self = shared_from_this(), size](const error_code& failed, std::size_t) {
    if (self->phase_ == Phase::closed) return;
    if (failed) return self->close();
    self->out_.head.clear();
    self->out_.begin += size;
    if (self->out_.begin < self->out_.end) return self->write_piece();
    self->sent();
  });
}

void Connection::sent() {
  front_.unsent -= std::exchange(unsent_, 0);
  out_ = {};
  if (!last_) return await_request();
  if (front_.ending) return close();
  // Closing while bytes of the client are unread would reset the connection, and the client would lose the answer.
  error_code ignored;
  socket_.shutdown(socket_.shutdown_send, ignored);
  enter(Phase::lingering, front_.waiting, kLinger);
  proceed();
}

}  // namespace sightline::server
