#include "server/graph/asked_graph.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class AskedGraphTest : public ::testing::Test {
 protected:
  // The bytes that the graph of these changes takes.
  size_t BytesOf(AskedGraph& asked) {
    size_t taken = 0;
    const absl::Status made = asked.Make({.may_search = [] { return false; },
                                          .take_bytes =
                                              [&](size_t bytes) {
                                                taken = bytes;
                                                return absl::OkStatus();
                                              }});
    EXPECT_TRUE(made.ok()) << made;
    EXPECT_EQ(asked.bytes(), taken);
    return taken;
  }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
  v1::WhatIf what_if_;
};

TEST_F(AskedGraphTest, TheNamesOfNodesThatChangeTakeRoom) {
  v1::LinkChange* link = what_if_.add_changes()->mutable_add_link();
  link->mutable_source()->set_key("curl");
  link->set_relation("depends");
  link->mutable_target()->set_key("firefox");
  AskedGraph of_link(graph_, what_if_);
  const size_t bytes = BytesOf(of_link);
  EXPECT_LT(bytes, 1u << 19);
  what_if_.add_changes()->mutable_upsert_node()->set_key("newcomer");
  AskedGraph of_node(graph_, what_if_);
  EXPECT_GE(BytesOf(of_node), bytes + (1u << 19));
}

TEST_F(AskedGraphTest, AnImaginedGraphIsFreedWhenItIsForgotten) {
  what_if_.add_changes()->mutable_upsert_node()->set_key("newcomer");
  AskedGraph asked(graph_, what_if_);
  BytesOf(asked);
  const std::weak_ptr<const GraphSnapshot> imagined = asked.shared();
  EXPECT_NE(imagined.lock(), graph_);
  asked.Forget();
  EXPECT_TRUE(imagined.expired());
  // That of the model is of others, too.
  const v1::WhatIf nothing;
  AskedGraph plain(graph_, nothing);
  plain.Forget();
  EXPECT_EQ(plain.shared(), graph_);
}

}  // namespace
}  // namespace slice
