#include "tests/model/network_cases.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "model/made_up_links.h"
#include "model/torch/network.h"
#include "tests/testing/toy_bundle.h"

namespace slice {

NetworkOptions OddOptions() {
  NetworkOptions options;
  options.relation_count = 5;
  options.embedding_dim = 9;
  options.hidden_dim = 21;
  options.layers = 2;
  options.heads = 3;
  options.head_dim = 7;
  options.feed_forward_dim = 35;
  options.pair_features = 13;
  options.structural_dim = 19;
  options.relation_dim = 4;
  return options;
}

std::vector<NetworkOptions> AllOptions() {
  std::vector<NetworkOptions> all;
  for (const bool pre_norm : {true, false}) {
    for (const int layers : {0, 1, 2, 6}) {
      NetworkOptions options = OddOptions();
      options.pre_norm = pre_norm;
      options.layers = layers;
      all.push_back(options);
      options.pair_features = 0;
      options.head = ScoreHead::kDot;
      for (const auto readout :
           {LayerReadout::kLast, LayerReadout::kLastFourConcatenated,
            LayerReadout::kLastFourSummed, LayerReadout::kAllConcatenated}) {
        for (const auto projection : {Projection::kNone, Projection::kLinear,
                                      Projection::kFeedForward}) {
          options.readout = readout;
          options.projection = projection;
          all.push_back(options);
        }
      }
    }
  }
  NetworkOptions plain = OddOptions();
  plain.pair_features = 0;
  all.push_back(plain);
  all.push_back(ToyNetworkOptions("default"));
  all.push_back(ToyNetworkOptions("paper"));
  return all;
}

std::string CaseName(const NetworkOptions& options) {
  return absl::StrCat("layers ", options.layers, " pre-norm ", options.pre_norm,
                      " head ", static_cast<int>(options.head), " readout ",
                      static_cast<int>(options.readout), " projection ",
                      static_cast<int>(options.projection));
}

torch::jit::Module NetworkCase(const NetworkOptions& options) {
  torch::jit::Module network = *BuildNetwork(options, 3);
  const at::NoGradGuard no_grad;
  at::manual_seed(1);
  for (const auto& parameter : network.named_parameters()) {
    parameter.value.mul_(0.7).add_(at::randn_like(parameter.value) * 0.02);
  }
  network.eval();
  return network;
}

std::vector<float> CaseEmbeddings(const NetworkOptions& options) {
  Random random(9);
  std::vector<float> values(kCaseNodes * options.embedding_dim);
  for (float& value : values) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  return values;
}

EncodedLink CaseLink(const NetworkOptions& options, size_t tokens,
                     uint64_t seed) {
  return MadeUpLink({kCaseNodes, static_cast<size_t>(options.relation_count),
                     static_cast<size_t>(options.pair_features)},
                    tokens, seed);
}

std::vector<EncodedLink> CaseLinks(const NetworkOptions& options) {
  std::vector<EncodedLink> links;
  for (size_t i = 0; i < 60; ++i) {
    links.push_back(CaseLink(options, 2 + i * 7 % 33, i));
  }
  return links;
}

ContextBatch AssembleLinks(const std::vector<EncodedLink>& links) {
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return ContextBatch::Assemble(pointers);
}

void ExpectSameOutputs(const ForwardOutputs& actual,
                       const ForwardOutputs& expected, double tolerance) {
  ASSERT_EQ(actual.logits.size(), expected.logits.size());
  for (size_t i = 0; i < expected.logits.size(); ++i) {
    EXPECT_NEAR(actual.logits[i], expected.logits[i],
                tolerance * std::max(1.0f, std::abs(expected.logits[i])));
  }
  ASSERT_EQ(actual.attention.size(), expected.attention.size());
  for (size_t row = 0; row < expected.attention.size(); ++row) {
    const SemanticAssociationMatrix& a = actual.attention[row];
    const SemanticAssociationMatrix& b = expected.attention[row];
    EXPECT_EQ(a.layers, b.layers);
    EXPECT_EQ(a.heads, b.heads);
    EXPECT_EQ(a.tokens, b.tokens);
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (size_t i = 0; i < a.weights.size(); ++i) {
      EXPECT_NEAR(a.weights[i], b.weights[i], tolerance);
    }
    const auto layers = static_cast<size_t>(b.layers);
    ASSERT_EQ(b.cosines.size(), (layers + 1) * b.tokens * 2);
    ASSERT_EQ(a.cosines.size(), b.cosines.size());
    for (size_t i = 0; i < a.cosines.size(); ++i) {
      EXPECT_NEAR(a.cosines[i], b.cosines[i], tolerance);
    }
  }
}

}  // namespace slice
