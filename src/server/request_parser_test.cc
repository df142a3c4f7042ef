// Requests as bytes, whole and torn at every place.
#include "server/request_parser.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "server/message.h"
#include "server/multipart.h"

namespace sightline::server {

namespace {

struct Read {
  int refused = 0;  // status
  bool head = false, done = false;
  std::string body, rest;
  Request request;
};

// Reads a request in pieces of `piece` bytes.
Read read(const std::string& bytes, std::size_t piece = std::string::npos) {
  RequestParser parser;
  Read out;
  std::string input;
  std::size_t head = 0;
  for (std::size_t at = 0; at < bytes.size() && !parser.refused(); at += std::min(piece, bytes.size() - at)) {
    input += bytes.substr(at, piece);
    if (head == 0) {
      head = parser.read_head(input);
      input.erase(0, head);
    }
    if (head > 0) input.erase(0, parser.read_body(input, [&](std::string_view part) { out.body += part; }));
  }
  out.refused = parser.refused() ? parser.refused()->status : 0;
  out.head = head > 0;
  out.done = head > 0 && parser.done() && !parser.refused();
  out.rest = input;
  out.request = parser.request();
  return out;
}

TEST(RequestParser, ReadsARequest) {
  const std::string bytes =
      "PUT /a%20b/c?x=1%262&y=a+b&&z HTTP/1.1\r\nHost: localhost:1\r\nCookie: a=1\r\nCOOKIE: b=2\r\nContent-Type: "
      "application/json\r\n"
      "Sec-Fetch-Site: same-origin\r\nContent-Length: 4\r\n\r\n{a}\nGET";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Read whole = read(bytes, piece);
    ASSERT_TRUE(whole.done && whole.refused == 0) << piece;
    EXPECT_EQ(whole.body, "{a}\n");
    EXPECT_EQ(whole.rest, "GET");
    EXPECT_EQ(whole.request.method, "PUT");
    EXPECT_EQ(whole.request.path, "/a b/c");
    EXPECT_EQ(whole.request.query, "x=1%262&y=a+b&&z");
    EXPECT_EQ(whole.request.parameter("x"), "1&2");
    EXPECT_EQ(whole.request.parameter("y"), "a b");
    EXPECT_EQ(whole.request.parameters.size(), 3u);
    EXPECT_EQ(whole.request.cookie, "a=1; b=2");
    EXPECT_EQ(whole.request.host, "localhost:1");
    EXPECT_EQ(whole.request.sec_fetch_site, "same-origin");
  }
}

TEST(RequestParser, ReadsChunksInPiecesOfAnySize) {
  const std::string bytes =
      "POST /api/losses HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=1\r\nabc\r\n0a\r\n0123456789\r\n0\r\nHost: "
      "b\r\n\r\nrest";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Read whole = read(bytes, piece);
    ASSERT_TRUE(whole.done) << piece;
    EXPECT_EQ(whole.body, "abc0123456789");
    EXPECT_EQ(whole.rest, "rest");
    EXPECT_EQ(whole.request.host, "a");
  }
}

