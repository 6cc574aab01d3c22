#include "model/guarded_forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "model/made_up_links.h"

namespace slice {
namespace {

using testing::ElementsAre;

// A pass that fails for batches with more than `memory` rows, and for all
// batches once `failure` is set. The logits of a row are its relation plus
// `bias`.
class FakeForward final : public ForwardPass {
 public:
  explicit FakeForward(float bias = 0, ForwardPath path = ForwardPath::kNative)
      : bias_(bias), path_(path) {}

  ForwardPath path() const override { return path_; }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool with_attention) const override {
    calls_.push_back(batch.rows);
    if (!Answer(batch.rows).ok()) return Answer(batch.rows);
    ForwardOutputs outputs;
    for (const int64_t relation : batch.relation) {
      outputs.logits.insert(outputs.logits.end(), kScorers * kQuestions,
                            static_cast<float>(relation) + bias_);
    }
    for (int64_t row = 0; with_attention && row < batch.rows; ++row) {
      outputs.attention.emplace_back().tokens =
          static_cast<int>(batch.row_tokens[row]);
    }
    return outputs;
  }

  absl::StatusOr<std::vector<float>> RunStructural(
      RelationId, std::span<const float> pair_features,
      size_t feature_count) const override {
    const auto rows =
        static_cast<int64_t>(pair_features.size() / feature_count);
    calls_.push_back(rows);
    if (!Answer(rows).ok()) return Answer(rows);
    std::vector<float> logits;
    for (int64_t row = 0; row < rows; ++row) {
      logits.insert(logits.end(), kQuestions,
                    pair_features[row * feature_count] + bias_);
    }
    return logits;
  }

  int64_t memory = std::numeric_limits<int64_t>::max();  // rows
  absl::Status failure;
  mutable std::vector<int64_t> calls_;

 private:
  absl::Status Answer(int64_t rows) const {
    if (!failure.ok()) return failure;
    if (rows <= memory) return absl::OkStatus();
    return absl::ResourceExhaustedError("out of device memory");
  }

  const float bias_;
  const ForwardPath path_;
};

ContextBatch BatchOf(int64_t rows) {
  std::vector<EncodedLink> links;
  for (int64_t row = 0; row < rows; ++row) {
    links.push_back(MadeUpLink({10, 1, 0}, 2 + row, row));
    links.back().link.relation = static_cast<RelationId>(row);
  }
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return ContextBatch::Assemble(pointers);
}

class GuardedForwardTest : public testing::Test {
 protected:
  void Guard(bool with_fallback) {
    auto device = std::make_unique<FakeForward>();
    auto cpu = std::make_unique<FakeForward>(100, ForwardPath::kTorchScript);
    device_ = device.get();
    cpu_ = cpu.get();
    health_ = std::make_shared<DeviceHealth>(
        [this](const absl::Status& why) { losses_.push_back(why); });
    if (!with_fallback) cpu.reset();
    guarded_ = GuardForward(std::move(device), std::move(cpu), health_);
  }
  // The first logit of each row: its relation, plus the bias of the pass.
  std::vector<float> Relations(const ContextBatch& batch) {
    const auto outputs = guarded_->Run(batch, false);
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    std::vector<float> relations;
    for (size_t i = 0; outputs.ok() && i < outputs->logits.size();
         i += kScorers * kQuestions) {
      relations.push_back(outputs->logits[i]);
    }
    return relations;
  }

