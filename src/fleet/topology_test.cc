#include "fleet/topology.h"

#include <gtest/gtest.h>

namespace sightline::fleet {
namespace {

TEST(Topology, columns_come_in_any_order_and_others_are_skipped) {
  const auto topology = parse_topology("switch, remark,host ,rack\r\ns1,new,node1,r1\r\n\r\n\"s2\",,node2,\n,,,\n", "hosts.csv");
  ASSERT_TRUE(topology);
  ASSERT_EQ(topology->size(), 2u);
  EXPECT_EQ(topology->at("node1").rack, "r1");
  EXPECT_EQ(topology->at("node1").network_switch, "s1");
  EXPECT_EQ(topology->at("node2").rack, "");
  EXPECT_EQ(topology->at("node2").network_switch, "s2");
}

TEST(Topology, errors_name_the_file_and_the_line) {
  const auto short_line = parse_topology("host,rack\n\nnode1\n", "hosts.csv");
  ASSERT_FALSE(short_line);
  EXPECT_EQ(std::string(short_line.error().to_string()), "hosts.csv: line 3 has another number of cells than the titles");
  for (const char* text : {"", "host,rack\n", "name,rack\nnode1,r1\n"}) {
    const auto none = parse_topology(text, "hosts.csv");
    ASSERT_FALSE(none) << text;
    EXPECT_EQ(none.error().code, ErrorCode::malformed);
  }
}

}  // namespace
}  // namespace sightline::fleet
