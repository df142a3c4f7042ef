#include "engine/discover.h"

#include <gtest/gtest.h>

#include "engine/fake_reader_test.h"

namespace sightline::engine {

namespace {

// "run: shown" of every file found.
std::vector<std::string> found_in(const std::string& path) {
  const Result<Discovery> found = discover(path, fake_readers());
  if (!found) return {found.error().to_string()};
  std::vector<std::string> files;
  for (const FoundFile& file : found->files) files.push_back(file.run + ": " + file.shown);
  return files;
}

using Files = std::vector<std::string>;

TEST(Discover, EveryDirectoryWithCapturesIsARun) {
  TemporaryTree tree;
  tree.write("logs/w.1.fake", "fake ok");
  tree.write("logs/deep/down/rank10.fake", "fake ok");
  tree.write("logs/deep/down/rank9.fake", "fake ok");
  tree.write("logs/deep/readme.txt", "no");
  tree.write("logs/.hidden/w.fake", "fake ok");
  const Files expected{"logs: w.1.fake", "deep/down: deep/down/rank9.fake", "deep/down: deep/down/rank10.fake"};
  EXPECT_EQ(found_in(tree.path("logs")), expected);
  EXPECT_EQ(found_in(tree.path("logs/")), expected);
}

TEST(Discover, FoldersNamedForRolesAreOneRun) {
  TemporaryTree tree;
  tree.write("job/Actor-update/rank0.fake", "fake ok");
  tree.write("job/compute_values/rank0.fake", "fake ok");
  tree.write("job/rollout_generate/rank0.fake", "fake ok");
  tree.write("other/actor/rank0.fake", "fake ok");  // the only role
  tree.write("other/tuned/rank0.fake", "fake ok");
  tree.write("words/factor/rank0.fake", "fake ok");  // no roles: the words are longer
  tree.write("words/preference/rank0.fake", "fake ok");
  const auto roles_in = [&](const std::string& folder) {
    const Result<Discovery> found = discover(tree.path(folder), fake_readers());
    Files files;
    for (const FoundFile& file : found->files) files.push_back(file.run + ", " + file.role);
    return files;
  };
  EXPECT_EQ(roles_in("job"), (Files{"job, Actor-update", "job, compute_values", "job, rollout_generate"}));
  EXPECT_EQ(roles_in("other"), (Files{"actor, ", "tuned, "}));
  EXPECT_EQ(roles_in("words"), (Files{"factor, ", "preference, "}));
  EXPECT_EQ(roles_in("").front(), "job, Actor-update");
  EXPECT_EQ(roles_in("job/Actor-update"), (Files{"Actor-update, "}));
}

TEST(Discover, JsonIsRecognisedByContentIfNoReaderClaimsAFile) {
  TemporaryTree tree;
  tree.write("a/w.fake", "fake ok");
  tree.write("a/other.json", "fake ok");
  tree.write("b/trace.json", "fake ok");
  tree.write("b/package.json", "{}");
  tree.write("b/trace.txt", "fake ok");
  EXPECT_EQ(found_in(tree.root()), (Files{"a: a/w.fake", "b: b/trace.json"}));
}

TEST(Discover, AFolderThatAReaderClaimsIsOneCapture) {
  TemporaryTree tree;
  tree.write("logs/step1/w_7_set/inside/any.fake", "fake ok");
  tree.write("logs/step1/w_8_set/x", "");
  tree.write("logs/step1/w_8_not/x", "");
  EXPECT_EQ(found_in(tree.path("logs")), (Files{"step1: step1/w_7_set", "step1: step1/w_8_set"}));
  EXPECT_EQ(found_in(tree.path("logs/step1/w_7_set")), (Files{"step1: w_7_set"}));
  const Result<Discovery> found = discover(tree.path("logs"), fake_readers());
  EXPECT_EQ(found->files[1].name.worker, "w_8");
}

TEST(Discover, ALayoutOfFoldersIsOneRunWhoseFoldersAreSpans) {
  TemporaryTree tree;
  tree.write("logs/plugins/profile/2026_01_02_03_04_05/host0.xplane.pb", "");
  tree.write("logs/plugins/profile/2026_01_02_03_04_05/host0.trace.json.gz", "");
  tree.write("logs/plugins/profile/2026_01_02_03_04_05/host1.xplane.pb", "");
  tree.write("logs/plugins/profile/2026_01_03_00_00_00/host0.xplane.pb", "");
  tree.write("logs/eval/plugins/profile/s/host0.xplane.pb", "");
  const auto places = [&](const std::string& path) {
    const Result<Discovery> found = discover(tree.path(path), readers());
    Files lines;
    if (!found) return Files{found.error().to_string()};
    for (const FoundFile& file : found->files)
      lines.push_back(file.run + " > " + file.name.worker + " > " + file.name.span_stamp + ", " +
                      file.directory.substr(tree.root().size()));
    return lines;
  };
  EXPECT_EQ(places("logs"), (Files{"eval > host0 > s, /logs/eval", "logs > host0 > 2026_01_02_03_04_05, /logs",
                                   "logs > host1 > 2026_01_02_03_04_05, /logs", "logs > host0 > 2026_01_03_00_00_00, /logs"}));
  EXPECT_EQ(places("logs/eval/plugins/profile/s"), (Files{"eval > host0 > s, /logs/eval"}));
  EXPECT_EQ(places("logs/eval/plugins/profile/s/host0.xplane.pb"), (Files{"eval > host0 > s, /logs/eval"}));
}

TEST(Discover, LinksAreFollowedAndLoopsEnd) {
  TemporaryTree tree;
  tree.write("store/run/w.fake", "fake ok");
  tree.link("logs/linked", tree.path("store/run"));
  tree.link("logs/again/loop", tree.path("logs"));
  tree.link("logs/dangling", tree.path("nowhere"));
  EXPECT_EQ(found_in(tree.path("logs")), (Files{"linked: linked/w.fake"}));
}

TEST(Discover, ARunIsNamedByItsDirectoryAndNotByALinkToIt) {
  TemporaryTree tree;
  tree.write("logs/run5/w.fake", "fake ok");
  tree.link("logs/latest", "run5");
  EXPECT_EQ(found_in(tree.path("logs")), (Files{"run5: run5/w.fake"}));
}

TEST(Discover, AFileGivenDirectlyIsTakenUnderAnyName) {
  TemporaryTree tree;
  tree.write("run/anything.at.all", "fake ok");
  tree.write("run/claimed.fake", "damaged");
  tree.write("run/other", "nothing we know");
  EXPECT_EQ(found_in(tree.path("run/anything.at.all")), (Files{"run: anything.at.all"}));
  EXPECT_EQ(found_in(tree.path("run/claimed.fake")), (Files{"run: claimed.fake"}));
  EXPECT_EQ(found_in(tree.path("run/other")),
            (Files{tree.path("run/other") + ":0: not a profile in a supported format (Fake trace)"}));
}

TEST(Discover, WithoutProfilesTheErrorSaysWhatWasLookedFor) {
  TemporaryTree tree;
  tree.write("x/a.txt", "");
  tree.write("x/y/b.txt", "");
  EXPECT_EQ(found_in(tree.path("x")), (Files{tree.path("x") + ": no profile found in 2 files of 2 directories "
                                                              "(looked for: Fake trace)"}));
  EXPECT_EQ(found_in(tree.path("nope")), (Files{tree.path("nope") + ": no such file or directory"}));
}

}  // namespace
}  // namespace sightline::engine
