// cpp-httplib, used for connections and parsing only: every request goes to answer() past its own routing, bodies go
// out through a content provider (else it would compress them itself, with a slow method), and its socket options
// are replaced (it would share a port that another server already has).
#include "server/http_server.h"

#include <httplib.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "server/peer.h"
#include "server/routes.h"

namespace sightline {

namespace {

constexpr int kPortsTried = 100;
constexpr std::size_t kConnections = 64;  // an open connection holds a thread
constexpr time_t kIdleSeconds = 5;
constexpr std::size_t kMostBodyBytes = MarkerStore::kMostBytes;  // of a body that is kept
constexpr std::size_t kMostFormBytes = std::size_t{1} << 30;     // of a form, which is read as it comes

// Sent with every answer: nothing from elsewhere runs in the page, and nobody else may embed it.
const httplib::Headers kSecurityHeaders{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
     "form-action 'none'; frame-ancestors 'self'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"}};

// All values of a header: of a Host or an Origin sent twice, the library shows the first only.
std::string all_values(const httplib::Request& from, const char* name) {
  std::string values;
  const std::size_t count = from.get_header_value_count(name);
  for (std::size_t i = 0; i < count; ++i) values += (i == 0 ? "" : ", ") + from.get_header_value(name, i);
  return values;
}

Request request_of(const httplib::Request& from) {
  const std::size_t question = from.target.find('?');
  Request request{.method = from.method,
                  .path = from.path,
                  .query = question == std::string::npos ? "" : from.target.substr(question + 1),
                  .parameters = {from.params.begin(), from.params.end()},
                  .host = all_values(from, "Host"),
                  .origin = all_values(from, "Origin"),
                  .cookie = from.get_header_value("Cookie"),
                  .authorization = from.get_header_value("Authorization"),
                  .accept_encoding = from.get_header_value("Accept-Encoding"),
                  .if_none_match = from.get_header_value("If-None-Match"),
                  .content_type = from.get_header_value("Content-Type"),
                  .sec_fetch_site = all_values(from, "Sec-Fetch-Site"),
                  .sec_fetch_mode = all_values(from, "Sec-Fetch-Mode"),
                  .sec_fetch_dest = all_values(from, "Sec-Fetch-Dest"),
                  .body = from.body,
                  .client_has_left = client_has_left(from.remote_addr, from.remote_port)};
  return request;
}

// Reads all of a body, as what is left of it would be taken for the next request. False when it is larger than any that is kept.
bool read_body(const httplib::ContentReader& content, std::string& body) {
  bool fits = true;
  content([&](const char* data, std::size_t size) {
    fits = fits && body.size() + size <= kMostBodyBytes;
    if (fits) body.append(data, size);
    return true;
  });
  return fits;
}

// A form that is read at most once, by whoever answers the request.
class Form {
 public:
  explicit Form(const httplib::ContentReader& content) : content_(content) {}

  bool read(const FormBegin& begin, const FormBytes& bytes) {
    read_ = true;
    whole_ = content_(
        [&](const httplib::MultipartFormData& part) {
          begin(part.name, part.filename);
          return true;
        },
        [&](const char* data, std::size_t size) {
          bytes({data, size});
          return true;
        });
    return whole_;
  }

  // False when something of it is left on the connection, which then ends with the answer.
  bool read_to_end() {
    if (!read_) read([](const std::string&, const std::string&) {}, [](std::string_view) {});
    return whole_;
  }

 private:
  const httplib::ContentReader& content_;
  bool read_ = false, whole_ = false;
};

// `last`: the connection ends with this answer.
void send(const Response& response, httplib::Response& to, bool last = false) {
  if (response.status != 200) to.status = response.status;  // else the library's: 200, or 206 for a range
  for (const auto& [name, value] : response.headers) to.set_header(name, value);
  if (last) to.set_header("Connection", "close");
  if (response.body->empty()) return;
  to.set_content_provider(response.body->size(), response.content_type,
                          [body = response.body, last](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                            const bool sent = sink.write(body->data() + offset, length);
                            return sent && !(last && offset + length == body->size());
                          });
}

// Answers of the library's own: methods that nothing here has, and requests that are no HTTP or too long.
void explain_refusal(const httplib::Request&, httplib::Response& response) {
  if (response.has_header("Content-Type")) return;  // one of our answers
  std::string body = R"({"error":{"code":"request","message":"this is not a request that can be answered","where":""}})";
  if (response.status == 404) {
    response.status = 405;
    response.set_header("Allow", "GET, HEAD");
    body = R"({"error":{"code":"method","message":"only GET is answered","where":""}})";
  }
  response.set_content(body, "application/json");
}

}  // namespace

