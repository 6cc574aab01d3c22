// Every native forward pass against the TorchScript that defines it.
#include "model/native_forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include "common/random.h"
#include "model/bfloat16_product.h"
#include "model/frozen_network.h"
#include "model/made_up_links.h"
#include "model/network.h"
#include "model/torch_script_forward.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"

namespace slice {
namespace {

constexpr size_t kNodes = 30;
constexpr double kTolerance = 1e-5;
constexpr double kBfloat16Tolerance = 3e-2;  // of the largest logit

// Small enough for a test, of odd sizes.
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

// Every kind of network that is run natively.
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

std::vector<EncodedLink> MakeLinks(const NetworkOptions& options) {
  std::vector<EncodedLink> links;
  for (size_t i = 0; i < 60; ++i) {
    links.push_back(
        MadeUpLink({kNodes, static_cast<size_t>(options.relation_count),
                    static_cast<size_t>(options.pair_features)},
                   2 + i * 7 % 33, i));
  }
  return links;
}

ContextBatch Assemble(const std::vector<EncodedLink>& links) {
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return ContextBatch::Assemble(pointers);
}

class NativeForwardTest : public testing::Test {
 protected:
  // A network of these options with parameters that are all away from zero,
  // small enough for its logits to be those of a trained one.
  static torch::jit::Module Network(const NetworkOptions& options) {
    torch::jit::Module network = *BuildNetwork(options, 3);
    const torch::NoGradGuard no_grad;
    torch::manual_seed(1);
    for (const auto& parameter : network.named_parameters()) {
      parameter.value.mul_(0.7).add_(torch::randn_like(parameter.value) * 0.02);
    }
    network.eval();
    return network;
  }
  EmbeddingRows Embeddings(const NetworkOptions& options) {
    Random random(9);
    values_.resize(kNodes * static_cast<size_t>(options.embedding_dim));
    for (float& value : values_) {
      value = static_cast<float>(2 * random.Uniform() - 1);
    }
    return {values_.data(), kNodes, options.embedding_dim};
  }
  std::vector<float> values_;
};

TEST_F(NativeForwardTest, EqualsTheTorchScript) {
  for (const NetworkOptions& options : AllOptions()) {
    SCOPED_TRACE(testing::Message()
                 << "layers " << options.layers << " pre-norm "
                 << options.pre_norm << " head "
                 << static_cast<int>(options.head) << " readout "
                 << static_cast<int>(options.readout) << " projection "
                 << static_cast<int>(options.projection));
    const torch::jit::Module network = Network(options);
    const EmbeddingRows embeddings = Embeddings(options);
    const auto native =
        MakeNativeForward(ExtractWeights(network), options, embeddings.values,
                          WeightFormat::kFloat32);
    const auto torch_script =
        *MakeTorchScriptForward(network, embeddings, "cpu");
    const ContextBatch batch = Assemble(MakeLinks(options));
    const ForwardOutputs expected = *torch_script->Run(batch, true);
    const ForwardOutputs actual = *native->Run(batch, true);
    ASSERT_EQ(actual.logits.size(), expected.logits.size());
    for (size_t i = 0; i < expected.logits.size(); ++i) {
      EXPECT_NEAR(actual.logits[i], expected.logits[i],
                  kTolerance * std::max(1.0f, std::abs(expected.logits[i])));
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
        EXPECT_NEAR(a.weights[i], b.weights[i], kTolerance);
      }
    }
  }
}

// Rounded to 8 bits on the way, logits are off by about a hundredth; the
// structural ones, which stay float32, are not.
TEST_F(NativeForwardTest, OfBfloat16IsNearTheTorchScript) {
  if (!MachineHasBfloat16Products()) GTEST_SKIP() << "no AVX-512 BF16";
  constexpr size_t kColumns = kScorers * kQuestions;
  constexpr auto kStructuralColumn =
      static_cast<size_t>(Scorer::kStructural) * kQuestions;
  for (const NetworkOptions& options : AllOptions()) {
    const torch::jit::Module network = Network(options);
    const EmbeddingRows embeddings = Embeddings(options);
    const auto native =
        MakeNativeForward(ExtractWeights(network), options, embeddings.values,
                          WeightFormat::kBfloat16);
    EXPECT_EQ(native->path(), ForwardPath::kNativeBfloat16);
    const auto torch_script =
        *MakeTorchScriptForward(network, embeddings, "cpu");
    const ContextBatch batch = Assemble(MakeLinks(options));
    const ForwardOutputs expected = *torch_script->Run(batch, true);
    const ForwardOutputs actual = *native->Run(batch, true);
    float largest = 1;
    for (const float logit : expected.logits) {
      largest = std::max(largest, std::abs(logit));
    }
    ASSERT_EQ(actual.logits.size(), expected.logits.size());
    for (size_t i = 0; i < expected.logits.size(); ++i) {
      const size_t column = i % kColumns;
      const bool structural = column >= kStructuralColumn &&
                              column < kStructuralColumn + kQuestions;
      EXPECT_NEAR(actual.logits[i], expected.logits[i],
                  (structural ? kTolerance : kBfloat16Tolerance) * largest);
    }
    ASSERT_EQ(actual.attention.size(), expected.attention.size());
    for (size_t row = 0; row < expected.attention.size(); ++row) {
      const std::vector<float>& weights = expected.attention[row].weights;
      ASSERT_EQ(actual.attention[row].weights.size(), weights.size());
      for (size_t i = 0; i < weights.size(); ++i) {
        EXPECT_NEAR(actual.attention[row].weights[i], weights[i],
                    kBfloat16Tolerance);
      }
    }
  }
}

TEST_F(NativeForwardTest, StructuralEqualsTheTorchScript) {
  const NetworkOptions options = OddOptions();
  const torch::jit::Module network = Network(options);
  const EmbeddingRows embeddings = Embeddings(options);
  const auto native =
      MakeNativeForward(ExtractWeights(network), options, embeddings.values,
                        WeightFormat::kFloat32);
  const auto torch_script = *MakeTorchScriptForward(network, embeddings, "cpu");
  Random random(4);
  for (const size_t rows : {1, 5, 700}) {
    std::vector<float> features(rows * 13);
    for (float& feature : features) {
      feature = static_cast<float>(2 * random.Uniform() - 1);
    }
    // Some features are the same in all rows.
    for (size_t i = 0; i < features.size(); ++i) {
      if (i % 13 % 3 == 1) features[i] = features[i % 13];
    }
    const auto expected = *torch_script->RunStructural(3, features, 13);
    const auto actual = *native->RunStructural(3, features, 13);
    ASSERT_EQ(actual.size(), rows * kQuestions);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(actual[i], expected[i], kTolerance);
    }
  }
}

