#include "context/end_feature_cache.h"

#include <gtest/gtest.h>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class EndFeatureCacheTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  const LinkEncoder encoder_{
      {}, graph_->relation_count(), graph_->node_type_count(), {}};
};

TEST_F(EndFeatureCacheTest, KeepsTheRelationsUsedLast) {
  const size_t bytes = EndFeatureCache(*graph_, encoder_, 0).Get(0, 1)->bytes();
  EndFeatureCache cache(*graph_, encoder_, 2 * bytes + bytes / 2);
  const auto first = cache.Get(0, 1);
  const auto second = cache.Get(1, 1);
  EXPECT_EQ(cache.Get(0, 1), first);
  cache.Get(2, 1);  // drops relation 1
  EXPECT_EQ(cache.Get(0, 1), first);
  EXPECT_NE(cache.Get(1, 1), second);
}

TEST_F(EndFeatureCacheTest, KeepsOneRelationWhateverTheBound) {
  EndFeatureCache cache(*graph_, encoder_, 0);
  const auto first = cache.Get(0, 1);
  EXPECT_EQ(cache.Get(0, 1), first);
  cache.Get(1, 1);
  EXPECT_NE(cache.Get(0, 1), first);
}

}  // namespace
}  // namespace slice
