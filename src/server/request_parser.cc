// A scan of the head's lines comes first, then Boost.Beast's parser. Beast 1.74 joins folded lines, takes a list as
// Content-Length, and ignores a Transfer-Encoding that it does not know; the scan and the checks of the fields refuse all of
// these.
#include "server/request_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <charconv>

namespace sightline::server {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t kMostChunkHead = 4096;                 // size and extensions of a chunk; the fields after the last one
constexpr std::uint64_t kMostBody = std::uint64_t{1} << 40;  // the caller has its own limit

std::string_view plain(beast::string_view text) { return {text.data(), text.size()}; }

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Scans the lines of a head as they arrive.
class HeadScan {
 public:
  // Returns the size of the head once it is complete, else 0.
  std::size_t add(std::string_view input) {
    while (!refused) {
      const std::size_t end = input.find('\n', scanned_);
      scanned_ = end == std::string_view::npos ? input.size() : end + 1;
      check_size(scanned_);
      if (refused || end == std::string_view::npos) break;
      const std::string_view line = input.substr(line_, end - line_);
      check(line);
      if (line == "\r" && !refused) return scanned_;
      line_ = scanned_;
      ++lines_;
    }
    return 0;
  }

  std::optional<RequestRefused> refused;

 private:
  void check_size(std::size_t size) {
    if (lines_ == 0 && size > kMostUrlBytes) {
      refused = {414, say("the address is longer than {} bytes", kMostUrlBytes)};
    } else if (size > kMostHeadBytes) {
      refused = {431, say("the headers are longer than {} bytes", kMostHeadBytes)};
    } else if (lines_ > kMostFields + 1) {
      refused = {431, say("there are more than {} headers", kMostFields)};
    }
  }

  void check(std::string_view line) {
    const bool ended = line.ends_with('\r');
    if (ended) line.remove_suffix(1);
    if (!ended || line.find('\r') != std::string_view::npos || line.find('\0') != std::string_view::npos) {
      refused = {400, "a line of the request does not end with CR LF"};
    } else if (line.starts_with(' ') || line.starts_with('\t')) {
      refused = {400, "a header continues on the next line"};
    } else if (lines_ == 0 && line.empty()) {
      refused = {400, "the request begins with an empty line"};
    }
  }

  std::size_t scanned_ = 0, line_ = 0, lines_ = 0;
};

}  // namespace

std::string percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' && plus_is_blank ? ' ' : text[i];
    }
  }
  return out;
}

class RequestParser::Impl final : public http::basic_parser<true> {
 public:
  Impl() { body_limit(kMostBody), header_limit(kMostHeadBytes + 1); }

  std::size_t read_head(std::string_view input) {
    const std::size_t size = scan_.add(input);
    refused = scan_.refused;
    if (size == 0) return 0;
    beast::error_code failed;
    for (std::size_t taken = 0; !failed && !is_header_done();) taken += put({input.data() + taken, size - taken}, failed);
    if (failed && !refused) refused = {400, say("this is not an HTTP request: {}", failed.message())};
    return refused ? 0 : size;
  }

  std::size_t read_body(std::string_view input, const TakeBody& take) {
    std::size_t taken = 0;
    take_ = &take;
    while (!is_done() && taken < input.size()) {
      beast::error_code failed;
      taken += put({input.data() + taken, input.size() - taken}, failed);
      if (failed == http::error::need_more && input.size() - taken <= kMostChunkHead) break;
      if (!failed) continue;
      refused = {400, "the chunks of the body are malformed"};
      break;
    }
    take_ = nullptr;
    return taken;
  }

  bool has_body() const { return chunked() || content_length().value_or(0) > 0; }

  Request request;
  std::optional<RequestRefused> refused;
  std::string range;
  bool expects_continue = false, is_http_1_1 = false;

 private:
  void refuse(int status, Message why, beast::error_code& failed) {
    refused = {status, std::move(why)};
    failed = http::error::bad_value;
  }

