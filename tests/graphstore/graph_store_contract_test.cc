// The contract of GraphStore. Both implementations run these tests and are
// compared with a plain multigraph of standard containers.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "graphstore/graph_store.h"
#include "graphstore/rocksdb_graph_store.h"
#include "gtest/gtest.h"
#include "tests/testing/in_memory_graph_store.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using StoreFactory =
    std::function<std::unique_ptr<GraphStore>(const TempDirectory&)>;

struct StoreKind {
  std::string name;
  StoreFactory make;
};

std::unique_ptr<GraphStore> MakeRocksDb(const TempDirectory& directory) {
  auto store = RocksDbGraphStore::Open({.directory = directory / "store"});
  EXPECT_TRUE(store.ok()) << store.status();
  return *std::move(store);
}

std::unique_ptr<GraphStore> MakeInMemory(const TempDirectory&) {
  return std::make_unique<InMemoryGraphStore>();
}

class GraphStoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  GraphStoreContract() : store_(GetParam().make(directory_)) {}

  void Load(const GraphData& data) {
    const absl::Status status = store_->BulkLoad(data, "split");
    ASSERT_TRUE(status.ok()) << status;
  }

  TempDirectory directory_;
  std::unique_ptr<GraphStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, GraphStoreContract,
                         testing::Values(StoreKind{"RocksDb", MakeRocksDb},
                                         StoreKind{"InMemory", MakeInMemory}),
                         [](const auto& info) { return info.param.name; });

// A multigraph as a multiset of triples.
class PlainMultigraph {
 public:
  explicit PlainMultigraph(const GraphData& data) {
    for (const Link& link : data.links) {
      triples_.insert({link.source, link.relation, link.target});
      distinct_.insert({link.source, link.relation, link.target});
    }
    for (NodeId id = 0; id < data.catalogue.nodes.size(); ++id) {
      const NodeRecord& node = data.catalogue.nodes[id];
      names_[{node.type, node.name}].push_back(id);
    }
  }

  std::vector<Arc> Arcs(NodeId node, Direction direction) const {
    std::set<std::pair<RelationId, NodeId>> found;
    for (const auto& [source, relation, target] : triples_) {
      if (direction == Direction::kOut && source == node)
        found.insert({relation, target});
      if (direction == Direction::kIn && target == node)
        found.insert({relation, source});
    }
    std::vector<Arc> arcs;
    for (const auto& [relation, neighbor] : found)
      arcs.push_back({neighbor, relation, direction});
    return arcs;
  }

  std::vector<Link> Links() const {
    std::vector<Link> links;
    for (const auto& [source, relation, target] : distinct_)
      links.push_back({source, relation, target});
    return links;
  }

  const std::map<std::pair<NodeTypeId, std::string>, std::vector<NodeId>>&
  names() const {
    return names_;
  }

 private:
  using Triple = std::tuple<NodeId, RelationId, NodeId>;
  std::multiset<Triple> triples_;
  std::set<Triple> distinct_;
  std::map<std::pair<NodeTypeId, std::string>, std::vector<NodeId>> names_;
};

void ExpectHolds(const GraphStore& store, const GraphData& data) {
  const PlainMultigraph plain(data);
  for (NodeId node = 0; node < data.catalogue.nodes.size(); ++node) {
    EXPECT_EQ(store.GetNode(node).value(), data.catalogue.nodes[node]);
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      EXPECT_THAT(store.GetArcs(node, direction).value(),
                  ElementsAreArray(plain.Arcs(node, direction)));
    }
  }
  for (const auto& [name, nodes] : plain.names()) {
    EXPECT_THAT(store.FindName(name.first, name.second).value(),
                ElementsAreArray(nodes));
  }
  const GraphData all = store.ReadAll().value();
  EXPECT_EQ(all.catalogue, data.catalogue);
  EXPECT_THAT(all.links, ElementsAreArray(plain.Links()));
  const GraphMetadata metadata = store.Metadata().value();
  EXPECT_EQ(metadata.node_count, data.catalogue.nodes.size());
  EXPECT_EQ(metadata.link_count, plain.Links().size());
  EXPECT_EQ(metadata.graph_digest, GraphDigest(data));
}

TEST_P(GraphStoreContract, HoldsWhatAMultigraphHolds) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const TempDirectory directory;
    const auto store = GetParam().make(directory);
    RandomMultigraphOptions options;
    options.links = 40 * (seed + 1);
    const GraphData data = RandomMultigraph(options, seed);
    ASSERT_TRUE(store->BulkLoad(data, "").ok());
    ExpectHolds(*store, data);
  }
}

