// The line of source and the call of an advice.
#include "analyses/advice/place.h"

#include <gtest/gtest.h>

#include "analyses/advice/recommendations.h"
#include "tests/support/advice_of.h"

namespace sightline::analyses {

using namespace tests;

namespace {

// The user's function calls the framework's, which calls an operator; another operator has a recorded stack instead.
constexpr const char* kProfile = R"(
  thread 1: 0-100 python "train.py(12): step", 10-60 python "torch/nn/modules/module.py(1501): _call", 20-50 op aten::item, 25-45 op inner
  thread 2: 0-90 python "torch/autograd/graph.py(7): run", 10-40 op aten::mm
  thread 3: 0-30 op aten::add [stack=/usr/lib/python3/site-packages/x.py(3):f;model.py(8):forward], 40-50 op bare
)";

Row named(const Profile& profile, std::string_view name) {
  for (Row slice = 0; slice < profile.slices.rows(); ++slice) {
    if (profile.text(profile.slices.name[slice]) == name) return slice;
  }
  return kNoRow;
}

TEST(Place, TheLineIsThatOfTheUsersOwnCode) {
  const ProfilePtr profile = text_profile(kProfile);
  EXPECT_EQ(source_line(*profile, named(*profile, "inner")), "train.py(12): step");
  EXPECT_EQ(source_line(*profile, named(*profile, "aten::mm")), "torch/autograd/graph.py(7): run") << "there is no other";
  EXPECT_EQ(source_line(*profile, named(*profile, "aten::add")), "model.py(8):forward") << "from the recorded stack";
  EXPECT_EQ(source_line(*profile, named(*profile, "bare")), "");
}

TEST(Place, OfACall) {
  const ProfilePtr profile = text_profile(kProfile);
  Advice advice;
  EXPECT_EQ(place_of(*profile, advice), "") << "no link";
  go_to_slice(advice, named(*profile, "aten::item"));
  EXPECT_EQ(place_of(*profile, advice), "aten::item at train.py(12): step");
  go_to_slice(advice, named(*profile, "bare"));
  EXPECT_EQ(place_of(*profile, advice), "bare");
}

// aten::item takes 20 of the 30 ns from 30 to 60, `inner` 15 and is inside; nothing else takes half.
TEST(Place, OfAWindowIsTheOutermostOperatorThatTakesHalfOfIt) {
  const ProfilePtr profile = text_profile(kProfile);
  Advice advice;
  go_to_window(advice, {30, 60}, "x");
  EXPECT_EQ(place_of(*profile, advice), "aten::item at train.py(12): step");
  go_to_window(advice, {60, 100}, "x");
  EXPECT_EQ(place_of(*profile, advice), "train.py(12): step") << "only a function runs there";
  go_to_window(advice, {200, 300}, "x");
  EXPECT_EQ(place_of(*profile, advice), "");
}

TEST(Place, AdviceHasIt) {
  const Advice advice = advice_of("data_loading", R"(
    thread 1: 0-100 step 1, 0-90 python "train.py(3): batches", 5-85 data enumerate
    stream 7: 90-95 kernel k
  )");
  EXPECT_EQ(advice.where, "enumerate at train.py(3): batches");
}

}  // namespace

}  // namespace sightline::analyses
