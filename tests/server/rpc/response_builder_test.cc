#include "server/rpc/response_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/testing/fake_scorer.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Keys(const v1::FindNodesResponse& response) {
  std::vector<std::string> keys;
  for (const auto& node : response.nodes()) keys.push_back(node.key());
  return keys;
}

class ResponseBuilderTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const ServedModel> model_ =
      MakeFakeModel(ToySnapshot()).served;

  v1::FindNodesResponse Find(const v1::FindNodesRequest& request) {
    v1::FindNodesResponse response;
    EXPECT_TRUE(BuildFindNodesResponse(*model_, request, &response).ok());
    return response;
  }
};

TEST_F(ResponseBuilderTest, ModelInfoTellsManifestAndGraph) {
  v1::GetModelInfoResponse info;
  BuildGetModelInfoResponse(*model_, &info);
  EXPECT_EQ(info.model(), "default");
  EXPECT_EQ(info.bundle_id(), "bundle-default");
  EXPECT_EQ(info.node_count(), model_->snapshot->node_count());
  EXPECT_EQ(info.link_count(), model_->snapshot->link_count());
  EXPECT_EQ(info.context_strategy(), "shortest");
  EXPECT_EQ(info.max_context_nodes(), 12);
  EXPECT_EQ(info.scorer(), "context");
  EXPECT_EQ(info.metrics().at("test.auroc"), 0.5);
  EXPECT_EQ(info.relations_size(), 6);
  EXPECT_THAT(info.node_types(), Contains("package"));
  EXPECT_FALSE(info.server_version().empty());
  EXPECT_FALSE(info.leaky());
  EXPECT_FALSE(info.instruction_set().empty());
  EXPECT_EQ(info.forward_timings_size(), 0);
}

TEST_F(ResponseBuilderTest, ModelInfoTellsWhereTheNetworkRuns) {
  ServedModel on_device;
  on_device.snapshot = model_->snapshot;
  on_device.scorer = std::make_unique<FakeScorer>();
  on_device.device = "cuda:1";
  auto health = std::make_shared<DeviceHealth>();
  on_device.health = health;
  v1::GetModelInfoResponse info;
  BuildGetModelInfoResponse(on_device, &info);
  EXPECT_EQ(info.device(), "cuda:1");
  EXPECT_EQ(info.forward_path(), "auto");
  health->MarkLost(DeviceLostError("illegal address"));
  BuildGetModelInfoResponse(on_device, &info);
  EXPECT_EQ(info.device(), "cpu");
}

TEST_F(ResponseBuilderTest, ModelInfoTellsWhatTheForwardPathWasChosenBy) {
  ServedModel model;
  model.snapshot = model_->snapshot;
  auto scorer = std::make_unique<FakeScorer>();
  scorer->forward_timings = {
      {ForwardPath::kTorchScript, 64, absl::Microseconds(1500)}};
  model.scorer = std::move(scorer);
  v1::GetModelInfoResponse info;
  BuildGetModelInfoResponse(model, &info);
  ASSERT_EQ(info.forward_timings_size(), 1);
  EXPECT_EQ(info.forward_timings(0).forward_path(), "torchscript");
  EXPECT_EQ(info.forward_timings(0).contexts(), 64);
  EXPECT_DOUBLE_EQ(info.forward_timings(0).seconds(), 0.0015);
}

TEST_F(ResponseBuilderTest, ModelInfoTellsOfALeakyBundle) {
  ServedModel leaky;
  leaky.snapshot = model_->snapshot;
  leaky.scorer = std::make_unique<FakeScorer>();
  leaky.manifest.leaky = true;
  v1::GetModelInfoResponse info;
  BuildGetModelInfoResponse(leaky, &info);
  EXPECT_TRUE(info.leaky());
}

TEST_F(ResponseBuilderTest, RelationsAreCountedWithTheirTypes) {
  v1::ListRelationsResponse list;
  BuildListRelationsResponse(*model_, &list);
  uint64_t links = 0;
  for (const auto& relation : list.relations()) {
    links += relation.links();
    if (relation.name() == "tagged") {
      EXPECT_EQ(relation.links(), 3);
      EXPECT_THAT(relation.source_types(), ElementsAre("package"));
      EXPECT_THAT(relation.target_types(), ElementsAre("tag"));
    }
  }
  EXPECT_EQ(links, model_->snapshot->link_count());
}

