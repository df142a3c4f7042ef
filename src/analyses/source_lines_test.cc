#include "analyses/source_lines.h"

#include <gtest/gtest.h>

namespace sightline::analyses {
namespace {

TEST(SourceLines, AFrameOfTheUsersOwnProgramIsTheBest) {
  EXPECT_EQ(kind_of_frame("train.py(47): main"), FrameKind::own);
  EXPECT_EQ(kind_of_frame("torch/nn/functional.py(5): linear"), FrameKind::library);
  EXPECT_EQ(kind_of_frame("/opt/site-packages/x.py(3): f"), FrameKind::library);
  EXPECT_EQ(kind_of_frame("<built-in method run_backward>"), FrameKind::built_in);
}

TEST(SourceLines, OfAStackTheInnermostOfTheBestKind) {
  EXPECT_EQ(line_of_stack("<built-in f>;torch/a.py(1): g;b.py(2): h;c.py(3): i"), "b.py(2): h");
  EXPECT_EQ(line_of_stack("<built-in f>;torch/a.py(1): g;torch/b.py(2): h"), "torch/a.py(1): g");
  EXPECT_EQ(line_of_stack("<built-in f>;<built-in g>"), "<built-in f>");
  EXPECT_EQ(line_of_stack(""), "");
}

}  // namespace
}  // namespace sightline::analyses
