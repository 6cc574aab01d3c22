// The sizes of calls to a device. A captured graph has fixed sizes, so a batch
// is cut into calls of a few sizes, and each call is filled up with empty rows.
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
// The longest context has two ends and 64 paths, which leaves some room.
inline constexpr std::array<int, 4> kBucketWidths = {8, 16, 32, 72};

// How many rows a block of the kernel works on together.
int GroupRows(const EncoderBucket& bucket);

// How many floats of attention a call of `bucket` returns at most.
int64_t AttentionFloats(const EncoderArrays& arrays,
                        const EncoderBucket& bucket);
// All buckets, or with attention the buckets whose attention fits a slot. Every
// width has at least one.
std::vector<EncoderBucket> EncoderBuckets(const EncoderArrays& arrays,
                                          bool with_attention);

// The most rows of structural scores in one call.
int StructuralRows(const EncoderArrays& arrays);

// The rows of a batch that one call takes.
struct EncoderChunk {
  EncoderBucket bucket;
  std::vector<int64_t> rows;
};

// The calls for a batch whose rows have `row_tokens` tokens each. Rows of
// similar length share calls, and calls are as large as possible.
// INVALID_ARGUMENT for a row that is longer than the widest bucket or has less
// than two tokens.
absl::StatusOr<std::vector<EncoderChunk>> PlanChunks(
    std::span<const int64_t> row_tokens, const EncoderArrays& arrays,
    bool with_attention);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_