TEST_P(GraphStoreContract, HoldsAHubOfSeveralRecords) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"a", "b", "c"};
  constexpr NodeId kNodes = 6000;
  for (NodeId node = 0; node < kNodes; ++node)
    data.catalogue.nodes.push_back(
        {std::to_string(node), std::to_string(node), 0});
  for (NodeId node = 0; node < kNodes; ++node) {
    data.links.push_back({7, static_cast<RelationId>(node % 2), node});
    data.links.push_back({node, 2, 7});
  }
  Load(data);
  const auto out = store_->GetArcs(7, Direction::kOut);
  const auto in = store_->GetArcs(7, Direction::kIn);
  ASSERT_TRUE(out.ok()) << out.status();
  ASSERT_TRUE(in.ok()) << in.status();
  EXPECT_EQ(out->size(), kNodes + 1);
  EXPECT_EQ(in->size(), kNodes + 1);
  const auto by_relation = [](const Arc& a, const Arc& b) {
    return std::pair(a.relation, a.neighbor) <
           std::pair(b.relation, b.neighbor);
  };
  EXPECT_TRUE(std::is_sorted(out->begin(), out->end(), by_relation));
  EXPECT_EQ(store_->ReadAll()->links.size(), 2 * kNodes);
}

TEST_P(GraphStoreContract, HoldsAGraphWithoutLinks) {
  GraphData data = ToyGraph();
  data.links.clear();
  Load(data);
  ExpectHolds(*store_, data);
}

TEST_P(GraphStoreContract, HoldsAGraphWithoutNodes) {
  Load(GraphData{});
  EXPECT_EQ(store_->Metadata()->node_count, 0);
  EXPECT_THAT(store_->ReadAll()->catalogue.nodes, IsEmpty());
}

TEST_P(GraphStoreContract, RemembersTheSplit) {
  Load(ToyGraph());
  EXPECT_EQ(store_->Metadata()->split_digest, "split");
  EXPECT_EQ(store_->Metadata()->format_version, 1);
}

TEST_P(GraphStoreContract, NodeBeyondTheCatalogueIsNotFound) {
  Load(ToyGraph());
  EXPECT_EQ(store_->GetNode(13).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->GetArcs(13, Direction::kOut).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_P(GraphStoreContract, FindsRepeatedNamesByType) {
  Load(ToyGraph());
  EXPECT_THAT(store_->FindName(0, "OpenSSL").value(), ElementsAre(5, 6));
  EXPECT_THAT(store_->FindName(1, "OpenSSL").value(), IsEmpty());
  EXPECT_THAT(store_->FindName(0, "openssl").value(), IsEmpty());
}

TEST_P(GraphStoreContract, ReadsFailBeforeALoad) {
  constexpr auto kCode = absl::StatusCode::kFailedPrecondition;
  EXPECT_EQ(store_->Metadata().status().code(), kCode);
  EXPECT_EQ(store_->GetNode(0).status().code(), kCode);
  EXPECT_EQ(store_->FindName(0, "x").status().code(), kCode);
  EXPECT_EQ(store_->GetArcs(0, Direction::kIn).status().code(), kCode);
  EXPECT_EQ(store_->ReadAll().status().code(), kCode);
  EXPECT_EQ(store_->BuildSnapshot().status().code(), kCode);
}

TEST_P(GraphStoreContract, SecondLoadIsRefusedAndChangesNothing) {
  Load(ToyGraph());
  const absl::Status status = store_->BulkLoad(RandomMultigraph({}, 1), "");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(GraphDigest(ToyGraph())));
  ExpectHolds(*store_, ToyGraph());
}

TEST_P(GraphStoreContract, RefusedLoadLeavesTheStoreEmpty) {
  GraphData data = ToyGraph();
  data.links.push_back({0, 99, 1});
  EXPECT_EQ(store_->BulkLoad(data, "").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(store_->Metadata().status().code(),
            absl::StatusCode::kFailedPrecondition);
  Load(ToyGraph());
  ExpectHolds(*store_, ToyGraph());
}

TEST_P(GraphStoreContract, BuildsASnapshot) {
  Load(ToyGraph());
  const auto snapshot = store_->BuildSnapshot();
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  EXPECT_EQ((*snapshot)->link_count(), ToyGraph().links.size());
  EXPECT_EQ((*snapshot)->Catalogue(), ToyGraph().catalogue);
  EXPECT_EQ((*snapshot)->graph_version(), store_->Metadata()->graph_version);
}

TEST_P(GraphStoreContract, KeepsWeights) {
  GraphData data = RandomMultigraph({.weighted = true}, 3);
  data.weights[1] = 1;
  Load(data);
  GraphData read = store_->ReadAll().value();
  SortLinks(&data);
  EXPECT_EQ(read.links, data.links);
  EXPECT_EQ(read.weights, data.weights);
  EXPECT_EQ(store_->Metadata()->graph_digest, GraphDigest(data));
  const auto snapshot = store_->BuildSnapshot();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_TRUE((*snapshot)->has_weights());
}

}  // namespace
}  // namespace slice
