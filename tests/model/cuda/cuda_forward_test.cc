// Compares the encoder kernel on a device with the TorchScript that defines it.
// Skipped without a device. tests/model/cuda/device_forward_test.cc compares
// the CPU reference of the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <thread>

#include "common/random.h"
#include "model/cuda/cuda_device.h"
#include "model/cuda/cuda_status.h"
#include "model/cuda/device_forward.h"
#include "model/device.h"
#include "model/device_health.h"
#include "model/torch/torch_script_forward.h"
#include "tests/model/network_cases.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-5;

class CudaForwardTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::Status here = CheckDevice("cuda");
    if (!here.ok()) GTEST_SKIP() << here.message();
  }
  void Make(const NetworkOptions& options) {
    const torch::jit::Module network = NetworkCase(options);
    values_ = CaseEmbeddings(options);
    const EmbeddingRows embeddings = {values_.data(), kCaseNodes,
                                      options.embedding_dim};
    auto device = MakeCudaDevice(
        ArrangeWeights(ExtractWeights(network), options), embeddings, "cuda");
    ASSERT_TRUE(device.ok()) << device.status();
    on_device_ = MakeDeviceForward(std::move(*device));
    torch_script_ = *MakeTorchScriptForward(network, embeddings, "cpu");
  }
  void ExpectSame(const ContextBatch& batch) {
    const auto actual = on_device_->Run(batch, true);
    ASSERT_TRUE(actual.ok()) << actual.status();
    ExpectSameOutputs(*actual, *torch_script_->Run(batch, true), kTolerance);
  }
  void ExpectSameInEveryBucket(const NetworkOptions& options) {
    ASSERT_NO_FATAL_FAILURE(Make(options));
    int before = 1;
    for (const int width : kBucketWidths) {
      for (const int rows : kBucketRows) {
        SCOPED_TRACE(testing::Message() << rows << " rows to " << width);
        std::vector<EncodedLink> links;
        for (int i = 0; i < std::max(1, rows - 1); ++i) {
          links.push_back(
              CaseLink(options, before + 1 + i % (width - before), i));
        }
        ASSERT_NO_FATAL_FAILURE(ExpectSame(AssembleLinks(links)));
      }
      before = width;
    }
  }
  std::vector<float> values_;
  std::unique_ptr<ForwardPass> on_device_, torch_script_;
};

TEST_F(CudaForwardTest, EqualsTheTorchScript) {
  for (const NetworkOptions& options : AllOptions()) {
    SCOPED_TRACE(CaseName(options));
    ASSERT_NO_FATAL_FAILURE(Make(options));
    ASSERT_NO_FATAL_FAILURE(ExpectSame(AssembleLinks(CaseLinks(options))));
  }
}

TEST_F(CudaForwardTest, EqualsTheTorchScriptInEveryBucket) {
  ASSERT_NO_FATAL_FAILURE(ExpectSameInEveryBucket(OddOptions()));
}

TEST_F(CudaForwardTest, EqualsTheTorchScriptWithScratchInGlobalMemory) {
  // The scratch of this network is too large for shared memory.
  NetworkOptions wide = OddOptions();
  wide.hidden_dim = 512;
  wide.feed_forward_dim = 2048;
  wide.head_dim = 128;
  ASSERT_NO_FATAL_FAILURE(ExpectSameInEveryBucket(wide));
}

TEST_F(CudaForwardTest, StructuralEqualsTheTorchScript) {
  ASSERT_NO_FATAL_FAILURE(Make(OddOptions()));
  Random random(4);
  for (const size_t rows : {1, 5, 17, 1024, 2500}) {
    std::vector<float> features(rows * 13);
    for (float& feature : features) {
      feature = static_cast<float>(2 * random.Uniform() - 1);
    }
    const auto expected = *torch_script_->RunStructural(3, features, 13);
    const auto actual = on_device_->RunStructural(3, features, 13);
    ASSERT_TRUE(actual.ok()) << actual.status();
    ASSERT_EQ(actual->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR((*actual)[i], expected[i], kTolerance);
    }
  }
}

TEST_F(CudaForwardTest, ServesManyThreadsAtOnce) {
  const NetworkOptions options = OddOptions();
  ASSERT_NO_FATAL_FAILURE(Make(options));
  const ContextBatch batch = AssembleLinks(CaseLinks(options));
  const ForwardOutputs expected = *on_device_->Run(batch, false);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 50; ++turn) {
        EXPECT_EQ(on_device_->Run(batch, false)->logits, expected.logits);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CudaStatusTest, TellsWhatCanBeTriedAgain) {
  EXPECT_TRUE(CudaStatus(cudaSuccess, "a copy").ok());
  EXPECT_EQ(CudaStatus(cudaErrorMemoryAllocation, "a copy").code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CudaStatus(cudaErrorInvalidValue, "a copy").code(),
            absl::StatusCode::kInternal);
  for (const cudaError_t error :
       {cudaErrorIllegalAddress, cudaErrorECCUncorrectable,
        cudaErrorLaunchFailure, cudaErrorDevicesUnavailable}) {
    EXPECT_TRUE(IsDeviceLost(CudaStatus(error, "a copy")));
  }
  EXPECT_THAT(
      std::string(CudaStatus(cudaErrorIllegalAddress, "a copy").message()),
      testing::HasSubstr("a copy: cudaErrorIllegalAddress"));
}

TEST(CudaStatusTest, RefusesNamesThatAreNoDevice) {
  for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cudas"}) {
    EXPECT_EQ(FindCudaDevice(name).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
}

}  // namespace
}  // namespace slice
