// Stacks that share outer frames share rows; a stack's part of training follows from its frames.
#include "formats/common/stack_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "formats/common/frame_rules.h"

namespace sightline::formats {

namespace {

constexpr std::size_t kMany = 1'000'000;

struct Stacks {
  Profile profile;
  StackPool pool{profile};

  Row frame(std::string_view name, std::string_view file = "train.py", std::int64_t line = 1) {
    return pool.frame({profile.strings.intern(name), profile.strings.intern(file), line});
  }
  std::string words(Row row) const {
    std::string text;
    for (; row != kNoRow; row = profile.stacks.caller[row]) text.append(profile.text(profile.stacks.name[row])) += ' ';
    return text;
  }
};

TEST(StackPool, SharesOuterFrames) {
  Stacks of;
  const Row main = of.frame("main"), step = of.frame("step"), a = of.frame("a"), b = of.frame("b");
  const Row first = of.pool.stack(std::vector<Row>{a, step, main}, kMany);
  const Row second = of.pool.stack(std::vector<Row>{b, step, main}, kMany);
  EXPECT_EQ(of.words(first), "a step main ");
  EXPECT_EQ(of.words(second), "b step main ");
  EXPECT_EQ(of.profile.stacks.rows(), 4u);
  EXPECT_EQ(of.pool.stack(std::vector<Row>{a, step, main}, kMany), first);
  EXPECT_EQ(of.pool.stack(std::vector<Row>{step, main}, kMany), of.profile.stacks.caller[first]);
}

TEST(StackPool, MakesNoMoreRowsThanAllowed) {
  Stacks of;
  const Row main = of.frame("main"), a = of.frame("a");
  EXPECT_EQ(of.pool.stack(std::vector<Row>{a, main}, 1), kNoRow);
  EXPECT_EQ(of.profile.stacks.rows(), 0u);
}

TEST(StackPool, EachListHasItsOwnRow) {
  Stacks of;
  std::vector<Row> frames;
  for (int i = 0; i < 30; ++i) frames.push_back(of.frame("f" + std::to_string(i)));
  std::mt19937 random(1);
  std::map<std::vector<Row>, Row> known;
  for (int round = 0; round < 5000; ++round) {
    std::vector<Row> list(1 + random() % 6);
    for (Row& frame : list) frame = frames[random() % frames.size()];
    const Row row = of.pool.stack(list, kMany);
    EXPECT_EQ(known.try_emplace(list, row).first->second, row);
    std::string expected;
    for (const Row frame : list) expected += "f" + std::to_string(frame) + " ";
    ASSERT_EQ(of.words(row), expected);
  }
}

TEST(StackPool, PartsPassToWhatTheyCall) {
  Stacks of;
  const Row main = of.frame("main"), optimizer = of.frame("step", "/x/site-packages/torch/optim/adam.py"),
            forward = of.frame("forward", "/x/site-packages/torch/nn/modules/linear.py"), inner = of.frame("inner");
  const auto part = [&](const std::vector<Row>& frames) {
    return std::string(of.profile.text(of.profile.stacks.part[of.pool.stack(frames, kMany)]));
  };
  EXPECT_EQ(part({inner, main}), "");
  EXPECT_EQ(part({inner, forward, main}), "forward");
  EXPECT_EQ(part({inner, optimizer, main}), "optimizer");
  EXPECT_EQ(part({forward, optimizer, main}), "optimizer");  // a forward pass that another part computes again
}

TEST(FrameRules, Parts) {
  EXPECT_EQ(part_inside("", "torch::autograd::Engine::evaluate_function", "??"), "backward");
  EXPECT_EQ(part_inside("forward", "all_gather_into_tensor", "/p/torch/distributed/distributed_c10d.py"), "communication");
  EXPECT_EQ(part_inside("", "_apply", "/p/torch/nn/modules/module.py"), "parameters");
  EXPECT_EQ(part_inside("", "fetch", "/p/torch/utils/data/_utils/fetch.py"), "input");
  EXPECT_EQ(part_inside("", "train", "train.py"), "");
}

TEST(FrameRules, LibraryFrames) {
  EXPECT_TRUE(is_library("at::empty", "??"));
  EXPECT_TRUE(is_library("forward", "/v/lib/python3.11/site-packages/torch/nn/modules/linear.py"));
  EXPECT_TRUE(is_library("run", "/usr/lib/python3.11/threading.py"));
  EXPECT_TRUE(is_library("f", "<frozen importlib>"));
  EXPECT_FALSE(is_library("forward", "/v/lib/python3.11/site-packages/transformers/models/llama.py"));
  EXPECT_FALSE(is_library("main", "train.py"));
}

}  // namespace

}  // namespace sightline::formats
