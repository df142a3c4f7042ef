// The graph of a compiled program around an operator, and where its boxes are drawn.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "analyses/programs/graph_layout.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

std::string places(std::size_t boxes, const std::vector<GraphEdge>& edges) {
  std::string text;
  for (const GraphPlace& at : lay_out_graph(boxes, edges)) text += fmt::format("{}:{} ", at.layer, at.place);
  return text;
}

TEST(GraphLayout, ArrowsLeadDown) {
  EXPECT_EQ(places(0, {}), "");
  EXPECT_EQ(places(3, {{0, 1}, {1, 2}, {0, 2}}), "0:0 1:0 2:0 ");
  // 3 is drawn right above the box that reads it, beside 1.
  EXPECT_EQ(places(4, {{0, 1}, {1, 2}, {3, 2}}), "0:0 1:-0.5 2:0 1:0.5 ");
}

TEST(GraphLayout, NeighboursAreNearEachOther) {
  // 0 and 1 are above; 2 reads 1 and 3 reads 0: 3 is drawn first.
  EXPECT_EQ(places(4, {{1, 2}, {0, 3}}), "0:-0.5 0:0.5 1:0.5 1:-0.5 ");
}

TEST(GraphLayout, ADamagedGraphWithACycleIsDrawn) { EXPECT_EQ(places(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}}), "0:0 1:0 2:0 "); }

// a and b feed dot.1; relu.2 is fused of two; out.4 reads relu.2 and a.
std::unique_ptr<Profile> linked_program() {
  return parse_text_profile(R"(
    device 0: chip
    device 1: chip
    program f: a.0 [op=parameter id=7], b.0 [op=parameter id=7], dot.1 [op=dot id=7 shape=f32[2,3] reads=a.0+b.0], relu.2 [op=fusion id=7 reads=dot.1], max.3 [op=maximum id=7 into=relu.2], out.4 [op=add id=7 reads=relu.2+a.0]
    stream 1: 0-30 dot [does=dot.1], 30-40 relu [does=relu.2]
    stream 1 of 1: 0-20 dot [does=dot.1]
  )");
}

TEST(ProgramGraph, HasWhatIsWithinTheDistance) {
  // Without an operator it is around dot.1, which took the most time: 30 + 20 of 60 ns.
  const Report one = run_view(linked_program(), "program_graph", {{"around", "1"}});
  EXPECT_EQ(rows_text(one, "graph_operators", {"name", "distance", "calls", "time", "share", "fused", "here"}),
            "dot.1 0 2 50 0.833333 0 yes\n"
            "relu.2 1 1 10 0.166667 1 no\n"
            "a.0 1 - - - 0 no\n"
            "b.0 1 - - - 0 no\n");
  EXPECT_EQ(rows_text(one, "graph_arrows", {"input", "reader", "input_row", "reader_row"}),
            "a.0 dot.1 2 0\nb.0 dot.1 3 0\ndot.1 relu.2 0 1\n");
  EXPECT_TRUE(one.notes.empty());
  const Report two = run_view(linked_program(), "program_graph", {{"operator", "out.4"}, {"around", "1"}});
  EXPECT_EQ(rows_text(two, "graph_operators", {"name", "distance", "layer", "place"}),
            "out.4 0 1 0\nrelu.2 1 0 -0.5\na.0 1 0 0.5\n");
}

TEST(ProgramGraph, SaysWhatItLacks) {
  EXPECT_THROW(run_view(linked_program(), "program_graph", {{"operator", "none.1"}}), std::invalid_argument);
  EXPECT_THROW(run_view(linked_program(), "program_graph", {{"operator", "max.3"}}), std::invalid_argument);
  EXPECT_THROW(run_view(linked_program(), "program_graph", {{"around", "-1"}}), std::invalid_argument);
  std::string wide = "program f: a [id=1 op=parameter]";
  for (int i = 0; i < 200; ++i) wide += fmt::format(", r.{} [id=1 op=copy reads=a]", i);
  const Report report = run_view(parse_text_profile("device 0: chip\n" + wide), "program_graph", {{"operator", "a"}});
  EXPECT_EQ(report.find_table("graph_operators")->rows(), 150u);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_EQ(
      std::string(report.notes.back().text),
      "The graph has the 150 nearest operators, those of the most time first; 51 more are as near. Choose a smaller distance "
      "to see all of them.");
}

}  // namespace
}  // namespace sightline::analyses