TEST(RequestParser, RefusesAmbiguousRequests) {
  const std::string put = "PUT / HTTP/1.1\r\nHost: a\r\n", length = "Content-Length: 3\r\n",
                    chunked = "Transfer-Encoding: chunked\r\n";
  for (const std::string& head : {put + length + chunked,
                                  put + chunked + length,
                                  put + length + length,
                                  put + length + "Content-Length: 4\r\n",
                                  put + chunked + chunked,
                                  put + "Content-Length: 3, 3\r\n",
                                  put + "Content-Length: +3\r\n",
                                  put + "Content-Length: -1\r\n",
                                  put + "Content-Length: 0x3\r\n",
                                  put + "Content-Length:\r\n",
                                  put + "Content-Length: 99999999999999999999\r\n",
                                  put + "Transfer-Encoding: gzip\r\n",
                                  put + "Transfer-Encoding: gzip, chunked\r\n",
                                  put + "Transfer-Encoding: identity\r\n",
                                  put + "Transfer-Encoding: gzip\r\n" + length,
                                  put + "Transfer-Encoding: xchunked\r\n",
                                  put + "Transfer-Encoding : chunked\r\n",
                                  put + "X: a\r\n b\r\n",
                                  put + "X: a\r\n\tb\r\n",
                                  put + "X: a\nY: b\r\n",
                                  put + "X: a\rY: b\r\n",
                                  put + " X: a\r\n",
                                  put + "Host: b\r\n",
                                  put + "Origin: b\r\nOrigin: c\r\n",
                                  put + "X\r\n",
                                  put + ": a\r\n",
                                  put + "X: a\x01\r\n",
                                  std::string("PUT / HTTP/1.0\r\n") + chunked,
                                  std::string("GET / HTTP/1.1\r\n") + length,
                                  std::string("HEAD / HTTP/1.1\r\n") + chunked,
                                  std::string("GET /  HTTP/1.1\r\n"),
                                  std::string("GET /\r\n"),
                                  std::string("GET http://a/ HTTP/1.1\r\n"),
                                  std::string("GET / HTTP/2.0\r\n"),
                                  std::string("GET / HTTP/1.1 \r\n"),
                                  std::string("\r\nGET / HTTP/1.1\r\n"),
                                  std::string("GET / HTTP/1.1\n"),
                                  std::string("garbage\r\n")}) {
    for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{7}}) {
      const Read whole = read(head + "\r\nabc", piece);
      EXPECT_EQ(whole.refused, 400) << head;
      EXPECT_EQ(whole.body, "") << head;
    }
  }
  EXPECT_EQ(read(put + "X: a" + std::string(1, '\0') + "\r\n\r\n").refused, 400);
  EXPECT_EQ(read(put + "Content-Encoding: gzip\r\n\r\n").refused, 415);
  EXPECT_EQ(read(put + "Expect: a miracle\r\n\r\n").refused, 417);
}

