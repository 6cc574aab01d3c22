#include "graphstore/link_arrivals.h"

#include <gtest/gtest.h>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class LinkArrivalsTest : public ::testing::Test {
 protected:
  Link Named(const char* source, const char* relation, const char* target) {
    return ToyLink(*base_, source, relation, target);
  }

  const std::shared_ptr<const GraphSnapshot> base_ = ToySnapshot();
  LinkArrivals arrivals_{*base_};
  const Link old_ = Named("curl", "depends", "libcurl4");
  const Link new_ = Named("curl", "depends", "firefox");
};

TEST_F(LinkArrivalsTest, ALinkOfTheBaseCameWithIt) {
  EXPECT_EQ(arrivals_.VersionOf(old_), base_->graph_version());
}

TEST_F(LinkArrivalsTest, ALinkCameWithTheVersionThatAddedIt) {
  arrivals_.Add(3, {.added_links = {{new_, 1}}});
  EXPECT_EQ(arrivals_.VersionOf(new_), 3u);
}

TEST_F(LinkArrivalsTest, ANewWeightIsNoArrival) {
  arrivals_.Add(2, {.added_links = {{old_, 5}}});
  arrivals_.Add(3, {.added_links = {{new_, 1}}});
  arrivals_.Add(4, {.added_links = {{new_, 2}}});
  EXPECT_EQ(arrivals_.VersionOf(old_), base_->graph_version());
  EXPECT_EQ(arrivals_.VersionOf(new_), 3u);
}

TEST_F(LinkArrivalsTest, ALinkThatCameBackIsAsNewAsItsReturn) {
  arrivals_.Add(2, {.removed_links = {old_}});
  arrivals_.Add(5, {.added_links = {{old_, 1}}});
  EXPECT_EQ(arrivals_.VersionOf(old_), 5u);
}

TEST_F(LinkArrivalsTest, ARemovedNodeTakesItsLinksAlong) {
  arrivals_.Add(1, {.added_links = {{new_, 1}}});
  arrivals_.Add(2, {.removed_nodes = {old_.source}});
  arrivals_.Add(4, {.added_links = {{old_, 1}, {new_, 1}}});
  EXPECT_EQ(arrivals_.VersionOf(old_), 4u);
  EXPECT_EQ(arrivals_.VersionOf(new_), 4u);
}

TEST_F(LinkArrivalsTest, LinksOfNewNodesAreKnown) {
  const auto added = static_cast<NodeId>(base_->node_count());
  const Link link{added, old_.relation, old_.target};
  arrivals_.Add(
      7, {.added_nodes = {{"wget", "wget", 0}}, .added_links = {{link, 1}}});
  EXPECT_EQ(arrivals_.VersionOf(link), 7u);
}

}  // namespace
}  // namespace slice
