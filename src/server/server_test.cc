// Access and routes, without a socket.
#include <gtest/gtest.h>

#include "base/gzip.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline {
namespace {

Request from(std::string host, std::string origin = "") {
  Request request;
  request.path = "/";
  request.host = std::move(host);
  request.origin = std::move(origin);
  return request;
}

TEST(Access, OnlyOurOwnNamesAreAnswered) {
  const Access access{.host = "127.0.0.1", .token = ""};
  for (const char* host : {"localhost", "localhost:3001", "LOCALHOST:80", "127.0.0.1:9", "[::1]:3001", "[::1]"}) {
    EXPECT_EQ(refusal(access, from(host)), std::nullopt) << host;
  }
  for (const char* host : {"", "evil.example", "evil.example:3001", "localhost.evil.example", "127.0.0.1.evil.example",
                           "[::2]:3001", "10.0.0.1", "[", "["}) {
    EXPECT_NE(refusal(access, from(host)), std::nullopt) << host;
  }
  EXPECT_EQ(refusal({.host = "gpu7", .token = ""}, from("GPU7:3001")), std::nullopt);
}

TEST(Access, AnotherSitesPageIsRefused) {
  const Access access{.host = "127.0.0.1", .token = ""};
  EXPECT_EQ(refusal(access, from("localhost:8080", "http://localhost:8080")), std::nullopt);
  EXPECT_EQ(refusal(access, from("localhost", "https://localhost")), std::nullopt);
  EXPECT_NE(refusal(access, from("localhost:3001", "http://localhost:8080")), std::nullopt);
  EXPECT_NE(refusal(access, from("localhost:3001", "http://evil.example")), std::nullopt);
  EXPECT_NE(refusal(access, from("localhost:3001", "null")), std::nullopt);
}

TEST(Access, TheTokenMayComeThreeWays) {
  const Access access{.host = "0.0.0.0", .token = "secret"};
  EXPECT_NE(refusal(access, from("gpu7:3001")), std::nullopt);
  Request request = from("gpu7:3001");
  request.authorization = "Bearer secret";
  EXPECT_EQ(refusal(access, request), std::nullopt);
  request.authorization = "Bearer secrets";
  EXPECT_NE(refusal(access, request), std::nullopt);
  request.authorization = "";
  request.cookie = "a=b; sightline_token=other; sightline_token=secret";
  EXPECT_EQ(refusal(access, request), std::nullopt);
  request.cookie = "xsightline_token=secret; sightline_token=";
  EXPECT_NE(refusal(access, request), std::nullopt);
  request.parameters = {{"token", "secret"}};
  EXPECT_EQ(refusal(access, request), std::nullopt);
  EXPECT_TRUE(token_in_query(access, request));
  EXPECT_EQ(token_cookie(access, request), "sightline_token_3001=secret; Path=/; HttpOnly; SameSite=Lax");
  EXPECT_EQ(token_cookie(access, from("gpu7")), "sightline_token=secret; Path=/; HttpOnly; SameSite=Lax");
  EXPECT_EQ(token_cookie(access, from("[::1]")), "sightline_token=secret; Path=/; HttpOnly; SameSite=Lax");
  Request back = from("gpu7:3001");
  back.cookie = "sightline_token_3002=other; sightline_token_3001=secret";
  EXPECT_EQ(refusal(access, back), std::nullopt);
  EXPECT_EQ(refusal(access, from("gpu7:3001"))->find("a token is required"), 0u);
  back.cookie = "sightline_token_3001=of before";
  EXPECT_EQ(refusal(access, back)->find("this is not the token"), 0u);
}

TEST(Access, EveryAddressIsServedOnlyWithAToken) {
  EXPECT_NE(refusal({.host = "0.0.0.0", .token = ""}, from("gpu7:3001")), std::nullopt);
}

TEST(Access, Tokens) {
  EXPECT_EQ(new_token().size(), 32u);
  EXPECT_NE(new_token(), new_token());
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_FALSE(is_loopback("127.evil.example"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
}

TEST(Message, AcceptsGzip) {
  for (const char* header : {"gzip", "deflate, gzip;q=0.5", "br,gzip", "*", "gzip ; q=1"}) {
    EXPECT_TRUE(accepts_gzip(header)) << header;
  }
  for (const char* header : {"", "identity", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"}) {
    EXPECT_FALSE(accepts_gzip(header)) << header;
  }
}

TEST(Gzip, RoundTrip) {
  for (const std::size_t size : {0, 1, 100, 1'000'000}) {
    std::string text;
    while (text.size() < size) text += std::to_string(text.size());
    const std::string packed = gzip_pack(text);
    EXPECT_EQ(gzip_unpack(std::as_bytes(std::span(packed))), text);
  }
}

}  // namespace
}  // namespace sightline
