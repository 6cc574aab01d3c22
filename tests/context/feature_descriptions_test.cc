#include "context/feature_descriptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "context/pair_features.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kRelations = {"depends", "tagged"};
const std::vector<std::string> kTypes = {"package", "debtag"};

TEST(DescribeFeature, HasASentenceOfItsOwnForEachFeature) {
  for (const size_t relations : {2, 40}) {
    std::map<std::string, std::string> described;
    const PairFeatures features(relations, 2, {.walks = true});
    for (const std::string& name : features.names()) {
      const FeatureDescription description =
          DescribeFeature(name, kRelations, kTypes);
      ASSERT_NE(description.sentence, "") << name;
      EXPECT_NE(description.group, FeatureGroup::kOther) << name;
      EXPECT_EQ(description.sentence.back(), '.') << name;
      EXPECT_EQ(description.sentence.find('$'), std::string::npos) << name;
      const auto [other, is_new] =
          described.emplace(description.sentence, name);
      EXPECT_TRUE(is_new) << name << " and " << other->second << ": "
                          << description.sentence;
    }
  }
}

TEST(DescribeFeature, NamesRelationsAndTypes) {
  EXPECT_EQ(DescribeFeature("slot.source.out.1", kRelations, kTypes).sentence,
            "How many links of tagged leave the source.");
  EXPECT_EQ(DescribeFeature("type.target.1", kRelations, kTypes).sentence,
            "Whether the target is a debtag.");
  EXPECT_THAT(DescribeFeature("slot.target.in.7", {}, {}).sentence,
              HasSubstr("relation 7"));
}

TEST(DescribeFeature, DoesNotInventSentences) {
  for (const char* name :
       {"", "degree", "degree.unheard_of", "slot.source.out",
        "three_paths.first_relation.median", "new.feature"}) {
    EXPECT_EQ(DescribeFeature(name, {}, {}).sentence, "") << name;
    EXPECT_EQ(DescribeFeature(name, {}, {}).group, FeatureGroup::kOther);
  }
}

// docs/features.md is a table of these sentences. Features of single relations
// and types stand there once, with R and T in place of their numbers.
TEST(DescribeFeature, IsWhatTheDocumentationSays) {
  std::ifstream file(absl::StrCat(SLICE_SOURCE_DIR, "/docs/features.md"));
  std::stringstream text;
  text << file.rdbuf();
  const PairFeatures features(1, 2, {.walks = true});
  for (std::string name : features.names()) {
    const FeatureDescription description =
        DescribeFeature(name, std::vector<std::string>{"R"},
                        std::vector<std::string>{"T", "T"});
    if (absl::StartsWith(name, "type.")) {
      name.back() = 'T';
    } else if (absl::EndsWith(name, ".0")) {
      name.back() = 'R';
    }
    EXPECT_THAT(
        text.str(),
        HasSubstr(absl::StrCat("| `", name, "` | ",
                               std::string(FeatureGroupName(description.group)),
                               " | ", description.sentence, " |\n")));
  }
}

}  // namespace
}  // namespace slice
