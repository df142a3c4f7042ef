// RequestParser: one HTTP/1.x request from bytes as they come. It refuses what two readers could read differently (which is
// how requests are smuggled past a proxy), and what is too long before it is kept. It knows no socket.
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

// Why a request is not read on. The connection ends with the answer that says so.
struct RequestRefused {
  int status = 400;
  std::string why;
};

class RequestParser {
 public:
  using TakeBody = std::function<void(std::string_view)>;

  RequestParser();
  ~RequestParser();

  // `input`: the request from its first byte, as far as it has come; each call has more. Returns how many bytes of it the head
  // is, once it is whole; 0 while it is not, or when the request is refused.
  std::size_t read_head(std::string_view input);

  // `input`: what comes after what was taken. Returns how many bytes were taken; the rest belongs to the next request, or is the
  // begin of something that is not whole yet. REQUIRES: read_head returned more than 0, and the request is not refused.
  std::size_t read_body(std::string_view input, const TakeBody& take);

  const std::optional<RequestRefused>& refused() const;
  bool has_body() const;                                // more than 0 bytes, as far as the head says
  std::optional<std::uint64_t> content_length() const;  // absent: a body in chunks, or no body
  bool done() const;                                    // head and body are whole
  bool keeps_open() const;                              // the client wishes to send another request
  bool expects_continue() const;                        // it waits for a word before it sends the body
  const std::string& range() const;                     // the header, or empty
  Request& request();                                   // all that the head says

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The text behind percent signs: "a%20b" -> "a b". A percent sign without two digits stays.
std::string percent_decoded(std::string_view text, bool plus_is_blank);

}  // namespace sightline::server
