// Numbers as words.
#include "analyses/words.h"

#include <gtest/gtest.h>

namespace sightline::analyses {

namespace {

TEST(Words, CountsAreGroupedByThousands) {
  EXPECT_EQ(count_words(0), "0");
  EXPECT_EQ(count_words(999), "999");
  EXPECT_EQ(count_words(8772), "8,772");
  EXPECT_EQ(count_words(1234567), "1,234,567");
  EXPECT_EQ(count_words(-1234), "-1,234");
  EXPECT_EQ(count_words(-123), "-123");
  EXPECT_EQ(count_words(1, "{} step", "{} steps"), "1 step");
  EXPECT_EQ(count_words(1500, "{} step", "{} steps"), "1,500 steps");
}

TEST(Words, TimesTakeTheUnitThatSuits) {
  EXPECT_EQ(time_words(850.0), "850 ns");
  EXPECT_EQ(time_words(12345.0), "12.3 µs");
  EXPECT_EQ(time_words(4.556e6), "4.56 ms");
  EXPECT_EQ(time_words(234e6), "234 ms");
  EXPECT_EQ(time_words(1.234e9), "1.23 s");
  EXPECT_EQ(time_words(-2000.0), "-2.00 µs");
}

TEST(Words, SharesBytesAndDates) {
  EXPECT_EQ(share_words(0.33368), "33.4%");
  EXPECT_EQ(share_words(0.0004), "<0.1%");
  EXPECT_EQ(share_words(0.0005), "0.1%");
  EXPECT_EQ(share_words(0), "0.0%");
  EXPECT_EQ(bytes_words(512), "512 B");
  EXPECT_EQ(bytes_words(34079637504.0), "31.7 GiB");
  EXPECT_EQ(unix_time_words(1623143089861000000), "2021-06-08 09:04:49.861 UTC");
}

// Titles that readers give are texts, with a name or a number as their value; other titles are names.
TEST(Words, TitlesOfReadersAreTexts) {
  EXPECT_EQ(own_title("Semaphores").kind(), Message::Kind::text);
  EXPECT_EQ(own_title("NeuronCore 0 overview").parts().text, "{} overview");
  EXPECT_EQ(own_title("NeuronCore 0 overview").parts().values[0], "NeuronCore 0");
  EXPECT_EQ(own_title("PSUM bank 3 in use").parts().values[0], "3");
  EXPECT_EQ(own_title("Cuda driver version").parts().text, "{} driver version");
  for (const char* name : {"overview", " overview", "Semaphore", "", "my stream"})
    EXPECT_EQ(own_title(name).kind(), Message::Kind::verbatim) << name;
}

}  // namespace
}  // namespace sightline::analyses
