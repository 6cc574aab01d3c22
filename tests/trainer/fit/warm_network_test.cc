#include "trainer/fit/warm_network.h"

#include <ATen/TensorAccessor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "context/pair_features.h"
#include "graphstore/types.h"
#include "model/torch/network.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Of a graph with these relations and node types.
NetworkNames NamesWith(const std::vector<std::string>& relations,
                       const std::vector<std::string>& types = {"x", "y"}) {
  return NamesFor(relations, types,
                  PairFeatures(relations.size(), types.size()).names(), {});
}

torch::jit::Module NetworkFor(const NetworkNames& names, uint64_t seed,
                              int hidden_dim = 16) {
  NetworkOptions options = *NetworkPreset("default");
  options.relation_count = static_cast<int>(names.relations.size());
  options.pair_features = static_cast<int>(names.pair_features.size());
  options.embedding_dim = 8;
  options.hidden_dim = hidden_dim;
  auto network = BuildNetwork(options, seed);
  EXPECT_TRUE(network.ok()) << network.status();
  return *network;
}

at::Tensor Value(const torch::jit::Module& network, const std::string& name) {
  return network.attr(name).toTensor();
}

class WarmNetworkTest : public ::testing::Test {
 protected:
  const NetworkNames older_names_ = NamesWith({"a", "b", "c"});
  const torch::jit::Module older_ = NetworkFor(older_names_, 1);
};

TEST_F(WarmNetworkTest, TheSameNamesGiveTheSameNetwork) {
  torch::jit::Module network = NetworkFor(older_names_, 2);
  EXPECT_FALSE(
      Value(network, "embed_weight").equal(Value(older_, "embed_weight")));
  const absl::Status status =
      CopyParameters(older_, older_names_, older_names_, &network);
  ASSERT_TRUE(status.ok()) << status;
  for (const auto& parameter : network.named_parameters()) {
    EXPECT_TRUE(parameter.value.equal(Value(older_, parameter.name)))
        << parameter.name;
    EXPECT_TRUE(parameter.value.requires_grad()) << parameter.name;
  }
}

// "b" is gone, "d" is new, and "a" and "c" have changed places.
TEST_F(WarmNetworkTest, RelationsAreMatchedByName) {
  const NetworkNames names = NamesWith({"c", "d", "a"});
  torch::jit::Module network = NetworkFor(names, 2);
  const torch::jit::Module fresh = NetworkFor(names, 2);
  const absl::Status status =
      CopyParameters(older_, older_names_, names, &network);
  ASSERT_TRUE(status.ok()) << status;
  for (const char* name :
       {"structural_relation_embedding", "head_relation_embedding"}) {
    const at::Tensor value = Value(network, name), older = Value(older_, name);
    EXPECT_TRUE(value[0].equal(older[2]));
    EXPECT_TRUE(value[1].equal(Value(fresh, name)[1]));
    EXPECT_TRUE(value[2].equal(older[0]));
  }
  const at::Tensor tokens = Value(network, "token_relation_embedding");
  const at::Tensor older_tokens = Value(older_, "token_relation_embedding");
  for (int block = 0; block < 3; ++block) {
    const int zero = 7 * block + 3;  // the row of no relation
    EXPECT_TRUE(tokens[zero].equal(older_tokens[zero]));
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      EXPECT_TRUE(tokens[zero + SignedRelation(0, direction)].equal(
          older_tokens[zero + SignedRelation(2, direction)]));
      EXPECT_FALSE(tokens[zero + SignedRelation(1, direction)].equal(
          older_tokens[zero + SignedRelation(1, direction)]));
    }
  }
}

// A feature of relation 0 is one of "a" before, and one of "c" now.
TEST_F(WarmNetworkTest, PairFeaturesAreMatchedByTheRelationsTheyAreAbout) {
  const NetworkNames names = NamesWith({"c", "d", "a"}, {"y", "x", "z"});
  torch::jit::Module network = NetworkFor(names, 2);
  const torch::jit::Module fresh = NetworkFor(names, 2);
  ASSERT_TRUE(CopyParameters(older_, older_names_, names, &network).ok());
  const at::Tensor weight = Value(network, "structural_weight1").t();
  const at::Tensor older = Value(older_, "structural_weight1").t();
  const at::Tensor untouched = Value(fresh, "structural_weight1").t();
  const PairFeatures features(3, 3), older_features(3, 2);
  const auto column = [](const PairFeatures& of, const std::string& name) {
    const auto at = std::find(of.names().begin(), of.names().end(), name);
    EXPECT_NE(at, of.names().end()) << name;
    return at - of.names().begin();
  };
  const auto expect_from = [&](const std::string& name,
                               const std::string& older_name) {
    EXPECT_TRUE(weight[column(features, name)].equal(
        older[column(older_features, older_name)]))
        << name;
  };
  expect_from("degree.source_arcs", "degree.source_arcs");
  expect_from("slot.source.out.0", "slot.source.out.2");
  expect_from("popularity.target.in.2", "popularity.target.in.0");
  expect_from("type.source.1", "type.source.0");
  for (const char* added : {"slot.source.out.1", "type.target.2"}) {
    EXPECT_TRUE(weight[column(features, added)].equal(
        untouched[column(features, added)]))
        << added;
  }
  // Behind the features comes the vector of the relation.
  EXPECT_TRUE(weight[weight.size(0) - 1].equal(older[older.size(0) - 1]));
}

TEST_F(WarmNetworkTest, AnotherSizeIsRefused) {
  torch::jit::Module network = NetworkFor(older_names_, 2, 32);
  const absl::Status status =
      CopyParameters(older_, older_names_, older_names_, &network);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("leave --warm-start out"));
}

TEST_F(WarmNetworkTest, OtherAttributesAreRefused) {
  torch::jit::Module network = NetworkFor(older_names_, 2);
  NetworkNames names = older_names_;
  names.attributes = {"age"};
  const absl::Status status =
      CopyParameters(older_, older_names_, names, &network);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("age"));
}

}  // namespace
}  // namespace slice