TEST_F(ResponseBuilderTest, NodesArePagedWithoutGapOrRepeat) {
  v1::FindNodesRequest request;
  request.set_prefix("lib");
  request.set_page_size(1000);
  const auto whole = Keys(Find(request));
  ASSERT_GE(whole.size(), 3);
  request.set_page_size(2);
  std::vector<std::string> paged;
  do {
    const v1::FindNodesResponse page = Find(request);
    EXPECT_LE(page.nodes_size(), 2);
    for (const auto& key : Keys(page)) paged.push_back(key);
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(paged, whole);
}

TEST_F(ResponseBuilderTest, APrefixWithoutNodesGetsNearMisses) {
  v1::FindNodesRequest request;
  request.set_prefix("firefxo");
  const v1::FindNodesResponse response = Find(request);
  EXPECT_EQ(response.nodes_size(), 0);
  EXPECT_THAT(response.near_misses(), Contains("firefox"));
}

TEST_F(ResponseBuilderTest, NearMissesHaveTheTypeAskedFor) {
  v1::FindNodesRequest request;
  request.set_prefix("firefxo");
  request.set_type("package");
  EXPECT_THAT(Find(request).near_misses(), Contains("firefox"));
  request.set_type("team");
  EXPECT_THAT(Find(request).near_misses(), IsEmpty());
}

TEST_F(ResponseBuilderTest, AnUnknownTypeIsNotFound) {
  v1::FindNodesRequest request;
  request.set_type("packages");
  v1::FindNodesResponse response;
  const absl::Status status =
      BuildFindNodesResponse(*model_, request, &response);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "no node type is called 'packages'; did you mean 'package'?");
}

TEST_F(ResponseBuilderTest, ATokenOfAnotherPrefixIsRefused) {
  v1::FindNodesRequest request;
  request.set_prefix("lib");
  request.set_page_size(1);
  request.set_page_token(Find(request).next_page_token());
  request.set_prefix("fire");
  v1::FindNodesResponse response;
  EXPECT_EQ(BuildFindNodesResponse(*model_, request, &response).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ResponseBuilderTest, NeighborsCanBeNarrowedByRelationAndDirection) {
  v1::GetNeighborsRequest request;
  request.mutable_node()->set_key("libssl3");
  request.set_relation("depends");
  request.set_direction(v1::DIRECTION_IN);
  v1::GetNeighborsResponse response;
  ASSERT_TRUE(BuildGetNeighborsResponse(*model_, request, &response).ok());
  std::set<std::string> keys;
  for (const auto& neighbor : response.neighbors()) {
    EXPECT_EQ(neighbor.relation(), "depends");
    EXPECT_EQ(neighbor.direction(), v1::DIRECTION_IN);
    keys.insert(neighbor.node().key());
  }
  EXPECT_EQ(keys, (std::set<std::string>{"curl", "libcurl4", "libssl-dev",
                                         "openssl"}));
  EXPECT_EQ(response.total(), 4);
  EXPECT_EQ(response.node().name(), "TLS library");
}

TEST_F(ResponseBuilderTest, ALonelyNodeHasNoNeighbors) {
  v1::GetNeighborsRequest request;
  request.mutable_node()->set_key("lonely");
  v1::GetNeighborsResponse response;
  ASSERT_TRUE(BuildGetNeighborsResponse(*model_, request, &response).ok());
  EXPECT_EQ(response.total(), 0);
  EXPECT_THAT(response.next_page_token(), IsEmpty());
}

TEST_F(ResponseBuilderTest, UnknownNamesOfNeighborsAreNotFound) {
  v1::GetNeighborsRequest request;
  request.mutable_node()->set_key("curll");
  v1::GetNeighborsResponse response;
  EXPECT_EQ(BuildGetNeighborsResponse(*model_, request, &response).code(),
            absl::StatusCode::kNotFound);
  request.mutable_node()->set_key("curl");
  request.set_relation("dependss");
  EXPECT_EQ(BuildGetNeighborsResponse(*model_, request, &response).code(),
            absl::StatusCode::kNotFound);
}

// Paging over every node of random multigraphs shows each arc exactly once.
class NeighborPagingTest : public ::testing::TestWithParam<int> {};

TEST_P(NeighborPagingTest, PagesHoldEveryArcOnce) {
  using Seen = std::multiset<std::tuple<std::string, std::string, int>>;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, GetParam()));
  const auto model = MakeFakeModel(snapshot).served;
  for (NodeId node = 0; node < snapshot->node_count(); ++node) {
    Seen expected;
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan arcs = snapshot->Arcs(node, direction);
      for (size_t i = 0; i < arcs.size(); ++i) {
        expected.emplace(snapshot->Key(arcs.neighbors[i]),
                         snapshot->RelationName(arcs.relations[i]),
                         direction == Direction::kOut ? v1::DIRECTION_OUT
                                                      : v1::DIRECTION_IN);
      }
    }
    Seen seen;
    v1::GetNeighborsRequest request;
    request.mutable_node()->set_key(snapshot->Key(node));
    request.set_page_size(3);
    do {
      v1::GetNeighborsResponse page;
      ASSERT_TRUE(BuildGetNeighborsResponse(*model, request, &page).ok());
      EXPECT_EQ(page.total(), expected.size());
      EXPECT_LE(page.neighbors_size(), 3);
      for (const auto& neighbor : page.neighbors()) {
        seen.emplace(neighbor.node().key(), neighbor.relation(),
                     neighbor.direction());
      }
      request.set_page_token(page.next_page_token());
    } while (!request.page_token().empty());
    EXPECT_EQ(seen, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NeighborPagingTest, ::testing::Range(1, 4));

}  // namespace
}  // namespace slice
