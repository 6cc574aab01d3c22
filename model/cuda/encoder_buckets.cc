#include "model/cuda/encoder_buckets.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

// A thread block works on several rows that have at most this many tokens
// together, or on one row, which may have more. The tokens share each weight
// that the block reads.
constexpr int kGroupTokens = 16;
// The most floats of attention of a call with several rows. Each slot, the
// buffers of one call, has memory for them on the host and on the device.
constexpr int64_t kMaxAttentionFloats = int64_t{4} << 20;
// The most floats of pair features, and the most rows, of one call of the
// structural scorer.
constexpr int64_t kStructuralFloats = int64_t{1} << 18;
constexpr int64_t kMaxStructuralRows = 1024;

}  // namespace

int GroupRows(const EncoderBucket& bucket) {
  return std::clamp(kGroupTokens / bucket.width, 1, bucket.rows);
}

int64_t AttentionFloats(const EncoderArrays& arrays,
                        const EncoderBucket& bucket) {
  return int64_t{arrays.layers} * arrays.heads * bucket.rows * bucket.width *
         bucket.width;
}

int64_t CosineFloats(const EncoderArrays& arrays, const EncoderBucket& bucket) {
  return (int64_t{arrays.layers} + 1) * bucket.rows * bucket.width *
         kCosineEnds;
}

std::vector<EncoderBucket> EncoderBuckets(const EncoderArrays& arrays,
                                          bool with_attention) {
  std::vector<EncoderBucket> buckets;
  for (const int width : kBucketWidths) {
    for (const int rows : kBucketRows) {
      const EncoderBucket bucket = {rows, width};
      if (!with_attention || rows == 1 ||
          AttentionFloats(arrays, bucket) <= kMaxAttentionFloats) {
        buckets.push_back(bucket);
      }
    }
  }
  return buckets;
}

int StructuralRows(const EncoderArrays& arrays) {
  return static_cast<int>(std::clamp<int64_t>(
      kStructuralFloats / (arrays.pair_features + 1), 1, kMaxStructuralRows));
}

absl::StatusOr<std::vector<EncoderChunk>> PlanChunks(
    std::span<const int64_t> row_tokens, const EncoderArrays& arrays,
    bool with_attention) {
  for (const int64_t tokens : row_tokens) {
    if (tokens >= 2 && tokens <= kBucketWidths.back()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "a context has ", tokens,
        " tokens; on a device it must have from 2 to ", kBucketWidths.back()));
  }
  const std::vector<EncoderBucket> buckets =
      EncoderBuckets(arrays, with_attention);
  std::vector<EncoderChunk> chunks;
  int shorter = 0;  // rows of at most this many tokens are already in chunks
  for (const int width : kBucketWidths) {
    std::vector<int64_t> rows;
    for (size_t row = 0; row < row_tokens.size(); ++row) {
      if (row_tokens[row] > shorter && row_tokens[row] <= width) {
        rows.push_back(static_cast<int64_t>(row));
      }
    }
    shorter = width;
    for (size_t begin = 0; begin < rows.size();) {
      // The smallest bucket that takes all rows left, or else the largest.
      EncoderChunk chunk;
      for (const EncoderBucket& bucket : buckets) {
        if (bucket.width != width) continue;
        chunk.bucket = bucket;
        if (static_cast<size_t>(bucket.rows) >= rows.size() - begin) break;
      }
      const size_t end =
          std::min(rows.size(), begin + static_cast<size_t>(chunk.bucket.rows));
      chunk.rows.assign(rows.begin() + static_cast<int64_t>(begin),
                        rows.begin() + static_cast<int64_t>(end));
      chunks.push_back(std::move(chunk));
      begin = end;
    }
  }
  return chunks;
}

}  // namespace slice