  void on_request_impl(http::verb, beast::string_view method, beast::string_view target, int version,
                       beast::error_code& failed) override {
    const std::string_view text = plain(target);
    is_http_1_1 = version == 11;
    request.method = plain(method);
    if (!text.starts_with('/')) return refuse(400, "the address must begin with a slash", failed);
    const std::size_t question = std::min(text.find('?'), text.size());
    request.path = percent_decoded(text.substr(0, question), false);
    request.query = text.substr(std::min(question + 1, text.size()));
    for (std::string_view rest = request.query; !rest.empty();) {
      const std::string_view pair = rest.substr(0, rest.find('&'));
      rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
      const std::size_t equals = std::min(pair.find('='), pair.size());
      if (pair.empty()) continue;
      request.parameters.emplace_back(percent_decoded(pair.substr(0, equals), true),
                                      percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true));
    }
  }

  void on_field_impl(http::field field, beast::string_view name, beast::string_view text, beast::error_code& failed) override {
    if (is_header_done()) return;  // after the last chunk: these are not used
    const std::string_view value = plain(text);
    switch (field) {
      case http::field::host: return keep_once(request.host, value, hosts_, "Host", failed);
      case http::field::origin: return keep_once(request.origin, value, origins_, "Origin", failed);
      case http::field::content_length:
        if (++lengths_ > 1 || encodings_ > 0 || !is_number(value)) refuse(400, "the length of the body is ambiguous", failed);
        return;
      case http::field::transfer_encoding:
        if (++encodings_ > 1 || lengths_ > 0 || !is_http_1_1 || !same_word(value, "chunked"))
          refuse(400, "the length of the body is ambiguous", failed);
        return;
      case http::field::content_encoding:
        if (!same_word(value, "identity")) refuse(415, "Content-Encoding is not supported for a body", failed);
        return;
      case http::field::expect:
        expects_continue = is_http_1_1 && same_word(value, "100-continue");
        if (is_http_1_1 && !expects_continue) refuse(417, "only Expect: 100-continue is supported", failed);
        return;
      case http::field::cookie: return append(request.cookie, value, "; ");
      case http::field::authorization: request.authorization = value; return;
      case http::field::accept_encoding: return append(request.accept_encoding, value, ", ");
      case http::field::if_none_match: return append(request.if_none_match, value, ", ");
      case http::field::content_type: request.content_type = value; return;
      case http::field::range: range = value; return;
      default: break;
    }
    // Beast 1.74 has no names for these.
    if (same_word(plain(name), "Sec-Fetch-Site")) append(request.sec_fetch_site, value, ", ");
    if (same_word(plain(name), "Sec-Fetch-Mode")) append(request.sec_fetch_mode, value, ", ");
    if (same_word(plain(name), "Sec-Fetch-Dest")) append(request.sec_fetch_dest, value, ", ");
    if (same_word(plain(name), "MCP-Protocol-Version")) append(request.mcp_version, value, ", ");
    if (same_word(plain(name), "Mcp-Method")) append(request.mcp_method, value, ", ");
    if (same_word(plain(name), "Mcp-Name")) append(request.mcp_name, value, ", ");
  }

  void keep_once(std::string& to, std::string_view value, int& seen, const char* name, beast::error_code& failed) {
    if (++seen > 1) return refuse(400, say("more than one {} header", name), failed);
    to = value;
  }

  static void append(std::string& to, std::string_view value, std::string_view between) {
    if (!to.empty()) to += between;
    to += value;
  }

  // A reader that expects no body would take it for the next request.
  void on_header_impl(beast::error_code& failed) override {
    if (has_body() && (request.method == "GET" || request.method == "HEAD"))
      refuse(400, say("a {} request has no body", request.method), failed);
  }

  std::size_t on_body_impl(beast::string_view bytes, beast::error_code&) override {
    (*take_)(plain(bytes));
    return bytes.size();
  }

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes, beast::error_code&) override {
    (*take_)(plain(bytes));
    return bytes.size();
  }

  void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
  void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}
  void on_finish_impl(beast::error_code&) override {}

  HeadScan scan_;
  const TakeBody* take_ = nullptr;
  int hosts_ = 0, origins_ = 0, lengths_ = 0, encodings_ = 0;
};

RequestParser::RequestParser() : impl_(std::make_unique<Impl>()) {}
RequestParser::~RequestParser() = default;

std::size_t RequestParser::read_head(std::string_view input) { return impl_->read_head(input); }
std::size_t RequestParser::read_body(std::string_view input, const TakeBody& take) { return impl_->read_body(input, take); }
const std::optional<RequestRefused>& RequestParser::refused() const { return impl_->refused; }
bool RequestParser::has_body() const { return impl_->has_body(); }
bool RequestParser::done() const { return impl_->is_done(); }
bool RequestParser::keeps_open() const { return impl_->is_http_1_1 && impl_->keep_alive(); }
bool RequestParser::expects_continue() const { return impl_->expects_continue; }
const std::string& RequestParser::range() const { return impl_->range; }
Request& RequestParser::request() { return impl_->request; }

std::optional<std::uint64_t> RequestParser::content_length() const {
  if (impl_->content_length()) return *impl_->content_length();
  return std::nullopt;
}

}  // namespace sightline::server
