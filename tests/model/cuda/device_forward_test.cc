// Compares the encoder kernel, run by its CPU reference, with the TorchScript
// that defines it. Inputs and outputs are packed and read as for a real device.
#include "model/cuda/device_forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <thread>

#include "common/random.h"
#include "model/cuda/reference_device.h"
#include "model/torch/torch_script_forward.h"
#include "tests/model/network_cases.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-5;

class DeviceForwardTest : public testing::Test {
 protected:
  // Makes both passes of a network with these options.
  void Make(const NetworkOptions& options,
            const ReferenceDeviceOptions& device = {}) {
    const torch::jit::Module network = NetworkCase(options);
    values_ = CaseEmbeddings(options);
    const EmbeddingRows embeddings = {values_.data(), kCaseNodes,
                                      options.embedding_dim};
    reference_ = MakeDeviceForward(MakeReferenceDevice(
        ArrangeWeights(ExtractWeights(network), options), embeddings, device));
    torch_script_ = *MakeTorchScriptForward(network, embeddings, "cpu");
  }
  std::vector<float> values_;
  std::unique_ptr<ForwardPass> reference_, torch_script_;
};

TEST_F(DeviceForwardTest, EqualsTheTorchScript) {
  for (const NetworkOptions& options : AllOptions()) {
    SCOPED_TRACE(CaseName(options));
    Make(options);
    const ContextBatch batch = AssembleLinks(CaseLinks(options));
    ExpectSameOutputs(*reference_->Run(batch, true),
                      *torch_script_->Run(batch, true), kTolerance);
    const ForwardOutputs plain = *reference_->Run(batch, false);
    EXPECT_TRUE(plain.attention.empty());
    EXPECT_EQ(plain.logits, reference_->Run(batch, true)->logits);
  }
}

// Batches with as many rows as a bucket, one less, and one more.
TEST_F(DeviceForwardTest, EqualsTheTorchScriptInEveryBucket) {
  const NetworkOptions options = OddOptions();
  Make(options);
  int before = 1;
  for (const int width : kBucketWidths) {
    for (const int rows : kBucketRows) {
      for (const int count : {rows - 1, rows, rows + 1}) {
        if (count == 0) continue;
        SCOPED_TRACE(testing::Message() << count << " rows to " << width);
        std::vector<EncodedLink> links;
        for (int i = 0; i < count; ++i) {
          const int tokens = before + 1 + i % (width - before);
          links.push_back(CaseLink(options, tokens, i));
        }
        const ContextBatch batch = AssembleLinks(links);
        ExpectSameOutputs(*reference_->Run(batch, true),
                          *torch_script_->Run(batch, true), kTolerance);
      }
    }
    before = width;
  }
}

// The results would differ if a thread read what another one writes in the same
// step.
TEST_F(DeviceForwardTest, IsTheSameForEveryBlockSizeAndOrderOfThreads) {
  NetworkOptions dot = OddOptions();
  dot.pre_norm = false;
  dot.head = ScoreHead::kDot;
  dot.readout = LayerReadout::kLastFourSummed;
  dot.projection = Projection::kFeedForward;
  for (const NetworkOptions& options : {OddOptions(), dot}) {
    SCOPED_TRACE(CaseName(options));
    Make(options, {.threads = 1});
    const ContextBatch batch = AssembleLinks(CaseLinks(options));
    const ForwardOutputs expected = *reference_->Run(batch, true);
    for (const int threads : {7, 32, 96, 256, 1024}) {
      for (const uint64_t order : {0, 1, 2}) {
        Make(options, {.threads = threads, .order_seed = order});
        const ForwardOutputs actual = *reference_->Run(batch, true);
        EXPECT_EQ(actual.logits, expected.logits);
        for (size_t row = 0; row < actual.attention.size(); ++row) {
          EXPECT_EQ(actual.attention[row].weights,
                    expected.attention[row].weights);
        }
      }
    }
  }
}

TEST_F(DeviceForwardTest, StructuralEqualsTheTorchScript) {
  const NetworkOptions options = OddOptions();
  Make(options);
  Random random(4);
  for (const size_t rows : {0, 1, 5, 16, 17, 1024, 2500}) {
    std::vector<float> features(rows * 13);
    for (float& feature : features) {
      feature = static_cast<float>(2 * random.Uniform() - 1);
    }
    const auto expected = *torch_script_->RunStructural(3, features, 13);
    const auto actual = *reference_->RunStructural(3, features, 13);
    ASSERT_EQ(actual.size(), rows * kQuestions);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(actual[i], expected[i], kTolerance);
    }
  }
}

TEST_F(DeviceForwardTest, ServesManyThreadsAtOnce) {
  const NetworkOptions options = OddOptions();
  Make(options);
  const ContextBatch batch = AssembleLinks(CaseLinks(options));
  const ForwardOutputs expected = *reference_->Run(batch, false);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 4; ++turn) {
        EXPECT_EQ(reference_->Run(batch, false)->logits, expected.logits);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DeviceForwardTest, RefusesWhatTheNetworkDoesNotKnow) {
  const NetworkOptions options = OddOptions();
  Make(options);
  const ContextBatch good = AssembleLinks({CaseLink(options, 5, 1)});
  const auto why = [&](auto change) {
    ContextBatch batch = good;
    change(batch);
    const absl::Status status = reference_->Run(batch, false).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  using testing::HasSubstr;
  EXPECT_THAT(why([](ContextBatch& b) { b.nodes[1] = kCaseNodes; }),
              HasSubstr("no node 30"));
  EXPECT_THAT(why([](ContextBatch& b) { b.relation[0] = 5; }),
              HasSubstr("no relation 5"));
  EXPECT_THAT(why([](ContextBatch& b) { b.kinds[2] = 4; }),
              HasSubstr("no kind 4"));
  EXPECT_THAT(why([](ContextBatch& b) { b.roles[2] = -1; }),
              HasSubstr("no role -1"));
  EXPECT_THAT(why([](ContextBatch& b) { b.token_relations[4] = -6; }),
              HasSubstr("no signed relation -6"));
  EXPECT_THAT(why([](ContextBatch& b) { b.pair_relations[3] = 6; }),
              HasSubstr("no signed relation 6"));
  EXPECT_THAT(why([](ContextBatch& b) { b.row_tokens[0] = 1; }),
              HasSubstr("a context has 1 tokens"));
  EXPECT_THAT(why([](ContextBatch& b) { b.pair_features_dim = 12; }),
              HasSubstr("the network reads 13 pair features"));
  // The slots of the refused batches are free again.
  EXPECT_TRUE(reference_->Run(good, false).ok());
}

}  // namespace
}  // namespace slice
