// Networks of every option can be trained, and score the same once frozen.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "context/context_generator.h"
#include "model/frozen_network.h"
#include "model/torch/network.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "trainer/learning/gradient_optimizer.h"

namespace slice {
namespace {

constexpr int kDim = 12;

struct NetworkCase {
  const char* name;
  std::function<void(NetworkOptions&)> change;
};

void UseDot(NetworkOptions& o) { o.head = ScoreHead::kDot; }

const NetworkCase kCases[] = {
    {"PlainTokens",
     [](NetworkOptions& o) {
       UseDot(o);
       o.plain_tokens = true;
     }},
    {"NoLayers", [](NetworkOptions& o) { o.layers = 0; }},
    {"NoLayersDot",
     [](NetworkOptions& o) {
       UseDot(o);
       o.layers = 0;
     }},
    {"EightLayers", [](NetworkOptions& o) { o.layers = 8; }},
    {"OneWideHead",
     [](NetworkOptions& o) {
       o.heads = 1;
       o.head_dim = 24;
       o.feed_forward_dim = 8;
     }},
    {"Last",
     [](NetworkOptions& o) {
       UseDot(o);
       o.readout = LayerReadout::kLast;
     }},
    {"LastFourConcatenatedOfSix",
     [](NetworkOptions& o) {
       UseDot(o);
       o.layers = 6;
       o.pre_norm = false;
       o.readout = LayerReadout::kLastFourConcatenated;
     }},
    {"LastFourSummed",
     [](NetworkOptions& o) {
       UseDot(o);
       o.layers = 5;
       o.pre_norm = false;
       o.readout = LayerReadout::kLastFourSummed;
     }},
    {"AllConcatenated",
     [](NetworkOptions& o) {
       UseDot(o);
       o.layers = 3;
     }},
    {"FeedForwardProjection",
     [](NetworkOptions& o) {
       UseDot(o);
       o.projection = Projection::kFeedForward;
     }},
    {"NoProjection",
     [](NetworkOptions& o) {
       UseDot(o);
       o.pre_norm = false;
       o.readout = LayerReadout::kLast;
       o.projection = Projection::kNone;
     }},
    {"GcnSub", [](NetworkOptions& o) { o.composition = Composition::kSub; }},
    {"GcnMult", [](NetworkOptions& o) { o.composition = Composition::kMult; }},
    {"GcnCircConv",
     [](NetworkOptions& o) { o.composition = Composition::kCircConv; }},
    {"NothingDropped",
     [](NetworkOptions& o) {
       UseDot(o);
       o.projection = Projection::kFeedForward;
       o.composition = Composition::kSub;
       o.dropout = 0;
     }},
    {"GcnAloneWithDot",
     [](NetworkOptions& o) {
       UseDot(o);
       o.layers = 0;
       o.composition = Composition::kMult;
       o.gcn_layers = 3;
     }},
};

NetworkOptions OptionsOf(const NetworkCase& test) {
  NetworkOptions options;
  options.relation_count = 4;
  options.embedding_dim = kDim;
  options.hidden_dim = 16;
  options.heads = 2;
  options.head_dim = 8;
  options.feed_forward_dim = 24;
  options.dropout = 0.05;
  test.change(options);
  return options;
}

// Links of a random graph with random labels, which a network can only
// memorise.
class ContextsLearnedByHeart {
 protected:
  ContextsLearnedByHeart() {
    const GraphData data = RandomMultigraph({}, 3);
    const auto graph = BuildSnapshotOrDie(data);
    const ContextGenerator generator({.strategy = ContextStrategy::kRandomWalks,
                                      .max_nodes = 6,
                                      .metapaths = {}});
    Random random(4);
    for (int i = 0; i < 48; ++i) {
      EncodedLink link;
      link.link = {random.Below(40), static_cast<RelationId>(random.Below(4)),
                   random.Below(40)};
      GraphView view(*graph);
      view.HidePair(link.link.source, link.link.target);
      link.contexts = {generator.Cut(view, link.link, i)};
      links_.push_back(std::move(link));
    }
    at::manual_seed(7);
    labels_ = at::randint(0, 2, {48, 1}, at::kFloat);
    embeddings_ = at::randn({40, kDim});
    for (const EncodedLink& link : links_) pointers_.push_back(&link);
    batch_ = ContextBatch::Assemble(pointers_);
  }

  std::vector<torch::jit::IValue> Inputs() const {
    return NetworkInputs(embeddings_, batch_, at::kCPU);
  }

