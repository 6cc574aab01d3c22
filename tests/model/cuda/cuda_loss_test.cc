// What a forward pass does when the device is lost for good. A kernel provokes
// the loss; no call of this process can use the device afterwards. So there is
// one case only. Skipped without a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "model/cuda/cuda_device.h"
#include "model/cuda/device_forward.h"
#include "model/device.h"
#include "model/guarded_forward.h"
#include "model/torch/torch_script_forward.h"
#include "tests/model/cuda/illegal_access.h"
#include "tests/model/network_cases.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-5;

// A network on the device, with a fallback on the CPU or without.
class Guarded {
 public:
  Guarded(const torch::jit::Module& network, const NetworkOptions& options,
          const EmbeddingRows& embeddings, bool falls_back)
      : health_(std::make_shared<DeviceHealth>()) {
    auto device = MakeCudaDevice(
        ArrangeWeights(ExtractWeights(network), options), embeddings, "cuda");
    if (!device.ok()) return;
    pass_ = GuardForward(
        MakeDeviceForward(std::move(*device)),
        falls_back ? *MakeTorchScriptForward(network, embeddings, "cpu")
                   : nullptr,
        health_);
  }
  const ForwardPass* pass() const { return pass_.get(); }
  bool lost() const { return health_->lost(); }

 private:
  std::shared_ptr<DeviceHealth> health_;
  std::unique_ptr<ForwardPass> pass_;
};

TEST(CudaLossTest, EndsOrGoesOnOnTheCpuAsConfigured) {
  const absl::Status here = CheckDevice("cuda");
  if (!here.ok()) GTEST_SKIP() << here.message();
  const NetworkOptions options = OddOptions();
  const torch::jit::Module network = NetworkCase(options);
  const std::vector<float> values = CaseEmbeddings(options);
  const EmbeddingRows embeddings = {values.data(), kCaseNodes,
                                    options.embedding_dim};
  const ContextBatch batch = AssembleLinks(CaseLinks(options));
  const Guarded ends(network, options, embeddings, /*falls_back=*/false);
  const Guarded goes_on(network, options, embeddings, /*falls_back=*/true);
  ASSERT_NE(ends.pass(), nullptr);
  ASSERT_NE(goes_on.pass(), nullptr);
  const auto before = goes_on.pass()->Run(batch, true);
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_TRUE(ends.pass()->Run(batch, true).ok());

  ASSERT_EQ(WriteToIllegalAddress(), cudaErrorIllegalAddress);

  for (int call = 0; call < 2; ++call) {
    const absl::Status status = ends.pass()->Run(batch, true).status();
    EXPECT_TRUE(IsDeviceLost(status)) << status;
  }
  EXPECT_TRUE(ends.lost());
  const auto after = goes_on.pass()->Run(batch, true);
  ASSERT_TRUE(after.ok()) << after.status();
  ExpectSameOutputs(*after, *before, kTolerance);
  EXPECT_TRUE(goes_on.lost());
}

}  // namespace
}  // namespace slice
