// Access and routes, without a socket.
#include <gtest/gtest.h>

#include "base/gzip.h"
#include "server/access.h"
#include "server/message.h"

namespace sightline::server {

namespace {

Request from(std::string host, std::string origin = "") {
  Request request;
  request.path = "/";
  request.host = std::move(host);
  request.origin = std::move(origin);
  return request;
}

// Why it is refused; empty: it is not.
std::string why(const Access& access, const Request& request) {
  const std::optional<Refusal> refused = refusal(access, request);
  return refused ? refused->why : "";
}

TEST(Access, OnlyOurOwnNamesAreAnswered) {
  const Access access{.host = "127.0.0.1", .token = ""};
  for (const char* host : {"localhost", "localhost:3001", "LOCALHOST:80", "127.0.0.1:9", "[::1]:3001", "[::1]"}) {
    EXPECT_EQ(why(access, from(host)), "") << host;
  }
  for (const char* host :
       {"", "evil.example", "evil.example:3001", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]:3001", "10.0.0.1",
        "[", "[::1]evil.example", "localhost:80@evil.example", "localhost:", "localhost, evil.example", "localhost, localhost"}) {
    EXPECT_NE(why(access, from(host)), "") << host;
  }
  EXPECT_EQ(why({.host = "gpu7", .token = ""}, from("GPU7:3001")), "");
  EXPECT_EQ(why({.host = "fe80:0::7", .token = ""}, from("[fe80::7]:3001")), "");
}

TEST(Access, AnotherSitesPageIsRefused) {
  const Access access{.host = "127.0.0.1", .token = ""};
  EXPECT_EQ(why(access, from("localhost:8080", "http://localhost:8080")), "");
  EXPECT_EQ(why(access, from("localhost", "https://localhost")), "");
  for (const char* origin : {"http://localhost:8080", "http://evil.example", "null", "http://localhost:3001, http://evil.example",
                             "http://localhost:3001@evil.example", "http://localhost:3001.evil.example"}) {
    EXPECT_NE(why(access, from("localhost:3001", origin)), "") << origin;
  }
}

// Requests without an Origin, such as those of <img>, state their origin in Sec-Fetch-Site. A link may open the page.
TEST(Access, TheOriginThatABrowserStates) {
  const Access access{.host = "127.0.0.1", .token = ""};
  const auto refusal = [&](std::string path, std::string site, std::string mode, std::string method = "GET") {
    Request request = from("localhost:3001");
    request.method = std::move(method);
    request.path = std::move(path);
    request.sec_fetch_site = std::move(site);
    request.sec_fetch_mode = std::move(mode);
    return why(access, request);
  };
  for (const char* site : {"", "none", "same-origin"}) {
    EXPECT_EQ(refusal("/api/state", site, "cors"), "") << site;
    EXPECT_EQ(refusal("/api/state", site, "navigate"), "") << site;
    EXPECT_EQ(refusal("/", site, "navigate"), "") << site;
  }
  for (const char* site : {"cross-site", "same-site", "same-origin, cross-site", "of tomorrow"}) {
    EXPECT_NE(refusal("/api/query", site, "no-cors"), "") << site;
    EXPECT_NE(refusal("/api/query", site, "navigate"), "") << site;
    EXPECT_NE(refusal("/assets/index.js", site, "no-cors"), "") << site;
    EXPECT_NE(refusal("/", site, "navigate", "POST"), "") << site;
    EXPECT_EQ(refusal("/", site, "navigate"), "") << site;
    EXPECT_EQ(refusal("/profile/n_1", site, "navigate"), "") << site;
  }
}

TEST(Access, TheTokenMayBeSentInThreeWays) {
  const Access access{.host = "0.0.0.0", .token = "secret"};
  EXPECT_NE(why(access, from("gpu7:3001")), "");
  Request request = from("gpu7:3001");
  request.authorization = "Bearer secret";
  EXPECT_EQ(why(access, request), "");
  for (const char* other : {"Bearer secrets", "Bearer secre", "Bearer ", "Bearer secreT", "secret", "Basic secret"}) {
    request.authorization = other;
    EXPECT_NE(why(access, request), "") << other;
  }
  request.authorization = "";
  request.parameters = {{"token", "secret"}};
  EXPECT_EQ(why(access, request), "");
  EXPECT_TRUE(token_in_query(access, request));
  request.parameters = {{"token", ""}};
  EXPECT_NE(why(access, request), "");
}

// The name and value of the cookie that a server hands out at this Host.
std::string cookie_at(const Access& access, const std::string& host) {
  const std::string set = token_cookie(access, from(host));
  EXPECT_TRUE(set.ends_with("; Path=/; HttpOnly; SameSite=Lax")) << set;
  return set.substr(0, set.find(';'));
}

TEST(Access, TheCookieIsForOnePort) {
  const Access access{.host = "127.0.0.1", .token = "secret"};
  const std::string cookie = cookie_at(access, "localhost:3001");
  EXPECT_TRUE(cookie.starts_with("sightline_token_3001=")) << cookie;
  EXPECT_EQ(cookie.find("secret"), cookie.npos) << "the token itself goes to no other port";
  EXPECT_EQ(cookie.size(), std::string("sightline_token_3001=").size() + 32);
  const auto with = [&](const std::string& host, const std::string& cookies) {
    Request request = from(host);
    request.cookie = cookies;
    return why(access, request);
  };
  EXPECT_EQ(with("localhost:3001", cookie), "");
  EXPECT_EQ(with("localhost:3001", "a=b; sightline_token_3001=other;" + cookie + "; c=d"), "");
  EXPECT_NE(with("localhost:3002", cookie), "") << "of another port";
  const std::string value = cookie.substr(cookie.find('='));
  EXPECT_NE(with("localhost:3002", "sightline_token_3002" + value), "") << "renamed";
  EXPECT_NE(with("localhost", "sightline_token" + value), "");
  EXPECT_NE(with("localhost:3001", "x" + cookie), "");
  EXPECT_NE(with("localhost:3001", "sightline_token_3001=secret"), "");
  EXPECT_NE(with("localhost:3001", "sightline_token_3001="), "");
  EXPECT_EQ(with("localhost:8080", cookie_at(access, "localhost:8080")), "") << "through a tunnel";
  EXPECT_EQ(with("localhost", cookie_at(access, "localhost")), "");
  EXPECT_EQ(with("[::1]", cookie_at(access, "[::1]")), "");
  EXPECT_NE(cookie_at({.host = "127.0.0.1", .token = "other"}, "localhost:3001"), cookie);
}

TEST(Access, AOneTimeTokenIsTakenOnce) {
  OneTimeToken once("secret");
  EXPECT_FALSE(once.take(""));
  EXPECT_FALSE(once.take("secre"));
  EXPECT_TRUE(once.take("secret"));
  EXPECT_FALSE(once.take("secret"));
  EXPECT_FALSE(once.take(""));
}

TEST(Access, ARefusalNamesTheWayIn) {
  const Access access{.host = "127.0.0.1", .token = "secret"};
  Request request = from("localhost:3001");
  EXPECT_EQ(why(access, request), "a token is required: open the address that the program printed");
  request.cookie = "sightline_token_3001=of-before";
  EXPECT_EQ(why(access, request), "this is not the token of this server: open the address that it printed when it started");
  EXPECT_TRUE(refusal(access, request)->for_want_of_token);
  EXPECT_FALSE(refusal(access, from("evil.example"))->for_want_of_token);
}

TEST(Access, EveryAddressIsServedOnlyWithAToken) { EXPECT_NE(why({.host = "0.0.0.0", .token = ""}, from("gpu7:3001")), ""); }

TEST(Access, Tokens) {
  const Result<std::string> token = new_token();
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(token->size(), 32u);
  EXPECT_NE(*token, *new_token());
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
}  // namespace sightline::server
