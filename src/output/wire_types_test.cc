// The page's types are those of what is sent now.
#include "output/wire.h"

#include <gtest/gtest.h>

#include "tests/support/document.h"

namespace sightline::output {

TEST(WireTypes, TheFileOfThePageIsNew) {
  EXPECT_EQ(wire_types(), tests::document("web/src/base/wire.ts"))
      << "web/src/base/wire.ts is old: build/release/sightline types > web/src/base/wire.ts";
}

}  // namespace sightline::output
