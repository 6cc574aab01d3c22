#include "trainer/fit/embedding_attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two nodes with one attribute each.
AttributeTable OneColumn() { return {{{"age", 0, 1}}, {10, 20}}; }

TEST(EmbeddingAttributesTest, FollowTheEmbeddingOfTheirNode) {
  EXPECT_THAT(StackAttributes({1, 2, 3, 4}, /*dim=*/2, OneColumn()),
              ElementsAre(1, 2, 10, 3, 4, 20));
}

TEST(EmbeddingAttributesTest, AreTakenOffAgain) {
  const std::vector<float> stacked = {1, 2, 10, 3, 4, 20};
  EXPECT_THAT(WithoutAttributes(stacked, /*dim=*/3, /*attribute_count=*/1),
              ElementsAre(1, 2, 3, 4));
}

TEST(EmbeddingAttributesTest, ChangeNothingWhereThereAreNone) {
  EXPECT_THAT(StackAttributes({1, 2}, /*dim=*/1, {}), ElementsAre(1, 2));
  EXPECT_THAT(AttributeDigest({}), IsEmpty());
}

TEST(EmbeddingAttributesTest, AnotherValueIsAnotherDigest) {
  AttributeTable other = OneColumn();
  other.values[1] = 21;
  EXPECT_NE(AttributeDigest(OneColumn()), AttributeDigest(other));
}

}  // namespace
}  // namespace slice
