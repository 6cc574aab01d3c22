#include "common/did_you_mean.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NearestStringsTest, RanksByEditsThenPrefixThenContent) {
  const std::vector<std::string> relations = {"depends", "pre-depends",
                                              "recommends", "suggests"};
  EXPECT_THAT(NearestStrings("depend", relations),
              ElementsAre("depends", "pre-depends"));
  EXPECT_THAT(NearestStrings("sugests", relations), ElementsAre("suggests"));
  EXPECT_THAT(NearestStrings("zzz", relations), IsEmpty());
}

TEST(DidYouMeanTest, SaysWhatThereIsWhenNothingIsSimilar) {
  const std::vector<std::string> names = {"alpha", "beta"};
  EXPECT_EQ(Alternatives("alpa", names), "; did you mean 'alpha'?");
  EXPECT_EQ(Alternatives("zzz", names), "; there is 'alpha', 'beta'");
  EXPECT_EQ(Alternatives("alpa", names, 0), "");
  EXPECT_EQ(DidYouMean({"a", "b"}), "; did you mean 'a' or 'b'?");
}

TEST(DidYouMeanTest, CutsALongTextBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xc3\xa4";
  const std::string quoted = Quoted("x" + text);
  EXPECT_EQ(quoted.size(), 1 + 119 + 4);
  EXPECT_TRUE(quoted.ends_with("\xc3\xa4...'"));
}

}  // namespace
}  // namespace slice
