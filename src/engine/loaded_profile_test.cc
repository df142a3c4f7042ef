// LoadedProfile: what is derived counts, is made once, and goes with the profile.
#include "engine/loaded_profile.h"

#include <gtest/gtest.h>

#include "analyses/operators/host_tree.h"
#include "tests/support/text_profile.h"

namespace sightline {
namespace {

TEST(LoadedProfile, CountsAndReleasesAllThatIsDerived) {
  auto loaded = std::make_unique<LoadedProfile>(parse_text_profile("thread 1: 0-100 op a, 10-20 op b"));
  const std::int64_t columns = loaded->bytes();
  EXPECT_GT(columns, 0);

  const std::weak_ptr<const HostTree> tree = host_tree(loaded->profile());
  EXPECT_EQ(host_tree(loaded->profile()), tree.lock());
  const std::int64_t with_tree = loaded->bytes();
  EXPECT_GT(with_tree, columns);

  const std::weak_ptr<const Timeline> timeline = loaded->timeline(1);
  EXPECT_EQ(loaded->timeline(1), timeline.lock());
  EXPECT_EQ(loaded->bytes(), with_tree + static_cast<std::int64_t>(timeline.lock()->bytes()));

  const std::weak_ptr<const Profile> profile = loaded->profile();
  loaded.reset();
  EXPECT_TRUE(tree.expired());
  EXPECT_TRUE(timeline.expired());
  EXPECT_TRUE(profile.expired());
}

}  // namespace
}  // namespace sightline