TEST(RequestParser, RefusesBadChunks) {
  const std::string head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& chunks :
       {std::string("x\r\n"), std::string("-1\r\n"), std::string("3\r\nabcd\r\n0\r\n\r\n"), std::string("\r\n"),
        std::string("ffffffffffffffff\r\n"), std::string("11111111111111111\r\n"), "1;" + std::string(20'000, 'a'),
        "0\r\n" + std::string(20'000, 'a')}) {
    EXPECT_EQ(read(head + chunks).refused, 400) << chunks.substr(0, 20);
  }
}

TEST(RequestParser, RefusesTooLongRequestsBeforeTheyAreComplete) {
  const std::string line = "GET / HTTP/1.1\r\n";
  EXPECT_EQ(read("GET /" + std::string(kMostUrlBytes, 'a')).refused, 414);
  EXPECT_EQ(read("GET /" + std::string(kMostUrlBytes - 100, 'a') + " HTTP/1.1\r\n\r\n").refused, 0);
  EXPECT_EQ(read(line + "X: " + std::string(kMostHeadBytes, 'a')).refused, 431);
  std::string fields;
  for (std::size_t i = 0; i < kMostFields; ++i) fields += "X: a\r\n";
  EXPECT_TRUE(read(line + fields + "\r\n").done);
  EXPECT_EQ(read(line + fields + "X: a\r\n").refused, 431);
}

TEST(RequestParser, PercentSigns) {
  EXPECT_EQ(percent_decoded("a%20b%2Bc+d", false), "a b+c+d");
  EXPECT_EQ(percent_decoded("a+b%", true), "a b%");
  EXPECT_EQ(percent_decoded("%4", true), "%4");
  EXPECT_EQ(percent_decoded("%zz%e4%bD%a0", true), "%zz你");
}

// "[name|file]content" of each part.
std::string parts_of(const std::string& form, std::size_t piece, bool& whole) {
  std::string out;
  const FormBegin begin = [&](const std::string& name, const std::string& file) { out += "[" + name + "|" + file + "]"; };
  const FormBytes bytes = [&](std::string_view part) { out += part; };
  Multipart reader("b1", begin, bytes);
  for (std::size_t at = 0; at < form.size(); at += piece) reader.add(std::string_view(form).substr(at, piece));
  whole = reader.whole();
  return out;
}

TEST(Multipart, ReadsPiecesOfAnySize) {
  const std::string form =
      "to be ignored\r\n--b1\r\nContent-Disposition: form-data; name=\"loss_tag\"\r\n\r\nlm loss:\r\n--b1\r\n"
      "content-type: text/plain\r\ncontent-disposition: form-data; filename=\"a b.log\"; name=log\r\n\r\n"
      "one\r\n--b\r\n-b1\r\n\r\n--b1\r\n\r\n\r\n--b1--\r\nignored as well";
  for (std::size_t piece = 1; piece <= form.size(); ++piece) {
    bool whole = false;
    EXPECT_EQ(parts_of(form, piece, whole), "[loss_tag|]lm loss:[log|a b.log]one\r\n--b\r\n-b1\r\n[|]") << piece;
    EXPECT_TRUE(whole) << piece;
  }
}

TEST(Multipart, AnIncompleteFormIsNotWhole) {
  for (const std::string& form :
       {std::string(), std::string("--b1"), std::string("--b1\r\n\r\nabc\r\n--b1"), std::string("--b1x\r\n\r\nabc\r\n--b1--"),
        "--b1\r\n" + std::string(10'000, 'a') + "\r\n\r\n\r\n--b1--", std::string("abc")}) {
    bool whole = false;
    parts_of(form, 100, whole);
    EXPECT_FALSE(whole) << form.substr(0, 40);
  }
}

TEST(Multipart, Boundaries) {
  EXPECT_EQ(form_boundary("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(form_boundary("Multipart/Form-Data; charset=x; Boundary=\"a b\""), "a b");
  for (const std::string& type : {std::string(), std::string("text/plain; boundary=a"), std::string("multipart/form-data"),
                                  "multipart/form-data; boundary=" + std::string(71, 'a')}) {
    EXPECT_EQ(form_boundary(type), std::nullopt) << type;
  }
}

Response ten_bytes() {
  return {.status = 200, .content_type = "text/plain", .body = std::make_shared<const std::string>("0123456789"), .headers = {}};
}

// "STATUS what is sent", by a range.
std::string sent(std::string_view range, std::string_view method = "GET") {
  const Outgoing out = outgoing(ten_bytes(), method, range, false);
  return out.head.substr(9, 3) + " " + out.body->substr(out.begin, out.end - out.begin);
}

TEST(Outgoing, Ranges) {
  EXPECT_EQ(sent(""), "200 0123456789");
  EXPECT_EQ(sent("bytes=2-4"), "206 234");
  EXPECT_EQ(sent("bytes=8-"), "206 89");
  EXPECT_EQ(sent("bytes=-3"), "206 789");
  EXPECT_EQ(sent("bytes=-30"), "206 0123456789");
  EXPECT_EQ(sent("bytes=9-100"), "206 9");
  EXPECT_EQ(sent("bytes=10-"), "416 ");
  EXPECT_EQ(sent("bytes=-0"), "416 ");
  for (const char* range : {"bytes=0-1,3-4", "bytes=5-1", "bytes=a-b", "bytes=--5", "bytes=-", "bytes=", "lines=1-2",
                            "bytes=99999999999999999999-"}) {
    EXPECT_EQ(sent(range), "200 0123456789") << range;
  }
  EXPECT_EQ(sent("bytes=2-4", "HEAD"), "206 ");
}

TEST(Outgoing, Headers) {
  Response response = ten_bytes();
  response.headers = {{"Content-Disposition", "a\r\nSet-Cookie: b"}};
  const std::string head = outgoing(response, "GET", "bytes=2-4", true).head;
  for (const char* line : {"HTTP/1.1 206 Partial Content\r\n", "\r\nContent-Range: bytes 2-4/10\r\n", "\r\nContent-Length: 3\r\n",
                           "\r\nContent-Disposition: aSet-Cookie: b\r\n", "\r\nConnection: close\r\n",
                           "\r\nCross-Origin-Resource-Policy: same-origin\r\n"}) {
    EXPECT_NE(head.find(line), std::string::npos) << line << head;
  }
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_EQ(outgoing({.status = 304, .content_type = "", .headers = {}}, "GET", "", false).head.find("Content-Length"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::server
