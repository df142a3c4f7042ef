#include "output/terminal_text.h"

#include <gtest/gtest.h>

namespace sightline::output {

namespace {

TEST(TerminalText, Width) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("µs –"), 4u);
  EXPECT_EQ(display_width("算子"), 4u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);  // e and a combining accent
}

TEST(TerminalText, NamesFromAFileAreMadeHarmless) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td"), "a\xEF\xBF\xBD[31mb c d");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\xEF\xBF\xBD"
            "31m");  // the one-byte form of escape [
  EXPECT_EQ(printable("bad \xFF\xC3"), "bad \xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(printable("算子 µ"), "算子 µ");
}

TEST(TerminalText, LongNamesLoseTheirMiddle) {
  EXPECT_EQ(cut_middle("short", 5), "short");
  EXPECT_EQ(cut_middle("abcdefghijklmnop", 10), "abcdef…nop");
  EXPECT_EQ(cut_middle("算子算子算子", 7), "算子…子");
  EXPECT_EQ(cut_middle("abc", 1), "…");
  EXPECT_EQ(cut_middle("abc", 0), "");
}

TEST(TerminalText, Bars) {
  EXPECT_EQ(share_bar(1, 3), "███");
  EXPECT_EQ(share_bar(0.5, 3), "█▌");
  EXPECT_EQ(share_bar(0, 3), "");
  EXPECT_EQ(share_bar(2, 1), "█");
}

}  // namespace
}  // namespace sightline::output
