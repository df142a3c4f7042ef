// Boost.Beast over Asio. Each step (resolve, connect,
// send, receive) starts and then runs the loop until it
// ends, its time is up, or the caller requests a stop.
#include "base/http_client.h"

#include <openssl/evp.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>
#include <tuple>

#include "base/certificates.h"

namespace sightline::base {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Milliseconds = std::chrono::milliseconds;

constexpr std::size_t kMostAnswer = std::size_t{64} << 20;

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// "[::1]:80" -> "::1" and "80".
std::pair<std::string, std::string> host_and_port(std::string_view authority, std::string_view otherwise) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : std::string_view::npos;
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string_view host = authority.substr(0, colon);
  if (bracket != std::string_view::npos) host = authority.substr(1, bracket - 1);
  return {std::string(host), std::string(colon == std::string_view::npos ? otherwise : authority.substr(colon + 1))};
}

}  // namespace

std::string HttpAnswer::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& one) { return same_word(one.first, name); });
  return found == headers.end() ? "" : found->second;
}

Result<HttpAddress> parse_http_address(const std::string& url) {
  const std::size_t host = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  const std::size_t path = std::min(url.find('/', host), url.size());
  if (host == 0 || path == host) return Error{ErrorCode::invalid_argument, "not an address such as http://localhost:8000", url};
  HttpAddress address{.server = url.substr(0, path), .below = url.substr(path)};
  while (address.below.ends_with('/')) address.below.pop_back();
  return address;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

std::string basic_authorization(std::string_view user, std::string_view password) {
  const std::string text = std::string(user) + ":" + std::string(password);
  std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  return "Basic " + out.substr(0, static_cast<std::size_t>(size));
}

class HttpClient::Connection {
 public:
  Connection(const std::string& server, Milliseconds connect, Milliseconds answer)
      : answer_limit(answer), connect_limit_(connect), secure_(server.starts_with("https://")) {
    authority_ = server.substr(server.find("://") + 3);
    std::tie(host_, port_) = host_and_port(authority_, secure_ ? "443" : "80");
    tls_.set_verify_mode(asio::ssl::verify_peer);
    error_code failed;
    tls_.set_default_verify_paths(failed);
    if (const std::string file = certificate_file(); !file.empty()) tls_.load_verify_file(file, failed);
  }

  Result<HttpAnswer> send(http::request<http::string_body>& request, const std::stop_token& stop) {
    stop_ = stop;
    const std::stop_callback leave(stop, [this] { io_.stop(); });
    request.set(http::field::host, authority_);
    request.set(http::field::user_agent, "sightline");
    request.set(http::field::accept, "*/*");
    request.prepare_payload();
    error_code failed;
    if (!is_open()) failed = open();
    if (failed) return drop(stop.stop_requested() ? ErrorCode::cancelled : ErrorCode::unavailable, failed);
    Result<HttpAnswer> answer = secure_ ? exchange(*stream_, request) : exchange(stream_->next_layer(), request);
    stop_ = {};
    return answer;
  }

  Milliseconds answer_limit;

 private:
  // Runs until `begin`'s operation has called its handler, or `limit` has passed.
  template <typename Begin>
  error_code run(Milliseconds limit, Begin begin) {
    std::optional<error_code> ended;
    io_.restart();
    if (stop_.stop_requested()) return asio::error::operation_aborted;
    begin([&ended](const error_code& failed, const auto&...) { ended = failed; });
    io_.run_for(limit);
    if (ended) return *ended;
    resolver_.cancel();
    error_code ignored;
    stream_->next_layer().close(ignored);
    while (!ended) {
      io_.restart();
      io_.run();
    }
    return asio::error::timed_out;
  }

  error_code open() {
    tcp::resolver::results_type found;
    stream_.emplace(io_, tls_);
    tcp::socket& socket = stream_->next_layer();
    error_code failed = run(connect_limit_, [&](auto handler) {
      resolver_.async_resolve(host_, port_,
                              [&found, handler](const error_code& error, const tcp::resolver::results_type& results) {
                                found = results;
                                handler(error);
                              });
    });
    if (!failed) failed = run(connect_limit_, [&](auto handler) { asio::async_connect(socket, found, handler); });
    if (!failed) socket.set_option(tcp::no_delay(true), failed);  // else a batch waits until its head is acknowledged
    if (failed || !secure_) return failed;
    SSL_set_tlsext_host_name(stream_->native_handle(), host_.c_str());
    stream_->set_verify_callback(asio::ssl::host_name_verification(host_));
    return run(connect_limit_, [&](auto handler) { stream_->async_handshake(asio::ssl::stream_base::client, handler); });
  }

  // Whether the connection of the last request is there, and the server has not closed it since.
  bool is_open() {
    if (!stream_ || !stream_->next_layer().is_open()) return false;
    tcp::socket& socket = stream_->next_layer();
    error_code failed;
    char byte;
    socket.non_blocking(true, failed);
    socket.receive(asio::buffer(&byte, 1), tcp::socket::message_peek, failed);
    return !failed || failed == asio::error::would_block;
  }

  template <typename Stream>
  Result<HttpAnswer> exchange(Stream& stream, http::request<http::string_body>& request) {
    error_code failed = run(answer_limit, [&](auto handler) { http::async_write(stream, request, handler); });
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(kMostAnswer);
    if (!failed) failed = run(answer_limit, [&](auto handler) { http::async_read(stream, buffer, parser, handler); });
    // An answer without a length ends when the connection ends, also when it breaks.
    const bool cut = failed == asio::error::connection_reset || failed == asio::ssl::error::stream_truncated;
    if (cut && parser.is_header_done() && parser.need_eof()) failed = {};
    if (failed) return drop(stop_.stop_requested() ? ErrorCode::cancelled : ErrorCode::unreadable, failed);
    HttpAnswer answer{.status = static_cast<int>(parser.get().result_int()), .headers = {}, .body = parser.get().body()};
    for (const auto& field : parser.get())
      answer.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
    if (!parser.keep_alive()) stream_.reset();
    return answer;
  }

  Error drop(ErrorCode code, const error_code& failed) {
    stream_.reset();
    return {code, failed == asio::error::timed_out ? "no data arrived in time" : Message::verbatim(failed.message()), ""};
  }

  const Milliseconds connect_limit_;
  const bool secure_;
  std::string authority_, host_, port_;
  asio::io_context io_{1};
  asio::ssl::context tls_{asio::ssl::context::tls_client};
  tcp::resolver resolver_{io_};
  std::optional<asio::ssl::stream<tcp::socket>> stream_;  // its socket alone, where the server has no TLS
  std::stop_token stop_;
};

namespace {

// Beast would send a line break in a value unchanged, and the text after it would be another header.
std::optional<Error> put_headers(http::request<http::string_body>& request, const HttpHeaders& headers) {
  for (const auto& [name, value] : headers) {
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
      return Error{ErrorCode::invalid_argument, say("a line break cannot be part of the header {}", name), ""};
    request.set(name, value);
  }
  return std::nullopt;
}

}  // namespace

HttpClient::HttpClient(const std::string& server, Milliseconds connect, Milliseconds answer)
    : connection_(std::make_unique<Connection>(server, connect, answer)) {}
HttpClient::~HttpClient() = default;

void HttpClient::set_answer_limit(Milliseconds limit) { connection_->answer_limit = limit; }

Result<HttpAnswer> HttpClient::get(const std::string& path, const HttpHeaders& headers, const std::stop_token& stop) {
  http::request<http::string_body> request(http::verb::get, path, 11);
  if (const std::optional<Error> failed = put_headers(request, headers)) return *failed;
  return connection_->send(request, stop);
}

Result<HttpAnswer> HttpClient::post(const std::string& path, const HttpHeaders& headers, std::string body,
                                    const std::stop_token& stop) {
  http::request<http::string_body> request(http::verb::post, path, 11, std::move(body));
  if (const std::optional<Error> failed = put_headers(request, headers)) return *failed;
  return connection_->send(request, stop);
}

}  // namespace sightline::base
