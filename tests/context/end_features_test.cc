#include "context/end_features.h"

#include <gtest/gtest.h>

#include <vector>

#include "context/end_columns.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class EndFeaturesTest : public ::testing::Test {
 protected:
  // The end features of one node in a row that is -7 elsewhere.
  std::vector<float> Row(const EndFeatures& features, NodeId node,
                         Direction end) const {
    std::vector<float> row(encoder_.pair_features().names().size(), -7);
    features.CopyTo(node, end, row);
    return row;
  }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  const LinkEncoder encoder_{
      {}, graph_->relation_count(), graph_->node_type_count(), {}};
};

TEST_F(EndFeaturesTest, AreThePairFeaturesOfThatEnd) {
  const EndColumns columns(encoder_);
  const std::vector<std::string>& names = encoder_.pair_features().names();
  const RelationId depends = ToyRelation(*graph_, "depends");
  const EndFeatures features(*graph_, encoder_, columns, depends, 2);
  std::vector<float> expected(names.size());
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    encoder_.pair_features().ComputeWith({}, GraphView(*graph_),
                                         {node, depends, node}, {}, expected);
    const std::vector<float> as_source = Row(features, node, Direction::kOut);
    const std::vector<float> as_target = Row(features, node, Direction::kIn);
    size_t filled = 0;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string end = names[i].substr(names[i].find('.') + 1, 6);
      EXPECT_EQ(as_source[i], end == "source" ? expected[i] : -7) << names[i];
      EXPECT_EQ(as_target[i], end == "target" ? expected[i] : -7) << names[i];
      filled += end == "source" || end == "target";
    }
    EXPECT_EQ(filled, columns.packed_count());
    EXPECT_EQ(features.links(node, Direction::kOut),
              graph_->Neighbors(node, depends, Direction::kOut).size());
  }
}

}  // namespace
}  // namespace slice
