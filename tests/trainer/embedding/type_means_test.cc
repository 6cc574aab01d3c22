#include "trainer/embedding/type_means.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// Nodes 0 to 4 of types 0, 0, 0, 1, 1.
std::shared_ptr<const GraphSnapshot> TypedNodes() {
  GraphData data;
  data.catalogue.node_types = {"a", "b"};
  data.catalogue.relations = {"link"};
  for (const NodeTypeId type : {0, 0, 0, 1, 1}) {
    data.catalogue.nodes.push_back(
        {std::to_string(data.catalogue.nodes.size()), "", type});
  }
  return BuildSnapshotOrDie(data);
}

TEST(TypeMeansTest, FillsFromTheTypeThenFromAll) {
  std::vector<float> vectors = {1, 2, 3, 6, 9, 9, 9, 9, 9, 9};
  EXPECT_EQ(FillWithTypeMeans(*TypedNodes(), {true, true, false, false, false},
                              2, vectors),
            3u);
  EXPECT_THAT(vectors, ElementsAre(1, 2, 3, 6, 2, 4, 2, 4, 2, 4));
}

TEST(TypeMeansTest, FillsWithZerosWhereNoNodeHasAVector) {
  std::vector<float> vectors(10, 7);
  EXPECT_EQ(FillWithTypeMeans(*TypedNodes(), std::vector<bool>(5), 2, vectors),
            5u);
  EXPECT_THAT(vectors, Each(0));
}

}  // namespace
}  // namespace slice
