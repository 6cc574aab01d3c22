#include "trainer/fit/step_fingerprint.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace slice {
namespace {

TEST(StepFingerprintTest, DependsOnEverything) {
  const auto digest = [](const std::string& name, const nlohmann::json& parts,
                         const StepParts& inherited) {
    return MakeStepFingerprint(name, parts, inherited).digest;
  };
  const std::string print = digest("a", {{"--k", 1}}, {{"--seed", "1"}});
  EXPECT_EQ(print, digest("a", {{"--k", 1}}, {{"--seed", "1"}}));
  EXPECT_NE(print, digest("b", {{"--k", 1}}, {{"--seed", "1"}}));
  EXPECT_NE(print, digest("a", {{"--k", 2}}, {{"--seed", "1"}}));
  EXPECT_NE(print, digest("a", {{"--l", 1}}, {{"--seed", "1"}}));
  EXPECT_NE(print, digest("a", {{"--k", 1}}, {{"--seed", "2"}}));
}

TEST(StepFingerprintTest, KeepsWhatItIsOf) {
  EXPECT_EQ(MakeStepFingerprint("a", {{"--k", 1}, {"--preset", "fast"}},
                                {{"--seed", "3"}})
                .parts,
            (StepParts{{"--k", "1"}, {"--preset", "fast"}, {"--seed", "3"}}));
}

TEST(DescribeChangeTest, NamesTheFlagAndBothValues) {
  EXPECT_EQ(DescribeChange({{"--k", "1"}, {"--l", "2"}},
                           {{"--k", "1"}, {"--l", "5"}}),
            "--l was 2 and is 5");
  EXPECT_EQ(DescribeChange({{"--k", "1"}}, {{"--k", "1"}}), "");
}

TEST(DescribeChangeTest, ShowsNoDigests) {
  EXPECT_EQ(DescribeChange({{"the links of --train", std::string(64, 'a')}},
                           {{"the links of --train", std::string(64, 'b')}}),
            "the links of --train changed");
}

TEST(DescribeChangeTest, NamesWhatIsNewOrGone) {
  EXPECT_EQ(DescribeChange({{"--old", "1"}}, {{"--new", "1"}}),
            "--new changed; --old changed");
}

TEST(DescribeChangeTest, NamesAFewOfMany) {
  StepParts before, now;
  for (const char name : std::string("abcdef")) {
    before[std::string(1, name)] = "1";
    now[std::string(1, name)] = "2";
  }
  EXPECT_EQ(DescribeChange(before, now),
            "a was 1 and is 2; b was 1 and is 2; c was 1 and is 2; d was 1 and "
            "is 2; and 2 more changed");
}

}  // namespace
}  // namespace slice
