// Hosts, ports and origins, as browsers spell them and as attackers do.
#include "server/access.h"

#include <gtest/gtest.h>

namespace sightline::server {

namespace {

TEST(Authority, ReadsAHostWithOrWithoutAPort) {
  EXPECT_EQ(parse_authority("localhost"), (Authority{"localhost", ""}));
  EXPECT_EQ(parse_authority("LocalHost:3001"), (Authority{"localhost", "3001"}));
  EXPECT_EQ(parse_authority("gpu-7_a.example.org:65535"), (Authority{"gpu-7_a.example.org", "65535"}));
  EXPECT_EQ(parse_authority("127.0.0.1:1"), (Authority{"127.0.0.1", "1"}));
  EXPECT_EQ(parse_authority("[::1]:3001"), (Authority{"::1", "3001"}));
  EXPECT_EQ(parse_authority("[0:0:0:0:0:0:0:1]"), (Authority{"::1", ""}));
  EXPECT_EQ(parse_authority("[FE80::1]"), (Authority{"fe80::1", ""}));
}

TEST(Authority, RefusesAnythingElse) {
  for (const std::string_view text : {"",
                                      ":",
                                      ":80",
                                      "localhost:",
                                      "localhost:0",
                                      "localhost:080",
                                      "localhost:+80",
                                      "localhost:-1",
                                      "localhost:65536",
                                      "localhost:80x",
                                      "localhost:80 ",
                                      " localhost",
                                      "localhost ",
                                      "localhost:80:80",
                                      "localhost:80@evil.example",
                                      "evil.example@localhost",
                                      "user:secret@localhost",
                                      "localhost/evil",
                                      "localhost?x",
                                      "localhost#x",
                                      "localhost%00",
                                      "localhost,evil.example",
                                      "localhost, localhost",
                                      "http://localhost",
                                      "[",
                                      "[]",
                                      "[]:80",
                                      "[::1",
                                      "[::1]evil.example",
                                      "[::1].evil.example",
                                      "[::1]80",
                                      "[::1]:",
                                      "[::1]:80@evil.example",
                                      "[::1]]",
                                      "[[::1]]",
                                      "[localhost]",
                                      "[127.0.0.1]",
                                      "[::1%eth0]",
                                      "::1",
                                      "l\303\266calhost"}) {
    EXPECT_EQ(parse_authority(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_authority(std::string_view("localhost\0", 10)), std::nullopt);
  EXPECT_EQ(parse_authority(std::string_view("[::1\0]", 6)), std::nullopt);
  EXPECT_NE(parse_authority(std::string(253, 'a')), std::nullopt);
  EXPECT_EQ(parse_authority(std::string(254, 'a')), std::nullopt);
}

TEST(Authority, ReadsAnOrigin) {
  EXPECT_EQ(parse_origin("http://localhost:3001"), (Authority{"localhost", "3001"}));
  EXPECT_EQ(parse_origin("https://[::1]"), (Authority{"::1", ""}));
  for (const std::string_view text :
       {"", "null", "localhost", "file://", "ftp://localhost", "http:localhost", "http:///localhost", "http://localhost/",
        "http://localhost:3001 http://evil.example", "http://localhost,http://evil.example", "http://user@localhost"}) {
    EXPECT_EQ(parse_origin(text), std::nullopt) << text;
  }
}

TEST(Authority, ReadsAnAddressToListenOn) {
  EXPECT_EQ(canonical_host("LocalHost"), "localhost");
  EXPECT_EQ(canonical_host("0:0::1"), "::1");
  EXPECT_EQ(canonical_host("localhost:3001"), "");
}

}  // namespace
}  // namespace sightline::server
