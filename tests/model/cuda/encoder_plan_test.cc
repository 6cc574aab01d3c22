#include "model/cuda/encoder_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/cuda/arranged_weights.h"
#include "model/cuda/encoder_group.h"
#include "model/torch/network_definition.h"

namespace slice {
namespace {

// The shared memory of an A100, of an H100, and of a device with almost none.
constexpr SharedMemory kDevices[] = {
    {163 << 10, 164 << 10}, {227 << 10, 228 << 10}, {1 << 10, 2 << 10}};

EncoderArrays ArraysOf(const NetworkOptions& options) {
  NetworkWeights weights;
  for (const ParameterSpec& spec : NetworkParameters(options)) {
    size_t size = 1;
    for (const int64_t dim : spec.shape) size *= static_cast<size_t>(dim);
    weights.Set(spec.name, {spec.shape, std::vector<float>(size)});
  }
  return ArrangeWeights(weights, options).arrays;
}

std::vector<EncoderArrays> Networks() {
  std::vector<EncoderArrays> networks;
  for (const char* preset : {"default", "paper"}) {
    NetworkOptions options = *NetworkPreset(preset);
    options.relation_count = 3;
    options.pair_features = 40;
    networks.push_back(ArraysOf(options));
  }
  NetworkOptions wide;
  wide.relation_count = 3;
  wide.hidden_dim = 1024;
  wide.feed_forward_dim = 4096;
  wide.head_dim = 256;
  networks.push_back(ArraysOf(wide));
  return networks;
}

TEST(EncoderPlanTest, CoversAllRowsWithinTheDevicesMemory) {
  for (const EncoderArrays& arrays : Networks()) {
    for (const SharedMemory& shared : kDevices) {
      for (const EncoderBucket& bucket : EncoderBuckets(arrays, false)) {
        const EncoderPlan plan = PlanEncoder(arrays, bucket, shared);
        const int groups =
            (bucket.rows + plan.group_rows - 1) / plan.group_rows;
        EXPECT_GE(plan.group_rows, 1);
        EXPECT_GE(plan.blocks, 1);
        EXPECT_LE(plan.blocks, groups);
        EXPECT_EQ(plan.scratch_floats,
                  ScratchOf(arrays, plan.group_rows, bucket.width).floats);
        if (plan.in_shared) {
          EXPECT_EQ(plan.blocks, groups);
          EXPECT_LE(plan.scratch_floats * 4, shared.per_block);
          EXPECT_EQ(WorkspaceFloats(plan), 0);
        } else {
          EXPECT_GT(plan.scratch_floats * 4, shared.per_block);
          EXPECT_TRUE(plan.blocks == 1 ||
                      WorkspaceFloats(plan) * 4 <= int64_t{256} << 20);
        }
      }
    }
  }
}

TEST(EncoderPlanTest, TheDefaultNetworkStaysInSharedMemory) {
  const EncoderArrays arrays = Networks()[0];
  for (const int width : {8, 16, 32}) {
    const EncoderPlan plan = PlanEncoder(arrays, {64, width}, kDevices[0]);
    EXPECT_TRUE(plan.in_shared);
    EXPECT_EQ(plan.group_rows, std::max(16 / width, 1));
  }
}

TEST(EncoderPlanTest, StructuralScoresNeedLittle) {
  for (const EncoderArrays& arrays : {Networks()[0], Networks()[1]}) {
    const EncoderPlan plan = PlanStructural(arrays, 1000, kDevices[0]);
    EXPECT_TRUE(plan.in_shared);
    EXPECT_EQ(plan.blocks, 63);
    EXPECT_EQ(plan.scratch_floats, StructuralScratch(arrays));
    EXPECT_FALSE(PlanStructural(arrays, 1000, kDevices[2]).in_shared);
  }
}

}  // namespace
}  // namespace slice
