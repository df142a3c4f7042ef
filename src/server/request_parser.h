// RequestParser: one HTTP/1.x request from bytes as they arrive. It refuses what two parsers could understand differently (which
// is how requests are smuggled past a proxy), and checks lengths before it stores anything. It knows no socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/message.h"

namespace sightline::server {

constexpr std::size_t kMostUrlBytes = 32'768;   // of method, target and version: the SQL console uses GET
constexpr std::size_t kMostHeadBytes = 65'536;  // of that and all header fields
constexpr std::size_t kMostFields = 100;

// Why a request is not read further. The connection ends with an answer that gives the reason.
struct RequestRefused {
  int status = 400;
  Message why;
};

class RequestParser {
 public:
  using TakeBody = std::function<void(std::string_view)>;

  RequestParser();
  ~RequestParser();

  // `input`: the bytes of the request so far; each call has more. Returns the length of the head when it is complete; 0 while it
  // is not, or when the request is refused.
  std::size_t read_head(std::string_view input);

  // `input`: the bytes after those that were taken. Returns how many bytes were taken; the rest belongs to the next request, or
  // is the beginning of an incomplete element. REQUIRES: read_head returned more than 0, and the request is not refused.
  std::size_t read_body(std::string_view input, const TakeBody& take);

  const std::optional<RequestRefused>& refused() const;
  bool has_body() const;                                // more than 0 bytes, as far as the head says
  std::optional<std::uint64_t> content_length() const;  // absent: a body in chunks, or no body
  bool done() const;                                    // head and body are complete
  bool keeps_open() const;                              // the client may send another request
  bool expects_continue() const;                        // it waits for "100 Continue" before it sends the body
  const std::string& range() const;                     // the header, or empty
  Request& request();                                   // all that the head says

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The text behind percent signs: "a%20b" -> "a b". A percent sign without two digits stays.
std::string percent_decoded(std::string_view text, bool plus_is_blank);

}  // namespace sightline::server
