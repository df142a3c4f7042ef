#include "fleet/trino_client.h"

#include <gtest/gtest.h>

namespace sightline::fleet {
namespace {

TEST(TrinoAddress, has_a_user_a_server_and_a_catalog) {
  const auto address = parse_trino_address("trino:https://ada@engine.example:8443/behind/lake");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->user, "ada");
  EXPECT_EQ(address->http.server, "https://engine.example:8443");
  EXPECT_EQ(address->http.below, "/behind");
  EXPECT_EQ(address->catalog, "lake");
  const auto without_user = parse_trino_address("trino:http://localhost:8080/lake");
  ASSERT_TRUE(without_user);
  EXPECT_FALSE(without_user->user.empty());
  EXPECT_EQ(without_user->http.below, "");
}

TEST(TrinoAddress, others_are_refused) {
  for (const char* text :
       {"", "http://localhost:8080/lake", "trino:localhost/lake", "trino:http://localhost:8080", "trino:http://@host/lake"}) {
    const auto address = parse_trino_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace sightline::fleet