  FakeForward* device_ = nullptr;
  FakeForward* cpu_ = nullptr;
  std::shared_ptr<DeviceHealth> health_;
  std::vector<absl::Status> losses_;
  std::unique_ptr<ForwardPass> guarded_;
};

TEST_F(GuardedForwardTest, LeavesABatchThatFitsAlone) {
  Guard(false);
  EXPECT_THAT(Relations(BatchOf(3)), ElementsAre(0, 1, 2));
  EXPECT_THAT(device_->calls_, ElementsAre(3));
  EXPECT_EQ(health_->halved(), 0);
  EXPECT_EQ(guarded_->path(), ForwardPath::kNative);
}

TEST_F(GuardedForwardTest, HalvesABatchThatDoesNotFit) {
  Guard(false);
  device_->memory = 3;
  EXPECT_THAT(Relations(BatchOf(5)), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(device_->calls_, ElementsAre(5, 2, 3));
  EXPECT_EQ(health_->halved(), 1);
}

TEST_F(GuardedForwardTest, KeepsTheAttentionOfBothHalves) {
  Guard(false);
  device_->memory = 3;
  const ForwardOutputs outputs = *guarded_->Run(BatchOf(4), true);
  ASSERT_EQ(outputs.attention.size(), 4);
  for (int row = 0; row < 4; ++row) {
    EXPECT_EQ(outputs.attention[row].tokens, 2 + row);
  }
}

TEST_F(GuardedForwardTest, HalvesOnceOnly) {
  Guard(true);
  device_->memory = 2;
  const absl::Status status = guarded_->Run(BatchOf(8), false).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(device_->calls_, ElementsAre(8, 4));
  EXPECT_TRUE(cpu_->calls_.empty());
  EXPECT_FALSE(health_->lost());
}

TEST_F(GuardedForwardTest, ARowAloneIsNotHalved) {
  Guard(false);
  device_->memory = 0;
  EXPECT_EQ(guarded_->Run(BatchOf(1), false).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(device_->calls_, ElementsAre(1));
}

TEST_F(GuardedForwardTest, HalvesStructuralScoresToo) {
  Guard(false);
  device_->memory = 2;
  const std::vector<float> features = {1, 0, 2, 0, 3, 0};
  EXPECT_THAT(*guarded_->RunStructural(0, features, 2),
              ElementsAre(1, 1, 2, 2, 3, 3));
  EXPECT_THAT(device_->calls_, ElementsAre(3, 1, 2));
  device_->memory = 0;
  EXPECT_EQ(guarded_->RunStructural(0, features, 2).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(GuardedForwardTest, ALostDeviceFailsForGoodAndIsToldOnce) {
  Guard(false);
  device_->failure = DeviceLostError("illegal address");
  for (int turn = 0; turn < 3; ++turn) {
    const absl::Status status = guarded_->Run(BatchOf(2), false).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_TRUE(IsDeviceLost(status));
  }
  EXPECT_TRUE(IsDeviceLost(guarded_->RunStructural(0, {}, 1).status()));
  EXPECT_THAT(device_->calls_, ElementsAre(2));
  ASSERT_EQ(losses_.size(), 1);
  EXPECT_EQ(losses_[0].message(), "the device was lost: illegal address");
}

TEST_F(GuardedForwardTest, TheFallbackTakesOverWithTheBatchThatMetTheLoss) {
  Guard(true);
  device_->failure = DeviceLostError("illegal address");
  EXPECT_THAT(Relations(BatchOf(2)), ElementsAre(100, 101));
  EXPECT_THAT(Relations(BatchOf(1)), ElementsAre(100));
  EXPECT_THAT(*guarded_->RunStructural(0, std::vector<float>{7}, 1),
              ElementsAre(107, 107));
  EXPECT_THAT(device_->calls_, ElementsAre(2));
  EXPECT_EQ(losses_.size(), 1);
  EXPECT_EQ(guarded_->path(), ForwardPath::kTorchScript);
}

TEST_F(GuardedForwardTest, OtherErrorsPass) {
  Guard(true);
  device_->failure = absl::InternalError("a bug");
  EXPECT_EQ(guarded_->Run(BatchOf(2), false).status(), device_->failure);
  EXPECT_FALSE(health_->lost());
  EXPECT_FALSE(IsDeviceLost(absl::UnavailableError("draining")));
}

TEST(DeviceHealthTest, TellsALossOnceToManyThreads) {
  int losses = 0;
  DeviceHealth health([&](const absl::Status&) { ++losses; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { health.MarkLost(DeviceLostError("gone")); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(losses, 1);
  EXPECT_TRUE(health.lost());
}

}  // namespace
}  // namespace slice