  // The first two columns are those of the contextual scorer.
  at::Tensor Loss(torch::jit::Module& network) const {
    const at::Tensor logits =
        network.forward(Inputs()).toTensor().narrow(1, 0, 2);
    return at::binary_cross_entropy_with_logits(logits,
                                                labels_.expand({48, 2}));
  }

  std::vector<EncodedLink> links_;
  std::vector<const EncodedLink*> pointers_;
  ContextBatch batch_;
  at::Tensor embeddings_, labels_;
};

class NetworkOptionsTest : public ContextsLearnedByHeart,
                           public testing::TestWithParam<NetworkCase> {};
class ContextPoolingTest : public ContextsLearnedByHeart,
                           public testing::Test {};

TEST_P(NetworkOptionsTest, LearnsAndIsTheSameOnceFrozen) {
  torch::jit::Module network = *BuildNetwork(OptionsOf(GetParam()), 5);
  network.train();
  std::vector<at::Tensor> parameters;
  for (const at::Tensor& parameter : network.parameters()) {
    parameters.push_back(parameter);
  }
  const auto optimizer = MakeAdam({parameters}, 5e-3);
  double first = 0, last = 0;
  for (int step = 0; step < 40; ++step) {
    optimizer->ClearGradients();
    at::Tensor loss = Loss(network);
    loss.backward();
    optimizer->Step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  EXPECT_LT(last, 0.85 * first) << first;

  network.eval();
  const at::NoGradGuard no_grad;
  const at::Tensor expected = network.forward(Inputs()).toTensor();
  const TempDirectory directory;
  const auto path = directory.path() / "model.pt";
  ASSERT_TRUE(SaveNetwork(network, path).ok());
  FrozenNetworkOptions frozen_options;
  frozen_options.embeddings = {embeddings_.data_ptr<float>(), 40, kDim};
  const auto frozen = *FrozenNetwork::Load(path, frozen_options);
  const auto predictions = *frozen->Predict(batch_);
  const auto explained = *frozen->Explain(batch_);
  ASSERT_EQ(predictions.size(), 48u);
  for (int64_t i = 0; i < 48; ++i) {
    for (int column = 0; column < 2; ++column) {
      const float logit = expected[i][column].item<float>();
      const auto question = static_cast<Question>(column);
      const float tolerance = 1e-5f * std::max(1.0f, std::abs(logit));
      EXPECT_NEAR(predictions[i].Logit(Scorer::kContext, question), logit,
                  tolerance);
      EXPECT_NEAR(explained.predictions[i].Logit(Scorer::kContext, question),
                  logit, tolerance);
    }
  }
}

class PlainTokensTest : public ContextsLearnedByHeart, public testing::Test {};

// What plain tokens leave out stays zero while the rest learns, so that the
// score depends on nodes alone.
TEST_F(PlainTokensTest, NothingButTheNodesMatters) {
  NetworkOptions options = OptionsOf({"", [](NetworkOptions& o) {
                                        UseDot(o);
                                        o.plain_tokens = true;
                                      }});
  torch::jit::Module network = *BuildNetwork(options, 5);
  std::vector<at::Tensor> parameters;
  for (const at::Tensor& parameter : network.parameters()) {
    parameters.push_back(parameter);
  }
  const auto optimizer = MakeAdam({parameters}, 5e-3);
  const double first = Loss(network).item<double>();
  for (int step = 0; step < 40; ++step) {
    optimizer->ClearGradients();
    Loss(network).backward();
    optimizer->Step();
  }
  EXPECT_LT(Loss(network).item<double>(), first);

  network.eval();
  const at::NoGradGuard no_grad;
  const at::Tensor expected = network.forward(Inputs()).toTensor();
  std::vector<torch::jit::IValue> others = Inputs();
  for (const int input : {3, 4, 5, 6, 7}) {  // roles to the queried relation
    others[input] = at::zeros_like(others[input].toTensor());
  }
  EXPECT_TRUE(at::equal(network.forward(others).toTensor(), expected));
  others[1] = others[1].toTensor().flip(0);  // nodes
  EXPECT_FALSE(at::equal(network.forward(others).toTensor(), expected));
}

TEST_P(NetworkOptionsTest, ScoresAlikeAloneAndInABatch) {
  torch::jit::Module network = *BuildNetwork(OptionsOf(GetParam()), 6);
  network.eval();
  const at::NoGradGuard no_grad;
  const at::Tensor all = network.forward(Inputs()).toTensor();
  for (const size_t i : {0, 7, 31}) {
    const ContextBatch one =
        ContextBatch::Assemble(std::span(pointers_).subspan(i, 1));
    const at::Tensor alone =
        network.forward(NetworkInputs(embeddings_, one, at::kCPU)).toTensor();
    EXPECT_LT((alone[0] - all[i]).abs().max().item<float>(), 1e-4);
  }
}

// encode() without the pair features.
at::Tensor Encode(const torch::jit::Module& network,
                  std::vector<torch::jit::IValue> inputs) {
  inputs.pop_back();
  return network.get_method("encode")(std::move(inputs)).toTensor();
}

TEST_P(NetworkOptionsTest, EncodesInTheWidthThatItSays) {
  torch::jit::Module network = *BuildNetwork(OptionsOf(GetParam()), 6);
  network.eval();
  const at::NoGradGuard no_grad;
  EXPECT_EQ(Encode(network, Inputs()).size(2),
            network.get_method("encoding_width")({}).toInt());
}

// Without a projection the score is the dot product of what encode() returns,
// which pre-training trains: the last layer or all layers side by side.
TEST_F(ContextPoolingTest, WithoutAProjectionTheScoreIsOfTheEncodedEnds) {
  for (const LayerReadout readout :
       {LayerReadout::kLast, LayerReadout::kLastFourSummed,
        LayerReadout::kAllConcatenated}) {
    NetworkOptions options = OptionsOf(kCases[0]);
    UseDot(options);
    options.layers = 3;
    options.pre_norm = false;
    options.readout = readout;
    options.projection = Projection::kNone;
    torch::jit::Module network = *BuildNetwork(options, 8);
    network.eval();
    const at::NoGradGuard no_grad;
    const at::Tensor encoded = Encode(network, Inputs());
    EXPECT_EQ(encoded.size(2),
              readout == LayerReadout::kAllConcatenated ? 3 * 16 : 16);
    const at::Tensor logits = network.forward(Inputs()).toTensor();
    for (int64_t i = 0; i < 48; ++i) {
      double dot = 0;
      for (int64_t k = 0; k < encoded.size(2); ++k) {
        dot +=
            encoded[i][0][k].item<double>() * encoded[i][1][k].item<double>();
      }
      EXPECT_NEAR(logits[i][0].item<double>(), dot, 1e-4 * (1 + std::abs(dot)));
      EXPECT_EQ(logits[i][0].item<float>(), logits[i][1].item<float>());
    }
    for (const auto& parameter : network.named_parameters()) {
      EXPECT_FALSE(parameter.name.starts_with("head_")) << parameter.name;
    }
  }
}

// The concatenation ends with the last layer.
TEST_F(ContextPoolingTest, AllLayersEndWithTheLast) {
  NetworkOptions options = OptionsOf(kCases[0]);
  UseDot(options);
  options.layers = 2;
  options.pre_norm = false;
  options.projection = Projection::kNone;
  torch::jit::Module all = *BuildNetwork(options, 9);
  options.readout = LayerReadout::kLast;
  torch::jit::Module last = *BuildNetwork(options, 9);
  all.eval();
  last.eval();
  const at::NoGradGuard no_grad;
  EXPECT_TRUE(at::allclose(Encode(all, Inputs()).narrow(2, 16, 16),
                           Encode(last, Inputs())));
}

// Pools three contexts of a link: their mean, or the largest of each column.
TEST_F(ContextPoolingTest, IsTheMeanOrTheLargest) {
  std::vector<EncodedLink> triples;
  for (size_t i = 0; i + 2 < links_.size(); i += 3) {
    EncodedLink link = links_[i];
    link.contexts.push_back(links_[i + 1].contexts[0]);
    link.contexts.push_back(links_[i + 2].contexts[0]);
    triples.push_back(std::move(link));
  }
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : triples) pointers.push_back(&link);
  const ContextBatch batch = ContextBatch::Assemble(pointers);
  torch::jit::Module network = *BuildNetwork(OptionsOf(kCases[2]), 5);
  network.eval();
  const at::NoGradGuard no_grad;
  const at::Tensor rows =
      network.forward(NetworkInputs(embeddings_, batch, at::kCPU))
          .toTensor()
          .view({-1, 3, kScorers * kQuestions});
  const TempDirectory directory;
  const auto path = directory.path() / "model.pt";
  ASSERT_TRUE(SaveNetwork(network, path).ok());
  for (const auto pooling : {ContextPooling::kMean, ContextPooling::kMax}) {
    FrozenNetworkOptions options;
    options.embeddings = {embeddings_.data_ptr<float>(), 40, kDim};
    options.reading.pooling = pooling;
    const auto frozen = *FrozenNetwork::Load(path, options);
    const auto predictions = *frozen->Predict(batch);
    const auto explained = *frozen->Explain(batch);
    ASSERT_EQ(explained.context_predictions.size(), 3 * triples.size());
    const at::Tensor expected =
        pooling == ContextPooling::kMean ? rows.mean(1) : rows.amax(1);
    ASSERT_EQ(predictions.size(), triples.size());
    for (size_t i = 0; i < triples.size(); ++i) {
      for (int column = 0; column < kScorers * kQuestions; ++column) {
        EXPECT_NEAR(
            predictions[i].logits[column / kQuestions][column % kQuestions],
            expected[i][column].item<float>(), 1e-5);
      }
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(explained.context_predictions[3 * i + k].Logit(
                        Scorer::kContext, Question::kPlausible),
                    rows[i][k][0].item<float>(), 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkOptionsTest, testing::ValuesIn(kCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

// One layer of graph convolution without norm and activation, by loops.
TEST(RelationGcnTest, ComposesAsDefined) {
  constexpr int d = 5, tokens = 3;
  for (const Composition composition :
       {Composition::kSub, Composition::kMult, Composition::kCircConv}) {
    NetworkOptions options;
    options.relation_count = 2;
    options.hidden_dim = d;
    options.layers = 0;
    options.composition = composition;
    torch::jit::Module network = *BuildNetwork(options, 1);
    const at::NoGradGuard no_grad;
    at::manual_seed(2);
    const at::Tensor x = at::randn({1, tokens, d});
    const at::Tensor z = at::randn({1, tokens, tokens, d});
    const at::Tensor w = at::rand({1, tokens, tokens});
    const at::Tensor got =
        network.get_method("compose_sum")({x, z, w}).toTensor()[0];
    for (int i = 0; i < tokens; ++i) {
      for (int k = 0; k < d; ++k) {
        double sum = 0;
        for (int j = 0; j < tokens; ++j) {
          const auto at = [&](int m) { return x[0][j][m].item<double>(); };
          const auto rel = [&](int m) { return z[0][i][j][m].item<double>(); };
          double phi = composition == Composition::kSub ? at(k) - rel(k)
                                                        : at(k) * rel(k);
          if (composition == Composition::kCircConv) {
            phi = 0;
            for (int m = 0; m < d; ++m) phi += at(m) * rel((m + k) % d);
          }
          sum += w[0][i][j].item<double>() * phi;
        }
        EXPECT_NEAR(got[i][k].item<double>(), sum, 1e-5);
      }
    }
  }
}

TEST(RelationGcnTest, HearsOfLinkedTokensAlone) {
  NetworkOptions options;
  options.relation_count = 2;
  options.hidden_dim = 8;
  options.layers = 0;
  options.composition = Composition::kMult;
  options.gcn_layers = 1;
  torch::jit::Module network = *BuildNetwork(options, 1);
  network.eval();
  const at::NoGradGuard no_grad;
  at::Tensor x = at::randn({1, 3, 8});
  at::Tensor relations = at::zeros({1, 3, 3}, at::kLong);
  relations[0][0][1] = 2;  // token 0 links to token 1
  relations[0][1][0] = -2;
  const auto run = [&] {
    return network.get_method("gcn")({x, relations}).toTensor().clone();
  };
  const at::Tensor before = run();
  x[0][1] += 1;
  const at::Tensor after = run();
  EXPECT_FALSE(at::allclose(before[0][0], after[0][0]));
  EXPECT_TRUE(at::allclose(before[0][2], after[0][2]));
  relations[0][0][1] = 1;  // by another relation
  relations[0][1][0] = -1;
  EXPECT_FALSE(at::allclose(run()[0][0], after[0][0]));
}

TEST(NetworkOptionsNames, AreReadAndRefused) {
  EXPECT_EQ(*ParseLayerReadout("last4_sum"), LayerReadout::kLastFourSummed);
  EXPECT_EQ(*ParseProjection("ffn"), Projection::kFeedForward);
  EXPECT_EQ(*ParseComposition("circ_conv"), Composition::kCircConv);
  EXPECT_EQ(ParseComposition("corr").status(),
            absl::InvalidArgumentError("unknown composition 'corr': use one of "
                                       "none, sub, mult, circ_conv"));
}

}  // namespace
}  // namespace slice