TEST_F(NativeForwardTest, ALinkScoresAlikeAloneAndInABatch) {
  const NetworkOptions options = OddOptions();
  const EmbeddingRows embeddings = Embeddings(options);
  const auto native =
      MakeNativeForward(ExtractWeights(Network(options)), options,
                        embeddings.values, WeightFormat::kFloat32);
  const std::vector<EncodedLink> links = MakeLinks(options);
  const ForwardOutputs together = *native->Run(Assemble(links), false);
  for (size_t i = 0; i < links.size(); ++i) {
    const ForwardOutputs alone = *native->Run(Assemble({links[i]}), false);
    for (size_t column = 0; column < alone.logits.size(); ++column) {
      EXPECT_NEAR(alone.logits[column],
                  together.logits[i * alone.logits.size() + column],
                  kTolerance);
    }
  }
}

class ForwardPathTest : public NativeForwardTest {
 protected:
  absl::StatusOr<std::unique_ptr<FrozenNetwork>> Load(
      const torch::jit::Module& network, const NetworkOptions& options,
      ForwardPath path) {
    const auto file = directory_.path() / "model.pt";
    EXPECT_TRUE(SaveNetwork(network, file).ok());
    const EmbeddingRows embeddings = Embeddings(options);
    FrozenNetworkOptions frozen;
    frozen.embeddings = embeddings.values;
    frozen.embedding_rows = embeddings.rows;
    frozen.embedding_dim = embeddings.dim;
    frozen.path = path;
    return FrozenNetwork::Load(file, frozen);
  }
  TempDirectory directory_;
};

