#include "trainer/methods/method_registry.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

TEST(MethodRegistryTest, NamesDiffer) {
  std::set<std::string> names;
  for (const MethodInfo& info : AllMethods()) names.insert(info.name);
  EXPECT_EQ(names.size(), AllMethods().size());
}

TEST(MethodRegistryTest, TheErrorOfAnUnknownNameListsAllNames) {
  const auto found = FindMethod("node3vec");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
  for (const MethodInfo& info : AllMethods()) {
    EXPECT_THAT(std::string(found.status().message()), HasSubstr(info.name));
  }
  EXPECT_THAT(std::string(found.status().message()),
              HasSubstr("no method 'node3vec'; did you mean 'node2vec'"));
}

TEST(MethodRegistryTest, HelpListsEveryParameter) {
  const std::string help = MethodHelp();
  for (const MethodInfo& info : AllMethods()) {
    EXPECT_THAT(help, HasSubstr(info.name + ": "));
    EXPECT_THAT(help, HasSubstr(info.paper));
    for (const MethodParameter& parameter : info.parameters) {
      EXPECT_THAT(help,
                  HasSubstr(parameter.name + "=" + parameter.DefaultText()));
    }
  }
}

// Uses a method that learns nothing and declares that it needs node types.
TEST(MethodRegistryTest, AGraphWithoutNodeTypesIsRefused) {
  MethodInfo info = AllMethods().front();
  info.name = "typed";
  info.needs_node_types = true;
  RandomMultigraphOptions options;
  options.node_types = 1;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  const auto trained = TrainByMethod(info, input, ParameterValues());
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(trained.status().message()), HasSubstr("--nodes"));
}

TEST(MethodRegistryTest, TooLittleMemoryIsRefusedBeforeTraining) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph(RandomMultigraphOptions(), 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  for (const MethodInfo& info : AllMethods()) {
    if (info.memory == nullptr) continue;
    const auto parameters = ParameterValues::Parse(info.parameters, {});
    const double needed = info.memory(input, *parameters);
    EXPECT_GT(needed, 0) << info.name;
    const auto trained = TrainByMethod(info, input, *parameters, needed / 2);
    EXPECT_EQ(trained.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(trained.status().message()),
                HasSubstr(info.name + " would take about "));
  }
}

// What a bundle of such a method relies on.
TEST(MethodRegistryTest, ScoresByDotProductAreThoseOfTheEmbeddings) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph(RandomMultigraphOptions(), 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  int methods = 0;
  for (const MethodInfo& info : AllMethods()) {
    if (info.dot_product.empty()) continue;
    ++methods;
    std::vector<std::string> settings = {"dim=8"};
    if (info.dot_product != kAlways) settings.push_back(info.dot_product);
    const auto parameters = ParameterValues::Parse(info.parameters, settings);
    ASSERT_TRUE(parameters.ok()) << parameters.status();
    ASSERT_TRUE(ScoresByDotProduct(info, *parameters));
    input.budget = absl::Milliseconds(50);
    const auto method = TrainByMethod(info, input, *parameters);
    ASSERT_TRUE(method.ok()) << info.name << ": " << method.status();
    const NodeEmbeddings vectors = (*method)->embeddings();
    for (const Link& link : {Link{0, 0, 1}, Link{5, 1, 2}}) {
      float score = 0, product = 0;
      (*method)->Score({&link, 1}, {&link, 1}, {&score, 1});
      for (size_t k = 0; k < vectors.dim; ++k) {
        product += vectors.values[link.source * vectors.dim + k] *
                   vectors.values[link.target * vectors.dim + k];
      }
      EXPECT_NEAR(score, product, 1e-4 * (1 + std::abs(product))) << info.name;
    }
  }
  EXPECT_EQ(methods, 6);
}

TEST(MethodRegistryTest, TheEstimateCountsTheWalksOfABatch) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph(RandomMultigraphOptions(), 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  const MethodInfo& info = **FindMethod("watch-your-step");
  const auto needed = [&](const std::string& batch) {
    const std::vector<std::string> settings = {"batch=" + batch};
    return info.memory(input,
                       *ParameterValues::Parse(info.parameters, settings));
  };
  EXPECT_GT(needed("1048576"), needed("1") + 50);
}

// These estimates do not depend on the size of the graph: a matrix from 10,000
// pictures of about 8,000 numbers each to 4,096 numbers, and 1,000 matrices of
// 4,096 by 4,096.
TEST(MethodRegistryTest, TheEstimateCountsTheMatricesOfANetwork) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph(RandomMultigraphOptions(), 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  const auto needed = [&](const char* method,
                          const std::vector<std::string>& settings) {
    const MethodInfo& info = **FindMethod(method);
    return info.memory(input,
                       *ParameterValues::Parse(info.parameters, settings));
  };
  EXPECT_GT(needed("compgcn", {"dim=4096", "scorer=conve", "filters=10000"}),
            1.2e6);
  EXPECT_GT(needed("rgcn", {"dim=4096", "bases=1000"}), 64000);
  // A scorer keeps the vectors of every non-link of a step.
  EXPECT_GT(needed("rgcn", {"negatives=1000"}),
            10 * needed("rgcn", {"negatives=1"}));
  // The search for metapaths keeps numbers of all nodes.
  EXPECT_GT(needed("metapath2vec", {"dim=1"}),
            2 * needed("metapath2vec", {"dim=1", "metapaths=given"}));
  // Bases need less memory when a step sees few nodes of the graph.
  const auto of_bases = [&](std::vector<std::string> settings) {
    const double one = needed("rgcn", settings);
    settings.push_back("bases=1000");
    return needed("rgcn", settings) - one;
  };
  EXPECT_LT(of_bases({"graph=sampled", "batch_size=1", "negatives=1"}),
            of_bases({"graph=whole"}));
}

}  // namespace
}  // namespace slice
