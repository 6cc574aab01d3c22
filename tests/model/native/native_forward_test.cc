// Compares every native forward pass with the TorchScript that defines it.
#include "model/native/native_forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "common/random.h"
#include "model/frozen_network.h"
#include "model/torch/network.h"
#include "model/torch/network_definition.h"
#include "model/torch/torch_script_forward.h"
#include "tests/model/network_cases.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-5;
constexpr double kBfloat16Tolerance = 3e-2;  // relative to the largest logit

class NativeForwardTest : public testing::Test {
 protected:
  static torch::jit::Module Network(const NetworkOptions& options) {
    return NetworkCase(options);
  }
  EmbeddingRows Embeddings(const NetworkOptions& options) {
    values_ = CaseEmbeddings(options);
    return {values_.data(), kCaseNodes, options.embedding_dim};
  }
  std::vector<float> values_;
};

TEST_F(NativeForwardTest, EqualsTheTorchScript) {
  for (const NetworkOptions& options : AllOptions()) {
    SCOPED_TRACE(CaseName(options));
    const torch::jit::Module network = Network(options);
    const EmbeddingRows embeddings = Embeddings(options);
    const auto native =
        MakeNativeForward(ExtractWeights(network), options, embeddings.values,
                          WeightFormat::kFloat32);
    const auto torch_script =
        *MakeTorchScriptForward(network, embeddings, "cpu");
    const ContextBatch batch = AssembleLinks(CaseLinks(options));
    const ForwardOutputs expected = *torch_script->Run(batch, true);
    const ForwardOutputs actual = *native->Run(batch, true);
    ExpectSameOutputs(actual, expected, kTolerance);
  }
}

// Rounding to 8 significant bits moves logits by about one percent. Structural
// logits stay float32 and do not move.
TEST_F(NativeForwardTest, OfBfloat16IsNearTheTorchScript) {
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
    const ContextBatch batch = AssembleLinks(CaseLinks(options));
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

// An unknown node scores like a known one that has its embedding.
TEST_F(NativeForwardTest, ReadsTheEmbeddingsOfUnknownNodes) {
  const NetworkOptions options = OddOptions();
  const torch::jit::Module network = Network(options);
  const EmbeddingRows embeddings = Embeddings(options);
  std::vector<EncodedLink> links = CaseLinks(options);
  const ContextBatch known = AssembleLinks(links);
  for (EncodedLink& link : links) {
    for (const NodeId node : {link.link.source, link.link.target}) {
      const float* const row =
          values_.data() + int64_t{node} * options.embedding_dim;
      link.unknown_nodes.push_back({node, {row, row + options.embedding_dim}});
    }
  }
  const ContextBatch unknown = AssembleLinks(links);
  ASSERT_NE(unknown.nodes, known.nodes);
  const auto native =
      MakeNativeForward(ExtractWeights(network), options, embeddings.values,
                        WeightFormat::kFloat32);
  const auto torch_script = *MakeTorchScriptForward(network, embeddings, "cpu");
  const ForwardOutputs expected = *native->Run(known, true);
  ExpectSameOutputs(*native->Run(unknown, true), expected, kTolerance);
  ExpectSameOutputs(*torch_script->Run(unknown, true), expected, kTolerance);
}

TEST_F(NativeForwardTest, ALinkScoresAlikeAloneAndInABatch) {
  const NetworkOptions options = OddOptions();
  const EmbeddingRows embeddings = Embeddings(options);
  const auto native =
      MakeNativeForward(ExtractWeights(Network(options)), options,
                        embeddings.values, WeightFormat::kFloat32);
  const std::vector<EncodedLink> links = CaseLinks(options);
  const ForwardOutputs together = *native->Run(AssembleLinks(links), false);
  for (size_t i = 0; i < links.size(); ++i) {
    const ForwardOutputs alone = *native->Run(AssembleLinks({links[i]}), false);
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
    FrozenNetworkOptions frozen;
    frozen.embeddings = Embeddings(options);
    frozen.forward.path = path;
    return FrozenNetwork::Load(file, frozen);
  }
  TempDirectory directory_;
};

TEST_F(ForwardPathTest, IsTheFasterByMeasurementUnlessOneIsAskedFor) {
  for (const NetworkOptions& options : AllOptions()) {
    const torch::jit::Module network = Network(options);
    const auto by_default = Load(network, options, ForwardPath::kAuto);
    ASSERT_TRUE(by_default.ok()) << by_default.status();
    const std::vector<ForwardTiming> timings = (*by_default)->timings();
    ASSERT_EQ(timings.size(), 6);  // native and TorchScript, three batch sizes
    EXPECT_EQ(timings[0].path, ForwardPath::kNative);
    EXPECT_EQ(timings[1].path, ForwardPath::kTorchScript);
    EXPECT_EQ((*by_default)->path(), FastestPath(timings));
    for (const ForwardPath path :
         {ForwardPath::kNative, ForwardPath::kTorchScript}) {
      const auto asked = Load(network, options, path);
      ASSERT_TRUE(asked.ok()) << asked.status();
      EXPECT_EQ((*asked)->path(), path);
      EXPECT_TRUE((*asked)->timings().empty());
    }
  }
}

TEST_F(ForwardPathTest, IsOfBfloat16WhereThatIsAskedFor) {
  const NetworkOptions options = OddOptions();
  const auto asked =
      Load(Network(options), options, ForwardPath::kNativeBfloat16);
  ASSERT_TRUE(asked.ok()) << asked.status();
  EXPECT_EQ((*asked)->path(), ForwardPath::kNativeBfloat16);
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

// A program with the same parameters that computes something else is not run
// natively.
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
            "unknown forward path 'fast': use one of auto, torchscript, "
            "native and native-bf16");
}

}  // namespace
}  // namespace slice