TEST_F(ForwardPathTest, IsNativeWhereItCanBeAndWhatIsAskedFor) {
  for (const NetworkOptions& options : AllOptions()) {
    const torch::jit::Module network = Network(options);
    const auto by_default = Load(network, options, ForwardPath::kAuto);
    ASSERT_TRUE(by_default.ok()) << by_default.status();
    EXPECT_EQ((*by_default)->path(), ForwardPath::kNative);
  }
  const NetworkOptions options = OddOptions();
  const auto asked = Load(Network(options), options, ForwardPath::kTorchScript);
  EXPECT_EQ((*asked)->path(), ForwardPath::kTorchScript);
}

TEST_F(ForwardPathTest, IsOfBfloat16OnlyWhereTheCpuMultipliesIt) {
  const NetworkOptions options = OddOptions();
  const auto asked =
      Load(Network(options), options, ForwardPath::kNativeBfloat16);
  if (MachineHasBfloat16Products()) {
    ASSERT_TRUE(asked.ok()) << asked.status();
    EXPECT_EQ((*asked)->path(), ForwardPath::kNativeBfloat16);
    return;
  }
  EXPECT_EQ(asked.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(asked.status().message()),
              testing::HasSubstr("AVX-512 BF16"));
}

TEST_F(ForwardPathTest, AGraphConvolutionRunsAsTorchScript) {
  NetworkOptions options = OddOptions();
  options.composition = Composition::kMult;
  const torch::jit::Module network = Network(options);
  EXPECT_EQ((*Load(network, options, ForwardPath::kAuto))->path(),
            ForwardPath::kTorchScript);
  const auto native = Load(network, options, ForwardPath::kNative);
  EXPECT_EQ(native.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(native.status().message()),
              testing::HasSubstr("graph convolution"));
}

// The same parameters under another program: the definition wins.
TEST_F(ForwardPathTest, AnotherProgramRunsAsTorchScript) {
  const NetworkOptions options = OddOptions();
  torch::jit::Module network("SliceNetwork");
  for (const auto& parameter : Network(options).named_parameters()) {
    network.register_parameter(parameter.name, parameter.value, false);
  }
  network.register_attribute("training", c10::BoolType::get(), false);
  std::string source = NetworkSource(options);
  const size_t at = source.find("torch.gelu");
  ASSERT_NE(at, std::string::npos);
  source.replace(at, 10, "torch.tanh");
  network.define(source);
  EXPECT_EQ((*Load(network, options, ForwardPath::kAuto))->path(),
            ForwardPath::kTorchScript);
  const auto native = Load(network, options, ForwardPath::kNative);
  EXPECT_EQ(native.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(native.status().message()),
              testing::HasSubstr("computes something else"));
}

TEST(ForwardPathNameTest, IsReadBack) {
  for (const ForwardPath path :
       {ForwardPath::kAuto, ForwardPath::kTorchScript, ForwardPath::kNative,
        ForwardPath::kNativeBfloat16}) {
    EXPECT_EQ(*ParseForwardPath(ForwardPathName(path)), path);
  }
  EXPECT_EQ(ParseForwardPath("fast").status().message(),
            "unknown forward path 'fast'; there are auto, torchscript, "
            "native and native-bf16");
}

}  // namespace
}  // namespace slice
