#include "model/cuda/encoder_buckets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slice {
namespace {

EncoderArrays Arrays(int layers, int heads) {
  EncoderArrays arrays;
  arrays.layers = layers;
  arrays.heads = heads;
  return arrays;
}

TEST(EncoderBucketsTest, EveryRowRidesOnceInABucketThatTakesIt) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < 500; ++i) lengths.push_back(2 + i * 31 % 71);
  for (const bool with_attention : {false, true}) {
    const auto chunks = *PlanChunks(lengths, Arrays(4, 4), with_attention);
    std::vector<int> rides(lengths.size());
    for (const EncoderChunk& chunk : chunks) {
      EXPECT_LE(static_cast<int>(chunk.rows.size()), chunk.bucket.rows);
      const auto buckets = EncoderBuckets(Arrays(4, 4), with_attention);
      EXPECT_NE(std::ranges::find(buckets, chunk.bucket), buckets.end());
      for (const int64_t row : chunk.rows) {
        ++rides[row];
        EXPECT_LE(lengths[row], chunk.bucket.width);
      }
    }
    EXPECT_EQ(std::ranges::count(rides, 1), std::ssize(rides));
  }
}

TEST(EncoderBucketsTest, TakesTheSmallestBucketThatFits) {
  const auto bucket = [](std::vector<int64_t> lengths) {
    const auto chunks = *PlanChunks(lengths, Arrays(1, 4), false);
    EXPECT_EQ(chunks.size(), 1);
    return chunks[0].bucket;
  };
  EXPECT_EQ(bucket({2}), (EncoderBucket{1, 8}));
  EXPECT_EQ(bucket({8, 3}), (EncoderBucket{4, 8}));
  EXPECT_EQ(bucket({9}), (EncoderBucket{1, 16}));
  EXPECT_EQ(bucket({66}), (EncoderBucket{1, 72}));
  EXPECT_EQ(bucket(std::vector<int64_t>(17, 32)), (EncoderBucket{64, 32}));
}

TEST(EncoderBucketsTest, NoRowsNeedNoCall) {
  EXPECT_TRUE(PlanChunks({}, Arrays(1, 4), false)->empty());
}

TEST(EncoderBucketsTest, AttentionOfWideNetworksRidesInFewRows) {
  const EncoderArrays wide = Arrays(8, 64);
  std::vector<int> widths;
  for (const EncoderBucket& bucket : EncoderBuckets(wide, true)) {
    if (bucket.rows == 1) widths.push_back(bucket.width);
    if (bucket.width < kBucketWidths.back()) continue;
    EXPECT_EQ(bucket.rows, 1);
  }
  EXPECT_EQ(widths.size(), kBucketWidths.size());
}

TEST(EncoderBucketsTest, RefusesRowsThatAreTooLongOrTooShort) {
  for (const int64_t tokens : {0, 1, 73}) {
    EXPECT_EQ(PlanChunks(std::vector<int64_t>{5, tokens}, Arrays(1, 4), false)
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace slice
