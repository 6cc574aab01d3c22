// Buckets: the fixed sizes of calls to a device. A CUDA graph is captured for
// one size, so a batch is cut into calls of a few sizes, and each call is
// filled up with empty rows.
#ifndef SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_
#define SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cuda/encoder_arrays.h"

namespace slice {

// The size of a call: at most `rows` contexts of at most `width` tokens.
struct EncoderBucket {
  int rows = 0;
  int width = 0;

  bool operator==(const EncoderBucket&) const = default;
};

inline constexpr std::array<int, 4> kBucketRows = {1, 4, 16, 64};
// The longest context has 66 tokens (two ends and 64 paths); 72 leaves some
// room.
inline constexpr std::array<int, 4> kBucketWidths = {8, 16, 32, 72};

// How many rows a thread block of the kernel works on together.
int GroupRows(const EncoderBucket& bucket);

// How many floats of attention a call of `bucket` returns.
int64_t AttentionFloats(const EncoderArrays& arrays,
                        const EncoderBucket& bucket);
// How many cosines such a call returns beside its attention.
int64_t CosineFloats(const EncoderArrays& arrays, const EncoderBucket& bucket);
// All buckets. With attention, only the buckets whose attention fits into the
// buffer for it. Every width has at least one bucket.
std::vector<EncoderBucket> EncoderBuckets(const EncoderArrays& arrays,
                                          bool with_attention);

// The most rows of one call of the structural scorer.
int StructuralRows(const EncoderArrays& arrays);

// The rows of a batch that one call takes.
struct EncoderChunk {
  EncoderBucket bucket;
  std::vector<int64_t> rows;
};

// The calls for a batch whose row i has row_tokens[i] tokens. Rows of similar
// length share calls, and there are as few calls as possible. INVALID_ARGUMENT
// for a row that has more tokens than the widest bucket or fewer than two.
absl::StatusOr<std::vector<EncoderChunk>> PlanChunks(
    std::span<const int64_t> row_tokens, const EncoderArrays& arrays,
    bool with_attention);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_