struct HttpServer::Listener {
  const Engine& engine;
  Access access;
  CaptureDesk* desk;
  httplib::Server http;
  socket_t socket = INVALID_SOCKET;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;

  Listener(const Engine& e, Access a, CaptureDesk* d) : engine(e), access(std::move(a)), desk(d) {}
  void configure();
  Result<int> bind(int port);
  void serve();
  bool started();
};

void HttpServer::Listener::configure() {
  http.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
  http.set_default_headers(kSecurityHeaders);
  http.set_tcp_nodelay(true);
  http.set_keep_alive_max_count(10'000);
  http.set_keep_alive_timeout(kIdleSeconds);
  http.set_payload_max_length(kMostFormBytes);
  http.set_socket_options([this](socket_t opened) {
    const int yes = 1;
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    socket = opened;
  });
  http.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    if (request.method != "GET" && request.method != "HEAD") return httplib::Server::HandlerResponse::Unhandled;  // no body yet
    send(answer(engine, access, request_of(request), desk), response);
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto with_body = [this](const httplib::Request& from, httplib::Response& response,
                                const httplib::ContentReader& content) {
    Request request = request_of(from);
    if (from.is_multipart_form_data()) {
      Form form(content);
      request.form = [&form](const FormBegin& begin, const FormBytes& bytes) { return form.read(begin, bytes); };
      const Response answered = answer(engine, access, request, desk);
      return send(answered, response, !form.read_to_end());
    }
    if (!read_body(content, request.body)) {
      response.status = 413;
      return explain_refusal(from, response);
    }
    send(answer(engine, access, request, desk), response);
  };
  http.Put(".*", with_body);
  http.Post(".*", with_body);
  http.Patch(".*", with_body);
  http.Delete(".*", with_body);
  http.set_error_handler(explain_refusal);
}

// The port that was taken.
Result<int> HttpServer::Listener::bind(int port) {
  for (int candidate = port; candidate < port + kPortsTried && candidate <= 65'535; ++candidate) {
    errno = 0;
    if (candidate == 0) {
      const int any = http.bind_to_any_port(access.host);
      if (any > 0) return any;
    } else if (http.bind_to_port(access.host, candidate)) {
      return candidate;
    }
    if (errno != EADDRINUSE) {
      const std::string reason = errno == 0 ? "no such address" : std::strerror(errno);
      return Error{ErrorCode::unavailable,
                   "cannot listen on " + access.host + ", port " + std::to_string(candidate) + ": " + reason, ""};
    }
  }
  return Error{ErrorCode::unavailable, "port " + std::to_string(port) + " and those after it are taken on " + access.host, ""};
}

HttpServer::HttpServer(const Engine& engine, Access access, CaptureDesk* desk)
    : listener_(std::make_unique<Listener>(engine, std::move(access), desk)) {
  listener_->configure();
}

HttpServer::~HttpServer() {
  if (listener_->thread.joinable()) listener_->thread.join();
}

void HttpServer::Listener::serve() {
  http.listen_after_bind();
  const std::lock_guard lock(mutex);
  ended = true;
  changed.notify_all();
}

// Whether stop() has something to stop.
bool HttpServer::Listener::started() {
  const std::lock_guard lock(mutex);
  return ended || http.is_running();
}

Result<int> HttpServer::start(int port) {
  const Result<int> taken = listener_->bind(port);
  if (!taken) return taken.error();
  listen(listener_->socket, SOMAXCONN);  // the library's own queue of five is short for a browser's burst
  listener_->thread = std::thread([listener = listener_.get()] { listener->serve(); });
  while (!listener_->started()) std::this_thread::yield();
  return taken;
}

bool HttpServer::stop(std::chrono::milliseconds limit) {
  if (!listener_->thread.joinable()) return true;
  listener_->http.stop();
  std::unique_lock lock(listener_->mutex);
  return listener_->changed.wait_for(lock, limit, [this] { return listener_->ended; });
}

}  // namespace sightline
