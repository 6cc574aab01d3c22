#include "graphstore/same_ids.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

// What OtherIds says of the toy graph and of itself after the change.
std::string OtherIdsAfter(const std::function<void(GraphCatalogue&)>& change) {
  GraphData later = ToyGraph();
  change(later.catalogue);
  return OtherIds(*ToySnapshot(), *BuildSnapshotOrDie(std::move(later)));
}

TEST(SameIdsTest, AGraphKeepsItsOwn) {
  EXPECT_EQ(OtherIds(*ToySnapshot(), *ToySnapshot()), "");
}

TEST(SameIdsTest, NodesAndTypesMayBeAdded) {
  const auto grow = [](GraphCatalogue& catalogue) {
    catalogue.node_types.push_back("zone");
    catalogue.nodes.push_back({"newcomer", "Newcomer", 3});
  };
  EXPECT_EQ(OtherIdsAfter(grow), "");
  GraphData grown = ToyGraph();
  grow(grown.catalogue);
  const auto larger = BuildSnapshotOrDie(std::move(grown));
  EXPECT_EQ(OtherIds(*larger, *ToySnapshot()), "node types");
}

TEST(SameIdsTest, NamesTheNodes) {
  EXPECT_EQ(OtherIdsAfter([](GraphCatalogue& catalogue) {
              std::swap(catalogue.nodes.front(), catalogue.nodes.back());
            }),
            "nodes");
  GraphData grown = ToyGraph();
  grown.catalogue.nodes.push_back({"newcomer", "Newcomer", 0});
  EXPECT_EQ(OtherIds(*BuildSnapshotOrDie(std::move(grown)), *ToySnapshot()),
            "nodes");
}

TEST(SameIdsTest, NamesTheNodeTypes) {
  EXPECT_EQ(OtherIdsAfter([](GraphCatalogue& catalogue) {
              std::swap(catalogue.node_types[0], catalogue.node_types[1]);
            }),
            "node types");
}

TEST(SameIdsTest, NamesTheRelationsAlsoWhenOneIsAdded) {
  EXPECT_EQ(OtherIdsAfter([](GraphCatalogue& catalogue) {
              std::swap(catalogue.relations[0], catalogue.relations[1]);
            }),
            "relations");
  EXPECT_EQ(OtherIdsAfter([](GraphCatalogue& catalogue) {
              catalogue.relations.push_back("zoned");
            }),
            "relations");
}

}  // namespace
}  // namespace slice
